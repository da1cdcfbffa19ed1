package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// maxDeciding is how many scorers the note names one by one.
const maxDeciding = 8

// judgedDifferently says which required scorers were not the same in both, "" when all were: calls
// may pass more or less often then although the agent is as it was. What an edited scenario itself
// expects is left out; that it was edited is told anyway.
func judgedDifferently(pairs []pair) string {
	told := map[string]bool{}
	var list []string
	for _, p := range pairs {
		before, base := askedOf(p.base)
		after, with := askedOf(p.with)
		if len(base) == 0 || len(with) == 0 {
			continue
		}
		for _, name := range slices.Concat(before, after) {
			was, is := base[name], with[name]
			how := otherwise(was, is)
			if how == "" || told[name] || p.edited && isExpectation(was) && isExpectation(is) {
				continue
			}
			told[name] = true
			list = append(list, fmt.Sprintf("%s (%s)", name, how))
		}
	}
	if len(list) == 0 {
		return ""
	}
	if more := len(list) - maxDeciding; more > 0 {
		list = append(list[:maxDeciding], fmt.Sprintf("and %d more", more))
	}
	return "The pass rate may have moved because other scorers decided it: " + strings.Join(list, ", ") + "."
}

// askedOf are the scorers that were asked of a scenario's calls, each as it was asked last, and their
// names in order; of a void call none was.
func askedOf(r *row) (names []string, asked map[string]experiment.FoundScore) {
	if r == nil {
		return nil, nil
	}
	asked = map[string]experiment.FoundScore{}
	for _, c := range r.calls {
		if c.Found == nil || c.Call.Verdict == call.Void {
			continue
		}
		for i, name := range scoreNames(c.Found.Scores) {
			if _, ok := asked[name]; !ok {
				names = append(names, name)
			}
			asked[name] = c.Found.Scores[i]
		}
	}
	return names, asked
}

// isExpectation reports whether a score is of what its scenario expects: that has no id but its name.
func isExpectation(s experiment.FoundScore) bool { return s.ScorerID == s.Name }

// otherwise says how a scorer decided otherwise in the later experiment, "" when it did not, or
// decided in neither. One that was not asked has no name.
func otherwise(was, is experiment.FoundScore) string {
	switch {
	case !was.Required && !is.Required:
		return ""
	case is.Name == "":
		return "in the earlier one alone"
	case was.Name == "":
		return "in the later one alone"
	case !is.Required:
		return "required in the earlier one alone"
	case !was.Required:
		return "required in the later one alone"
	case was.Version != is.Version:
		return fmt.Sprintf("version %d, then %d", was.Version, is.Version)
	}
	return ""
}
