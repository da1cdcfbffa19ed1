package score_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Words without times lie within their turn's speech: what was said after a pause is quoted there.
func TestNoWordLiesInAPause(t *testing.T) {
	t.Parallel()
	in := &score.Input{Heard: call.Heard{Turns: []call.Turn{{
		Speaker: call.Agent, Start: 4 * time.Second, End: 22 * time.Second, Text: "One moment please, let me look. The price is 45 dollars today.",
		Segments: []call.Segment{{Start: 4 * time.Second, End: 6 * time.Second}, {Start: 20 * time.Second, End: 22 * time.Second}},
	}}}}
	for _, c := range []struct {
		phrase   string
		from, to time.Duration
	}{
		{"one moment please", 4 * time.Second, 6 * time.Second},
		{"the price is 45 dollars", 20 * time.Second, 22 * time.Second},
	} {
		got := build(t, "say", `{"phrase":"`+c.phrase+`"}`).Score(t.Context(), in)
		if got.Verdict != call.Passed || len(got.Evidence) != 1 || got.Evidence[0].Start < c.from || got.Evidence[0].End > c.to {
			t.Errorf("%q: %+v", c.phrase, got)
		}
	}
}
