package app

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

const recordedItem = `
- input:
    persona: {voice: slt}
    script:
      - wait_for_agent
      - say: What are your opening hours?
      - wait_for_agent
      - say: No, thank you.
      - wait_for_agent
      - hang_up
`

// greeting is the first thing the practice agent says.
const greeting = "Thank you for calling Maple Clinic. How can I help you?"

func TestRecordingHoldsTheCallerLeftAndTheAgentRight(t *testing.T) {
	t.Parallel()
	b := newBench(t, speech.Options{})
	engines, err := speech.New(speech.Options{})
	must(t, err)
	clip := spoken(t, engines, scenario.Persona{Voice: "rms"}, greeting)
	c, fair := b.heard(t, recordedItem, func(c client.Call) bool {
		_, likeness := find(b.wav(t, c.ID).Channels[1], clip, 0, 3*phoneRate)
		return word(c.Verdict) == "passed" && likeness >= 0.95
	})
	if fair {
		checkPassed(t, c)
	}
	w := b.wav(t, c.ID)
	checkLength(t, c, w)

	left, right := w.Channels[0], w.Channels[1]
	silent := append([]int16(nil), left...)
	lines := 0
	for _, e := range c.Timeline {
		if e.Kind != "said" {
			continue
		}
		lines++
		clip := spoken(t, engines, scenario.Persona{Voice: "slt"}, *e.Text)
		at := int(e.AtMS) * phoneRate / 1000
		found, likeness := find(left, clip, at-phoneRate/4, at+phoneRate/4)
		if off := found - at; likeness < 0.98 || off < -phoneRate/200 || off > phoneRate/200 {
			t.Errorf("line %d stands %d samples from where the timeline says, with a likeness of %.3f", lines, off, likeness)
		}
		if end := found + len(clip); int64(end*1000/phoneRate)-*e.EndMS > 5 || *e.EndMS-int64(end*1000/phoneRate) > 5 {
			t.Errorf("line %d ends at %d ms, the timeline says %d ms", lines, end*1000/phoneRate, *e.EndMS)
		}
		checkQuiet(t, "the agent's channel while the caller speaks", right[found:found+len(clip)])
		clear(silent[max(0, found-phoneRate/100):min(len(silent), found+len(clip)+phoneRate/20)])
	}
	if lines != 2 {
		t.Errorf("%d lines on the timeline, want 2", lines)
	}
	checkQuiet(t, "the caller's channel beside its lines", silent)
	if !fair {
		return // the agent had no time to say its lines in one piece
	}

	found, likeness := find(right, clip, 0, 3*phoneRate)
	if likeness < 0.95 {
		t.Errorf("the greeting is not on the agent's channel (likeness %.3f at %d)", likeness, found)
	}
	checkTurns(t, c, right, found)
}

// checkLength compares the recording with the call's times.
func checkLength(t *testing.T, c client.Call, w audio.WAV) {
	t.Helper()
	length := int64(len(w.Channels[0])) * 1000 / phoneRate
	if off := length - *c.DurationMS; off < -100 || off > 100 {
		t.Errorf("the recording has %d ms, the call lasted %d ms", length, *c.DurationMS)
	}
	if *c.EndedAt-*c.AnsweredAt != *c.DurationMS || *c.AnsweredAt < *c.StartedAt || *c.StartedAt < c.CreatedAt {
		t.Errorf("created %d, started %d, answered %d, ended %d, duration %d", c.CreatedAt, *c.StartedAt, *c.AnsweredAt, *c.EndedAt, *c.DurationMS)
	}
}

// checkTurns compares the agent's turns with its channel: each begins and ends
// with speech, and the first is the greeting.
func checkTurns(t *testing.T, c client.Call, right []int16, greetingAt int) {
	t.Helper()
	turns := 0
	for _, turn := range c.Turns {
		if turn.Speaker != "agent" {
			continue
		}
		from, to := int(turn.StartMS)*phoneRate/1000, min(len(right), int(turn.EndMS)*phoneRate/1000)
		if turns == 0 && (from-greetingAt > phoneRate/20 || greetingAt-from > phoneRate/20) {
			t.Errorf("the first turn begins at sample %d, the greeting at %d", from, greetingAt)
		}
		checkQuiet(t, "the agent's channel before a turn", right[max(0, from-phoneRate/5):max(0, from-phoneRate/20)])
		if level := audio.Level(right[from:to]); level < -40 {
			t.Errorf("turn %d has a level of %.0f dBFS", turn.Index, level)
		}
		turns++
	}
	if turns != 3 {
		t.Errorf("the agent had %d turns, want 3", turns)
	}
}

func checkQuiet(t *testing.T, what string, pcm []int16) {
	t.Helper()
	if level := audio.Level(pcm); level > -65 {
		t.Errorf("%s has a level of %.0f dBFS", what, level)
	}
}

// spoken is a line as it comes out at the far end of the telephone: at the
// caller's loudness, after G.711, from its first to its last audible sample.
func spoken(t *testing.T, engines *speech.Engines, p scenario.Persona, text string) []int16 {
	t.Helper()
	clip, err := engines.Mouth().Say(t.Context(), p, "en-US", text)
	must(t, err)
	pcm := audible(t, audio.Resample(clip.PCM, clip.Rate, phoneRate))
	audio.Gain(pcm, -20-audio.Level(pcm))
	pcm = audible(t, pcm)
	wire := make([]byte, len(pcm))
	audio.EncodeMuLaw(wire, pcm)
	audio.DecodeMuLaw(pcm, wire)
	return pcm
}

func audible(t *testing.T, pcm []int16) []int16 {
	t.Helper()
	first, last, ok := audio.Clip{PCM: pcm, Rate: phoneRate}.Audible()
	if !ok || last-first < int(100*time.Millisecond*phoneRate/time.Second) {
		t.Fatal("the line has no sound")
	}
	return pcm[first:last]
}

// find looks for the clip with its beginning between from and to, and returns
// where it is most alike, with the correlation there (1 is the same but for loudness).
func find(channel, clip []int16, from, to int) (at int, likeness float64) {
	for n := max(0, from); n <= to && n+len(clip) <= len(channel); n++ {
		if _, peak := audio.Correlate(clip, channel[n:n+len(clip)], 0); peak > likeness {
			at, likeness = n, peak
		}
	}
	return at, likeness
}
