package review

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score"
)

// outcome is the result of a review.
type outcome struct {
	status  call.ScoringStatus
	verdict call.Verdict
	reason  string
	heard   call.Heard
	metrics []call.Metric
	scores  []call.Score
	feeling *call.Feeling
	notes   []string
}

// check is a scorer's configuration with its role in the verdict.
type check struct {
	config score.Config
	// implied checks are made of every call. They can fail it, but do not count as
	// an evaluation where the call has required checks of its own.
	implied bool
}

// judge first asks whether the call is evidence, and then every scorer. A void call gets no scores:
// somebody would take a figure of a spoilt call for a finding. Wait says that a score waits for the
// agent's own record.
func (s *Service) judge(ctx context.Context, m *material, h hearing, metrics []call.Metric) (outcome, error) {
	out := outcome{status: call.Scored, heard: h.heard, metrics: metrics}
	if why := notEvidence(m, h); why != "" {
		out.verdict, out.reason = call.Void, why
		return out, nil
	}
	checks := checksFor(m)
	in := &score.Input{
		Call: m.call, Attempt: m.attempt, Heard: h.heard, Metrics: metrics,
		ToolCalls: m.tools, HasRecord: m.hasRecord, MayStillCome: m.mayCome, Earlier: m.earlier.Scores,
	}
	out.scores = make([]call.Score, len(checks))
	for _, costs := range []bool{false, true} { // language models last: a review that waits begins anew, and would ask them again
		for i, c := range checks {
			if (c.config.Kind == score.KindJudge) != costs {
				continue
			}
			out.scores[i] = s.scoreBy(ctx, c.config, in, h.unfit)
			if err := ctx.Err(); err != nil {
				return outcome{}, err
			}
			if out.scores[i].Waits {
				return outcome{}, s.untilRecord(m)
			}
		}
	}
	out.verdict, out.reason = verdictOf(out.scores, checks)
	return out, nil
}

// scoreBy builds and runs one scorer. A configuration that no longer builds
// results in a score that says so and does not end the review.
func (s *Service) scoreBy(ctx context.Context, c score.Config, in *score.Input, unfit bool) call.Score {
	scorer, bad := score.Build(c, s.o.Deps)
	if bad != nil {
		return score.MarkOf(c).Score(call.NotEvaluated, "The scorer cannot be used as it is configured: "+bad.Error()+".")
	}
	if in.Call.AnsweredAt.IsZero() && c.Kind != score.KindEndReason {
		return score.MarkOf(c).Score(call.NotEvaluated, "The call was never answered, so there is nothing to score.")
	}
	if unfit && readsWords(c) {
		return score.MarkOf(c).Score(call.NotEvaluated, "What was said in this call is not known well enough to score it.")
	}
	return scorer.Score(ctx, in)
}

// readsWords reports whether a scorer depends on what was said.
func readsWords(c score.Config) bool {
	switch c.Kind {
	case score.KindSay, score.KindDoNotSay, score.KindRegex, score.KindFactStated, score.KindJudge:
		return true
	case score.KindCEL:
		return strings.Contains(string(c.Params), "_text")
	}
	return false
}

// checksFor lists what a call is scored by: its item's expectations, the scorers of its experiment,
// and what every call is held to unless one of these replaces it.
func checksFor(m *material) []check {
	var out []check
	ending, taking := false, false
	for _, c := range append(score.FromOutput(m.plan.Item), m.plan.Scorers...) {
		ending = ending || c.Kind == score.KindEndReason && !c.Optional
		taking = taking || c.Kind == score.KindTiming && metricIn(c) == "turn_taking"
		out = append(out, check{config: c})
	}
	if !ending {
		out = append(out, check{implied: true, config: score.Config{Slug: "end_reason", Name: "end_reason", Kind: score.KindEndReason}})
	}
	if !taking && !m.call.AnsweredAt.IsZero() {
		out = append(out, check{implied: true, config: score.Config{
			Slug: "turn_taking", Name: "turn_taking", Kind: score.KindTiming, Optional: true,
			Params: json.RawMessage(`{"metric":"turn_taking","min":0.8}`),
		}})
	}
	return out
}

func metricIn(c score.Config) string {
	var p struct {
		Metric string `json:"metric"`
	}
	if json.Unmarshal(c.Params, &p) != nil {
		return ""
	}
	return p.Metric
}

// verdictOf turns the scores of a call that is evidence into its verdict. It
// fails when a required score fails, passes when at least one was evaluated and
// none failed, and is not evaluated otherwise. Implied scores count for passing
// only when the call has no required check of its own.
func verdictOf(scores []call.Score, checks []check) (call.Verdict, string) {
	n := countRequired(scores, checks)
	switch {
	case n.failed == 1:
		return call.NotPassed, n.firstFailed
	case n.failed > 1:
		return call.NotPassed, fmt.Sprintf("%s (%d required checks failed in all.)", n.firstFailed, n.failed)
	case n.passed == 0:
		return call.NotEvaluated, "No required check could be evaluated: " + cmp.Or(n.firstOpen, "No required check is configured.")
	case n.own > 0 && n.ownPassed == 0:
		return call.NotEvaluated, "Apart from how the call ended, no required check could be evaluated: " + n.firstOpen
	case n.open > 0:
		return call.Passed, fmt.Sprintf("%s that could be evaluated passed; %d could not: %s", allRequired(n.passed), n.open, n.firstOpen)
	}
	return call.Passed, allRequired(n.passed) + " passed."
}

// allRequired names n required checks, for n of at least 1.
func allRequired(n int) string {
	if n == 1 {
		return "The only required check"
	}
	return fmt.Sprintf("All %d required checks", n)
}

// tally counts required scores by verdict; own counts those that are not
// implied.
type tally struct {
	failed, passed, open, own, ownPassed int
	firstFailed, firstOpen               string
}

func countRequired(scores []call.Score, checks []check) tally {
	var n tally
	for i, sc := range scores {
		if !sc.Required {
			continue
		}
		if !checks[i].implied {
			n.own++
		}
		switch sc.Verdict {
		case call.NotPassed:
			n.failed++
			n.firstFailed = cmp.Or(n.firstFailed, sc.Reason)
		case call.Passed:
			n.passed++
			if !checks[i].implied {
				n.ownPassed++
			}
		case call.NotEvaluated, call.Void:
			n.open++
			n.firstOpen = cmp.Or(n.firstOpen, sc.Reason)
		}
	}
	return n
}

// skipped returns the outcome of a canceled call. It has no verdict, like those that nobody reviews
// because no record of them comes: its experiment counts it as open.
func skipped() outcome {
	return outcome{status: call.ScoringSkipped, reason: "The call was canceled, so it was not scored."}
}
