package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// announce commits events of the workspace, one per status.
func (b *bundle) announce(t *testing.T, workspaceID, experimentID string, statuses ...string) {
	t.Helper()
	for _, status := range statuses {
		err := b.store.Write(t.Context(), func(tx *store.Tx) error {
			return tx.Announce(t.Context(), workspaceID, experiment.Progress{Kind: "experiment", ExperimentID: experimentID, Status: status})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// stream is one open event stream.
type stream struct {
	lines  *bufio.Scanner
	resp   *http.Response
	cancel context.CancelFunc
}

func (b *bundle) follow(t *testing.T, server *httptest.Server, query string, headers ...string) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/rest/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.first.Secret)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	resp, err := server.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	return &stream{lines: bufio.NewScanner(resp.Body), resp: resp, cancel: cancel}
}

// next is the status and the id of the next event.
func (s *stream) next(t *testing.T) (status, id string) {
	t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		if v, ok := strings.CutPrefix(line, "id: "); ok {
			id = v
		}
		if v, ok := strings.CutPrefix(line, "data: "); ok {
			var data api.EventData
			if err := json.Unmarshal([]byte(v), &data); err != nil || data.At == 0 || data.Kind != "experiment" {
				t.Fatalf("%v %s", err, v)
			}
			return data.Status, id
		}
	}
	t.Fatalf("the stream ended: %v", s.lines.Err())
	return "", ""
}

func TestEvents(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	ours, theirs := b.first.Workspace.ID, "ws_other"
	b.announce(t, ours, "ve_1", "OLD")
	live := b.follow(t, server, "")
	live.lines.Scan() // the headers came; the stream stands at its beginning
	b.announce(t, theirs, "ve_1", "FOREIGN")
	b.announce(t, ours, "ve_1", "CREATED")
	b.announce(t, ours, "ve_2", "RUNNING")
	status, id := live.next(t)
	if status != "CREATED" {
		t.Fatalf("first %s: a stream begins now and shows its own workspace alone", status)
	}
	if status, _ := live.next(t); status != "RUNNING" {
		t.Fatalf("then %s", status)
	}
	for name, s := range map[string]*stream{
		"header": b.follow(t, server, "", "Last-Event-ID", id), "query": b.follow(t, server, "?after="+id),
		"one experiment": b.follow(t, server, "?after=0&voice_experiment_id=ve_2"),
	} {
		if status, _ := s.next(t); status != "RUNNING" {
			t.Errorf("resumed by %s: %s", name, status)
		}
	}
	if status, _ := b.follow(t, server, "?after=0").next(t); status != "OLD" {
		t.Errorf("from the beginning: %s", status)
	}
	wantProblem(t, b.ask(t, "GET", "/api/rest/events?after=x", ""), 422, "invalid_fields", "query.after")
	wantProblem(t, b.ask(t, "GET", "/api/rest/events", "", "Last-Event-ID", "-1"), 422, "invalid_fields", "header.Last-Event-ID")
}

func TestManyEventsComeInOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	const n = 450 // more than two batches
	err := b.store.Write(t.Context(), func(tx *store.Tx) error {
		for range n {
			if err := tx.Announce(t.Context(), b.first.Workspace.ID, experiment.Progress{Kind: "experiment", ExperimentID: "ve_1", Status: "RUNNING"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	s := b.follow(t, server, "?after=0")
	seen := map[string]bool{}
	for range n {
		_, id := s.next(t)
		if seen[id] {
			t.Fatalf("event %s came twice", id)
		}
		seen[id] = true
	}
}

func TestStreamsShowLifeAndEndWithTheServer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	s := b.follow(t, server, "")
	beats := 0
	for beats < 3 && s.lines.Scan() {
		if strings.HasPrefix(s.lines.Text(), ":") {
			beats++
		}
	}
	if beats < 3 {
		t.Fatal("no sign of life")
	}
	close(b.done)
	for s.lines.Scan() {
	}
	if err := s.lines.Err(); err != nil {
		t.Errorf("the stream did not end cleanly: %v", err)
	}
}

func TestStreamsAreBounded(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *api.Options) { o.MaxStreams = 1 })
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	first := b.follow(t, server, "")
	first.lines.Scan()
	w := b.ask(t, "GET", "/api/rest/events", "")
	wantProblem(t, w, 429, "rate_limited")
	if w.Header().Get("Retry-After") != "5" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
	close(b.done)
	for first.lines.Scan() {
	}
	// The place is free again; as the server shuts down the stream ends at once.
	if w := b.ask(t, "GET", "/api/rest/events", ""); w.Code != 200 {
		t.Errorf("after the first ended: %d", w.Code)
	}
}

// One workspace that opens all the streams it may takes none from another, and however many
// ask at once, no more are let in.
func TestStreamsAreBoundedForEachWorkspace(t *testing.T) {
	t.Parallel()
	const most = 3
	b := setup(t, func(o *api.Options) { o.MaxStreams = most })
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	answers := make(chan int)
	for range 8 * most {
		go func() {
			r, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/rest/events", nil)
			r.Header.Set("Authorization", "Bearer "+b.first.Secret)
			resp, err := server.Client().Do(r)
			if err != nil {
				answers <- 0
				return
			}
			answers <- resp.StatusCode
			<-ctx.Done()
			_ = resp.Body.Close()
		}()
	}
	got := map[int]int{}
	for range 8 * most {
		got[<-answers]++
	}
	if got[200] != most || got[429] != 7*most {
		t.Errorf("answered %v, with %d streams allowed", got, most)
	}
	b.follow(t, server, "", "Authorization", "Bearer "+b.other).lines.Scan()
}

// Who may see the workspace no more is shown nothing more, also where the stream was open before.
func TestStreamsEndWithTheRightToThem(t *testing.T) {
	t.Parallel()
	w := settle(t, func(o *api.Options) { o.Recheck = 2 * time.Millisecond })
	server := httptest.NewServer(w.handler)
	t.Cleanup(server.Close)
	kept := w.follow(t, server, "")
	revoked, secret, err := w.keys.CreateKey(t.Context(), w.first.Workspace.ID, "a while")
	if err != nil {
		t.Fatal(err)
	}
	withKey := w.follow(t, server, "", "Authorization", "Bearer "+secret)
	viewer := w.cookies[workspace.Viewer]
	signedIn := w.follow(t, server, "", "Authorization", "", "Cookie", viewer)
	inside := w.follow(t, server, "", "Authorization", "", "Cookie", w.cookies[workspace.Member])
	if err := w.keys.Revoke(t.Context(), w.first.Workspace.ID, revoked.ID); err != nil {
		t.Fatal(err)
	}
	wantStatus(t, w.by(t, viewer, "DELETE", "/session", "").Code, 204, "sign out")
	wantStatus(t, w.by(t, w.cookies[workspace.Owner], "DELETE", "/members/"+w.ids[workspace.Member], "").Code, 204, "remove")
	for name, s := range map[string]*stream{"revoked key": withKey, "signed out": signedIn, "removed": inside} {
		for s.lines.Scan() {
		}
		if err := s.lines.Err(); err != nil {
			t.Errorf("%s: the stream did not end: %v", name, err)
		}
	}
	w.announce(t, w.first.Workspace.ID, "ve_1", "CREATED")
	if status, _ := kept.next(t); status != "CREATED" {
		t.Errorf("who may still watch saw %s", status)
	}
}

// Numbers start lower where the database is an older copy, or another one.
func TestANumberThatIsYetToComeHidesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	b.announce(t, b.first.Workspace.ID, "ve_1", "OLD")
	ahead := b.follow(t, server, "", "Last-Event-ID", "5000")
	ahead.lines.Scan()
	b.announce(t, b.first.Workspace.ID, "ve_1", "CREATED")
	if status, _ := ahead.next(t); status != "CREATED" {
		t.Errorf("it saw %s", status)
	}
}
