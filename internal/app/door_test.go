package app

import (
	"database/sql"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/store"
)

// knock asks for a path, and again until somebody answers.
func knock(t *testing.T, address, path string) (status int, h http.Header, body string) {
	t.Helper()
	for range 500 {
		r, err := http.Get("http://" + address + path) //nolint:noctx // of this machine
		if err != nil {
			time.Sleep(10 * time.Millisecond)
			continue
		}
		defer func() { _ = r.Body.Close() }()
		text, err := io.ReadAll(r.Body)
		must(t, err)
		return r.StatusCode, r.Header, string(text)
	}
	t.Fatal("nobody answers")
	return 0, nil, ""
}

// While the database is brought up to date, here by another process, the service
// lives, is not ready, and says so.
func TestWhoeverComesEarlyIsToldToWait(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	lock, err := sql.Open("sqlite", "file:"+filepath.Join(folder, "ringtrue.db-upgrade")+"?_txlock=exclusive")
	must(t, err)
	defer func() { _ = lock.Close() }()
	held, err := lock.BeginTx(t.Context(), nil)
	must(t, err)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	address := listener.Addr().String()
	made := make(chan *App)
	go func() {
		a, err := New(t.Context(), Options{Data: folder, Listener: listener, Log: slog.New(slog.DiscardHandler), Now: time.Now})
		if err != nil {
			t.Error(err)
		}
		made <- a
	}()
	if status, _, _ := knock(t, address, "/healthz"); status != http.StatusOK {
		t.Errorf("/healthz answers %d", status)
	}
	for _, path := range []string{"/readyz", "/", "/api/rest/calls"} {
		status, h, body := knock(t, address, path)
		var p struct{ Code, Detail string }
		must(t, json.Unmarshal([]byte(body), &p))
		if status != http.StatusServiceUnavailable || p.Code != "unavailable" || h.Get("Retry-After") != "5" || !strings.Contains(p.Detail, "starting") {
			t.Errorf("%s answers %d %v %s", path, status, h, body)
		}
	}
	must(t, held.Rollback())
	a := <-made
	if status, _, _ := knock(t, address, "/readyz"); status != http.StatusServiceUnavailable {
		t.Errorf("before Start /readyz answers %d", status)
	}
	must(t, a.Start(t.Context()))
	if status, _, _ := knock(t, address, "/readyz"); status != http.StatusOK {
		t.Errorf("after Start /readyz answers %d", status)
	}
	must(t, a.Stop(t.Context()))
	if r, err := http.Get("http://" + address + "/healthz"); err == nil { //nolint:noctx // of this machine
		_ = r.Body.Close()
		t.Error("after Stop somebody answers")
	}
}

func TestTheStepOfAnUpgradeIsTold(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	d := newDoor(Options{Now: time.Now})
	tellUpgrade(slog.New(slog.NewTextHandler(&log, nil)), d)(store.Step{Number: 2, Of: 4, Version: 13})
	w := httptest.NewRecorder()
	d.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/rest/calls", nil))
	if !strings.Contains(w.Body.String(), "step 2 of 4") || !strings.Contains(log.String(), "step=2 of=4 version=13") {
		t.Errorf("told %s, logged %s", w.Body, log.String())
	}
}

// stutterer fails to accept its first connection, as a process does that may open no more files.
type stutterer struct {
	net.Listener
	stuttered bool
}

func (s *stutterer) Accept() (net.Conn, error) {
	if !s.stuttered {
		s.stuttered = true
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE}
	}
	return s.Listener.Accept()
}

// TestWhatTheHTTPServerSaysIsInTheLog: it has one form, and a level that can be filtered by.
func TestWhatTheHTTPServerSaysIsInTheLog(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.Listener = &stutterer{Listener: o.Listener} })
	r.ask(t, r.mine, "GET", "/agents", nil)
	if said := r.log.String(); !strings.Contains(said, `level=WARN msg="http: Accept error: `) {
		t.Errorf("the log says %s", said)
	}
}
