package app

import (
	"bytes"
	"context"
	"crypto/x509"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/fetch"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/review"
)

// token stands for every secret of these tests: nothing may show it.
const token = "t0ken-nobody-may-see"

func TestPrivateRecordingsAreFetchedWithTheTokenOfTheirHost(t *testing.T) {
	t.Parallel()
	var got atomic.Value
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.Header.Get("Authorization") + "|" + r.URL.RawQuery)
		if r.Header.Get("Authorization") != "Bearer "+token && r.URL.Query().Get("sig") != token {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		_, _ = io.WriteString(w, "sound")
	}))
	t.Cleanup(far.Close)
	r := newRig(t, func(o *Options) { o.FetchAllow = []string{"127.0.0.1"} })
	ctx := t.Context()
	address := far.URL + "/r.wav?x=1"
	read := func(workspaceID string) (string, error) {
		body, err := r.app.parts.outside.Fetch(ctx, workspaceID, address)
		if err != nil {
			return "", err
		}
		text, err := io.ReadAll(body)
		return string(text), errors.Join(err, body.Close())
	}
	var never review.NeverHad
	if _, err := read(r.mine.id); !errors.As(err, &never) || never.Missing {
		t.Fatalf("without a token: %v", err)
	}
	made, err := r.mine.api.CreateRecordingCredential(ctx, client.NewRecordingCredential{Host: "127.0.0.1", Header: "Authorization", Value: "Bearer " + token})
	must(t, err)
	if text, err := read(r.mine.id); err != nil || text != "sound" {
		t.Errorf("with a header: %q %v", text, err)
	}
	again, err := r.mine.api.CreateRecordingCredential(ctx, client.NewRecordingCredential{Host: "127.0.0.1", Query: "sig", Value: token})
	must(t, err)
	if text, err := read(r.mine.id); err != nil || text != "sound" || again.ID != made.ID || again.Header != nil || *again.Query != "sig" {
		t.Errorf("with a query: %q %v, %+v", text, err, again)
	}
	if _, err := read(r.theirs.id); !errors.As(err, &never) {
		t.Errorf("another workspace's token was used: %v", err)
	}
	theirs, err := r.theirs.api.RecordingCredentials(ctx, client.PageOptions{})
	must(t, err)
	if len(theirs.Data) != 1 || theirs.Data[0].ID != r.theirs.credential {
		t.Error("another workspace sees it")
	}
	if err := r.theirs.api.DeleteRecordingCredential(ctx, made.ID); !isStatus(err, http.StatusNotFound) {
		t.Errorf("another workspace deletes it: %v", err)
	}
	r.hides(t, token)
	must(t, r.mine.api.DeleteRecordingCredential(ctx, made.ID))
	if _, err := read(r.mine.id); !errors.As(err, &never) || strings.Contains(err.Error(), "x=1") {
		t.Errorf("after it was deleted: %v", err)
	}
}

// Whoever writes a call log chooses scheme and port, and must not have the secret of a
// host sent in the clear, or to another server that listens there.
func TestATokenIsSentOverHTTPSAndToItsPort(t *testing.T) {
	t.Parallel()
	var got atomic.Value
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.Header.Get("X-Key"))
		if r.URL.Path == "/away" {
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
			return
		}
		w.WriteHeader(http.StatusForbidden)
	})
	plain, safe, other := httptest.NewServer(echo), httptest.NewTLSServer(echo), httptest.NewTLSServer(echo)
	for _, s := range []*httptest.Server{plain, safe, other} {
		t.Cleanup(s.Close)
	}
	portOf := func(s *httptest.Server) string { return s.URL[strings.LastIndexByte(s.URL, ':'):] }
	roots := x509.NewCertPool()
	roots.AddCert(safe.Certificate())
	r := newRig(t)
	for _, host := range []string{"example.com" + portOf(safe), "example.com"} {
		_, err := r.mine.api.CreateRecordingCredential(t.Context(), client.NewRecordingCredential{Host: host, Header: "X-Key", Value: token})
		must(t, err)
	}
	for _, x := range []struct {
		allow, address string
		sent, told     bool
	}{
		{"127.0.0.0/8", "https://example.com" + portOf(safe) + "/", true, false},
		{"127.0.0.0/8", "HTTPS://EXAMPLE.com." + portOf(safe) + "/", true, false},
		{"127.0.0.0/8", "https://example.com" + portOf(other) + "/", false, true},
		{"127.0.0.0/8", "http://example.com" + portOf(plain) + "/", false, true},
		{"127.0.0.0/8", "http://example.com" + portOf(safe) + "/", false, false},
		{"127.0.0.0/8", "https://example.com" + portOf(safe) + "/away?to=" + url.QueryEscape("http://example.com"+portOf(plain)+"/"), false, false},
		{"127.0.0.0/8", "https://example.com" + portOf(safe) + "/away?to=" + url.QueryEscape("https://example.com"+portOf(other)+"/"), false, false},
		{"example.com", "https://example.com" + portOf(other) + "/", true, false},
		{"example.com", "http://example.com" + portOf(plain) + "/", true, false},
	} {
		c, err := fetch.New(fetch.Options{
			Allow: []string{x.allow}, Dir: t.TempDir(), Now: time.Now, Roots: roots, Own: func() []netip.Addr { return nil },
			Lookup: func(context.Context, string) ([]netip.Addr, error) {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			},
		})
		must(t, err)
		got.Store("")
		var never review.NeverHad
		if _, err = (outside{c, r.app.parts.credentials}).Fetch(t.Context(), r.mine.id, x.address); !errors.As(err, &never) {
			t.Errorf("%s: %v", x.address, err)
		}
		if sent := got.Load() == token; sent != x.sent || strings.Contains(never.Reason, "over https only") != x.told || strings.Contains(never.Reason, token) {
			t.Errorf("%s with %s allowed: sent: %v, %s", x.address, x.allow, sent, never.Reason)
		}
		c.Close()
	}
}

func isStatus(err error, status int) bool {
	var e *client.Error
	return errors.As(err, &e) && e.Status == status
}

// hides looks for a secret everywhere it could have come to.
func (r *rig) hides(t *testing.T, secret string) {
	t.Helper()
	if strings.Contains(r.log.String(), secret) {
		t.Error("the log holds it")
	}
	for _, table := range []string{"recording_credentials", "platform_keys", "idempotency_keys"} {
		r.hidesIn(t, table, secret)
	}
	for _, path := range []string{"/recording-credentials", "/platform-keys"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.addr+"/api/rest"+path, nil)
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+r.mine.key)
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		text, err := io.ReadAll(resp.Body)
		must(t, errors.Join(err, resp.Body.Close()))
		if resp.StatusCode != http.StatusOK || bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s: %d %s", path, resp.StatusCode, text)
		}
	}
}

// hidesIn looks for a secret in every column of a table.
func (r *rig) hidesIn(t *testing.T, table, secret string) {
	t.Helper()
	rows, err := r.db.QueryContext(t.Context(), "SELECT * FROM "+table)
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	for rows.Next() {
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		must(t, rows.Scan(values...))
		for i := range values {
			if value, ok := values[i].(*any); ok && strings.Contains(fmt.Sprint(*value), secret) {
				t.Errorf("%s.%s holds it in the clear", table, columns[i])
			}
		}
	}
	must(t, rows.Err())
}

// Nobody outside chooses an address inside, however the call log words it.
func TestRecordingsInsideAreNeverAskedFor(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			hits.Add(1)
			_ = c.Close()
		}
	}()
	_, port, err := net.SplitHostPort(l.Addr().String())
	must(t, err)
	r := newRig(t)
	for _, address := range []string{
		"http://127.0.0.1:" + port, "http://localhost:" + port, "http://[::ffff:127.0.0.1]:" + port, "http://0.0.0.0:" + port, "file:///etc/passwd", "not an address",
	} {
		var never review.NeverHad
		if _, err := r.app.parts.outside.Fetch(context.Background(), r.mine.id, address); !errors.As(err, &never) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was hit %d times", n)
	}
}

func TestAgentsComeFromThePlatforms(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	answer := `[{"agent_id":"pa-1","agent_name":"Front desk","version":2},{"agent_id":"pa-1","agent_name":"Older","version":1},{"agent_id":"pa-2","agent_name":"Night"}]`
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/v2/list-agents" || q.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if body, _ := io.ReadAll(q.Body); status == http.StatusOK && (q.Method != http.MethodPost || q.Header.Get("Content-Type") != "application/json" || !json.Valid(body)) {
			t.Errorf("%s with %q", q.Method, body)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(far.Close)
	r := newRig(t, func(o *Options) { o.PlatformURLs = map[string]string{"platform_a": far.URL + "/v2/"} })
	ctx, api := t.Context(), r.mine.api
	if _, err := api.SyncAgents(ctx, client.AgentSync{Provider: "platform_a"}); !isStatus(err, http.StatusUnprocessableEntity) {
		t.Errorf("without a key: %v", err)
	}
	if _, err := api.SyncAgents(ctx, client.AgentSync{Provider: "platform_a", APIKey: "wrong"}); !isStatus(err, http.StatusUnprocessableEntity) {
		t.Errorf("with a wrong key: %v", err)
	}
	if _, err := api.SyncAgents(ctx, client.AgentSync{Provider: "platform_b", APIKey: "x"}); !isStatus(err, http.StatusUnprocessableEntity) {
		t.Errorf("a platform without an address: %v", err)
	}
	_, err := api.PutPlatformKey(ctx, "platform_a", token)
	must(t, err)
	got, err := api.SyncAgents(ctx, client.AgentSync{Provider: "platform_a"})
	must(t, err)
	if got.Listed != 2 || got.Created != 2 || len(got.Changes) != 2 || got.Changes[0].SourceID != "pa-1" || got.Changes[0].Name != "Front desk" {
		t.Errorf("first: %+v", got)
	}
	answer = strings.Replace(answer, `"Night"`, `"Night shift"`, 1)
	got, err = api.SyncAgents(ctx, client.AgentSync{Provider: "platform_a"})
	must(t, err)
	if got.Created != 0 || got.Updated != 1 || got.Unchanged != 1 || got.Changes[0].Name != "Night shift" || got.Changes[0].Change != "updated" {
		t.Errorf("second: %+v", got)
	}
	for _, bad := range []struct {
		status, want int
		answer       string
	}{{429, 429, ""}, {500, 503, ""}, {200, 503, "<html>"}, {200, 503, ""}, {404, 503, ""}} {
		status, answer = bad.status, bad.answer
		if _, err := api.SyncAgents(ctx, client.AgentSync{Provider: "platform_a"}); !isStatus(err, bad.want) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	r.hides(t, token)
	must(t, api.DeletePlatformKey(ctx, "platform_a"))
	if keys, err := api.PlatformKeys(ctx); err != nil || len(keys) != 0 {
		t.Errorf("%v %v", keys, err)
	}
}

// A process with another key must not begin to work on a database that holds secrets.
func TestAnotherSecretKeyIsRefusedAtTheStart(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.SecretKeys = []string{strings.Repeat("1", 64)} })
	_, err := r.mine.api.PutPlatformKey(t.Context(), "platform_a", token)
	must(t, err)
	o := r.app.options
	r.stop(t)
	start := func(keys ...string) error {
		o.Listener, o.Listen, o.SecretKeys = nil, "127.0.0.1:0", keys
		a, err := New(t.Context(), o)
		if err == nil {
			must(t, a.Stop(t.Context()))
		}
		return err
	}
	if err := start(strings.Repeat("2", 64)); err == nil || !strings.Contains(err.Error(), "another secret key") {
		t.Errorf("with another key: %v", err)
	}
	if err := start("short"); err == nil {
		t.Error("with what is no key it starts")
	}
	if err := start(strings.Repeat("2", 64), strings.Repeat("1", 64)); err != nil {
		t.Errorf("with the old key behind the new one: %v", err)
	}
}

// What to do about a lost key stands in docs/operations.md, and the refusal leads there.
func TestALostSecretKeyCanBeDoneWithout(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.SecretKeys = []string{strings.Repeat("1", 64)} })
	_, err := r.mine.api.PutPlatformKey(t.Context(), "platform_a", token)
	must(t, err)
	o := r.app.options
	r.stop(t)
	o.Listener, o.Listen, o.SecretKeys = nil, "127.0.0.1:0", []string{strings.Repeat("2", 64)}
	_, err = New(t.Context(), o)
	p := problem.As(err)
	if p == nil || !strings.Contains(p.Hint, "docs/operations.md") {
		t.Fatalf("with another key: %v", err)
	}
	_, id, _ := strings.Cut(strings.TrimSuffix(p.Message, ")"), "(")
	page, err := os.ReadFile("../../docs/operations.md")
	must(t, err)
	_, told, _ := strings.Cut(string(page), `sqlite3 ringtrue-data/ringtrue.db "DELETE`)
	told, _, _ = strings.Cut(told, `"`)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(o.Data, "ringtrue.db"))
	must(t, err)
	_, err = db.ExecContext(t.Context(), "DELETE"+strings.ReplaceAll(told, "'ID'", "'"+id+"'"))
	must(t, err)
	must(t, db.Close())
	a, err := New(t.Context(), o)
	must(t, err)
	must(t, a.Stop(t.Context()))
}
