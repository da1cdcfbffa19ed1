package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// Calls pass more or less often, with the very same agent, when something else decides it.
func TestOtherScorersThatDecideAreTold(t *testing.T) {
	t.Parallel()
	scored := func(goal string, scores ...experiment.FoundScore) experiment.Results {
		i := item("a")
		i.Input.Goal = goal
		one, void := result(i, 1, call.Passed), result(item("b"), 1, call.Void)
		one.Found.Scores = scores
		return over(one, void)
	}
	own := func(version int, required bool) experiment.FoundScore {
		return experiment.FoundScore{ScorerID: fmt.Sprint("sc_", version), Name: "greets", Version: version, Required: required}
	}
	expected := func(version int) experiment.FoundScore {
		return experiment.FoundScore{ScorerID: "say:1", Name: "say:1", Version: version, Required: true}
	}
	polite := experiment.FoundScore{ScorerID: "sc_polite", Name: "polite", Version: 1}
	const goal, edited = "a goal", "another goal"
	for _, c := range []struct {
		what       string
		base, with experiment.Results
		want       string
	}{
		{"the same", scored(goal, own(1, true), polite), scored(goal, own(1, true), polite), ""},
		{"what informs does not decide", scored(goal, own(1, true), polite), scored(goal, own(1, true)), ""},
		{"a newer version", scored(goal, own(1, true)), scored(goal, own(2, true)), "greets (version 1, then 2)."},
		{"gone", scored(goal, own(1, true), expected(9)), scored(goal, expected(9)), "greets (in the earlier one alone)."},
		{"new", scored(goal, expected(9)), scored(goal, expected(9), own(1, true)), "greets (in the later one alone)."},
		{"optional now", scored(goal, own(1, true)), scored(goal, own(2, false)), "greets (required in the earlier one alone)."},
		{"required now", scored(goal, own(1, false)), scored(goal, own(2, true)), "greets (required in the later one alone)."},
		{"another version of Ringtrue", scored(goal, expected(8)), scored(goal, expected(9)), "say:1 (version 8, then 9)."},
		{"edited", scored(goal, expected(9), own(1, true)), scored(edited, own(2, true)), "greets (version 1, then 2)."},
		{"edited alone", scored(goal, expected(9), own(1, true)), scored(edited, own(1, true)), ""},
		{"nothing asked", scored(goal, own(1, true)), scored(goal), ""},
	} {
		got := ""
		for _, note := range Compare(c.base, c.with).Notes {
			if rest, ok := strings.CutPrefix(note, "The pass rate may have moved because other scorers decided it: "); ok {
				got = rest
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
	var many, newer []experiment.FoundScore
	for n := range 10 {
		s := experiment.FoundScore{ScorerID: "x", Name: fmt.Sprint("s", n), Version: 1, Required: true}
		many = append(many, s)
		s.Version = 2
		newer = append(newer, s)
	}
	if notes := strings.Join(Compare(scored(goal, many...), scored(goal, newer...)).Notes, " "); !strings.HasSuffix(notes, "s7 (version 1, then 2), and 2 more.") {
		t.Error(notes)
	}
}
