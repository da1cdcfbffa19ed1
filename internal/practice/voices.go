package practice

import (
	"context"
	"sync"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// maxKept bounds the number of phrases kept: about an hour of speech.
const maxKept = 2000

// voices caches what the mouth has said. It belongs to the desk.
type voices struct {
	mouth   Mouth
	persona scenario.Persona

	mu   sync.Mutex
	kept map[phrase][]int16
}

type phrase struct {
	text string
	rate int
}

func newVoices(m Mouth, p scenario.Persona) *voices {
	return &voices{mouth: m, persona: p, kept: map[phrase][]int16{}}
}

// ready returns the phrase if it has been said before.
func (v *voices) ready(text string, rate int) ([]int16, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	pcm, ok := v.kept[phrase{text, rate}]
	return pcm, ok
}

// say returns the phrase without surrounding silence, so that the desk knows to the sample when
// it speaks. The result must not be changed.
func (v *voices) say(ctx context.Context, text string, rate int) ([]int16, error) {
	if pcm, ok := v.ready(text, rate); ok {
		return pcm, nil
	}
	clip, err := v.mouth.Say(ctx, v.persona, "en-US", text)
	if err != nil {
		return nil, err
	}
	if first, last, ok := clip.Audible(); ok {
		clip.PCM = clip.PCM[first:last]
	}
	pcm := audio.Resample(clip.PCM, clip.Rate, rate)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.kept) < maxKept {
		v.kept[phrase{text, rate}] = pcm
	}
	return pcm, nil
}
