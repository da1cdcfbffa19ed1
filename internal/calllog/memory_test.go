package calllog_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// memory is a store whose writes take effect only when they succeed.
type memory struct {
	mu sync.Mutex
	rows
	failWrites bool
	// writes counts transactions; before is called at the start of each.
	writes int
	before func()
}

type rows struct {
	read        func(provider string, body []byte) (calllog.Record, error)
	submissions []calllog.Submission
	calls       []call.Call
	jobs        []string
	urgency     map[string]int // of the jobs that EnqueueAll added
	agents      []scenario.Agent
	erased      []string
	// locked are the calls that were locked, in order, over all transactions.
	locked []string
}

func (r *rows) clone() rows {
	return rows{r.read, slices.Clone(r.submissions), slices.Clone(r.calls), slices.Clone(r.jobs), maps.Clone(r.urgency), slices.Clone(r.agents), slices.Clone(r.erased), slices.Clone(r.locked)}
}

func (m *memory) Write(_ context.Context, f func(calllog.Tx) error) error {
	if m.before != nil {
		m.before()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes++
	tx := m.clone()
	if tx.urgency == nil {
		tx.urgency = map[string]int{}
	}
	if err := f(&tx); err != nil {
		return err
	}
	if m.failWrites {
		return errors.New("disk full")
	}
	m.rows = tx
	return nil
}

func (m *memory) Read(_ context.Context, f func(calllog.Tx) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return f(&m.rows)
}

// Pack leaves texts readable for tests.
func (m *memory) Pack(record, raw []byte) []byte {
	return slices.Concat(record, []byte{0}, raw)
}

func (m *memory) ReadBodies(read func(provider string, body []byte) (calllog.Record, error)) {
	m.read = read
}

// packed returns the texts of a submission.
func packed(s *calllog.Submission) (record, raw string) {
	record, raw, _ = strings.Cut(string(s.Packed), "\x00")
	return record, raw
}

// record returns the record of a submission.
func (r *rows) record(i int) (out calllog.Record) {
	text, raw := packed(&r.submissions[i])
	if text == "" {
		out, err := r.read(r.submissions[i].Provider, []byte(raw))
		if err != nil {
			panic(err)
		}
		return out
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func (r *rows) LockArrivals(context.Context, []calllog.Key) error { return nil }

func (r *rows) Known(_ context.Context, arrivals []calllog.Arriving) (calllog.Known, error) {
	out := calllog.Known{Arrived: map[calllog.Key][]calllog.Arrived{}, Agents: map[calllog.AgentRef]string{}}
	for _, a := range arrivals {
		out.MayBeTest = append(out.MayBeTest, true)
		for _, s := range r.submissions {
			if a.Key == (calllog.Key{WorkspaceID: s.WorkspaceID, Provider: s.Provider, ExternalID: s.ExternalID}) {
				out.Arrived[a.Key] = append(out.Arrived[a.Key], calllog.Arrived{CallID: s.CallID, Digest: s.Digest})
			}
		}
		for _, agent := range r.agents {
			if agent.WorkspaceID == a.Key.WorkspaceID && agent.SourceID == a.AgentRef {
				out.Agents[calllog.AgentRef{WorkspaceID: agent.WorkspaceID, SourceID: agent.SourceID}] = agent.ID
			}
		}
	}
	return out, nil
}

func (r *rows) InsertSubmissions(_ context.Context, all []calllog.Submission) error {
	r.submissions = append(r.submissions, all...)
	return nil
}

func (r *rows) UseKey(context.Context, string) (bool, error) { return true, nil }

func (r *rows) RecordOf(_ context.Context, callID string) (out calllog.Record, ok bool, err error) {
	var logs, patches []int
	for i, s := range r.submissions {
		switch {
		case s.CallID != callID:
		case s.Kind == calllog.KindPatch:
			patches = append(patches, i)
		default:
			logs = append(logs, i)
		}
	}
	slices.SortFunc(logs, func(a, b int) int { return strings.Compare(r.submissions[a].Digest, r.submissions[b].Digest) })
	slices.SortFunc(patches, func(a, b int) int { return r.submissions[a].ReceivedAt.Compare(r.submissions[b].ReceivedAt) })
	var records []calllog.Record
	for _, i := range logs {
		records = append(records, r.record(i))
	}
	out = calllog.Together(records)
	for _, i := range patches {
		out = calllog.Amend(out, r.record(i))
	}
	return out, len(logs) > 0, nil
}

func (r *rows) RecordsOf(_ context.Context, callID string) (map[string]calllog.Record, error) {
	out := map[string]calllog.Record{}
	for i, s := range r.submissions {
		if s.CallID == callID {
			out[s.ID] = r.record(i)
		}
	}
	return out, nil
}

func (r *rows) SubmissionsOf(_ context.Context, callID string) (out []calllog.Submission, _ error) {
	for _, s := range r.submissions {
		if s.CallID == callID {
			s.Packed = nil
			out = append(out, s)
		}
	}
	return out, nil
}

func (r *rows) KeptOf(_ context.Context, callID string) (n int, bytes int64, _ error) {
	for _, s := range r.submissions {
		if s.CallID == callID {
			n, bytes = n+1, bytes+int64(len(s.Packed))
		}
	}
	return n, bytes, nil
}

func (r *rows) ReplaceRecord(_ context.Context, s calllog.Submission) error {
	for i := range r.submissions {
		if r.submissions[i].ID == s.ID {
			r.submissions[i] = s
			return nil
		}
	}
	return problem.Missing("submission", s.ID)
}

func (r *rows) EraseReview(_ context.Context, callID, sha string) error {
	r.erased = append(r.erased, callID+" "+sha)
	return nil
}

func (r *rows) MakeFindable(context.Context, []string) error { return nil }

func (r *rows) InsertArrived(_ context.Context, calls []call.Call, _ bool) error {
	r.calls = append(r.calls, calls...)
	return nil
}

func (r *rows) UpdateCall(_ context.Context, c call.Call) error {
	for i := range r.calls {
		if r.calls[i].ID == c.ID {
			r.calls[i] = c
			return nil
		}
	}
	return problem.Missing("call", c.ID)
}

func (r *rows) LockCall(ctx context.Context, id string) (call.Call, error) {
	r.locked = append(r.locked, id)
	return r.CallByID(ctx, "", id)
}

func (r *rows) CallByID(_ context.Context, ws, id string) (call.Call, error) {
	for _, c := range r.calls {
		if c.ID == id && (ws == "" || ws == c.WorkspaceID) {
			c.Metadata = maps.Clone(c.Metadata)
			return c, nil
		}
	}
	return call.Call{}, problem.Missing("call", id)
}

func (r *rows) TestCall(_ context.Context, ws string, m calllog.Match) (call.Call, bool, error) {
	for _, c := range r.calls {
		if c.WorkspaceID != ws || c.Origin != call.Simulated {
			continue
		}
		gap := c.StartedAt.Sub(m.StartedAt).Abs()
		if m.CallID == c.ID || m.CallID == "" && c.From == m.From && c.To == m.To && gap <= 2*time.Minute {
			return c, true, nil
		}
	}
	return call.Call{}, false, nil
}

func (r *rows) AgentBySourceID(_ context.Context, ws, id string) (scenario.Agent, bool, error) {
	for _, a := range r.agents {
		if a.WorkspaceID == ws && a.SourceID == id {
			return a, true, nil
		}
	}
	return scenario.Agent{}, false, nil
}

func (r *rows) AgentOf(_ context.Context, id string) (scenario.Agent, bool, error) {
	for _, a := range r.agents {
		if a.ID == id {
			return a, true, nil
		}
	}
	return scenario.Agent{}, false, nil
}

func (r *rows) LinkCalls(_ context.Context, a scenario.Agent, limit int) (ids []string, _ error) {
	for i := range r.calls {
		c := &r.calls[i]
		if len(ids) < limit && c.WorkspaceID == a.WorkspaceID && c.AgentRef == a.SourceID && c.AgentID == "" && c.AgentRef != "" {
			c.AgentID = a.ID
			ids = append(ids, c.ID)
		}
	}
	return ids, nil
}

func (r *rows) Enqueue(_ context.Context, kind, id string, _ time.Duration) error {
	r.jobs = append(r.jobs, kind+" "+id)
	return nil
}

func (r *rows) EnqueueAll(ctx context.Context, kind string, urgency int, ids []string) error {
	for _, id := range ids {
		r.urgency[kind+" "+id] = urgency
		if err := r.Enqueue(ctx, kind, id, 0); err != nil {
			return err
		}
	}
	return nil
}
