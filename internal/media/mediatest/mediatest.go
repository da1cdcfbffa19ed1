// Package mediatest is the test suite for every kind of media server access: package media's
// embedded server and its connection to an external one.
package mediatest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/media"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Server is what the suite requires of a media server.
type Server interface {
	URL() string
	Address() string
	Open(ctx context.Context, room media.Room) error
	CloseRoom(ctx context.Context, name string) error
	RemoveCaller(ctx context.Context, name, attempt string) error
	Rooms(ctx context.Context) ([]media.RoomState, error)
	AgentToken(name string, validFor time.Duration) (string, error)
	CallerToken(name, identity, attempt string) (string, error)
	Tell(ctx context.Context, name, metadata string) error
	Check(ctx context.Context) error
}

// Run runs the suite against a running server with the given keys. The server may have other rooms.
func Run(t *testing.T, s Server, keys media.Keys) {
	t.Run("answers", func(t *testing.T) {
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("rooms come and go", func(t *testing.T) { comeAndGo(t, s) })
	t.Run("a room is told what it is about", func(t *testing.T) { told(t, s) })
	t.Run("who is in a room", func(t *testing.T) { crowd(t, s) })
	t.Run("our caller is taken out", func(t *testing.T) { callerOut(t, s) })
	t.Run("the caller of the next attempt stays", func(t *testing.T) { nextStays(t, s) })
	t.Run("a closed room puts everybody out", func(t *testing.T) { putOut(t, s) })
	t.Run("an empty room goes by itself", func(t *testing.T) { empties(t, s) })
	t.Run("a room has a limit", func(t *testing.T) { limit(t, s) })
	t.Run("a token opens its own room alone", func(t *testing.T) { ownRoom(t, s, keys) })
	t.Run("a token gives no right over rooms", func(t *testing.T) { noRights(t, s) })
	t.Run("a registered agent is sent into its rooms", func(t *testing.T) { dispatched(t, s, keys) })
	t.Run("a token lets an agent speak and send data", func(t *testing.T) { speaks(t, s) })
	t.Run("a token lets nobody publish but a microphone", func(t *testing.T) { microphoneOnly(t, s) })
	t.Run("a token lets nobody change who they are", func(t *testing.T) { ownName(t, s) })
}

func name() string {
	return media.Prefix + fmt.Sprintf("test-%d", time.Now().UnixNano())
}

// open creates a room that is removed at the end of the test.
func open(t *testing.T, s Server, room media.Room) string {
	t.Helper()
	if room.Name == "" {
		room.Name = name()
	}
	if room.EmptyFor == 0 {
		room.EmptyFor = time.Minute
	}
	if err := s.Open(t.Context(), room); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := s.CloseRoom(ctx, room.Name); err != nil {
			t.Error(err)
		}
	})
	return room.Name
}

func state(t *testing.T, s Server, name string) (media.RoomState, bool) {
	t.Helper()
	rooms, err := s.Rooms(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(rooms, func(r media.RoomState) bool { return r.Name == name }); i >= 0 {
		return rooms[i], true
	}
	return media.RoomState{}, false
}

// until waits for a condition, for at most half a minute.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for limit := time.Now().Add(30 * time.Second); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("half a minute on, it is not so that %s", what)
		}
	}
}

func comeAndGo(t *testing.T, s Server) {
	before := time.Now().Add(-2 * time.Second)
	room := open(t, s, media.Room{Metadata: `{"a":1}`})
	if err := s.Open(t.Context(), media.Room{Name: room, Metadata: `{"a":2}`, EmptyFor: time.Minute}); err != nil {
		t.Errorf("a room that is there cannot be opened again: %v", err)
	}
	got, ok := state(t, s, room)
	if !ok || got.Participants != 0 || got.CreatedAt.Before(before) || got.CreatedAt.After(time.Now().Add(2*time.Second)) {
		t.Errorf("the new room is listed as %+v, %v", got, ok)
	}
	for range 2 {
		if err := s.CloseRoom(t.Context(), room); err != nil {
			t.Errorf("closing, once and again: %v", err)
		}
	}
	if _, ok := state(t, s, room); ok {
		t.Error("the closed room is still listed")
	}
	if err := s.Open(t.Context(), media.Room{Name: "somebody-elses"}); err == nil {
		t.Error("a room without our prefix was opened")
	}
	if err := s.Tell(t.Context(), room, "{}"); !problem.Is(err, problem.NotFound) {
		t.Errorf("telling a room that is gone gives %v", err)
	}
}
