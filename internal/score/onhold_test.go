package score_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// TestAnEndOnHold checks that the reason mentions the hold: a caller on hold is not one that
// nobody speaks with.
func TestAnEndOnHold(t *testing.T) {
	t.Parallel()
	held, resumed := call.Event{At: time.Second, Kind: call.KindHeld}, call.Event{At: 2 * time.Second, Kind: call.KindResumed}
	for want, timeline := range map[string][]call.Event{
		"nobody spoke any more after 29.00 s.":                              {held, resumed},
		"nobody spoke any more after 29.00 s, with the caller on hold.":     {held, resumed, held},
		"nobody spoke any more after 29.00 s, with the caller on hold (x).": {held},
	} {
		in := &score.Input{Attempt: call.Attempt{Timeline: timeline}}
		in.Call.AnsweredAt = time.Unix(1, 0)
		in.Call.EndedAt = in.Call.AnsweredAt.Add(29 * time.Second)
		in.Call.EndReason = call.EndOf(call.EndSilence, "").Blaming(call.BlameAgent)
		if strings.Contains(want, "(x)") {
			in.Call.EndReason.Detail = "x"
		}
		got := build(t, "end_reason", "").Score(t.Context(), in)
		if got.Verdict != call.NotPassed || !strings.HasSuffix(got.Reason, want) {
			t.Errorf("%s: %q, want %q", got.Verdict, got.Reason, want)
		}
	}
}
