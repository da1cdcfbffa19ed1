package activity

import "github.com/ringtrue/ringtrue/internal/audio"

// Parameters for the edges of segments, in hops.
const (
	// coarseBias is how far outside the speech the coarse edges lie, because of smoothing and the window.
	coarseBias = 4
	// outward and inward are how far an edge may move from the coarse one in noise. A beginning
	// may move inward by inwardFirst: what precedes the first distinct sound is left to soft,
	// which detects faint sounds better than the envelope does.
	outward, inward, inwardFirst = 12, 7, 20
	// bridge is the longest quiet stretch across which an edge may move outward.
	bridge = 4
)

// overNoise is how far above steady noise (as a factor of power over 5 ms) a sound must be to
// be distinct; such noise reaches that once in ten thousand hops.
const overNoise = 2.2

// refiner moves the edges of coarse segments to the exact sample.
type refiner struct {
	pcm   []int16
	hop   int
	noise noiseModel
	crowd []crowdBlock
}

// spans converts marked hops to spans with exact edges.
func (r *refiner) spans(speech []bool) []audio.Span {
	var out []audio.Span
	for i := 0; i < len(speech); i++ {
		if !speech[i] {
			continue
		}
		from := i
		for i < len(speech) && speech[i] {
			i++
		}
		if s := r.refine(from, i); s.End > s.Start {
			out = append(out, s)
		}
	}
	return out
}

// refine finds the first and last distinct sound near the coarse edges. If there is none (a
// faint sound visible only in its bands) the coarse edge is used, less its bias.
func (r *refiner) refine(from, to int) audio.Span {
	if r.crowd[(from+to)/2/blockHops].changing { // the level has determined the edges as well as possible
		return audio.Span{Start: min(from+closeHops, to-1) * r.hop, End: min(max(to-closeHops, from+1)*r.hop, len(r.pcm))}
	}
	need, faint := r.threshold((from + to) / 2)
	reach, reachFirst := inward, inwardFirst
	if !faint {
		reach, reachFirst = to-from, to-from // without noise, what is inaudible is not speech
	}
	first, last := -1, -1
	for p := from; p <= min(from+reachFirst, to-1) && first < 0; p++ {
		if r.power(p*r.hop) >= need {
			first = p
		}
	}
	for p := to - 1; p >= max(to-1-reach, from) && last < 0; p-- {
		if r.power(p*r.hop) >= need {
			last = p
		}
	}
	s := audio.Span{Start: min(from+coarseBias, to-1) * r.hop, End: max(to-coarseBias, from+1) * r.hop}
	if first < 0 && !faint {
		return audio.Span{}
	}
	if first >= 0 {
		first = r.walk(first, -1, from-outward, need)
		s.Start = r.toSample(first*r.hop, need, 1)
	}
	if last >= 0 {
		last = r.walk(last, 1, to+outward, need)
		s.End = r.toSample(last*r.hop, need, -1)
	}
	s.Start, s.End = max(s.Start, 0), min(s.End, len(r.pcm))
	if s.End <= s.Start {
		return audio.Span{Start: from * r.hop, End: min(to*r.hop, len(r.pcm))}
	}
	return s
}

// walk moves a hop in direction d as long as distinct sounds are within the bridge.
func (r *refiner) walk(p, d, limit int, need float64) int {
	at := p
	for q := p + d; q != limit && (q-at)*d <= bridge; q += d {
		if r.power(q*r.hop) >= need {
			at = q
		}
	}
	return at
}

// threshold returns the power from which sound is distinct at the given hop. faint reports that
// there may be speech below it, because the noise is louder than the limit of audibility.
func (r *refiner) threshold(hop int) (need float64, faint bool) {
	n := r.noise[min(hop/blockHops, len(r.noise)-1)].power
	if n <= audio.AudibleAmplitude*audio.AudibleAmplitude {
		return audio.AudibleAmplitude * audio.AudibleAmplitude, false
	}
	return n, true
}

// power returns the mean square of one hop from the given sample on, 0 outside the channel.
func (r *refiner) power(at int) float64 {
	if at < 0 || at >= len(r.pcm) {
		return 0
	}
	return audio.Energy(r.pcm[at:min(at+r.hop, len(r.pcm))]) / float64(r.hop)
}

// toSample finds, around a distinct hop, the outermost 5 ms that are distinct, sample by
// sample, and within them the outermost sample that is itself so loud. d is 1 for a beginning,
// −1 for an end (which is one past the sample).
func (r *refiner) toSample(at int, need float64, d int) int {
	for off := r.hop - 1; off > 0; off-- {
		if r.power(at-d*off) >= need {
			at -= d * off
			break
		}
	}
	from, to := max(at, 0), min(at+r.hop, len(r.pcm))
	if d > 0 {
		for i := from; i < to; i++ {
			if float64(r.pcm[i])*float64(r.pcm[i]) >= need {
				return i
			}
		}
		return from
	}
	for i := to - 1; i >= from; i-- {
		if float64(r.pcm[i])*float64(r.pcm[i]) >= need {
			return i + 1
		}
	}
	return to
}
