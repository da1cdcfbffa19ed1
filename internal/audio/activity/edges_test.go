package activity

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/audio"
)

// TestACrestBeforeAWordIsNoBeginning plays words with abrupt beginnings in steady noise 20 dB below
// them. Sometimes the noise rises just before a word and its spectrum merges with the word's; the
// rise must not count as the beginning.
func TestACrestBeforeAWordIsNoBeginning(t *testing.T) {
	t.Parallel()
	const rate, words, before = 8000, 500, 30 // ms before a word
	for name, noise := range map[string]func(n *audio.Noise, pcm []int16){
		"white": func(n *audio.Noise, pcm []int16) { n.White(pcm, -42) },
		"pink":  func(n *audio.Noise, pcm []int16) { n.Pink(pcm, -42) },
	} {
		rng := rand.New(rand.NewPCG(8, 8))
		var p planted
		for range words {
			p.pcm = append(p.pcm, make([]int16, rate*6/10+rng.IntN(rate/2))...)
			word := vowel(rng, rate)
			first, last, _ := audio.Clip{PCM: word, Rate: rate}.Audible()
			word = slices.Clone(word[first+rate/50 : last]) // begins where the word is already loud
			audio.Gain(word, -22-audio.Level(word))
			p.truth = append(p.truth, audio.Span{Start: len(p.pcm), End: len(p.pcm) + len(word)})
			p.pcm = append(p.pcm, word...)
		}
		hiss := make([]int16, len(p.pcm))
		noise(audio.NewNoise(5), hiss)
		audio.Mix(p.pcm, hiss)
		got := compare(p.truth, Segments(p.pcm, rate), rate)
		early := 0
		for _, ms := range got.onset {
			if ms < -before {
				early++
			}
		}
		t.Logf("%s: %d of %d begin over %d ms early; median %.1f, 95th percentile %.1f ms", name, early, len(got.onset), before, quantile(got.onset, .5), quantile(got.onset, .95))
		if early > words/100 || got.missed > 0 { // it was 9 and 8 before beginnings were moved to the first loud sound
			t.Errorf("%s: %d of %d words begin over %d ms early, %d missed", name, early, len(got.onset), before, got.missed)
		}
	}
}
