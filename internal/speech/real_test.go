package speech

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// realEngines returns the local programs. They are part of `make setup`, so that a machine without
// them fails instead of passing silently.
func realEngines(t *testing.T) *Engines {
	t.Helper()
	e, err := New(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Check(t.Context()) {
		if f.Needed && !f.OK {
			t.Fatalf("%s: %s. %s (make setup installs it)", f.Name, f.Detail, f.Hint)
		}
	}
	return e
}

// telephone passes speech through G.711 at 8 kHz.
func telephone(c audio.Clip) []int16 {
	pcm := audio.Resample(c.PCM, c.Rate, 8000)
	coded := make([]byte, len(pcm))
	audio.EncodeMuLaw(coded, pcm)
	audio.DecodeMuLaw(pcm, coded)
	return pcm
}

func speak(t *testing.T, e *Engines, voice, text string) []int16 {
	t.Helper()
	clip, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: voice}, "en-US", text)
	if err != nil {
		t.Fatal(err)
	}
	return telephone(clip)
}

// wordErrors returns the edit distance between two texts in words.
func wordErrors(want, got []string) int {
	row := make([]int, len(got)+1)
	for j := range row {
		row[j] = j
	}
	for i, w := range want {
		diagonal := row[0]
		row[0] = i + 1
		for j, g := range got {
			cost := diagonal
			if w != g {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(got)]
}

func testLines() []string {
	return []string{
		"I would like to book a cleaning on Tuesday at ten o'clock please.",
		"My name is Anna Miller.",
		"How much does a vaccination cost?",
		"Can I move my appointment to Friday afternoon?",
		"Yes, that is right. Thank you very much.",
		"A check-up costs $85. Would you like to book one?",
		"We are open Monday to Friday from 8:00 to 18:30.",
		"No thank you, that is all. Goodbye.",
	}
}

func TestTranscriberHearsTheCallersVoices(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	for _, voice := range []string{"rms", "slt", "awb", "kal16"} {
		t.Run(voice, func(t *testing.T) {
			t.Parallel()
			r := review.Speech{Rate: 8000, Language: "en-US", Hints: testLines()}
			for _, line := range testLines() {
				r.PCM = append(r.PCM, make([]int16, 8000)...)
				start := durationOf(len(r.PCM), 8000)
				r.PCM = append(r.PCM, speak(t, e, voice, line)...)
				r.Segments = append(r.Segments, call.Segment{Start: start, End: durationOf(len(r.PCM), 8000)})
			}
			got, err := e.Transcriber().Transcribe(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			errors, words := 0, 0
			for i, line := range testLines() {
				want := slices.Concat(sentences(line)...)
				n := wordErrors(want, strings.Fields(got[i].Text))
				errors, words = errors+n, words+len(want)
				if n > 0 {
					t.Logf("said %q, heard %q", want, got[i].Text)
				}
				for _, w := range got[i].Words {
					if w.Start < r.Segments[i].Start-200*time.Millisecond || w.End > r.Segments[i].End+200*time.Millisecond {
						t.Errorf("%q at %s to %s lies outside its segment %v", w.Text, w.Start, w.End, r.Segments[i])
					}
				}
			}
			rate := 100 * float64(errors) / float64(words)
			t.Logf("%s: word error rate %.1f %% of %d words", voice, rate, words)
			if limit := map[string]float64{"rms": 10, "slt": 10, "awb": 25, "kal16": 25}[voice]; rate > limit {
				t.Errorf("word error rate %.1f %%, want at most %.0f", rate, limit)
			}
		})
	}
}

func TestEarsUnderstandTheFirstUtterance(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	for _, voice := range []string{"rms", "slt"} {
		hearsLines(t, e, voice, 8000, func(line string) []int16 { return speak(t, e, voice, line) })
	}
}

// TestEarsUnderstandWideSpeech checks speech as in a room, with twice as many samples and no
// telephone band limit.
func TestEarsUnderstandWideSpeech(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	hearsLines(t, e, "rms", 16000, func(line string) []int16 {
		clip, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: "rms"}, "en-US", line)
		if err != nil {
			t.Fatal(err)
		}
		return audio.Resample(clip.PCM, clip.Rate, 16000)
	})
}

// TestEarsUnderstandWideSpeechAfterTheSilenceOfOpus decodes silence as Opus does: as a hiss of the
// lowest level.
func TestEarsUnderstandWideSpeechAfterTheSilenceOfOpus(t *testing.T) {
	t.Parallel()
	e := realEngines(t)
	chance := rand.New(rand.NewPCG(1, 2))
	hearsLines(t, e, "slt", 16000, func(line string) []int16 {
		clip, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: "slt"}, "en-US", line)
		if err != nil {
			t.Fatal(err)
		}
		pcm := make([]int16, 3*16000)
		for i := range pcm {
			pcm[i] = int16(chance.IntN(3) - 1)
		}
		return append(pcm, audio.Resample(clip.PCM, clip.Rate, 16000)...)
	})
}

// hearsLines makes ears hear lines, each in frames of the rate after a second of silence.
func hearsLines(t *testing.T, e *Engines, voice string, rate int, say func(line string) []int16) {
	t.Helper()
	ears, err := e.NewEars(t.Context(), EarsOptions{Rate: rate, Hints: testLines(), Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer ears.Close()
	var box leg.Mailbox[leg.Words]
	for _, line := range testLines()[:3] {
		pcm := append(make([]int16, rate), say(line)...)
		for frame := leg.Samples(rate); len(pcm) >= frame; pcm = pcm[frame:] {
			ears.Hear(pcm[:frame])
		}
		ears.Words(box.Expect(0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if err := box.Await(ctx, 0); err != nil {
			t.Fatal(err)
		}
		cancel()
		got, _, _ := box.Take(0)
		want := slices.Concat(sentences(line)...)
		if got.Err != nil || wordErrors(want, strings.Fields(got.Text)) > 1 {
			t.Errorf("%s said %q, heard %q (%v)", voice, want, got.Text, got.Err)
		}
	}
}

func TestModelProbabilitiesAddUpToOne(t *testing.T) {
	t.Parallel()
	m := newModel(sentences("I would like to book a cleaning. A cleaning please."), expand(generalText), strings.Fields(commonWords))
	for _, h := range []string{"", "i", "a cleaning", "like to", "a"} {
		sum := 0.0
		for _, w := range m.vocabulary {
			sum += m.p(h, w)
		}
		if math.Abs(sum-1) > 1e-6 {
			t.Errorf("after %q the probabilities add up to %f", h, sum)
		}
	}
}
