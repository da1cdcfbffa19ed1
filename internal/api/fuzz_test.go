package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// anyone lets every key in.
type anyone struct{}

func (anyone) Authenticate(context.Context, string) (workspace.Identity, error) {
	return workspace.Identity{WorkspaceID: "ws_1", KeyID: "key_1", Role: workspace.Admin}, nil
}

// Whatever is sent, the answer is a success or a whole problem that is not our fault.
func FuzzRequests(f *testing.F) {
	h := api.New(api.Options{HTTP: rest.Options{Keys: anyone{}, Now: time.Now, NewID: newID}, Experiments: &played{workspace: "ws_1"}})
	f.Add("POST", "/api/rest/voice-agent/a/run", "application/json", `{"to_number":"+15550100","dataset_id":"ds_1"}`)
	f.Add("POST", "/api/rest/voice-experiments/ve_1/rerun", "", `{"only":["failed"]}`)
	f.Add("GET", "/api/rest/voice-experiments?limit=9&cursor=%00&status=x", "text/x", "")
	f.Add("GET", "/api/rest/voice-experiments/%2e%2e/report?format=junit", "a+;b", "[[{}]]")
	f.Add("PUT", "//api/rest/../docs", "application/json+", "\xff")
	f.Fuzz(func(t *testing.T, method, path, kind, body string) {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://host", strings.NewReader(body))
		if err != nil {
			return
		}
		if r.URL, err = r.URL.Parse(path); err != nil {
			return
		}
		r.Header.Set("Authorization", "Bearer x")
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Fatalf("%s %s %q: %d %s", method, path, body, w.Code, w.Body)
		}
		if w.Code >= 400 {
			var p rest.Problem
			if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Code == "" || p.Status != w.Code {
				t.Fatalf("%s %s %q: %d %s", method, path, body, w.Code, w.Body)
			}
		}
	})
}
