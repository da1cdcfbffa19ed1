package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ringtrue/ringtrue/internal/web"
)

func get(t *testing.T, h http.Handler, method, target string, header map[string]string) *http.Response {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, r *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func app() http.Handler {
	return web.New(fstest.MapFS{
		"index.html":       {Data: []byte("<!doctype html>the app")},
		"assets/app-1a.js": {Data: []byte(strings.Repeat("one of many lines;\n", 100))},
		"ringtrue.svg":     {Data: []byte("<svg/>")},
	})
}

func TestPathsOfTheAppAreThePage(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/", "/calls/call_01?t=3", "/monitor/trends", "/agents/", "/apis", "/index.html"} {
		r := get(t, app(), http.MethodGet, path, nil)
		if r.StatusCode != http.StatusOK || text(t, r) != "<!doctype html>the app" || r.Header.Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		if policy := r.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") || !strings.Contains(policy, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, policy)
		}
	}
}

func TestWhatNoPageIsLikeIsNotThere(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/../../etc/passwd", "/calls/../../etc/passwd", "//calls", "/calls//", "/calls/./", "/api", "/api/v1/agents", "/API/rest/agents", "/assets/gone.js", "/assets"} {
		r := get(t, app(), http.MethodGet, path, nil)
		if r.StatusCode != http.StatusNotFound || strings.Contains(text(t, r), "the app") || r.Header.Get("Content-Security-Policy") != web.Policy {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
}

func TestAssetsAreKeptForeverAndPacked(t *testing.T) {
	t.Parallel()
	h := app()
	r := get(t, h, http.MethodGet, "/assets/app-1a.js", map[string]string{"Accept-Encoding": "br, gzip"})
	if r.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" || r.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%v", r.Header)
	}
	unpacked, err := gzip.NewReader(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	plain := get(t, h, http.MethodGet, "/assets/app-1a.js", nil)
	if got := text(t, plain); got != string(packed) || len(got) != 1900 || plain.Header.Get("Content-Encoding") != "" {
		t.Errorf("%d bytes plain, %d packed", len(got), len(packed))
	}
	again := get(t, h, http.MethodGet, "/assets/app-1a.js", map[string]string{"If-None-Match": plain.Header.Get("ETag")})
	if again.StatusCode != http.StatusNotModified || text(t, again) != "" {
		t.Errorf("%d", again.StatusCode)
	}
	head := get(t, h, http.MethodHead, "/assets/app-1a.js", nil)
	if head.Header.Get("Content-Length") != "1900" || text(t, head) != "" {
		t.Errorf("%v", head.Header)
	}
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	if r := get(t, app(), http.MethodGet, "/assets/old-2b.js", nil); r.StatusCode != http.StatusNotFound {
		t.Errorf("an asset that is gone: %d", r.StatusCode)
	}
	if r := get(t, app(), http.MethodPost, "/calls", nil); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d", r.StatusCode)
	}
	bare := web.New(fstest.MapFS{"about.txt": {Data: []byte("about")}})
	if r := get(t, bare, http.MethodGet, "/calls", nil); r.StatusCode != http.StatusOK || !strings.Contains(text(t, r), "make build") {
		t.Error("a binary without the app does not say how to get it")
	}
}
