package score_test

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// An end caused by the line is reported as such, and is no evidence about the agent.
func TestAnEndByTheLine(t *testing.T) {
	t.Parallel()
	for code, want := range map[call.EndCode]string{
		call.EndMediaLost: "The line was at fault for how the call ended, which says nothing about the agent: the sound was lost",
		call.EndUnknown:   "is not known",
	} {
		got := build(t, "end_reason", `{}`).Score(t.Context(), &score.Input{Call: call.Call{EndReason: call.EndOf(code, "")}})
		if got.Verdict != call.NotEvaluated || !strings.Contains(got.Reason, want) {
			t.Errorf("%s: %+v", code, got)
		}
	}
}
