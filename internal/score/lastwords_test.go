package score_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// TestTheEndIsShownByWhoSpokeLast checks that the evidence of an end has the words before that end, also
// where the turn that began last was over long before.
func TestTheEndIsShownByWhoSpokeLast(t *testing.T) {
	t.Parallel()
	turn := func(i int, who call.Speaker, from, to time.Duration) call.Turn {
		return call.Turn{Index: i, Speaker: who, Start: from, End: to, Text: "some words"}
	}
	for want, turns := range map[int][]call.Turn{
		-1: nil,
		0:  {turn(0, call.Agent, time.Second, 60*time.Second), turn(1, call.Caller, 3*time.Second, 5*time.Second)},
		1:  {turn(0, call.Agent, time.Second, 2*time.Second), turn(1, call.Caller, 3*time.Second, 5*time.Second)},
		2:  {turn(0, call.Agent, -1, -1), turn(1, call.Caller, -1, -1), turn(2, call.Agent, -1, -1)},
		3: {
			turn(0, call.Agent, time.Second, 9*time.Second), turn(1, call.Caller, 3*time.Second, 5*time.Second),
			turn(2, call.Agent, 10*time.Second, 11*time.Second), turn(3, call.Caller, 12*time.Second, -1),
		},
	} {
		in := &score.Input{Heard: call.Heard{Turns: turns}}
		in.Call.AnsweredAt = time.Unix(1, 0)
		in.Call.EndedAt = in.Call.AnsweredAt.Add(time.Minute)
		in.Call.EndReason = call.EndOf(call.EndMaxDuration, "").Blaming(call.BlameAgent)
		got := build(t, "end_reason", "").Score(t.Context(), in)
		if len(got.Evidence) != 1 || got.Evidence[0].Turn != want {
			t.Errorf("the evidence is %+v, want turn %d", got.Evidence, want)
		}
	}
}

// TestTheEndOfALongTurnIsQuotedByItsLastWords checks that of a turn too long to be quoted the words at the
// end of the call are shown, and whole characters only.
func TestTheEndOfALongTurnIsQuotedByItsLastWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"first " + strings.Repeat("word ", 100) + "last": "…" + strings.Repeat("word ", 100)[500-296:] + "last",
		strings.Repeat("é", 150) + "b":                   "…" + strings.Repeat("é", 149) + "b",
		"short":                                          "short",
	} {
		in := &score.Input{Heard: call.Heard{Turns: []call.Turn{{Speaker: call.Agent, End: time.Minute, Text: text}}}}
		in.Call.EndReason = call.EndOf(call.EndMaxDuration, "").Blaming(call.BlameAgent)
		got := build(t, "end_reason", "").Score(t.Context(), in)
		if len(got.Evidence) != 1 || got.Evidence[0].Quote != want {
			t.Errorf("%+v", got.Evidence)
		}
	}
}
