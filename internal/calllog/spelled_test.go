package calllog_test

import (
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// Names come out in the style that was asked for, in any script; what a client names itself stays.
func TestSpellings(t *testing.T) {
	t.Parallel()
	o := calllog.Of(map[string]any{"call_Id": "1", "end éclair": "2", "ÜBER-Uns": "3", "metadata": map[string]any{"my_key": "4"}})
	for style, c := range map[string]struct {
		names calllog.Object
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
