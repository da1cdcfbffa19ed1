package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// segmentRate is that of the telephone.
const segmentRate = 8000

// The kinds of speech.
const (
	synthesised = "voices"
	recorded    = "recorded"
)

// segmentMaterial is what channels are made of.
type segmentMaterial struct {
	seed   uint64
	length int // samples of a channel
	groups []segmentGroup
	// crowd is what babble is mixed from: other sentences by all voices.
	crowd [][]int16
}

// segmentGroup is a set of utterances, each beginning and ending with its first and last audible
// sample.
type segmentGroup struct {
	name string
	said [][]int16
}

// segmentLines returns what the voices say; which of them, and in what order, is random.
func segmentLines() []string {
	return []string{
		"Good morning, this is the clinic. How can I help you?", "Yes.", "No, thank you.", "Okay.", "Of course.",
		"I would like to move my appointment to Thursday at four fifteen, please.", "Just a moment.",
		"Six hundred and forty dollars.", "She sells fish at half past five.", "What is your date of birth?",
		"My name is Frances Smith, that is S M I T H.", "Thank you very much for your help. Goodbye.",
		"The first free slot is on Tuesday at nine.", "Let me check that for you.", "Which of these suits you best?",
		"Have you been with us before?", "The address is fifty six West Street.", "Perhaps.", "Half of it, at most.",
		"I have booked it. Is there anything else?", "Hello?", "We close at six on Fridays.", "That is correct.",
		"Please stay on the line, I will put you through to a colleague.", "Can you spell that?", "Zero eight hundred, five five five.",
		"He asked for a refund because the package never arrived.", "Both keys fit.", "Up to twelve weeks.", "Mm, yes, right.",
		"I am afraid we do not have that in stock.", "You should get a text message with a code shortly.",
	}
}

func newSegmentMaterial(ctx context.Context, seed uint64, quick bool, files []string) (*segmentMaterial, error) {
	m := &segmentMaterial{seed: seed, length: 600 * segmentRate}
	lines, repeat := 16, 1
	if quick {
		m.length, lines = 150*segmentRate, 6
	}
	engines, err := speech.New(speech.Options{})
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, 0x73656773))
	g := segmentGroup{name: synthesised}
	for range repeat {
		if g.said, err = speak(ctx, engines.Mouth(), rng, lines); err != nil {
			return nil, err
		}
	}
	if m.crowd, err = speak(ctx, engines.Mouth(), rng, 8); err != nil {
		return nil, err
	}
	m.groups = append(m.groups, g)
	r := segmentGroup{name: recorded}
	for _, f := range files {
		said, err := cutRecorded(f)
		if err != nil {
			return nil, err
		}
		r.said = append(r.said, said...)
	}
	if len(files) > 0 && len(r.said) == 0 {
		return nil, fmt.Errorf("no utterance between silences in %v", files)
	}
	if len(r.said) > 0 {
		rng.Shuffle(len(r.said), func(i, k int) { r.said[i], r.said[k] = r.said[k], r.said[i] })
		m.groups = append(m.groups, r)
	}
	return m, nil
}

// speak makes every voice say n lines, in random order.
func speak(ctx context.Context, mouth speech.Mouth, rng *rand.Rand, n int) ([][]int16, error) {
	var out [][]int16
	lines := segmentLines()
	for _, voice := range []string{"rms", "slt", "awb", "kal16"} {
		for _, i := range rng.Perm(len(lines))[:min(n, len(lines))] {
			p := scenario.Persona{Voice: voice, Pace: 0.85 + 0.35*rng.Float64()}
			clip, err := mouth.Say(ctx, p, "en-US", lines[i])
			if err != nil {
				return nil, err
			}
			if pcm := trimmed(audio.Resample(clip.PCM, clip.Rate, segmentRate)); pcm != nil {
				out = append(out, pcm)
			}
		}
	}
	rng.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out, nil
}

// speechDB is the level at which speech is placed, not counting its pauses.
const speechDB = -22.0

// trimmed brings an utterance to its level and removes what is not audible; nil if it is too short.
func trimmed(pcm []int16) []int16 {
	for range 2 { // the level depends on what is audible, and that on the level
		first, last, ok := audio.Clip{PCM: pcm, Rate: segmentRate}.Audible()
		if !ok || last-first < segmentRate/8 {
			return nil
		}
		pcm = slices.Clone(pcm[first:last])
		audio.Gain(pcm, speechDB-speechLevel(pcm))
	}
	first, last, ok := audio.Clip{PCM: pcm, Rate: segmentRate}.Audible()
	if !ok {
		return nil
	}
	return pcm[first:last]
}

// speechLevel returns the level of the frames that are within 25 dB of the loudest.
func speechLevel(pcm []int16) float64 {
	const w = segmentRate / 50
	loudest := audio.FloorDB
	for i := 0; i+w <= len(pcm); i += w {
		loudest = max(loudest, audio.Level(pcm[i:i+w]))
	}
	var kept []int16
	for i := 0; i+w <= len(pcm); i += w {
		if audio.Level(pcm[i:i+w]) > loudest-25 {
			kept = append(kept, pcm[i:i+w]...)
		}
	}
	return audio.Level(kept)
}

// cutRecorded cuts recorded speech at real silences of at least 300 ms, 30 dB below the speech; no
// silence shorter than that may be inside what is placed.
func cutRecorded(path string) ([][]int16, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	wav, err := audio.ReadWAV(f, 1<<30)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out [][]int16
	for _, c := range wav.Channels {
		pcm := audio.Resample(c, wav.Rate, segmentRate)
		audio.Gain(pcm, speechDB-speechLevel(pcm))
		for _, s := range stretches(pcm) {
			// Longer ones would fill a channel by themselves.
			if n := s.End - s.Start; n < segmentRate/4 || n > 12*segmentRate {
				continue
			}
			if u := trimmed(pcm[s.Start:s.End]); u != nil {
				out = append(out, u)
			}
		}
	}
	return out, nil
}

// stretches returns the parts between silences of at least 300 ms.
func stretches(pcm []int16) []audio.Span {
	const w, gap = segmentRate / 200, segmentRate * 3 / 10
	var out []audio.Span
	for i := 0; i+w <= len(pcm); i += w {
		if audio.Level(pcm[i:i+w]) < -52 {
			continue
		}
		if k := len(out) - 1; k >= 0 && i-out[k].End < gap {
			out[k].End = i + w
			continue
		}
		out = append(out, audio.Span{Start: i, End: i + w})
	}
	return out
}

// place places utterances in a silent channel with pauses of 0.5 to 2.5 s, each up to 3 dB louder
// or softer, and returns where their first and last audible samples are.
func (m *segmentMaterial) place(g segmentGroup, rng *rand.Rand) (pcm []int16, truth []audio.Span) {
	pcm = make([]int16, m.length)
	at := segmentRate
	for i := 0; ; i++ {
		u := slices.Clone(g.said[i%len(g.said)])
		audio.Gain(u, 6*rng.Float64()-3)
		if at+len(u)+segmentRate > len(pcm) {
			return pcm, truth
		}
		copy(pcm[at:], u)
		if first, last, ok := (audio.Clip{PCM: u, Rate: segmentRate}).Audible(); ok {
			truth = append(truth, audio.Span{Start: at + first, End: at + last})
		}
		at += len(u) + segmentRate/2 + rng.IntN(2*segmentRate)
	}
}

// measure makes one channel and applies every detector to it.
func (m *segmentMaterial) measure(g segmentGroup, c segmentCondition, detectors []segmentDetector) ([]segmentRow, error) {
	rng := rand.New(rand.NewPCG(m.seed, 0x706c6163))
	pcm, truth := m.place(g, rng)
	clean := slices.Clone(pcm)
	c.spoil(m, rng, pcm)
	spoilt := slices.Clone(pcm)
	code := make([]byte, len(pcm))
	if c.aLaw {
		audio.EncodeALaw(code, pcm)
		audio.DecodeALaw(pcm, code)
	} else {
		audio.EncodeMuLaw(code, pcm)
		audio.DecodeMuLaw(pcm, code)
	}
	if c.lose != nil {
		c.lose(rng, pcm)
	}
	minutes := float64(len(pcm)) / segmentRate / 60
	var rows []segmentRow
	for _, d := range detectors {
		got, cpu, err := d.find(pcm)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.name, err)
		}
		e := compareSegments(truth, got)
		r := e.row(len(truth), minutes)
		r.Condition, r.Detector, r.CPU = g.name+", "+c.name, d.name, cpu.Seconds()/(minutes/60)
		rows = append(rows, r)
	}
	if !slices.Equal(clean, spoilt) {
		r := boundOf(clean, spoilt, truth).row(len(truth), minutes)
		r.Condition, r.Detector = g.name+", "+c.name, segmentsBound
		rows = append(rows, r)
	}
	return rows, nil
}

// row summarises the errors of n utterances in a channel of so many minutes.
func (e segmentErrors) row(n int, minutes float64) segmentRow {
	return segmentRow{
		N:        n,
		OnsetP50: at(e.onset, 0.5), OnsetP95: at(e.onset, 0.95), OffsetP50: at(e.offset, 0.5), OffsetP95: at(e.offset, 0.95),
		Missed: float64(e.missed) / float64(max(n, 1)),
		False:  float64(e.falseSamples) / segmentRate / minutes,
	}
}
