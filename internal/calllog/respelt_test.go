package calllog_test

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// A field that would be silently ignored is refused, with the name that was meant.
func TestFieldsWrittenInAnotherWay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change     func(e, p map[string]any)
		path       string // "" if it is accepted
		suggestion string
	}{
		"snake case":     {change: func(e, _ map[string]any) { e["external_agent_id"] = "desk" }, path: "external_agent_id", suggestion: "externalAgentId"},
		"capitals":       {change: func(e, _ map[string]any) { e["ExternalAgentID"] = "desk" }, path: "ExternalAgentID", suggestion: "externalAgentId"},
		"transcript":     {change: func(_, p map[string]any) { p["Transcript"] = transcript() }, path: "payload.Transcript", suggestion: "transcript"},
		"beside the one": {change: func(e, _ map[string]any) { e["external_agent_id"], e["externalAgentId"] = "desk", "desk" }},
		"something else": {change: func(e, p map[string]any) { e["trace"], p["transcript_url"] = 1, "x" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := setup(&memory{}).Accept(t.Context(), "ws_1", log(t, c.change))
			if c.path == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantPaths(t, err, c.path)
			if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Suggestion != c.suggestion {
				t.Errorf("%+v", p)
			}
		})
	}
}
