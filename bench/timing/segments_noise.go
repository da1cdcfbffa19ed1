package main

import (
	"math"
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// segmentCondition is what happens to a channel of placed speech.
type segmentCondition struct {
	name string
	// figure is the part of the figures' names that this condition counts for.
	figure string
	// spoil adds to the audio before it is encoded; lose removes some of it afterwards.
	spoil func(m *segmentMaterial, rng *rand.Rand, pcm []int16)
	lose  func(rng *rand.Rand, pcm []int16)
	aLaw  bool
}

//nolint:gochecknoglobals // a table
var segmentConditions = []segmentCondition{
	{name: "clean, mu-law", figure: "clean", spoil: nothing},
	{name: "clean, A-law", figure: "clean", spoil: nothing, aLaw: true},
	{name: "idle noise -65 dBFS", figure: "clean", spoil: noiseAt(white, -65-speechDB)},
	{name: "white 20 dB", figure: "20db", spoil: noiseAt(white, -20)},
	{name: "pink 20 dB", figure: "20db", spoil: noiseAt(pink, -20)},
	{name: "babble 20 dB", figure: "20db", spoil: noiseAt(babble, -20)},
	{name: "white 10 dB", figure: "10db", spoil: noiseAt(white, -10)},
	{name: "pink 10 dB", figure: "10db", spoil: noiseAt(pink, -10)},
	{name: "babble 10 dB", figure: "10db_babble", spoil: noiseAt(babble, -10)},
	{name: "white 5 dB", figure: "5db", spoil: noiseAt(white, -5)},
	{name: "pink 5 dB", figure: "5db", spoil: noiseAt(pink, -5)},
	{name: "babble 5 dB", figure: "5db_babble", spoil: noiseAt(babble, -5)},
	{name: "hum 20 dB", spoil: noiseAt(hum, -20)},
	{name: "hum 10 dB", spoil: noiseAt(hum, -10)},
	{name: "music 20 dB", spoil: noiseAt(music, -20)},
	{name: "music 10 dB", spoil: noiseAt(music, -10)},
	{name: "clicks", spoil: clicks},
	{name: "1 % lost, silence", spoil: nothing, lose: loss(0.01, false)},
	{name: "3 % lost, silence", spoil: nothing, lose: loss(0.03, false)},
	{name: "5 % lost, silence", spoil: nothing, lose: loss(0.05, false)},
	{name: "3 % lost, silence, white 20 dB", spoil: noiseAt(white, -20), lose: loss(0.03, false)},
	{name: "3 % lost, concealed", spoil: nothing, lose: loss(0.03, true)},
}

func nothing(*segmentMaterial, *rand.Rand, []int16) {}

// noiseMaker fills pcm with noise of any level.
type noiseMaker func(m *segmentMaterial, rng *rand.Rand, pcm []int16)

// noiseAt adds noise at the given level relative to speech in dB.
func noiseAt(make1 noiseMaker, db float64) func(*segmentMaterial, *rand.Rand, []int16) {
	return func(m *segmentMaterial, rng *rand.Rand, pcm []int16) {
		n := make([]int16, len(pcm))
		make1(m, rng, n)
		audio.Gain(n, speechDB+db-audio.Level(n))
		audio.Mix(pcm, n)
	}
}

func white(_ *segmentMaterial, rng *rand.Rand, pcm []int16) {
	audio.NewNoise(rng.Uint64()).White(pcm, -20)
}

func pink(_ *segmentMaterial, rng *rand.Rand, pcm []int16) {
	audio.NewNoise(rng.Uint64()).Pink(pcm, -20)
}

// talkers is the number of simultaneous voices in babble.
const talkers = 6

// babble mixes voices that talk almost without pauses.
func babble(m *segmentMaterial, rng *rand.Rand, pcm []int16) {
	for range talkers {
		for at := -rng.IntN(segmentRate); at < len(pcm); {
			u := m.crowd[rng.IntN(len(m.crowd))]
			from := max(0, -at)
			if from < len(u) {
				voice := append([]int16(nil), u[from:]...)
				audio.Gain(voice, -12)
				audio.Mix(pcm[max(at, 0):], voice)
			}
			at += len(u) + rng.IntN(segmentRate/5)
		}
	}
}

// hum is mains hum: 50 or 60 Hz and its harmonics, which a telephone transmits from the fourth on.
func hum(_ *segmentMaterial, rng *rand.Rand, pcm []int16) {
	f := 50 + 10*float64(rng.IntN(2))
	var amp, phase [20]float64
	for h := range amp {
		amp[h], phase[h] = math.Pow(float64(h+1), -1)*(0.3+rng.Float64()), 6*rng.Float64()
	}
	for i := range pcm {
		x := 0.0
		for h := range amp {
			x += amp[h] * math.Sin(2*math.Pi*f*float64(h+1)*float64(i)/segmentRate+phase[h])
		}
		pcm[i] = int16(1500 * x)
	}
}

// music is music on hold: chords of plucked strings over a bass, in a steady beat.
func music(_ *segmentMaterial, rng *rand.Rand, pcm []int16) {
	chords := [][]float64{{0, 4, 7}, {9, 12, 16}, {5, 9, 12}, {7, 11, 14}}
	beat := segmentRate * 2 / 5
	for i := 0; i < len(pcm); i += beat / 2 {
		chord := chords[i/(4*beat)%len(chords)]
		notes := []float64{chord[rng.IntN(3)] + 12*float64(rng.IntN(2))}
		if i%beat < beat/2 {
			notes = append(notes, chord[0]-12, chord[1], chord[2])
		}
		for _, n := range notes {
			pluck(pcm[i:], 262*math.Pow(2, n/12))
		}
	}
}

// pluck adds a decaying tone with overtones.
func pluck(pcm []int16, f float64) {
	for i := range pcm[:min(len(pcm), segmentRate*6/5)] {
		t := float64(i) / segmentRate
		env := min(t/0.005, 1) * math.Exp(-3*t)
		x := math.Sin(2*math.Pi*f*t) + 0.5*math.Sin(4*math.Pi*f*t) + 0.25*math.Sin(6*math.Pi*f*t)
		pcm[i] = int16(min(max(float64(pcm[i])+2200*env*x, -32768), 32767))
	}
}

// clicks are loud and short: 1 to 8 ms, two a second.
func clicks(_ *segmentMaterial, rng *rand.Rand, pcm []int16) {
	for at := 0; at+100 < len(pcm); at += segmentRate/4 + rng.IntN(segmentRate/2) {
		n := 8 + rng.IntN(56)
		for i := range n {
			pcm[at+i] = int16(min(max(float64(pcm[at+i])+6000*math.Exp(-4*float64(i)/float64(n))*(2*rng.Float64()-1), -32768), 32767))
		}
	}
}

// loss removes packets of 20 ms independently. They are replaced by silence (as on the recording)
// or by the previous packet, softer and softer (as it is heard on the line).
func loss(share float64, conceal bool) func(*rand.Rand, []int16) {
	return func(rng *rand.Rand, pcm []int16) {
		const frame = segmentRate / 50
		misses := 0
		for at := frame; at+frame <= len(pcm); at += frame {
			if rng.Float64() >= share {
				misses = 0
				continue
			}
			misses++
			for i := at; i < at+frame; i++ {
				if pcm[i] = 0; conceal && misses <= 3 {
					pcm[i] = pcm[i-frame] >> 1
				}
			}
		}
	}
}
