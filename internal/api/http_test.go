package api_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
)

func TestEveryOperationNeedsAKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, item := range document(t, b).Paths {
		for method, op := range item {
			for _, header := range []string{"", "Bearer", "Bearer ", "Basic abc", b.first.Secret, "Bearer " + b.first.Key.Prefix, "Bearer " + b.first.Secret[:len(b.first.Secret)-1] + "x"} {
				if header == "" && op.open() {
					continue
				}
				w := b.ask(t, strings.ToUpper(method), "/api/rest"+path, "", "Authorization", header)
				wantProblem(t, w, 401, "unauthenticated")
				if w.Header().Get("WWW-Authenticate") == "" {
					t.Error("WWW-Authenticate is missing")
				}
			}
		}
	}
	if err := b.keys.Revoke(t.Context(), b.first.Workspace.ID, b.first.Key.ID); err != nil {
		t.Fatal(err)
	}
	wantProblem(t, b.ask(t, "GET", "/api/rest/voice-experiments", ""), 401, "unauthenticated")
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wantProblem(t, b.ask(t, "GET", "/api/rest/nothing", ""), 404, "not_found")
	wantProblem(t, b.ask(t, "GET", "/nothing", "", "Authorization", ""), 404, "not_found")
	wantProblem(t, b.ask(t, "GET", "/api/rest/voice-experiments/", ""), 404, "not_found")
	w := b.ask(t, "DELETE", runPath, "")
	wantProblem(t, w, 405, "method_not_allowed")
	if w.Header().Get("Allow") != "POST" {
		t.Errorf("Allow %q", w.Header().Get("Allow"))
	}
	if w := b.ask(t, "OPTIONS", runPath, "", "Origin", "https://evil.example"); w.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("another site may call us from a browser")
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *api.Options) { o.HTTP.MaxBody, o.MaxCallLog = 200, 400 })
	fits := `{"to_number":"+15550100","dataset_id":"ds_1"}`
	fits += strings.Repeat(" ", 200-len(fits))
	wantStatus(t, b.ask(t, "POST", runPath, fits).Code, 200, "a body of exactly the cap")
	if p := wantProblem(t, b.ask(t, "POST", runPath, fits+" "), 413, "too_large"); !strings.Contains(p.Detail, "200 bytes") {
		t.Errorf("the cap is not told: %q", p.Detail)
	}
	if p := wantProblem(t, b.ask(t, "POST", runPath, ""), 400, "invalid_json"); p.Detail != "the body is empty" {
		t.Errorf("%+v", p)
	}
	wantProblem(t, b.ask(t, "POST", "/api/rest/v2/call-logs", callLog+strings.Repeat(" ", 400)), 413, "too_large")
	w := b.ask(t, "POST", runPath, fits, "Content-Type", "application/x-www-form-urlencoded")
	if p := wantProblem(t, w, 415, "unsupported_media_type"); !strings.Contains(p.Hint, "application/json") {
		t.Errorf("%+v", p)
	}
	wantStatus(t, b.ask(t, "POST", runPath, fits, "Content-Type", "application/json; charset=utf-8").Code, 200, "with a charset")
	if len(b.experiments.started) != 2 {
		t.Errorf("%d runs were started, want 2", len(b.experiments.started))
	}
	wantStatus(t, b.ask(t, "POST", runPath, fits, "Content-Type", "Application/JSON; Charset=UTF-8").Code, 200, "in capitals")
}

// JSON Schema, and so the document, takes 2.0 for a whole number.
func TestWholeNumbersMayHaveAPoint(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, number := range []string{"2", "2.0", "2e0", "0.2E+1", "20e-1"} {
		body := `{"to_number":"+15550123","dataset_id":"ds_\\\"1.0","repetitions":` + number + `,"pass_threshold":0.5}`
		wantStatus(t, b.ask(t, "POST", runPath, body).Code, 200, number)
		if got := b.experiments.started[i]; got.Settings.Repetitions != 2 || got.Settings.PassThreshold != 0.5 || got.DatasetID != `ds_\"1.0` {
			t.Errorf("%s: %+v", number, got)
		}
	}
	wantProblem(t, b.ask(t, "POST", runPath, `{"to_number":"+15550123","dataset_id":"ds_1","repetitions":2.5}`), 422, "invalid_fields", "repetitions")
}

func TestRequestIDsAndTheLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if got := b.ask(t, "GET", "/healthz", "", "X-Request-Id", "abc-1.2_3").Header().Get("X-Request-Id"); got != "abc-1.2_3" {
		t.Errorf("the client's id became %q", got)
	}
	for _, id := range []string{"a b", "a\"", strings.Repeat("a", 65)} {
		if got := b.ask(t, "GET", "/healthz", "", "X-Request-Id", id).Header().Get("X-Request-Id"); !strings.HasPrefix(got, "req_") {
			t.Errorf("%q was taken over as %q", id, got)
		}
	}
	b.ask(t, "POST", runPath, `{"to_number":"+19995550100","dataset_id":"ds_secret"}`)
	b.ask(t, "GET", "/api/rest/voice-experiments?agent_id=agt_hidden", "")
	log := b.log.String()
	for _, never := range []string{b.first.Secret, b.first.Secret[20:], "19995550100", "ds_secret", "agt_hidden"} {
		if strings.Contains(log, never) {
			t.Errorf("the log holds %.8s…", never)
		}
	}
	for _, want := range []string{"request_id=", "status=200", "method=POST", "path=" + runPath, "key_id=" + b.first.Key.ID} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s", want)
		}
	}
}

func TestLongAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	plain := b.ask(t, "GET", "/openapi.json", "")
	packed := b.ask(t, "GET", "/openapi.json", "", "Accept-Encoding", "br, gzip")
	if plain.Header().Get("Content-Encoding") != "" || packed.Header().Get("Content-Encoding") != "gzip" || packed.Header().Get("Vary") != "Accept-Encoding" {
		t.Fatalf("%v without being asked for, %v when asked for", plain.Header(), packed.Header())
	}
	if long, short := plain.Body.Len(), packed.Body.Len(); short > long/4 {
		t.Errorf("%d bytes became %d", long, short)
	}
	unpacked, err := gzip.NewReader(packed.Body)
	if err != nil {
		t.Fatal(err)
	}
	if body, err := io.ReadAll(unpacked); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
		t.Errorf("it unpacks to something else: %v", err)
	}
	for what, w := range map[string]*httptest.ResponseRecorder{
		"a short answer":    b.ask(t, "GET", "/api/rest/agents", "", "Accept-Encoding", "gzip"),
		"an answer to POST": b.ask(t, "POST", runPath, `{"to_number":1}`+strings.Repeat(" ", 4000), "Accept-Encoding", "gzip"),
		"a HEAD":            b.ask(t, "HEAD", "/openapi.json", "", "Accept-Encoding", "gzip"),
	} {
		if w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s is compressed", what)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	var broken error
	b := setup(t, func(o *api.Options) {
		ping := o.HTTP.Ready
		o.HTTP.Ready = func(ctx context.Context) error { return errors.Join(broken, ping(ctx)) }
	})
	wantJSON(t, b.ask(t, "GET", "/healthz", "", "Authorization", ""), 200, `{"status":"ok"}`)
	wantJSON(t, b.ask(t, "GET", "/readyz", "", "Authorization", ""), 200, `{"status":"ok"}`)
	broken = errors.New("connection to db.internal refused")
	p := wantProblem(t, b.ask(t, "GET", "/readyz", "", "Authorization", ""), 503, "unavailable")
	if strings.Contains(p.Detail, "db.internal") {
		t.Error("the cause was shown")
	}
	wantJSON(t, b.ask(t, "GET", "/healthz", "", "Authorization", ""), 200, `{"status":"ok"}`)
}

func TestReadinessOfADatabaseThatHangs(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *api.Options) {
		o.HTTP.Ready = func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
	})
	answer := b.ask(t, "GET", "/readyz", "", "Authorization", "")
	p := wantProblem(t, answer, 503, "unavailable")
	if !strings.Contains(p.Detail, "the database does not answer") || answer.Header().Get("Retry-After") == "" {
		t.Errorf("it is told %q, to be asked again after %q s", p.Detail, answer.Header().Get("Retry-After"))
	}
}

func TestPathAliases(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *api.Options) {
		o.HTTP.PathAliases = []rest.PathAlias{{From: "/old", To: "/nowhere"}, {From: "/old/experiments", To: "/voice-experiments"}, {From: "/probe", To: "/voice-experiment"}}
	})
	wantJSON(t, b.ask(t, "GET", "/api/rest/probe/ve_1", ""), 200, `{"id":"ve_1","status":"FINISHED"}`)
	wantStatus(t, b.ask(t, "GET", "/api/rest/old/experiments?limit=3", "").Code, 200, "alias with a query")
	wantStatus(t, b.ask(t, "GET", "/api/rest/voice-experiments", "").Code, 200, "our own path")
	wantProblem(t, b.ask(t, "GET", "/api/rest/prober/ve_1", ""), 404, "not_found")
	wantProblem(t, b.ask(t, "GET", "/probe/ve_1", ""), 404, "not_found")
	wantProblem(t, b.ask(t, "GET", "/api/rest/probe/ve_1", "", "Authorization", ""), 401, "unauthenticated")
}

// unasked stands for reviews that no request reaches.
type unasked struct{ api.Reviews }

// A time in microseconds or nanoseconds lies beyond the year 9999, which no review of history could be stored with.
func TestNoReviewOfTimesThatAreNone(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *api.Options) { o.Reviews = unasked{} })
	for _, field := range []string{"since", "until"} {
		for _, at := range []string{"253402300800000", "1760000000000000", "1760000000000000000"} {
			wantProblem(t, b.ask(t, "POST", "/api/rest/reviews", `{"`+field+`":`+at+`}`), 422, "invalid_fields", field)
		}
	}
}

// Most clients send the whole of a body before they look for an answer. They hear why it was refused, whatever the reason.
func TestWhoeverSendsFirstHearsWhyItWasRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	const logs = "/api/rest/v2/call-logs"
	for _, c := range []struct{ key, path, more, status string }{
		{"rt_revoked", logs, "", "401"},
		{b.first.Secret, "/api/rest/v2/call-log", "", "404"},
		{b.first.Secret, logs, "Content-Encoding: gzip\r\n", "415"},
		{b.first.Secret, logs, "", "413"},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		const size = 8 << 20
		_, err = fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s",
			c.path, c.key, c.more, size, strings.Repeat(" ", size))
		if err != nil {
			t.Errorf("%s: the body cannot be sent: %v", c.status, err)
		}
		head := make([]byte, len("HTTP/1.1 401"))
		if _, err := io.ReadFull(conn, head); err != nil || !strings.HasSuffix(string(head), c.status) {
			t.Errorf("%q instead of %s: %v", head, c.status, err)
		}
		_ = conn.Close()
	}
}
