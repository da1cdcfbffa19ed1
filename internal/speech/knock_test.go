package speech

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

// TestCheckKnocksAtTheEndpoint checks what Check reports about endpoints that work, that protect or
// do not have the list of models, or that do not answer.
func TestCheckKnocksAtTheEndpoint(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		ok     bool
		says   string
	}{
		{200, true, "over HTTP: the endpoint answers"},
		{404, true, "over HTTP: the endpoint answers"},
		{401, true, "does not list its models for this key (status 401)"},
		{503, false, "answers with status 503: the server behind it is down"},
	} {
		asked := 0
		e, _ := overHTTP(t, func(w http.ResponseWriter, r *http.Request) {
			asked++
			if r.Method != http.MethodGet || r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer "+testKey {
				t.Errorf("asked %s %s with %q, want GET /v1/models with the key", r.Method, r.URL.Path, r.Header.Get("Authorization"))
			}
			w.WriteHeader(c.status)
		})
		found := e.Check(t.Context())
		if len(found) != 3 || asked != 1 {
			t.Fatalf("%d findings of %d questions, want 3 of 1", len(found), asked)
		}
		for _, f := range found {
			if f.OK != c.ok || !f.Needed || f.Name != ModelFinding && !strings.Contains(f.Detail, c.says) {
				t.Errorf("status %d: %+v, want OK %v and %q", c.status, f, c.ok, c.says)
			}
		}
	}
}

func TestCheckFindsNobody(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := New(Options{TTS: OpenAI, STT: OpenAI, HTTP: HTTPOptions{BaseURL: "http://user:word@" + host + "/v1", TTSModel: "a", STTModel: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range e.Check(t.Context())[:2] {
		if f.OK || !strings.Contains(f.Detail, "nothing answers at "+host) || !strings.Contains(f.Hint, "--speech-url") || strings.Contains(f.Detail, "word") {
			t.Errorf("%+v, want that nothing answers at %s and a hint", f, host)
		}
	}
}
