package room_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/room"
	"github.com/ringtrue/ringtrue/internal/media"
)

// attend makes an agent of ours join a room of the test's server through the given address, and
// waits until it is there or has given up.
func attend(t *testing.T, address, name, token string, joinFor time.Duration) error {
	t.Helper()
	return attendBy(t, time.Now, address, name, token, joinFor)
}

// attendBy is attend by a clock.
func attendBy(t *testing.T, now func() time.Time, address, name, token string, joinFor time.Duration) error {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		over <- room.Attend(ctx, room.AttendOptions{URL: address, Token: token, JoinFor: joinFor, Now: now})
	}()
	defer cancel()
	for limit := time.Now().Add(patience); time.Now().Before(limit); pause(10 * time.Millisecond) {
		select {
		case err := <-over:
			return err
		default:
		}
		rooms, err := server.Rooms(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rooms {
			if r.Name == name && r.Participants == 1 {
				cancel()
				return <-over
			}
		}
	}
	t.Error("the agent neither came nor gave up")
	return nil
}

// TestAnAgentJoinsAgainUntilItIsLetIn checks that our agent waits for a service that is still
// starting, as other agents do.
func TestAnAgentJoinsAgainUntilItIsLetIn(t *testing.T) {
	t.Parallel()
	name := room.Prefix + "call_again"
	token := openRoom(t, name)
	w := newWire(t)
	w.cut(2)
	if err := attend(t, w.Address(), name, token, 0); err == nil {
		t.Error("it came although nobody let it in, and it was to try once")
	}
	w.cut(6)
	if err := attend(t, w.Address(), name, token, patience); err != nil {
		t.Errorf("it did not come: %v", err)
	}
}

// TestAnAgentWaitsForItsRoom checks that the agent waits for a room that a restarted media server
// only knows after a moment.
func TestAnAgentWaitsForItsRoom(t *testing.T) {
	t.Parallel()
	name := room.Prefix + "call_late"
	token, err := server.AgentToken(name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		pause(time.Second)
		_ = server.Open(context.WithoutCancel(t.Context()), media.Room{Name: name, EmptyFor: time.Minute})
	}()
	t.Cleanup(func() { _ = server.CloseRoom(context.Background(), name) })
	if err := attend(t, server.URL(), name, token, patience); err != nil {
		t.Errorf("it did not come: %v", err)
	}
}

// TestAnAgentWaitsForItsRoomAfterItsServer checks that the agent waits as long for a room of a media server that
// has let nobody in before, for longer than a room is waited for.
func TestAnAgentWaitsForItsRoomAfterItsServer(t *testing.T) {
	t.Parallel()
	name := room.Prefix + "call_later"
	token, err := server.AgentToken(name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.CloseRoom(context.Background(), name) })
	var skipped, asked atomic.Int64
	var unknown atomic.Bool
	restarted := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: strings.TrimPrefix(server.URL(), "ws://")})
	restarted.ModifyResponse = func(r *http.Response) error {
		if r.StatusCode == http.StatusNotFound && !unknown.Swap(true) {
			go func() {
				pause(time.Second)
				_ = server.Open(context.WithoutCancel(t.Context()), media.Room{Name: name, EmptyFor: time.Minute})
			}()
		}
		return nil
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		skipped.Store(int64(20 * time.Second))
		if asked.Add(1) <= 4 { // in two tries
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		restarted.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	late := func() time.Time { return time.Now().Add(time.Duration(skipped.Load())) }
	if err := attendBy(t, late, "ws"+strings.TrimPrefix(front.URL, "http"), name, token, time.Minute); err != nil {
		t.Errorf("it did not come: %v", err)
	}
	if !unknown.Load() {
		t.Error("it was never told that there is no such room")
	}
}

// TestAnAgentThatIsNotLetInGivesUp checks that permanent errors are returned immediately, and the
// lack of a room soon.
func TestAnAgentThatIsNotLetInGivesUp(t *testing.T) {
	t.Parallel()
	name := room.Prefix + "call_never"
	begun := time.Now()
	if err := attend(t, server.URL(), name, "nobody.has.signed.it", time.Hour); err == nil || time.Since(begun) > patience {
		t.Errorf("after %v it was told %v, want an error soon", time.Since(begun), err)
	}
	token, err := server.AgentToken(name, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	err = attend(t, server.URL(), name, token, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "not found") || strings.Contains(err.Error(), token) {
		t.Errorf("it was told %v, want that the room is not found, without the token", err)
	}
}

// TestTheMediaServerIsGoneWhenTheCallerComes checks that a media server that disappears before the
// caller joins interrupts the call: this is our own fault, and the call may be attempted again.
func TestTheMediaServerIsGoneWhenTheCallerComes(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	_ = w.listener.Close()
	a, _ := meetOver(t, w, "call_gone", room.Options{}, leg.Dial{}, func(*scene) {})
	if a.EndReason.Code != call.EndInterrupted || !strings.Contains(a.EndReason.Detail, "could not be joined") {
		t.Errorf("the call ended %+v, want %s because the room could not be joined", a.EndReason, call.EndInterrupted)
	}
}

// TestAnAgentSpeaksThoughNobodySaysThatItIsHeard checks that our agent speaks even if the server's
// message that it is heard gets lost.
func TestAnAgentSpeaksThoughNobodySaysThatItIsHeard(t *testing.T) {
	t.Parallel()
	way := newSignals(t)
	way.unheard = true
	over := make(chan error, 1)
	a, _ := meet(t, "call_unheard", room.Options{}, leg.Dial{MaxDuration: 15 * time.Second}, func(s *scene) {
		go func() {
			over <- room.Attend(t.Context(), room.AttendOptions{
				URL: way.Address(), Token: s.token, Now: time.Now,
				Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: &person{}} },
			})
		}()
		s.talks(25)
		s.hangsUp()
	})
	if err := <-over; err != nil || a.EndReason.Code != "" {
		t.Errorf("the agent: %v, the call ended %+v, want neither an error nor a reason", err, a.EndReason)
	}
}
