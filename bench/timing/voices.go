package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// telephone is the rate (Hz) of all audio here.
const telephone = segmentRate

// voice is a speaker with what it can say: each line begins and ends with an audible sample and has
// the same level.
type voice struct {
	name  string
	lines [][]int16
}

// stock is everything that callers and agents can say.
type stock struct {
	voices []voice
	crowd  *segmentMaterial // what babble is mixed from
	mouth  speech.Mouth
}

// newStock makes the named voices speak and cuts the recorded speech.
func newStock(ctx context.Context, seed uint64, names, files []string, perVoice int) (*stock, error) {
	engines, err := speech.New(speech.Options{})
	if err != nil {
		return nil, err
	}
	s := &stock{mouth: engines.Mouth(), crowd: &segmentMaterial{}}
	rng := rand.New(rand.NewPCG(seed, 0x766f6963))
	s.voices = make([]voice, len(names))
	g, ctx := errgroup.WithContext(ctx)
	for i, name := range names {
		order := rng.Perm(len(segmentLines()))[:min(perVoice, len(segmentLines()))]
		pace := 0.9 + 0.25*rng.Float64()
		g.Go(func() (err error) {
			s.voices[i], err = synthesise(ctx, engines.Mouth(), name, pace, order)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i, f := range files {
		cut, err := cutRecorded(f)
		if err != nil {
			return nil, err
		}
		if len(cut) < 6 {
			return nil, fmt.Errorf("%s has %d utterances between silences; six are needed", f, len(cut))
		}
		s.voices = append(s.voices, voice{name: "recorded " + strconv.Itoa(i+1), lines: cut})
	}
	if len(s.voices) == 0 {
		return nil, fmt.Errorf("no voice to speak with")
	}
	for _, v := range s.voices {
		s.crowd.crowd = append(s.crowd.crowd, v.lines...)
	}
	return s, nil
}

// synthesise makes one voice speak the lines with the given numbers.
func synthesise(ctx context.Context, mouth speech.Mouth, name string, pace float64, order []int) (voice, error) {
	v := voice{name: name}
	for _, i := range order {
		clip, err := mouth.Say(ctx, scenario.Persona{Voice: name, Pace: pace}, "en-US", segmentLines()[i])
		if err != nil {
			return v, fmt.Errorf("voice %s: %w", name, err)
		}
		if pcm := trimmed(audio.Resample(clip.PCM, clip.Rate, telephone)); pcm != nil {
			v.lines = append(v.lines, pcm)
		}
	}
	return v, nil
}

// line draws a line with at least the given number of samples, several sentences joined with short
// pauses if none is long enough.
func (v voice) line(rng *rand.Rand, least int) []int16 {
	var fit [][]int16
	for _, l := range v.lines {
		if len(l) >= least && len(l) < least+6*telephone {
			fit = append(fit, l)
		}
	}
	if len(fit) > 0 {
		return fit[rng.IntN(len(fit))]
	}
	out := slices.Clone(v.lines[rng.IntN(len(v.lines))])
	for len(out) < least {
		out = append(out, make([]int16, telephone/20+rng.IntN(telephone/10))...)
		out = append(out, v.lines[rng.IntN(len(v.lines))]...)
	}
	return out
}

// piece returns a piece of continuous speech of about the given number of samples that ends with an
// audible sample.
func (v voice) piece(rng *rand.Rand, samples int) []int16 {
	pcm := slices.Clone(v.line(rng, samples)[:samples])
	for i := range min(80, len(pcm)) { // a talker who breaks off fades within 10 ms
		pcm[len(pcm)-1-i] = int16(int(pcm[len(pcm)-1-i]) * (i + 1) / 80)
	}
	_, last, ok := (audio.Clip{PCM: pcm, Rate: telephone}).Audible()
	if !ok {
		return nil
	}
	return pcm[:last]
}

// mouth speaks the lines of one call's script, and uses the engine for everything else.
type mouth struct {
	stock *stock
	call  string
	lines [][]int16
}

// linePrefix marks the script's own lines; the number follows.
const linePrefix = "line "

// Engine distinguishes the lines of one call from those of others.
func (m *mouth) Engine() string { return "lines of " + m.call }

// Say implements caller.Mouth.
func (m *mouth) Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error) {
	if number, ok := strings.CutPrefix(text, linePrefix); ok {
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(m.lines) {
			return audio.Clip{}, fmt.Errorf("there is no such line")
		}
		return audio.Clip{PCM: slices.Clone(m.lines[i]), Rate: telephone}, nil
	}
	return m.stock.mouth.Say(ctx, p, language, text)
}
