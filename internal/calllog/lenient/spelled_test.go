package lenient_test

import (
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// Names are converted to the requested style in any script; names chosen by clients are kept.
func TestSpellings(t *testing.T) {
	t.Parallel()
	o := lenient.Of(map[string]any{"call_Id": "1", "end éclair": "2", "ÜBER-Uns": "3", "metadata": map[string]any{"my_key": "4"}})
	for style, c := range map[string]struct {
		names lenient.Object
		want  []string
	}{
		"camel case": {o.InCamelCase(), []string{"callId", "endÉclair", "metadata", "überUns"}},
		"snake case": {o.InSnakeCase(), []string{"call_id", "end_éclair", "metadata", "über_uns"}},
	} {
		names := c.names.Names()
		slices.Sort(names)
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %q", style, names)
		}
		if !c.names.Inside("metadata").Has("my_key") {
			t.Errorf("%s: the client's own name was changed", style)
		}
	}
}

// Consecutive capitals are one word, and digits belong to the word around them.
func TestCapitalsInARow(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"E2E": "e2e", "e2e": "e2e", "S2SLatency": "s2s_latency", "e2eLatency": "e2e_latency", "P50": "p50", "CallID": "call_id", "RecordingURL": "recording_url",
		"LLMWebsocketNetworkRTT": "llm_websocket_network_rtt", "someLLMDynamicVariables": "some_llm_dynamic_variables", "DurationMS": "duration_ms", "CALL_ID": "call_id", "Call Id": "call_id",
	} {
		if got := lenient.Of(map[string]any{name: "1"}).InSnakeCase().Names(); got[0] != want {
			t.Errorf("%s: %s, want %s", name, got[0], want)
		}
	}
}
