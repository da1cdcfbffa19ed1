package audio

import "slices"

// guessNoise estimates the noise of each block without knowing where speech
// is: twice the 20th percentile of the hops within ±4 s.
func guessNoise(f []features) []features {
	out := make([]features, (len(f)+blockHops-1)/blockHops)
	values := make([]float32, 0, (2*noiseBlocks+1)*blockHops/4)
	for b := range out {
		from := max(0, (b-noiseBlocks)*blockHops)
		to := min(len(f), (b+noiseBlocks+1)*blockHops)
		for k := range out[b] {
			values = values[:0]
			for i := from; i < to; i += 4 {
				values = append(values, f[i][k])
			}
			slices.Sort(values)
			out[b][k] = floored(2*values[len(values)/5], k)
		}
	}
	return out
}

// floored keeps a band from being believed quieter than segmentFloorDB; the mean square is what it is.
func floored(e float32, k int) float32 {
	if k == bandCount {
		return e
	}
	return max(e, lowestNoise)
}

// lowestNoise is segmentFloorDB as a mean square.
const lowestNoise = 32768 * 32768 * 1e-6

// meanNoise estimates the noise of each block as the mean over the silence
// within ±4 s, keeping a guard distance to speech. Where there is under 100 ms
// of silence the earlier estimate stands.
func meanNoise(f []features, speech []bool, before []features) []features {
	silent := guarded(speech)
	sums := make([][bandCount + 1]float64, len(before))
	counts := make([]int, len(before))
	for i := range f {
		if !silent[i] {
			continue
		}
		b := i / blockHops
		counts[b]++
		for k, e := range f[i] {
			sums[b][k] += float64(e)
		}
	}
	out := slices.Clone(before)
	for b := range out {
		var sum [bandCount + 1]float64
		n := 0
		for c := max(0, b-noiseBlocks); c <= min(len(out)-1, b+noiseBlocks); c++ {
			n += counts[c]
			for k := range sum {
				sum[k] += sums[c][k]
			}
		}
		if n < hopsPerSecond/10 {
			continue
		}
		for k := range sum {
			out[b][k] = floored(float32(sum[k]/float64(n)), k)
		}
	}
	return out
}

// guarded marks the silence that lies at least guardHops from any speech.
func guarded(speech []bool) []bool {
	silent := make([]bool, len(speech))
	last := -guardHops - 1
	for i, s := range speech {
		if s {
			last = i
		}
		silent[i] = i-last > guardHops
	}
	next := len(speech) + guardHops
	for i, v := range slices.Backward(speech) {
		if v {
			next = i
		}
		silent[i] = silent[i] && next-i > guardHops
	}
	return silent
}
