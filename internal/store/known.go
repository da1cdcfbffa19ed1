package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// Known implements calllog.ArrivalRows. All of it is asked in one exchange, where
// an exchange costs something (Asker).
func (tx *Tx) Known(ctx context.Context, arrivals []calllog.Arriving) (calllog.Known, error) {
	out := calllog.Known{
		Arrived: make(map[calllog.Key][]calllog.Arrived, len(arrivals)), MayBeTest: make([]bool, len(arrivals)), Agents: map[calllog.AgentRef]string{},
	}
	var questions []Question
	tests := map[string]map[string]bool{}
	for group, externalIDs := range gathered(arrivals, func(i int) (calllog.Key, string) {
		key := arrivals[i].Key
		return calllog.Key{WorkspaceID: key.WorkspaceID, Provider: key.Provider}, key.ExternalID
	}) {
		questions = append(questions, tx.askArrived(group, externalIDs, out.Arrived)...)
	}
	for workspaceID, sourceIDs := range gathered(arrivals, func(i int) (string, string) { return arrivals[i].Key.WorkspaceID, arrivals[i].AgentRef }) {
		questions = append(questions, askAgents(workspaceID, sourceIDs, out.Agents)...)
	}
	dialled := make([]string, len(arrivals))
	for i := range arrivals {
		dialled[i] = dialledBy(&arrivals[i].Match)
	}
	for workspaceID, numbers := range gathered(arrivals, func(i int) (string, string) { return arrivals[i].Key.WorkspaceID, dialled[i] }) {
		tests[workspaceID] = map[string]bool{}
		questions = append(questions, askTests(workspaceID, numbers, spanOf(arrivals, dialled, workspaceID), tests[workspaceID])...)
	}
	if err := tx.ask(ctx, questions); err != nil {
		return calllog.Known{}, err
	}
	for i := range arrivals {
		a := &arrivals[i]
		out.MayBeTest[i] = a.Match.CallID != "" || tests[a.Key.WorkspaceID][dialled[i]]
	}
	return out, nil
}

// gathered are the words of the arrivals by group, each word of a group once and none of them
// empty. of returns group and word of the arrival at an index.
func gathered[G comparable](arrivals []calllog.Arriving, of func(place int) (G, string)) map[G][]any {
	type member struct {
		group G
		word  string
	}
	out, seen := map[G][]any{}, make(map[member]bool, len(arrivals))
	for i := range arrivals {
		group, word := of(i)
		if word == "" || seen[member{group, word}] {
			continue
		}
		seen[member{group, word}] = true
		out[group] = append(out[group], word)
	}
	return out
}

// askArrived asks for the submissions of calls with these ids of their platform.
func (tx *Tx) askArrived(group calllog.Key, externalIDs []any, into map[calllog.Key][]calllog.Arrived) (questions []Question) {
	for chunk := range slices.Chunk(externalIDs, maxParameters) {
		text, args := tx.arrivedText(padded(slices.Clone(chunk)), group.WorkspaceID, group.Provider)
		questions = append(questions, Question{text, args, func(rows Rows) error {
			found, err := read(rows, func(s *calllog.Submission) []any { return []any{&s.ID, &s.ExternalID, &s.CallID, &s.Digest} })
			slices.SortFunc(found, func(a, b calllog.Submission) int { return cmp.Compare(a.ID, b.ID) })
			found = slices.CompactFunc(found, func(a, b calllog.Submission) bool { return a.ID == b.ID }) // one that stands in the list twice
			for i := range found {
				group.ExternalID = found[i].ExternalID
				into[group] = append(into[group], calllog.Arrived{CallID: found[i].CallID, Digest: found[i].Digest})
			}
			return err
		}})
	}
	return questions
}

// arrivedText asks for the submissions of calls by their platform's ids. SQLite
// makes a table of each list that a column is to be in, with memory and pages of
// its own, for each time it is asked; joined, the ids are gone through one by
// one. A server is not to be tempted to read the table through instead.
func (tx *Tx) arrivedText(externalIDs []any, workspaceID, provider string) (string, []any) {
	args := append(slices.Clone(externalIDs), workspaceID, provider)
	where := ` WHERE s.workspace_id = ` + place(len(args)-1) + ` AND s.provider = ` + place(len(args)) + ` AND s.external_id`
	const text = `SELECT s.id, s.external_id, s.call_id, s.digest FROM `
	if _, server := tx.conn.(Postponer); server {
		return text + `submissions s` + where + ` IN ` + marks(1, len(externalIDs)), args
	}
	rows := make([]string, len(externalIDs))
	for i := range rows {
		rows[i] = marks(1+i, 1)
	}
	return text + `(VALUES ` + strings.Join(rows, ", ") + `) k CROSS JOIN submissions s` + where + ` = k.column1`, args
}

// askAgents asks for agents by their source ids.
func askAgents(workspaceID string, sourceIDs []any, into map[calllog.AgentRef]string) (questions []Question) {
	for chunk := range slices.Chunk(sourceIDs, maxParameters) {
		args := append([]any{workspaceID}, padded(slices.Clone(chunk))...)
		questions = append(questions, Question{
			`SELECT source_id, id FROM agents WHERE workspace_id = $1 AND source_id <> '' AND deleted_at = 0 AND source_id IN ` + marks(2, len(args)-1), args,
			func(rows Rows) error {
				type agent struct{ sourceID, id string }
				found, err := read(rows, func(a *agent) []any { return []any{&a.sourceID, &a.id} })
				for _, a := range found {
					into[calllog.AgentRef{WorkspaceID: workspaceID, SourceID: a.sourceID}] = a.id
				}
				return err
			},
		})
	}
	return questions
}

// askTests asks which of the numbers a test has dialled in the span; hardly any production call is
// between such numbers.
func askTests(workspaceID string, numbers []any, span [2]int64, into map[string]bool) (questions []Question) {
	for chunk := range slices.Chunk(numbers, maxParameters) {
		args := append([]any{workspaceID, span[0], span[1]}, padded(slices.Clone(chunk))...)
		questions = append(questions, Question{
			`SELECT DISTINCT to_digits FROM calls WHERE workspace_id = $1
			AND origin = 'simulated' AND started_at BETWEEN $2 AND $3 AND to_digits IN ` + marks(4, len(args)-3), args,
			func(rows Rows) error {
				found, err := read(rows, scalar[string])
				for _, number := range found {
					into[number] = true
				}
				return err
			},
		})
	}
	return questions
}

// dialledBy is the number by which TestCall may find something, "" when it cannot.
func dialledBy(m *calllog.Match) string {
	if m.CallID != "" || digits(m.From) == "" || m.StartedAt.IsZero() {
		return ""
	}
	return digits(m.To)
}

// spanOf is when test calls started that the workspace's arrivals may belong to.
func spanOf(arrivals []calllog.Arriving, dialled []string, workspaceID string) [2]int64 {
	var times []time.Time
	for i := range arrivals {
		if a := &arrivals[i]; a.Key.WorkspaceID == workspaceID && dialled[i] != "" {
			times = append(times, a.Match.StartedAt)
		}
	}
	low, high := slices.MinFunc(times, time.Time.Compare), slices.MaxFunc(times, time.Time.Compare)
	// An answer is at most matchWindow late, so a start lies within twice that.
	return [2]int64{toMicros(low.Add(-2 * matchWindow)), toMicros(high.Add(matchWindow))}
}
