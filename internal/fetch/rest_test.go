package fetch_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/fetch"
)

// A host that does not answer is left alone, longer each time, so that waiting
// for it does not hold up others. This applies only to the party that asked.
func TestAHostThatDoesNotAnswerRests(t *testing.T) {
	t.Parallel()
	now, asked, there := time.Unix(1_800_000_000, 0), 0, false
	c := build(t, fetch.Options{
		Allow: []string{"files.test"}, Rest: 2 * time.Second, Now: func() time.Time { return now },
		Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			if asked++; there {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			}
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		},
	})
	port := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "busy")
	})
	expect := func(what, party string, reason fetch.Reason, wanted int) {
		t.Helper()
		asked = 0
		_, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://files.test:" + port + "/a", Party: party, Tries: 1})
		if e, ok := err.(*fetch.Error); !ok || e.Reason != reason || asked != wanted { //nolint:errorlint // it is not wrapped
			t.Errorf("%s: %v, looked up %d times", what, err, asked)
		}
	}
	expect("at first", "one", fetch.Unreachable, 1)
	expect("right after", "one", fetch.Unreachable, 0)
	expect("another party", "two", fetch.Unreachable, 1)
	now = now.Add(2 * time.Second)
	expect("after its rest", "one", fetch.Unreachable, 1)
	now = now.Add(7 * time.Second)
	expect("in a longer rest", "one", fetch.Unreachable, 0)
	now, there = now.Add(time.Second), true
	expect("when it is back, and busy", "one", fetch.Busy, 1)
	expect("which is an answer", "one", fetch.Busy, 1)
}

// One address at which a host hangs up does not block its other addresses.
func TestAHostThatHangsUpDoesNotRest(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	c := build(t, fetch.Options{Allow: []string{"127.0.0.1"}, Rest: time.Hour})
	for range 2 {
		before := hits.Load()
		if _, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port, Tries: 1}); reason(err) != fetch.Unreachable || hits.Load() == before {
			t.Errorf("%v", err)
		}
	}
}

// While one request finds out whether a host is back, others do not wait for it
// too.
func TestOneRequestAsksAHostThatRested(t *testing.T) {
	t.Parallel()
	now, looking, answer := time.Unix(1_800_000_000, 0), make(chan struct{}, 1), make(chan struct{})
	waits := false
	c := build(t, fetch.Options{
		Rest: 2 * time.Second, Now: func() time.Time { return now },
		Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			if waits {
				looking <- struct{}{}
				<-answer
			}
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		},
	})
	ask := func() fetch.Reason {
		_, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://files.test/a", Tries: 1})
		return reason(err)
	}
	if r := ask(); r != fetch.Unreachable {
		t.Fatal(r)
	}
	now, waits = now.Add(3*time.Second), true
	done := make(chan fetch.Reason)
	go func() { done <- ask() }()
	<-looking
	if r := ask(); r != fetch.Unreachable || len(looking) != 0 {
		t.Errorf("the second: %s", r)
	}
	close(answer)
	if r := <-done; r != fetch.Unreachable {
		t.Errorf("the first: %s", r)
	}
}

// Requests that were under way together when a host went away tell of one absence, not of many.
func TestRequestsThatFailTogetherAreOneFailure(t *testing.T) {
	t.Parallel()
	const together = 8
	now, looking, answer := time.Unix(1_800_000_000, 0), make(chan struct{}, together+1), make(chan struct{})
	c := build(t, fetch.Options{
		Rest: 2 * time.Second, Now: func() time.Time { return now },
		Lookup: func(_ context.Context, host string) ([]netip.Addr, error) {
			looking <- struct{}{}
			<-answer
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		},
	})
	done := make(chan fetch.Reason)
	ask := func() {
		_, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://files.test/a", Tries: 1})
		done <- reason(err)
	}
	for range together {
		go ask()
	}
	for range together {
		<-looking
	}
	close(answer)
	for range together {
		if r := <-done; r != fetch.Unreachable {
			t.Error(r)
		}
	}
	now = now.Add(2 * time.Second)
	go ask()
	if r := <-done; r != fetch.Unreachable || len(looking) != 1 {
		t.Errorf("after its first rest: %s, looked up %d times", r, len(looking))
	}
}

// A forbidden address is refused each time, for the same reason.
func TestWhatIsRefusedDoesNotRest(t *testing.T) {
	t.Parallel()
	port, hits := canary(t)
	c := build(t, fetch.Options{Rest: time.Hour})
	for range 2 {
		if _, _, err := c.Bytes(t.Context(), fetch.Request{URL: "http://127.0.0.1:" + port}); reason(err) != fetch.Refused || hits.Load() != 0 {
			t.Errorf("%v", err)
		}
	}
}
