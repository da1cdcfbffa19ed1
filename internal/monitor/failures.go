package monitor

import (
	"context"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// Failures are the failing calls in groups of similar ones.
type Failures struct {
	About
	Failed Rate           `json:"failed" doc:"All failing calls, out of those that are not void"`
	Groups []FailureGroup `json:"groups" doc:"Groups of failing calls that are alike, the largest first"`
	// Other counts failed calls beyond the groups that are stored or shown.
	Other int64 `json:"other" doc:"Failing calls in groups that are not shown"`
}

// FailureGroup are calls that failed in a similar way.
type FailureGroup struct {
	Key       string  `json:"key" doc:"Names the group in this answer"`
	EndReason string  `json:"end_reason" enum:"completed,transferred,caller_hung_up,agent_hung_up,max_duration,silence,busy,no_answer,declined,voicemail,agent_never_joined,unreachable,media_lost,codec_mismatch,agent_error,configuration,provider_error,platform_error,interrupted,ringtrue_error,unknown" doc:"End reason code of these calls"`
	Blame     string  `json:"blame" enum:"nobody,caller,agent,line,platform,ringtrue,unknown" doc:"Who caused their end"`
	Scorer    *string `json:"scorer" doc:"Name of the first required scorer that failed; null when none did"`
	Reported  bool    `json:"reported_unsuccessful" doc:"true: the platform reported these calls as unsuccessful, and no scorer failed"`
	LastWords *string `json:"last_words" doc:"The agent's last sentence, masked: # stands for numbers, * for names, @ for addresses; null when it is not known"`
	Calls     Rate    `json:"calls" doc:"Calls of the group, out of all that are not void"`
	// Numbers identify the calls behind it.
	Numbers  []int    `json:"numbers" doc:"What to give GET /calls as failing_alike, with commas between, to list these calls; empty for the group that collects the calls beyond the number of groups that are told apart"`
	Examples []string `json:"examples" doc:"Ids of the group's latest calls, five at most"`
}

const maxGroups = 50

// Failures returns how calls failed, in at most limit groups (1 to 50).
func (s *Service) Failures(ctx context.Context, workspaceID string, q Query, limit int) (Failures, error) {
	return ask(ctx, s, workspaceID, q, maxDayWindow, func(tx Tx, p span) (Failures, error) {
		return s.failures(ctx, tx, p, min(max(limit, 1), maxGroups))
	})
}

func (s *Service) failures(ctx context.Context, tx Tx, p span, limit int) (Failures, error) {
	b, err := p.bucket(ctx, tx, p.Series, bucket.Everything)
	if err != nil {
		return Failures{}, err
	}
	texts, err := tx.Texts(ctx, p.workspaceID, KindFailure)
	if err != nil {
		return Failures{}, err
	}
	judged := b.Counts[bucket.Calls] - b.Counts[bucket.Voided]
	out := Failures{About: p.about(), Failed: rateOf(b.Counts[bucket.FailedCalls], judged), Groups: []FailureGroup{}}
	out.Other = b.Counts[bucket.FailedCalls]
	for _, g := range groupsOf(b.Failures, texts) {
		if len(out.Groups) == limit {
			break
		}
		shown := groupShown(g, judged)
		shown.Numbers, shown.Examples = numbersOf(g, texts), examplesOf(g, b.Failed, texts)
		out.Groups = append(out.Groups, shown)
		out.Other -= g.Count
	}
	return out, nil
}

// groupsOf groups the counted shapes that are similar.
func groupsOf(counted bucket.Tally, texts []Value) []trend.Group {
	shapes := make([]trend.Counted, 0, len(counted))
	for _, v := range texts {
		if n := counted[v.ID]; n > 0 && v.Detail != "" {
			shapes = append(shapes, trend.Counted{Shape: shapeOf(v), Count: n})
		}
	}
	return trend.GroupAlike(shapes)
}

// numbersOf returns the numbers of all shapes of a group; nil if the group
// includes calls whose own shape has no number.
func numbersOf(g trend.Group, texts []Value) []int {
	out := []int{}
	if g.Words == "" && len(texts) >= maxFailures {
		return out
	}
	for _, v := range texts {
		if slices.Contains(g.Keys, v.Text) {
			out = append(out, v.ID)
		}
	}
	slices.Sort(out)
	return out
}

// examplesOf returns the latest calls of all shapes of a group.
func examplesOf(g trend.Group, failed bucket.Latest, texts []Value) []string {
	var latest bucket.Latest
	for _, v := range texts {
		if !slices.Contains(g.Keys, v.Text) {
			continue
		}
		for _, e := range failed[v.ID] {
			latest.Add(0, e)
		}
	}
	out := []string{}
	for _, e := range latest[0] {
		out = append(out, e.CallID)
	}
	return out
}

func groupShown(g trend.Group, judged int64) FailureGroup {
	out := FailureGroup{
		Key: g.Key, EndReason: string(g.End), Blame: string(g.Blame), Calls: rateOf(g.Count, judged), Examples: []string{},
		Reported: g.Scorer == reportedUnsuccessful,
	}
	if name, ok := strings.CutPrefix(g.Scorer, "scorer "); ok {
		out.Scorer = &name
	}
	if g.Words != "" {
		out.LastWords = &g.Words
	}
	return out
}
