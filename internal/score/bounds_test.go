package score_test

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// TestWhatAnItemMayExpectCanBeScored checks that an expectation at the limits of an item, in any
// script, builds a scorer, and that one beyond them is refused with the item, before any call.
func TestWhatAnItemMayExpectCanBeScored(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("你", 1000)
	name := strings.Repeat("名", 200)
	item := scenario.Item{
		Input: scenario.Input{Goal: "x"},
		Output: scenario.Output{
			Say: []string{long}, DoNotSay: []string{long[3:]}, FactsStated: map[string]string{name: long},
			ToolCalls: []scenario.ToolExpectation{{Name: name}}, Rubric: make([]string, scenario.MaxAssertions),
		},
	}
	for i := range item.Output.Rubric {
		item.Output.Rubric[i] = long
	}
	if bad := item.Validate(""); len(bad) > 0 {
		t.Fatalf("the item is refused: %v", bad)
	}
	for _, c := range score.FromOutput(item) {
		if _, bad := score.Build(c, score.Deps{}); bad != nil {
			t.Errorf("%s: %v", c.Kind, bad)
		}
	}
	item.Output.Rubric = append(item.Output.Rubric, "one more")
	bad := item.Validate("")
	if len(bad) != 1 || bad[0].Path != "output.rubric" || bad[0].Message != "holds 51 assertions; at most 50 are allowed" {
		t.Errorf("said %v", bad)
	}
}
