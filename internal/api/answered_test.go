package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
)

// told collects what is told of requests.
type told struct {
	mu  sync.Mutex
	all []rest.Answered
}

func (l *told) note(a rest.Answered) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, a)
}

func (l *told) last(t *testing.T) rest.Answered {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == 0 {
		t.Fatal("nothing was told")
	}
	return l.all[len(l.all)-1]
}

func TestWhatIsToldOfRequestsIsNoClientsWord(t *testing.T) {
	t.Parallel()
	var heard told
	b := setup(t, func(o *api.Options) {
		o.HTTP.Answered = heard.note
		o.HTTP.PathAliases = []rest.PathAlias{{From: "/old", To: "/voice-experiments"}}
	})
	for _, c := range []struct {
		method, path, auth string
		want               rest.Answered
	}{
		{"GET", "/api/rest/voice-experiments/ve_secret", "", rest.Answered{Route: "/api/rest/voice-experiments/{id}", Method: "GET", Status: 200}},
		{"GET", "/api/rest/voice-experiments/ve_secret", "Bearer none", rest.Answered{Route: "/api/rest/voice-experiments/{id}", Method: "GET", Status: 401}},
		{"GET", "/api/rest/old/ve_secret", "", rest.Answered{Route: "/api/rest/voice-experiments/{id}", Method: "GET", Status: 200}},
		{"GET", "/api/rest/secret", "", rest.Answered{Method: "GET", Status: 404}},
		{"GET", "/api/rest/secret/../x", "", rest.Answered{Method: "GET", Status: 404}},
		{"DELETE", "/api/rest/v2/call-logs", "", rest.Answered{Method: "DELETE", Status: 405}},
		{"SECRET", "/api/rest/voice-experiments", "", rest.Answered{Status: 405}},
		{"POST", "/api/rest/v2/call-logs", "", rest.Answered{Route: "/api/rest/v2/call-logs", Method: "POST", Status: 400}},
		{"GET", "/healthz", "", rest.Answered{Route: "/healthz", Method: "GET", Status: 200}},
	} {
		var headers []string
		if c.auth != "" {
			headers = []string{"Authorization", c.auth}
		}
		b.ask(t, c.method, c.path, "", headers...)
		got := heard.last(t)
		got.Took = 0
		if got != c.want {
			t.Errorf("%s %s: %+v, want %+v", c.method, c.path, got, c.want)
		}
	}
}

func TestAStreamIsToldAsOne(t *testing.T) {
	t.Parallel()
	heard := make(chan rest.Answered, 1)
	b := setup(t, func(o *api.Options) {
		o.HTTP.Answered = func(a rest.Answered) {
			if a.Route == "/api/rest/events" {
				heard <- a
			}
		}
	})
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	b.follow(t, server, "").cancel()
	if got := <-heard; !got.Stream || got.Status != http.StatusOK {
		t.Errorf("%+v", got)
	}
}

// A scraper that takes the public port for the metrics' is told better, instead of
// being given a page of the web app.
func TestMetricsAreNotAtThePublicPort(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/metrics", "/metrics/"} {
		if !rest.Serves(httptest.NewRequestWithContext(t.Context(), "GET", path, nil)) {
			t.Errorf("%s is left to the web app", path)
		}
		p := wantProblem(t, b.ask(t, "GET", path, "", "Authorization", ""), http.StatusNotFound, "not_found")
		if !strings.Contains(p.Hint, "--metrics-listen") {
			t.Errorf("the hint of %s: %q", path, p.Hint)
		}
	}
}

// A browser is shown the web app whatever a proxy adds to what it asks for.
func TestPagesWithAProxysTokenAreTheWebApps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, name, value string
		ours              bool
	}{
		{"/calls", "Sec-Fetch-Dest", "document", false},
		{"/assets/index-1.js", "Sec-Fetch-Dest", "script", false},
		{"/calls", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8", false},
		{"/calls", "Accept", "application/json", true},
		{"/calls", "Sec-Fetch-Dest", "empty", true},
		{"/api/rest/calls", "Sec-Fetch-Dest", "document", true},
	} {
		r := httptest.NewRequestWithContext(t.Context(), "GET", c.path, nil)
		r.Header.Set("Authorization", "Bearer eyJhbGciOiJub25lIn0.e30.")
		r.Header.Set(c.name, c.value)
		if rest.Serves(r) != c.ours {
			t.Errorf("%s with %s %s: %v", c.path, c.name, c.value, !c.ours)
		}
	}
}

// A client that has left the base path out is told so, and gets no page of the web app.
func TestTheBasePathIsMissed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		method, path, key string
		ours              bool
	}{
		{"GET", "/voice-experiment/ve_1", "Bearer x", true},
		{"POST", "/voice-agent/agt_1/run", "", true},
		{"PATCH", "/agents/agt_1", "Bearer x", true},
		{"GET", "/agents", "", false},
		{"GET", "/calls", "Basic eA==", false}, // a proxy's password, sent by a browser
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
		r.Header.Set("Authorization", c.key)
		if rest.Serves(r) != c.ours {
			t.Errorf("%s %s: %v", c.method, c.path, !c.ours)
		}
		if !c.ours {
			continue
		}
		p := wantProblem(t, b.ask(t, c.method, c.path, "", "Authorization", c.key), http.StatusNotFound, "not_found")
		if !strings.Contains(p.Hint, "below /api/rest") {
			t.Errorf("%s %s: hint %q", c.method, c.path, p.Hint)
		}
	}
}
