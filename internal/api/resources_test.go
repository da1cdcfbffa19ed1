package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/blob"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// resources is the interface over a real database and real blobs, with two
// workspaces: key "a" opens ws_a, key "b" opens ws_b.
type resources struct {
	t       *testing.T
	handler http.Handler
	store   *store.Store
	blobs   blob.Bucket
}

func newResources(t *testing.T) *resources {
	t.Helper()
	engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	blobs, err := blob.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	var ids, seconds atomic.Int64
	now := func() time.Time { return time.UnixMilli(1_700_000_000_000 + 1000*seconds.Add(1)) }
	// Ids in order, so that what was made last is the newest even within one millisecond.
	newID := func(prefix string) string { return fmt.Sprintf("%s_%026d", prefix, ids.Add(1)) }
	s := store.New(engine, &jobs{}, now)
	for _, id := range []string{"ws_a", "ws_b"} {
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.InsertWorkspace(t.Context(), workspace.Workspace{ID: id, Name: id, CreatedAt: now()})
		}); err != nil {
			t.Fatal(err)
		}
	}
	kept := catalog.New(catalog.Options{
		Store: store.As[catalog.Tx](s), NewID: newID, Now: now,
		CheckScorer: func(c score.Config) *problem.Error { _, err := score.Build(c, score.Deps{}); return err },
	})
	found := archive.New(archive.Options{Store: store.As[archive.Tx](s), Recordings: blobs})
	handler := conforming(t, api.New(api.Options{
		HTTP: rest.Options{
			Keys: twoKeys{}, Idempotency: s, Now: now, NewID: newID, Version: "test", PublicURL: "https://ringtrue.example.org", MaxBody: 4 << 10,
		},
		MaxImport: 64 << 10,
		Services:  api.Services{Agents: kept, Datasets: kept, Items: kept, Prompts: kept, Scorers: kept, Calls: found},
	}))
	return &resources{t: t, handler: handler, store: s, blobs: blobs}
}

type twoKeys struct{}

func (twoKeys) Authenticate(_ context.Context, secret string) (workspace.Identity, error) {
	if secret != "a" && secret != "b" {
		return workspace.Identity{}, problem.New(problem.Unauthenticated, "no")
	}
	return workspace.Identity{WorkspaceID: "ws_" + secret, KeyID: "key_" + secret, Role: workspace.Admin}, nil
}

// exchange is one request and what must come of it.
type exchange struct {
	name string
	// method and path lead to the operation; path begins behind the base path.
	method, path string
	// key is the API key, "a" when empty.
	key    string
	header map[string]string
	body   string
	status int
	// code is that of the problem; fields are the paths at fault, in order.
	code   string
	fields []string
	// has and hasNot are pieces of the answer's text.
	has, hasNot []string
}

// do sends the request and checks the answer, whose headers and body it returns.
func (r *resources) do(e exchange) (http.Header, string) {
	r.t.Helper()
	req := httptest.NewRequest(e.method, rest.BasePath+e.path, strings.NewReader(e.body))
	if e.key == "" {
		e.key = "a"
	}
	req.Header.Set("Authorization", "Bearer "+e.key)
	if e.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range e.header {
		req.Header.Set(name, value)
	}
	rec := httptest.NewRecorder()
	r.handler.ServeHTTP(rec, req)
	text := rec.Body.String()
	name := e.name
	if name == "" {
		name = e.method + " " + e.path
	}
	if rec.Code != e.status {
		r.t.Fatalf("%s: status %d, not %d: %s", name, rec.Code, e.status, text)
	}
	if e.code != "" {
		r.checkProblem(name, rec, e)
	}
	for _, piece := range e.has {
		if !strings.Contains(text, piece) {
			r.t.Errorf("%s: %s is not in %s", name, piece, text)
		}
	}
	for _, piece := range e.hasNot {
		if strings.Contains(text, piece) {
			r.t.Errorf("%s: %s is in %s", name, piece, text)
		}
	}
	return rec.Header(), text
}

func (r *resources) checkProblem(name string, rec *httptest.ResponseRecorder, e exchange) {
	r.t.Helper()
	var p rest.Problem
	if err := json.Unmarshal(rec.Body.Bytes(), &p); err != nil || rec.Header().Get("Content-Type") != "application/problem+json" {
		r.t.Fatalf("%s: not a problem (%s): %s", name, rec.Header().Get("Content-Type"), rec.Body)
	}
	if p.Code != e.code || p.RequestID == "" {
		r.t.Errorf("%s: code %q, request id %q", name, p.Code, p.RequestID)
	}
	var paths []string
	for _, f := range p.Errors {
		paths = append(paths, f.Path)
	}
	if e.fields != nil && !slices.Equal(paths, e.fields) {
		r.t.Errorf("%s: fields %q, not %q: %s", name, paths, e.fields, rec.Body)
	}
}

// all sends the requests one after the other.
func (r *resources) all(list []exchange) {
	r.t.Helper()
	for _, e := range list {
		r.do(e)
	}
}

// make sends a request that answers with JSON and reads it.
func (r *resources) make(method, path, body string, into any) {
	r.t.Helper()
	status := http.StatusOK
	if method == http.MethodPost && !strings.HasSuffix(path, "/import") {
		status = http.StatusCreated
	}
	_, text := r.do(exchange{method: method, path: path, body: body, status: status})
	if err := json.Unmarshal([]byte(text), into); err != nil {
		r.t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
}

// keys are the names of a JSON object, sorted.
func keys(t *testing.T, text string) []string {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return slices.Sorted(maps.Keys(m))
}

func readAll(t *testing.T, r io.Reader) []byte {
	t.Helper()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
