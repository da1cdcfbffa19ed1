package main

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// slowReviews is a service that never answers how far a review of history is, but for
// what gone says.
type slowReviews struct {
	asked   chan struct{}
	stopped chan string
	gone    bool
}

func (s *slowReviews) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	const running = `{"id":"rev_1","status":"RUNNING","total":7}`
	switch {
	case r.Method == http.MethodPost:
		w.WriteHeader(http.StatusAccepted)
	case r.Method == http.MethodDelete:
		s.stopped <- r.URL.Path
	case s.gone:
		http.Error(w, "", http.StatusInternalServerError)
		return
	default:
		close(s.asked)
		<-r.Context().Done()
		return
	}
	_, _ = w.Write([]byte(running)) // the test sees when it does not arrive
}

// An interrupt that comes while the service is being asked stops the review too.
func TestInterruptWhileAskingStopsTheReview(t *testing.T) {
	t.Parallel()
	s := &slowReviews{asked: make(chan struct{}), stopped: make(chan string, 1)}
	server := httptest.NewServer(s)
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-s.asked
		cancel()
	}()
	var out bytes.Buffer
	err := (&reviewCommand{Since: "2026-01-01", URL: server.URL, Key: "rt_secret"}).Run(ctx, &world{out: &out})
	var code exitCode
	if !errors.As(err, &code) || code != exitCouldNot || !strings.Contains(out.String(), "--resume rev_1") {
		t.Errorf("%v, said %q", err, &out)
	}
	select {
	case path := <-s.stopped:
		if !strings.HasSuffix(path, "/reviews/rev_1") {
			t.Errorf("stopped %s", path)
		}
	default:
		t.Error("the review was not stopped")
	}
}

// stopping is a person who interrupts the command once it says something.
type stopping struct {
	bytes.Buffer
	at   string
	stop func()
}

func (s *stopping) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.at) {
		s.stop()
	}
	return s.Buffer.Write(p)
}

// So does one that comes while the command waits to ask a service again.
func TestInterruptWhileWaitingStopsTheReview(t *testing.T) {
	t.Parallel()
	var stopped atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		if r.Method == http.MethodDelete {
			stopped.Store(true)
		}
		_, _ = w.Write([]byte(`{"id":"rev_1","status":"RUNNING","total":7}`)) // the test sees when it does not arrive
	}))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	out := &stopping{at: "asking the service again", stop: cancel}
	err := (&reviewCommand{Since: "2026-01-01", URL: server.URL, Key: "rt_secret"}).Run(ctx, &world{out: out})
	var code exitCode
	if !errors.As(err, &code) || code != exitCouldNot || !stopped.Load() || !strings.Contains(out.String(), "stopped; continue with: ringtrue review --resume rev_1") {
		t.Errorf("%v, stopped %v, said %q", err, stopped.Load(), out)
	}
}

// A service that cannot say how far it is goes on by itself: the command says so.
func TestReviewGoesOnWithoutTheCommand(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&slowReviews{gone: true})
	defer server.Close()
	var out bytes.Buffer
	err := (&reviewCommand{Since: "2026-01-01", URL: server.URL, Key: "rt_secret"}).Run(t.Context(), &world{out: &out})
	if err == nil || !strings.Contains(out.String(), "ringtrue review --resume rev_1") {
		t.Errorf("%v, said %q", err, &out)
	}
}

// A service that restarts behind a proxy is asked again, and the person told of it.
func TestReviewOutlastsARestart(t *testing.T) {
	t.Parallel()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := "RUNNING"
		if r.Method == http.MethodGet {
			if asked++; asked < 4 {
				http.Error(w, "bad gateway", http.StatusBadGateway)
				return
			}
			status = "FINISHED"
		}
		_, _ = w.Write([]byte(`{"id":"rev_1","status":"` + status + `","total":7,"reviewed":7}`)) // the test sees when it does not arrive
	}))
	defer server.Close()
	var out bytes.Buffer
	err := (&reviewCommand{Since: "2026-01-01", URL: server.URL, Key: "rt_secret"}).Run(t.Context(), &world{out: &out})
	if err != nil || !strings.Contains(out.String(), "done: 7 reviewed") || strings.Count(out.String(), "asking the service again") != 1 {
		t.Errorf("%v, said %q", err, &out)
	}
}

// A time is said by the calendar or by how long ago it was.
func TestMomentsOfAReview(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"2026-03-01":                now.Add(-7*24*time.Hour - 12*time.Hour),
		"2026-03-01T13:00:00+01:00": now.Add(-7 * 24 * time.Hour),
		"7d":                        now.Add(-7 * 24 * time.Hour),
		"36h":                       now.Add(-36 * time.Hour),
	} {
		if got, err := moment("--since", text, now); err != nil || got != want.UnixMilli() {
			t.Errorf("%s: %s, %v", text, time.UnixMilli(got).UTC(), err)
		}
	}
	for _, text := range []string{"d", "7", "-7d", "7.5d", "yesterday", "2147483647h", "2147483647d", "7é", "2026-3-1"} {
		if got, err := moment("--since", text, now); err == nil {
			t.Errorf("%s was read as %s", text, time.UnixMilli(got).UTC())
		}
	}
}
