package monitor

import (
	"context"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
)

// Failures are the failing calls in groups of alike ones.
type Failures struct {
	About
	Failed Rate           `json:"failed" doc:"Of all calls that are not void"`
	Groups []FailureGroup `json:"groups" doc:"The largest first"`
	// Other are failed calls beyond the number of groups that are kept or shown.
	Other int64 `json:"other" doc:"Failed calls in groups that are not shown"`
}

// FailureGroup are calls that failed alike.
type FailureGroup struct {
	Key       string   `json:"key"`
	EndReason string   `json:"end_reason"`
	Blame     string   `json:"blame"`
	Scorer    *string  `json:"scorer" doc:"The first required scorer that failed; null when none did"`
	Reported  bool     `json:"reported_unsuccessful" doc:"The platform reported the call as unsuccessful, and no scorer failed"`
	LastWords *string  `json:"last_words" doc:"The agent's last sentence with what is particular to one call masked; null when nothing is known of it"`
	Calls     Rate     `json:"calls" doc:"Of all calls that are not void"`
	Examples  []string `json:"examples" doc:"Ids of the latest calls of the group, at most five"`
}

const (
	maxGroups   = 50
	maxExamples = 5
	// maxTries bounds how many calls of a group are looked at for those with a
	// dimension's value, and allTries those of all groups together: each lies in a
	// place of its own.
	maxTries = 30
	allTries = 300
)

// Failures answers how calls failed; limit is how many groups to show (1 to 50).
func (s *Service) Failures(ctx context.Context, workspaceID string, q Query, limit int) (Failures, error) {
	var out Failures
	err := s.o.Store.Read(ctx, func(tx Tx) error {
		p, err := s.check(ctx, tx, workspaceID, q, maxDayWindow)
		if err != nil {
			return err
		}
		out, err = s.failures(ctx, tx, p, min(max(limit, 1), maxGroups))
		return err
	})
	return out, err
}

func (s *Service) failures(ctx context.Context, tx Tx, p span, limit int) (Failures, error) {
	waiting, err := pending(ctx, tx, p.workspaceID)
	if err != nil {
		return Failures{}, err
	}
	b, err := p.bucket(ctx, tx, p.Series, everything)
	if err != nil {
		return Failures{}, err
	}
	texts, err := tx.Texts(ctx, p.workspaceID, KindFailure)
	if err != nil {
		return Failures{}, err
	}
	judged := b.Counts[Calls] - b.Counts[Voided]
	out := Failures{About: p.about(waiting), Failed: rateOf(b.Counts[FailedCalls], judged), Groups: []FailureGroup{}}
	out.Other = b.Counts[FailedCalls]
	groups := groupsOf(b.Failures, texts)
	groups = groups[:min(len(groups), limit)]
	for _, g := range groups {
		shown := groupShown(g, judged)
		if shown.Examples, err = s.examples(ctx, tx, p, g.Keys, allTries/len(groups)); err != nil {
			return Failures{}, err
		}
		out.Groups = append(out.Groups, shown)
		out.Other -= g.Count
	}
	return out, nil
}

// groupsOf puts the counted shapes together that are alike.
func groupsOf(counted Tally, texts []Value) []trend.Group {
	shapes := make([]trend.Counted, 0, len(counted))
	for _, v := range texts {
		if n := counted[v.ID]; n > 0 && v.Detail != "" {
			shapes = append(shapes, trend.Counted{Shape: shapeOf(v), Count: n})
		}
	}
	return trend.GroupAlike(shapes)
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

// examples are the latest calls of a group; keys are its shapes, the first few
// of which are looked at. Of those of a dimension's value the first ones that are
// found do: each call lies in a place of its own, and tries bounds how many are read.
func (s *Service) examples(ctx context.Context, tx Tx, p span, keys []string, tries int) ([]string, error) {
	out := []string{}
	q := FactQuery{Origin: p.origin, Agent: p.agent, From: p.from, Until: p.until, Bare: p.Dim == "" || p.Dim == DimAgent}
	tries = min(max(tries, maxExamples), maxTries)
	for _, key := range keys[:min(len(keys), 3)] {
		q.Failure, q.Before, q.BeforeCall = key, time.Time{}, ""
		for more := true; more && tries > 0; {
			q.Limit = maxExamples - len(out)
			facts, err := tx.FindFacts(ctx, p.workspaceID, q)
			if err != nil {
				return nil, err
			}
			tries -= len(facts)
			more = !q.Bare && len(facts) == q.Limit
			for i := range facts {
				q.Before, q.BeforeCall = facts[i].At, facts[i].CallID
				if q.Bare || facts[i].Dims[p.Dim] == p.Value {
					out = append(out, facts[i].CallID)
					more = false
				}
			}
			if len(out) == maxExamples {
				return out, nil
			}
		}
	}
	return out, nil
}
