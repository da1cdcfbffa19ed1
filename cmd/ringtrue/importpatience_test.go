package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

// A key whose rate others use as well is waited for until the service has room, however often it has none.
func TestAnImportWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked < 50 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = w.Write([]byte(`{"code":"rate_limited","detail":"this key sends too many requests"}`)) // the test sees when it does not arrive
			return
		}
		w.WriteHeader(http.StatusAccepted)
		_, _ = w.Write([]byte(`{}`)) // the test sees when it does not arrive
	}))
	t.Cleanup(service.Close)
	var waited time.Duration
	i := &importing{api: client.New(service.URL, "rt_secret_0", client.WithWait(func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}))}
	if err := i.send(t.Context(), record{"a.jsonl", 1, []byte(`{}`)}); err != nil || i.fresh != 1 || waited < 30*time.Second {
		t.Errorf("%d new after %v: %v", i.fresh, waited, err)
	}
}

// A service that restarts behind a proxy is asked again, and the person told of it.
func TestAnImportOutlastsARestart(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
		case asked.Add(1) < 3:
			http.Error(w, "bad gateway", http.StatusBadGateway)
			return
		default:
			w.WriteHeader(http.StatusAccepted)
		}
		_, _ = w.Write([]byte(`{"data":[]}`)) // the test sees when it does not arrive
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), "one.json")
	if err := os.WriteFile(file, []byte(`{"provider":"custom","payload":{"call_id":"c-1"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, problems := ringtrue(t, "import", file, "--key=rt_secret_0", "--url="+service.URL)
	if code != exitOK || !strings.Contains(out, "1 new") || strings.Count(problems, "asking the service again") != 1 {
		t.Errorf("exit code %d, %s%s", code, out, problems)
	}
}

// A proxy takes smaller bodies than the service: the record that is too large for it is told, and the
// others are imported.
func TestARecordTooLargeForAProxy(t *testing.T) {
	t.Parallel()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch body, _ := io.ReadAll(r.Body); {
		case r.Method == http.MethodGet:
		case len(body) > 1000:
			http.Error(w, "<html>413 Request Entity Too Large</html>", http.StatusRequestEntityTooLarge)
			return
		default:
			w.WriteHeader(http.StatusAccepted)
		}
		_, _ = w.Write([]byte(`{"data":[]}`)) // the test sees when it does not arrive
	}))
	t.Cleanup(service.Close)
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	small, large := `{"provider":"custom","payload":{"call_id":"c-1"}}`, `{"provider":"custom","payload":{"call_id":"c-2","x":"`+strings.Repeat("x", 1000)+`"}}`
	if err := os.WriteFile(file, []byte(small+"\n"+large+"\n"+small), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, problems := ringtrue(t, "import", file, "--key=rt_secret_0", "--url="+service.URL)
	if code != exitNotPassed || !strings.Contains(out, "2 new, 0 known already, 1 refused") || !strings.Contains(out, "c-2   too_large") {
		t.Errorf("exit code %d, %s%s", code, out, problems)
	}
}
