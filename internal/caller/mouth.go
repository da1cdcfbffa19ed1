package caller

import (
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Mouth turns text into speech. The clip may have any rate: it is resampled to that of the
// line, set to a common loudness and trimmed of silence at both ends. If a Mouth has a method
// Engine() string, its result keeps engines apart in a shared Cache.
type Mouth interface {
	Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error)
}

const (
	// loudness is the level of every line from its first to its last audible sample, in dBFS.
	loudness = -20.0
	// peakLimit is the largest sample value of a line, so that it never clips.
	peakLimit = 29000
	// leadMS and tailMS are the silence in ms kept before the first and after the last audible sample.
	leadMS, tailMS = 5, 40
	// makers is how many lines of one item are synthesised concurrently.
	makers = 4
	// maxClipSeconds bounds the clip that a Mouth may return for one line.
	maxClipSeconds = 300
)

// take is a line at one rate. Its audible samples are pcm[first:last].
type take struct {
	pcm         []int16
	first, last int
}

// line is a synthesised line at the two rates that telephone lines and rooms use most.
type line struct {
	narrow, wide take // 8000 and 16000 Hz
}

func (l *line) bytes() int64 { return int64(2 * (len(l.narrow.pcm) + len(l.wide.pcm))) }

// at returns the line at the given rate (Hz).
func (l *line) at(rate int) take {
	switch rate {
	case 8000:
		return l.narrow
	case 16000:
		return l.wide
	}
	return newTake(audio.Clip{PCM: l.wide.pcm, Rate: 16000}, rate)
}

// Lines holds all lines that an item can speak, ready to be played. It is immutable and may be shared.
type Lines struct {
	byText map[string]*line
}

// Prepare synthesises every scripted line of the item and those that any caller may need
// (asking whether anybody is there, goodbye). It is slow: call it before dialling. Errors name
// the position of the line, not its words.
func Prepare(ctx context.Context, m Mouth, cache *Cache, item scenario.Item) (*Lines, error) {
	phrases := phrasesFor(item.Language())
	texts := append(item.Lines(), phrases.prompt, phrases.goodbye)
	made := make([]*line, len(texts))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(makers)
	for i, text := range texts {
		g.Go(func() error {
			l, err := cache.get(ctx, keyOf(m, item.Input.Persona, item.Language(), text), func() (*line, error) {
				return speak(ctx, m, item.Input.Persona, item.Language(), text)
			})
			if err != nil {
				return fmt.Errorf("speak line %d of %d: %w", i+1, len(texts), err)
			}
			made[i] = l
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	lines := &Lines{byText: make(map[string]*line, len(texts))}
	for i, text := range texts {
		lines.byText[text] = made[i]
	}
	return lines, nil
}

// speak synthesises one line and prepares it at both rates.
func speak(ctx context.Context, m Mouth, p scenario.Persona, language, text string) (*line, error) {
	clip, err := sound(ctx, m, p, language, text)
	if err != nil {
		return nil, err
	}
	l := &line{narrow: newTake(clip, 8000), wide: newTake(clip, 16000)}
	if len(l.narrow.pcm) == 0 {
		return nil, silence(clip)
	}
	return l, nil
}

// silence returns the error for a clip without audible sound.
func silence(clip audio.Clip) error {
	return problem.New(problem.Unavailable, "the speech engine gave %s of silence for a line", clip.Duration().Round(time.Millisecond)).
		WithHint("Some voices have no sound for the letters of another language.")
}

// sound synthesises one line and checks that the result is plausible.
func sound(ctx context.Context, m Mouth, p scenario.Persona, language, text string) (audio.Clip, error) {
	clip, err := m.Say(ctx, p, language, text)
	if err != nil {
		return audio.Clip{}, err
	}
	if clip.Rate < 4000 || clip.Rate > 192_000 || len(clip.PCM) > clip.Rate*maxClipSeconds {
		return audio.Clip{}, problem.New(problem.Unavailable, "the speech engine gave %d samples at %d Hz, which cannot be played", len(clip.PCM), clip.Rate)
	}
	return clip, plausible(clip, text)
}

// Bounds of the time that a line takes to speak, per letter or digit, plus a constant for the
// upper bound: far faster and far slower than people talk. Without them, the agent would be
// judged by a line that was cut off or garbled.
const (
	leastPerLetter = 12 * time.Millisecond
	mostPerLetter  = 600 * time.Millisecond
	mostOnTop      = 5 * time.Second
)

// plausible checks that the clip is as long as the text requires. Silent clips are not its concern.
func plausible(clip audio.Clip, text string) error {
	first, last, ok := clip.Audible()
	if !ok {
		return nil
	}
	letters := 0
	for _, r := range text {
		if isWord(r) {
			letters++
		}
	}
	length := time.Duration(last-first) * time.Second / time.Duration(clip.Rate)
	if n := time.Duration(letters); length < n*leastPerLetter || length > n*mostPerLetter+mostOnTop {
		return problem.New(problem.Unavailable, "the speech engine gave %s of sound for a line of %d letters", length.Round(time.Millisecond), letters)
	}
	return nil
}

// newTake prepares a clip for a rate: resampled, trimmed of silence at both ends, at the common
// loudness. It returns an empty take for an inaudible clip.
func newTake(clip audio.Clip, rate int) take {
	pcm := audio.Resample(clip.PCM, clip.Rate, rate)
	first, last, ok := audio.Clip{PCM: pcm, Rate: rate}.Audible()
	if !ok {
		return take{}
	}
	gain := loudness - audio.Level(pcm[first:last])
	if top := peak(pcm[first:last]); top > 0 {
		gain = min(gain, 20*math.Log10(peakLimit/float64(top)))
	}
	audio.Gain(pcm, gain)
	// The gain may have changed which samples are the outermost audible ones.
	first, last, ok = audio.Clip{PCM: pcm, Rate: rate}.Audible()
	if !ok {
		return take{}
	}
	start, end := max(0, first-rate*leadMS/1000), min(len(pcm), last+rate*tailMS/1000)
	return take{pcm: pcm[start:end:end], first: first - start, last: last - start}
}

func peak(pcm []int16) int {
	top := 0
	for _, s := range pcm {
		top = max(top, int(s), -int(s))
	}
	return top
}
