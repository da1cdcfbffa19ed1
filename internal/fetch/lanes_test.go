package fetch_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/fetch"
)

// drip starts a server that sends a byte now and then until end is closed.
func drip(t *testing.T, end <-chan struct{}) (port string, asked chan struct{}) {
	t.Helper()
	asked = make(chan struct{}, 100)
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		for {
			_, _ = io.WriteString(w, "x")
			_ = http.NewResponseController(w).Flush()
			select {
			case <-end:
				return
			case <-time.After(5 * time.Millisecond): // real time, like the client's clock
			}
		}
	}), asked
}

// Dripping servers, and hosts that ask for a later retry, give up their places and
// continue aside.
func TestWhoHardlyMovesStandsAside(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	slow, asked := drip(t, end)
	good := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "sound") })
	later, sleeps := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "50")
		w.WriteHeader(http.StatusServiceUnavailable)
	}), make(chan struct{}, 1)
	c := build(t, fetch.Options{
		Allow: []string{"127.0.0.1"}, Places: 1, Aside: 9, Patience: 20 * time.Millisecond,
		Sleep: func(ctx context.Context, _ time.Duration) error {
			sleeps <- struct{}{}
			select {
			case <-end:
			case <-ctx.Done():
			}
			return ctx.Err()
		},
	})
	done := make(chan *fetch.Body, 2)
	get := func(port string) {
		body, _ := c.Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Tries: 2})
		done <- body
	}
	go get(slow)
	<-asked
	go get(later)
	<-sleeps
	body, err := c.Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + good})
	if err != nil {
		t.Fatal(err)
	}
	_ = body.Close()
	close(end)
	for range 2 {
		if body := <-done; body != nil {
			if body.Size == 0 {
				t.Error("what dripped did not come")
			}
			_ = body.Close()
		}
	}
}

// If too many are aside, the one that has been for longest is cancelled.
func TestTheSlowestGivesWay(t *testing.T) {
	t.Parallel()
	end := make(chan struct{})
	defer close(end)
	slow, asked := drip(t, end)
	c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Places: 1, Aside: 1, Patience: 20 * time.Millisecond})
	first := make(chan error, 1)
	go func() {
		_, err := c.Get(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + slow, Tries: 1})
		first <- err
	}()
	<-asked
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() {
		_, err := c.Get(ctx, fetch.Request{URL: "http://127.0.0.1:" + slow, Tries: 1})
		second <- err
	}()
	if err := <-first; reason(err) != fetch.Slow {
		t.Errorf("the first: %v", err)
	}
	cancel()
	if err := <-second; reason(err) != "" {
		t.Errorf("the second: %v", err)
	}
}

// A body keeps its place until it is closed, which limits how many are on disk.
func TestABodyKeepsItsPlaceUntilItIsClosed(t *testing.T) {
	t.Parallel()
	good := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "sound") })
	c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Places: 1, Aside: 9, Patience: time.Hour})
	r := fetch.Request{URL: "http://127.0.0.1:" + good}
	one, err := c.Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Get(ctx, r); err == nil {
		t.Error("a second body was brought")
	}
	_ = one.Close()
	two, err := c.Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	_ = two.Close()
}
