package catalog

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// fake is a store in memory. Ids sort by age, as the real ones do.
type fake struct {
	agents   []scenario.Agent
	datasets []scenario.Dataset
	items    []itemRow
	versions map[string][]Version
	prompts  versioned[scenario.Prompt]
	scorers  versioned[score.Config]
	jobs     []string
	past     []pastCall
}

// pastCall is a call with everything that is known of it.
type pastCall struct {
	call     call.Call
	review   *call.Review
	told     *call.Reported
	timeline []call.Event
	played   *scenario.Item
}

func (f *fake) pastCall(id string) pastCall {
	for _, p := range f.past {
		if p.call.ID == id {
			return p
		}
	}
	return pastCall{}
}

func (f *fake) CallByID(_ context.Context, workspaceID, id string) (call.Call, error) {
	p := f.pastCall(id)
	if p.call.ID == "" || p.call.WorkspaceID != workspaceID {
		return call.Call{}, problem.Missing("call", id)
	}
	return p.call, nil
}

func (f *fake) ReviewOf(_ context.Context, id string) (r call.Review, ok bool, err error) {
	if p := f.pastCall(id); p.review != nil {
		return *p.review, true, nil
	}
	return r, false, nil
}

func (f *fake) ReportedOf(_ context.Context, id string) (r call.Reported, ok bool, err error) {
	if p := f.pastCall(id); p.told != nil {
		return *p.told, true, nil
	}
	return r, false, nil
}

func (f *fake) LastAttempt(_ context.Context, id string) (call.Attempt, bool, error) {
	return call.Attempt{Timeline: f.pastCall(id).timeline}, true, nil
}

func (f *fake) ItemOf(_ context.Context, id string) (scenario.Item, error) {
	if p := f.pastCall(id); p.played != nil {
		return *p.played, nil
	}
	return scenario.Item{}, problem.Missing("item of call", id)
}

func (f *fake) Enqueue(_ context.Context, kind, id string, after time.Duration) error {
	f.jobs = append(f.jobs, fmt.Sprint(kind, " ", id, " ", after))
	return nil
}

// itemRow lives from version from until before version until; 0 means still.
type itemRow struct {
	dataset     string
	from, until int
	place       int
	item        scenario.Item
}

func (f *fake) Read(_ context.Context, do func(Tx) error) error { return do(f) }

// Write undoes what a failed transaction did.
func (f *fake) Write(_ context.Context, do func(Tx) error) error {
	before := *f
	before.agents, before.datasets, before.items = slices.Clone(f.agents), slices.Clone(f.datasets), slices.Clone(f.items)
	before.jobs = slices.Clone(f.jobs)
	before.prompts, before.scorers = f.prompts.clone(), f.scorers.clone()
	if err := do(f); err != nil {
		*f = before
		return err
	}
	return nil
}

func newest[T any](rows []T, limit int, cursor string, id func(T) string, mine func(T) bool) (out []T) {
	for _, r := range slices.Backward(rows) {
		if mine(r) && (cursor == "" || id(r) < cursor) && len(out) < limit {
			out = append(out, r)
		}
	}
	return out
}

func (f *fake) InsertAgent(_ context.Context, a scenario.Agent) error {
	for _, b := range f.agents {
		if a.SourceID != "" && b.WorkspaceID == a.WorkspaceID && b.SourceID == a.SourceID {
			return problem.New(problem.Conflict, "taken")
		}
	}
	f.agents = append(f.agents, a)
	return nil
}

func (f *fake) agent(ws, id string) int {
	return slices.IndexFunc(f.agents, func(a scenario.Agent) bool { return a.WorkspaceID == ws && a.ID == id })
}

func (f *fake) AgentByID(_ context.Context, ws, id string) (scenario.Agent, error) {
	if i := f.agent(ws, id); i >= 0 {
		return f.agents[i], nil
	}
	return scenario.Agent{}, problem.Missing("agent", id)
}

func (f *fake) LockAgent(ctx context.Context, ws, id string) (scenario.Agent, error) {
	return f.AgentByID(ctx, ws, id)
}

func (f *fake) AgentBySourceID(_ context.Context, ws, source string) (scenario.Agent, bool, error) {
	i := slices.IndexFunc(f.agents, func(a scenario.Agent) bool { return a.WorkspaceID == ws && a.SourceID == source && source != "" })
	if i < 0 {
		return scenario.Agent{}, false, nil
	}
	return f.agents[i], true, nil
}

func (f *fake) Agents(_ context.Context, ws string, limit int, cursor string) ([]scenario.Agent, error) {
	return newest(f.agents, limit, cursor, func(a scenario.Agent) string { return a.ID },
		func(a scenario.Agent) bool { return a.WorkspaceID == ws }), nil
}

func (f *fake) UpdateAgent(_ context.Context, a scenario.Agent) error {
	f.agents[f.agent(a.WorkspaceID, a.ID)] = a
	return nil
}

func (f *fake) DeleteAgent(_ context.Context, ws, id string, _ time.Time) error {
	i := f.agent(ws, id)
	if i < 0 {
		return problem.Missing("agent", id)
	}
	f.agents = slices.Delete(f.agents, i, i+1)
	return nil
}

func (f *fake) InsertDataset(_ context.Context, d scenario.Dataset) error {
	f.datasets = append(f.datasets, d)
	return nil
}

func (f *fake) dataset(ws, id string) int {
	return slices.IndexFunc(f.datasets, func(d scenario.Dataset) bool { return d.WorkspaceID == ws && d.ID == id })
}

func (f *fake) DatasetByID(_ context.Context, ws, id string) (scenario.Dataset, error) {
	if i := f.dataset(ws, id); i >= 0 {
		return f.datasets[i], nil
	}
	return scenario.Dataset{}, problem.Missing("dataset", id)
}

func (f *fake) LockDataset(ctx context.Context, ws, id string) (scenario.Dataset, error) {
	return f.DatasetByID(ctx, ws, id)
}

func (f *fake) Datasets(_ context.Context, ws string, limit int, cursor string) ([]scenario.Dataset, error) {
	return newest(f.datasets, limit, cursor, func(d scenario.Dataset) string { return d.ID },
		func(d scenario.Dataset) bool { return d.WorkspaceID == ws }), nil
}

func (f *fake) UpdateDataset(_ context.Context, d scenario.Dataset) error {
	f.datasets[f.dataset(d.WorkspaceID, d.ID)] = d
	return nil
}

func (f *fake) DeleteDataset(_ context.Context, ws, id string, _ time.Time) error {
	i := f.dataset(ws, id)
	if i < 0 {
		return problem.Missing("dataset", id)
	}
	f.datasets = slices.Delete(f.datasets, i, i+1)
	return nil
}

func (f *fake) DatasetVersions(_ context.Context, id string) ([]Version, error) {
	out := slices.Clone(f.versions[id])
	slices.Reverse(out)
	return out, nil
}

func (f *fake) InsertVersion(_ context.Context, id string, v Version) error {
	if f.versions == nil {
		f.versions = map[string][]Version{}
	}
	f.versions[id] = append(f.versions[id], v)
	return nil
}

func (f *fake) InsertItems(_ context.Context, dataset string, version int, items []scenario.Item) error {
	for _, i := range items {
		f.items = append(f.items, itemRow{dataset: dataset, from: version, place: len(f.items), item: i})
	}
	return nil
}

func (f *fake) ReplaceItem(_ context.Context, dataset string, version int, item scenario.Item) error {
	for i := range f.items {
		if r := &f.items[i]; r.dataset == dataset && r.item.ID == item.ID && r.until == 0 {
			r.until = version
			f.items = append(f.items, itemRow{dataset: dataset, from: version, place: r.place, item: item})
			return nil
		}
	}
	return problem.Missing("item", item.ID)
}

func (f *fake) EndItems(_ context.Context, dataset string, version int, ids []string) error {
	for i := range f.items {
		if r := &f.items[i]; r.dataset == dataset && r.until == 0 && (ids == nil || slices.Contains(ids, r.item.ID)) {
			r.until = version
		}
	}
	return nil
}

func (f *fake) ItemsOf(_ context.Context, dataset string, version, limit int) (out []scenario.Item, err error) {
	rows := slices.Clone(f.items)
	slices.SortStableFunc(rows, func(a, b itemRow) int { return a.place - b.place })
	for _, r := range rows {
		if r.dataset == dataset && r.from <= version && (r.until == 0 || version < r.until) && len(out) < limit {
			out = append(out, r.item)
		}
	}
	return out, nil
}

func (f *fake) ItemByID(ctx context.Context, dataset, id string, version int) (scenario.Item, error) {
	all, _ := f.ItemsOf(ctx, dataset, version, scenario.MaxItems)
	for _, i := range all {
		if i.ID == id {
			return i, nil
		}
	}
	return scenario.Item{}, problem.Missing("item", id)
}

func (f *fake) ItemPage(ctx context.Context, dataset string, version, limit int, cursor string) ([]scenario.Item, error) {
	all, _ := f.ItemsOf(ctx, dataset, version, scenario.MaxItems)
	start := slices.IndexFunc(all, func(i scenario.Item) bool { return i.ID == cursor }) + 1
	return all[start:min(len(all), start+limit)], nil
}

// setup gives a service over an empty store, with ids in order and a clock
// that goes on a second with every look. Scorers of the kind "bad" are refused.
func setup(t *testing.T) (*Service, *fake) {
	t.Helper()
	f := &fake{
		prompts: versioned[scenario.Prompt]{kind: "prompt", look: func(p *scenario.Prompt) named {
			return named{p.WorkspaceID, p.Slug, p.Version, &p.Labels}
		}},
		scorers: versioned[score.Config]{kind: "scorer", look: func(c *score.Config) named {
			return named{c.WorkspaceID, c.Slug, c.Version, &c.Labels}
		}},
	}
	ids, seconds := 0, int64(0)
	return New(Options{
		Store: f,
		NewID: func(prefix string) string { ids++; return fmt.Sprintf("%s_%06d", prefix, ids) },
		Now:   func() time.Time { seconds++; return time.Unix(seconds, 0).UTC() },
		CheckScorer: func(c score.Config) *problem.Error {
			if c.Kind == "bad" {
				return problem.Invalid(problem.Field{Path: "params.words", Message: "is required"})
			}
			return nil
		},
	}), f
}

// paths are the fields at fault of an invalid_fields error.
func paths(t *testing.T, err error) []string {
	t.Helper()
	p := problem.As(err)
	if p == nil || p.Code != problem.InvalidFields {
		t.Fatalf("want invalid_fields, got %v", err)
	}
	var out []string
	for _, f := range p.Fields {
		out = append(out, f.Path)
	}
	return out
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
