package score_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// A person to whom the agent transferred the call is on its side but does not speak for
// it.
func TestWhoIsCalledInSpeaksNotForTheAgent(t *testing.T) {
	t.Parallel()
	in := &score.Input{Heard: call.Heard{Turns: []call.Turn{
		{Index: 0, Speaker: call.Agent, End: 2 * time.Second, Text: "I connect you to billing now."},
		{Index: 1, Speaker: call.Agent, By: "transfer_target", Start: 5 * time.Second, End: 8 * time.Second, Text: "We never make mistakes, it costs $45."},
	}}}
	for _, c := range []struct {
		kind, params string
		want         call.Verdict
	}{
		{"do_not_say", `{"phrase":"we never make mistakes"}`, call.Passed},
		{"say", `{"phrase":"we never make mistakes"}`, call.NotPassed},
		{"fact_stated", `{"value":"$45"}`, call.NotPassed},
		{"regex", `{"pattern":"mistakes"}`, call.NotPassed},
		{"regex", `{"pattern":"mistakes","never":true}`, call.Passed},
		{"cel", `{"expression":"call.agent_turns == 1 && call.turns == 2 && !call.agent_text.contains('mistakes')"}`, call.Passed},
		{"say", `{"phrase":"connect you to billing"}`, call.Passed},
	} {
		if got := build(t, c.kind, c.params).Score(t.Context(), in); got.Verdict != c.want {
			t.Errorf("%s %s: %+v", c.kind, c.params, got)
		}
	}
}
