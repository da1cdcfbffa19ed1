package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.jetify.com/typeid"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// bundle is the interface over a real database; only the course of experiments is played.
type bundle struct {
	handler     http.Handler
	store       *store.Store
	keys        *workspace.Service
	experiments *played
	jobs        *jobs
	first       workspace.First
	// other is a key of another workspace.
	other string
	log   *syncBuffer
	done  chan struct{}
}

func setup(t *testing.T, change ...func(*api.Options)) *bundle {
	t.Helper()
	b := &bundle{experiments: &played{}, jobs: &jobs{}, log: &syncBuffer{}, done: make(chan struct{})}
	engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	b.store = store.New(engine, b.jobs, time.Now)
	b.keys = workspace.New(workspace.Options{Store: store.As[workspace.Tx](b.store), NewID: newID, Now: time.Now, Random: rand.Reader})
	var made bool
	if b.first, made, err = b.keys.EnsureFirst(t.Context(), "first key"); err != nil || !made {
		t.Fatalf("made %v: %v", made, err)
	}
	w, err := b.keys.CreateWorkspace(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	if _, b.other, err = b.keys.CreateKey(t.Context(), w.ID, "other"); err != nil {
		t.Fatal(err)
	}
	b.experiments.workspace, b.experiments.store = b.first.Workspace.ID, b.store
	o := api.Options{
		HTTP: rest.Options{
			Keys: b.keys, Idempotency: b.store, Ready: b.store.Ping,
			Log: slog.New(slog.NewTextHandler(b.log, nil)), Now: time.Now, NewID: newID, Version: "1.2.3",
		},
		Events: b.store, Experiments: b.experiments,
		CallLogs: calllog.New(calllog.Options{
			Store: store.As[calllog.Tx](b.store), Readers: map[string]calllog.Reader{calllog.Custom: custom.Reader(nil)}, NewID: newID, Now: time.Now,
		}),
		Done: b.done,
		Poll: 2 * time.Millisecond, Heartbeat: 10 * time.Millisecond,
	}
	for _, f := range change {
		f(&o)
	}
	b.handler = conforming(t, api.New(o))
	return b
}

func newID(prefix string) string { return typeid.Must(typeid.WithPrefix(prefix)).String() }

// ask sends a request with the first workspace's key unless the headers say otherwise.
func (b *bundle) ask(t *testing.T, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+b.first.Secret)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	return w
}

// wantProblem checks everything that every problem must have, and returns it.
func wantProblem(t *testing.T, w *httptest.ResponseRecorder, status int, code string, paths ...string) rest.Problem {
	t.Helper()
	var p rest.Problem
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatalf("%d %q is no problem: %v", w.Code, w.Body, err)
	}
	if w.Code != status || p.Status != status || p.Code != code {
		t.Errorf("got %d %s %q, want %d %s", w.Code, p.Code, p.Detail, status, code)
	}
	if kind := w.Header().Get("Content-Type"); kind != "application/problem+json" {
		t.Errorf("content type %q", kind)
	}
	if p.Title == "" || p.Detail == "" || p.Type != "about:blank" || p.RequestID == "" || p.RequestID != w.Header().Get("X-Request-Id") {
		t.Errorf("incomplete: %s", w.Body)
	}
	var got []string
	for _, f := range p.Errors {
		got = append(got, f.Path)
	}
	if fmt.Sprint(got) != fmt.Sprint(paths) {
		t.Errorf("faults at %v, want %v", got, paths)
	}
	return p
}

func wantJSON(t *testing.T, w *httptest.ResponseRecorder, status int, want string) {
	t.Helper()
	if w.Code != status || strings.TrimSpace(w.Body.String()) != want {
		t.Errorf("got %d %s\nwant %d %s", w.Code, w.Body, status, want)
	}
	if kind := w.Header().Get("Content-Type"); kind != "application/json" {
		t.Errorf("content type %q", kind)
	}
}

// played answers for the course of experiments.
type played struct {
	mu        sync.Mutex
	store     *store.Store
	workspace string
	started   []experiment.StartRequest
	reruns    []bool
	filter    experiment.Filter
	limit     int
	err       error
	panics    bool
	calls     []experiment.CallResult
}

func (p *played) one(id string) experiment.Experiment {
	return experiment.Experiment{
		ID: id, Status: experiment.Finished, Verdict: call.NotPassed, Reason: "1 of 2 calls passed", AgentID: "agt_1", DatasetID: "ds_1",
		DatasetVersion: 3, Line: "sip", To: "+15550100", Counts: experiment.Counts{Calls: 2, Passed: 1, Failed: 1},
		CreatedAt: time.UnixMilli(1_760_000_000_000), StartedAt: time.UnixMilli(1_760_000_000_500),
	}
}

func (p *played) Start(ctx context.Context, ws string, r experiment.StartRequest) (experiment.Experiment, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.panics {
		panic("the caller said 12345")
	}
	if p.err != nil {
		return experiment.Experiment{}, p.err
	}
	if ws != p.workspace {
		return experiment.Experiment{}, problem.Missing("agent", r.AgentID)
	}
	e := p.one(fmt.Sprintf("ve_%d", len(p.started)+1))
	if p.store != nil {
		if err := p.store.Write(ctx, func(tx *store.Tx) error { return tx.InsertExperiment(ctx, e) }); err != nil {
			return e, err
		}
	}
	p.started = append(p.started, r)
	return e, nil
}

func (p *played) Get(_ context.Context, ws, id string) (experiment.Experiment, error) {
	if ws != p.workspace || !strings.HasPrefix(id, "ve_") {
		return experiment.Experiment{}, problem.Missing("voice experiment", id)
	}
	return p.one(id), nil
}

func (p *played) List(_ context.Context, ws string, f experiment.Filter, limit int, cursor string) ([]experiment.Experiment, string, error) {
	p.filter, p.limit = f, limit
	if ws != p.workspace {
		return nil, "", nil
	}
	if cursor == "" {
		return []experiment.Experiment{p.one("ve_2")}, "ve_2", nil
	}
	return []experiment.Experiment{p.one("ve_1")}, "", nil
}

func (p *played) Cancel(ctx context.Context, ws, id string) (experiment.Experiment, error) {
	return p.Get(ctx, ws, id)
}

func (p *played) Rerun(ctx context.Context, ws, id string, onlyFailed bool) (experiment.Experiment, error) {
	e, err := p.Get(ctx, ws, id)
	if err == nil {
		p.reruns = append(p.reruns, onlyFailed)
		e.ID, e.RerunOf = "ve_new", id
	}
	return e, err
}

func (p *played) Report(ctx context.Context, ws, id string) (experiment.Report, error) {
	e, err := p.Get(ctx, ws, id)
	reviews := func(_ context.Context, callIDs []string) (map[string]call.Review, error) {
		out := map[string]call.Review{}
		for _, c := range p.calls {
			if slices.Contains(callIDs, c.Call.ID) && c.Review != nil {
				out[c.Call.ID] = *c.Review
			}
		}
		return out, nil
	}
	r := experiment.Report{Experiment: e, Reviews: reviews}
	for _, c := range p.calls {
		c.Review = nil
		r.Calls = append(r.Calls, c)
	}
	return r, err
}

// jobs is a queue that only notes.
type jobs struct {
	mu   sync.Mutex
	list []string
}

func (j *jobs) Enqueue(_ context.Context, _ any, kind, id string, _ time.Duration) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.list = append(j.list, kind+" "+id)
	return nil
}

func (j *jobs) EnqueueAll(ctx context.Context, raw any, kind string, _ int, ids []string) error {
	for _, id := range ids {
		if err := j.Enqueue(ctx, raw, kind, id, 0); err != nil {
			return err
		}
	}
	return nil
}

type syncBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

var (
	_ io.Writer     = (*syncBuffer)(nil)
	_ scenario.Item // reports carry items
)
