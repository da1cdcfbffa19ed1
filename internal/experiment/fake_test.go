package experiment

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/price"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// fakeStore keeps rows in maps behind one lock and rolls back by copying. It
// knows just enough to follow the course of an experiment; the real stores are
// held to the whole contract by their own suite.
type fakeStore struct {
	mu   sync.Mutex
	rows fakeRows
	// fail, when set, is asked before each write and may refuse it.
	fail func() error
}

type fakeRows struct {
	agents      map[string]scenario.Agent
	datasets    map[string]scenario.Dataset
	items       map[string][]scenario.Item
	experiments map[string]Experiment
	calls       map[string]call.Call
	plays       map[string]scenario.Item
	attempts    map[string]call.Attempt
	beats       map[string]int64
	beatAt      map[string]time.Time
	again       *int           // how many turns were given anew
	since       *time.Duration // how long ago the turns were given
	reviews     map[string]call.Review
	references  map[string]string
	rooms       map[string]RoomRow
	jobs        []string
	progress    []Progress
	prices      price.Prices
}

func newFakeStore() *fakeStore {
	return &fakeStore{rows: fakeRows{
		agents: map[string]scenario.Agent{}, datasets: map[string]scenario.Dataset{}, items: map[string][]scenario.Item{},
		experiments: map[string]Experiment{}, calls: map[string]call.Call{}, plays: map[string]scenario.Item{},
		attempts: map[string]call.Attempt{}, beats: map[string]int64{}, beatAt: map[string]time.Time{}, again: new(int), since: new(time.Duration), reviews: map[string]call.Review{}, references: map[string]string{},
		rooms: map[string]RoomRow{},
	}}
}

func (r fakeRows) clone() fakeRows {
	out := r
	out.experiments, out.calls = cloned(r.experiments), cloned(r.calls)
	out.rooms = cloned(r.rooms)
	out.attempts, out.beats, out.beatAt, out.plays = cloned(r.attempts), cloned(r.beats), cloned(r.beatAt), cloned(r.plays)
	out.jobs, out.progress = slices.Clone(r.jobs), slices.Clone(r.progress)
	return out
}

func cloned[V any](m map[string]V) map[string]V {
	out := make(map[string]V, len(m))
	maps.Copy(out, m)
	return out
}

func (s *fakeStore) Write(_ context.Context, f func(Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		if err := s.fail(); err != nil {
			return err
		}
	}
	before := s.rows.clone()
	if err := f(fakeTx{&s.rows, map[string]bool{}}); err != nil {
		s.rows = before
		return err
	}
	return nil
}

func (s *fakeStore) Read(_ context.Context, f func(Tx) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return f(fakeTx{&s.rows, map[string]bool{}})
}

// takeJobs empties the queue.
func (s *fakeStore) takeJobs() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	jobs := s.rows.jobs
	s.rows.jobs = nil
	return jobs
}

func (s *fakeStore) call(id string) call.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows.calls[id]
}

func (s *fakeStore) reference(attemptID string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows.references[attemptID]
}

// setFail makes every write fail as f says, none when it is nil, while others write.
func (s *fakeStore) setFail(f func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = f
}

func (s *fakeStore) experiment(id string) Experiment {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rows.experiments[id]
}

// fakeTx insists that what is changed has been locked first, calls before their
// experiment: the fake has one lock for everything, the real thing one per row.
type fakeTx struct {
	*fakeRows
	held map[string]bool
}

func (t fakeTx) holds(id string) error {
	if !t.held[id] {
		return fmt.Errorf("%s is changed and was not locked", id)
	}
	return nil
}

func find[V any](m map[string]V, thing, id string) (V, error) {
	v, ok := m[id]
	if !ok {
		return v, problem.Missing(thing, id)
	}
	return v, nil
}

func (t fakeTx) FoundOf(_ context.Context, experimentID string) (map[string]Found, error) {
	out := map[string]Found{}
	for id, r := range t.reviews {
		if t.calls[id].ExperimentID != experimentID {
			continue
		}
		f := Found{CallID: id}
		for _, s := range r.Scores {
			f.Scores = append(f.Scores, FoundScore{ScorerID: s.ScorerID, Name: s.Name, Verdict: s.Verdict, Required: s.Required})
		}
		out[id] = f
	}
	return out, nil
}

func (t fakeTx) PricesOf(context.Context, string) (price.Prices, error) { return t.prices, nil }

func (t fakeTx) PastCalls(_ context.Context, workspaceID, agentID string, _ int) ([]PastCall, error) {
	var out []PastCall
	for _, c := range t.calls {
		if c.WorkspaceID == workspaceID && c.AgentID == agentID && c.Status == call.Ended {
			out = append(out, PastCall{c.ItemID, c.StartedAt, c.AnsweredAt, c.EndedAt})
		}
	}
	return out, nil
}

func (t fakeTx) Enqueue(_ context.Context, kind, id string, _ time.Duration) error {
	t.jobs = append(t.jobs, kind+" "+id)
	return nil
}

func (t fakeTx) Announce(_ context.Context, _ string, p Progress) error {
	t.progress = append(t.progress, p)
	return nil
}

func (t fakeTx) InsertExperiment(_ context.Context, e Experiment) error {
	t.experiments[e.ID] = e
	return nil
}

func (t fakeTx) ExperimentByID(_ context.Context, workspaceID, id string) (Experiment, error) {
	e, err := find(t.experiments, "voice experiment", id)
	if err == nil && e.WorkspaceID != workspaceID {
		return Experiment{}, problem.Missing("voice experiment", id)
	}
	return e, err
}

func (t fakeTx) LockExperiment(_ context.Context, id string) (Experiment, error) {
	t.held[id] = true
	return find(t.experiments, "voice experiment", id)
}

func (t fakeTx) UpdateExperiment(_ context.Context, e Experiment) error {
	t.experiments[e.ID] = e
	return t.holds(e.ID)
}

func (t fakeTx) Experiments(context.Context, string, Filter, int, string) ([]Experiment, error) {
	return nil, nil
}

func (t fakeTx) InsertCalls(_ context.Context, calls []call.Call, items []scenario.Item) error {
	for i, c := range calls {
		t.calls[c.ID], t.plays[c.ID] = c, items[i]
	}
	return nil
}

func (t fakeTx) CallByID(_ context.Context, _, id string) (call.Call, error) {
	return find(t.calls, "call", id)
}

func (t fakeTx) LockCall(_ context.Context, id string) (call.Call, error) {
	c, err := find(t.calls, "call", id)
	return c, errors.Join(err, t.hold(c))
}

func (t fakeTx) LockCallsOf(ctx context.Context, experimentID string) ([]call.Call, error) {
	calls, err := t.CallsOf(ctx, experimentID)
	return calls, errors.Join(err, t.hold(calls...))
}

func (t fakeTx) hold(calls ...call.Call) error {
	for _, c := range calls {
		if t.held[c.ExperimentID] {
			return fmt.Errorf("call %s is locked after its experiment", c.ID)
		}
		t.held[c.ID] = true
	}
	return nil
}

func (t fakeTx) UpdateCall(_ context.Context, c call.Call) error {
	t.calls[c.ID] = c
	return t.holds(c.ID)
}

func (t fakeTx) EndCallsOf(_ context.Context, experimentID string, as call.Call) error {
	for id, c := range t.calls {
		if c.ExperimentID == experimentID && !c.Status.Over() {
			c.Status, c.ScoringStatus, c.EndReason, c.EndedAt = as.Status, as.ScoringStatus, as.EndReason, as.EndedAt
			t.calls[id] = c
		}
	}
	return nil
}

func (t fakeTx) CallsOf(_ context.Context, experimentID string) ([]call.Call, error) {
	var out []call.Call
	for _, c := range t.calls {
		if c.ExperimentID == experimentID {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b call.Call) int { return a.Position - b.Position })
	return out, nil
}

func (t fakeTx) OutcomesOf(ctx context.Context, experimentID string) ([]call.Call, error) {
	return t.CallsOf(ctx, experimentID)
}

func (t fakeTx) ItemOf(_ context.Context, callID string) (scenario.Item, error) {
	return find(t.plays, "call", callID)
}

func (t fakeTx) ReviewsOf(_ context.Context, callIDs []string) (map[string]call.Review, error) {
	out := map[string]call.Review{}
	for _, id := range callIDs {
		if r, ok := t.reviews[id]; ok {
			out[id] = r
		}
	}
	return out, nil
}

func (t fakeTx) Tally(ctx context.Context, experimentID string) (n Tally, err error) {
	calls, err := t.CallsOf(ctx, experimentID)
	for _, c := range calls {
		n.Add(&c, 1)
	}
	return n, err
}

func (t fakeTx) PlayedItems(_ context.Context, experimentID string) (map[string]scenario.Item, error) {
	out := map[string]scenario.Item{}
	for id, c := range t.calls {
		if c.ExperimentID == experimentID {
			out[c.ItemID] = t.plays[id]
		}
	}
	return out, nil
}

func (t fakeTx) AgentByID(_ context.Context, _, id string) (scenario.Agent, error) {
	return find(t.agents, "agent", id)
}

func (t fakeTx) DatasetByID(_ context.Context, _, id string) (scenario.Dataset, error) {
	return find(t.datasets, "dataset", id)
}

func (t fakeTx) ItemsOf(_ context.Context, datasetID string, _, limit int) ([]scenario.Item, error) {
	items := t.items[datasetID]
	return items[:min(limit, len(items))], nil
}

func (t fakeTx) PromptByRef(_ context.Context, _, ref string) (scenario.Prompt, error) {
	return scenario.Prompt{}, problem.Missing("prompt", ref)
}

func (t fakeTx) ScorerByRef(_ context.Context, _, ref string) (score.Config, error) {
	return score.Config{}, problem.Missing("scorer", ref)
}
