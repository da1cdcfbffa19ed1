package practice

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
	engine "github.com/ringtrue/ringtrue/internal/speech"
)

// callerLines returns turns as the manual lists them. The desk must understand what is meant, not
// every word.
func callerLines() []string {
	return []string{
		"Hello, I would like to book an appointment.",
		"I'd like to book a cleaning, please.",
		"I want to make an appointment for a check up.",
		"Can I book a vaccination on Thursday at two o'clock?",
		"A cleaning, please.",
		"For a blood test.",
		"An eye test.",
		"On Tuesday, please.",
		"On Wednesday at three o'clock in the afternoon.",
		"Monday.",
		"On Friday at nine thirty in the morning.",
		"At ten thirty.",
		"How about Thursday?",
		"Eleven o'clock, please.",
		"My name is Anna Miller.",
		"This is David Brown.",
		"My name is Jennifer Thompson.",
		"Robert Johnson.",
		"Yes, that is right.",
		"Yes please.",
		"That works, thank you.",
		"No, that is wrong.",
		"No thank you, goodbye.",
		"I need to move my appointment.",
		"I would like to change my appointment to Friday at two o'clock.",
		"I want to cancel my appointment.",
		"My reference number is three five two.",
		"How much is a cleaning?",
		"How much does a vaccination cost?",
		"What is the price of an eye test?",
		"What are your opening hours?",
		"Are you open on Friday?",
		"Can I speak to a person?",
		"I would like to talk to somebody.",
		"Could you repeat that?",
		"No, make it Wednesday at nine o'clock.",
		"Thank you, goodbye.",
		"That is all, thank you.",
	}
}

// meantBy returns what a person would understand.
func meantBy(line string) meaning {
	var text strings.Builder
	for _, r := range line {
		switch {
		case r == '.' || r == ',' || r == '?':
		case r >= 'A' && r <= 'Z':
			text.WriteString(string(r + 32))
		default:
			text.WriteString(string(r))
		}
	}
	return understand(text.String())
}

// TestTheDeskUnderstandsTheTelephone speaks every line of the manual with two voices through G.711,
// with one pair of ears per call.
func TestTheDeskUnderstandsTheTelephone(t *testing.T) {
	t.Parallel()
	engines, err := engine.New(engine.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range engines.Check(t.Context()) {
		if f.Needed && !f.OK {
			t.Fatalf("%s: %s. %s (make setup installs it)", f.Name, f.Detail, f.Hint)
		}
	}
	for _, voice := range []string{"rms", "slt"} {
		t.Run(voice, func(t *testing.T) {
			t.Parallel()
			right := 0
			for lines := range slices.Chunk(callerLines(), 8) {
				for i, text := range hearLines(t, engines, voice, lines) {
					if got, want := understand(text), meantBy(lines[i]); got.plain() == want.plain() {
						right++
					} else {
						t.Logf("said %q, heard %q", lines[i], text)
					}
				}
			}
			n := len(callerLines())
			t.Logf("%s: %d of %d understood", voice, right, n)
			if least := 95; 100*right < least*n {
				t.Errorf("%d of %d lines understood, want at least %d %%", right, n, least)
			}
		})
	}
}

// plain omits a "no" that precedes something more specific.
func (m meaning) plain() meaning {
	only := meaning{no: true, day: noDay, clock: noTime}
	if m != only {
		m.no = false
	}
	return m
}

// hearLines passes the turns of one caller through the telephone to the ears of one call.
func hearLines(t *testing.T, e *engine.Engines, voice string, lines []string) []string {
	t.Helper()
	ears, err := e.NewEars(t.Context(), engine.EarsOptions{Rate: 8000, Grammar: Grammar()})
	if err != nil {
		t.Fatal(err)
	}
	defer ears.Close()
	var out []string
	var box leg.Mailbox[leg.Words]
	for _, line := range lines {
		for pcm := telephoned(t, e, voice, line); len(pcm) >= 160; pcm = pcm[160:] {
			ears.Hear(pcm[:160])
		}
		ears.Words(box.Expect(0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if err := box.Await(ctx, 0); err != nil {
			t.Fatal(err)
		}
		cancel()
		w, _, _ := box.Take(0)
		if w.Err != nil {
			t.Fatal(w.Err)
		}
		out = append(out, w.Text)
	}
	return out
}

// telephoned speaks a line through G.711, with silence before and after.
func telephoned(t *testing.T, e *engine.Engines, voice, line string) []int16 {
	t.Helper()
	clip, err := e.Mouth().Say(t.Context(), scenario.Persona{Voice: voice}, "en-US", line)
	if err != nil {
		t.Fatal(err)
	}
	pcm := audio.Resample(clip.PCM, clip.Rate, 8000)
	coded := make([]byte, len(pcm))
	audio.EncodeMuLaw(coded, pcm)
	audio.DecodeMuLaw(pcm, coded)
	return slices.Concat(make([]int16, 4000), pcm, make([]int16, 3200))
}
