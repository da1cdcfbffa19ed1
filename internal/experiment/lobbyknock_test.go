package experiment

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// knock has an agent come to a room's door.
func (w *world) knock(t *testing.T, room string) {
	t.Helper()
	if err := w.Knock(t.Context(), room); err != nil {
		t.Error(err)
	}
}

// The media server forgets its rooms when it is started anew. An agent that comes back before
// they have been brought together again is not turned away.
func TestAnAgentIsLetInBeforeTheSweep(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	e, made := invite(t, w, RoomsRequest{})
	w.keep(t, 0)
	rooms.vanish()
	w.knock(t, made[1].RoomName)
	if names := rooms.names(); len(names) != 1 || names[0] != made[1].RoomName {
		t.Fatalf("after the knock there are %v", names)
	}
	rooms.join(made[1].RoomName, 1)
	w.knock(t, made[1].RoomName) // it comes again: nothing is made anew
	w.keep(t, time.Second)
	if got := w.rooms()[callOfRoom(made[1].RoomName)]; got != RoomCalled {
		t.Fatalf("its room is %s", got)
	}
	placeAll(t, w)
	if c := w.store.call(callOfRoom(made[1].RoomName)); c.Status != call.Ended {
		t.Errorf("its call is %s", c.Status)
	}
	if _, err := w.Cancel(t.Context(), "ws_1", e.ID); err != nil {
		t.Fatal(err)
	}
	before := len(rooms.opened)
	for _, c := range made {
		w.knock(t, c.RoomName)
	}
	if len(rooms.opened) != before {
		t.Error("rooms of calls that are over were opened")
	}
}

// A call that the last process had on its line is over for nobody yet: its agent may wait for the next attempt.
func TestAnAgentIsLetInWhileTheDeadAttemptIsOpen(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	w.Line = lineFunc(func(context.Context, leg.Dial, *leg.Tape) call.Attempt {
		rooms.vanish()
		w.knock(t, made[0].RoomName)
		if len(rooms.names()) != 1 {
			t.Error("the agent is turned away")
		}
		return call.Attempt{}
	})
	placeAll(t, w)
	if len(rooms.names()) != 0 {
		t.Error("the room is open although the call is over")
	}
}

// An agent that is let in and never connected, as one that reaches us by TCP alone, and one that leaves too soon are
// told so, and not that nobody came.
func TestAnAgentThatCameIsToldWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2", "di_3"}})
	w.keep(t, time.Second)
	w.knock(t, made[0].RoomName)
	w.knock(t, made[1].RoomName)
	rooms.join(made[1].RoomName, 1)
	w.keep(t, time.Second)
	rooms.join(made[1].RoomName, -1)
	w.keep(t, time.Second)
	placeAll(t, w)
	w.keep(t, sweepRooms)
	w.keep(t, w.RoomWait)
	for i, word := range []string{"UDP", "left", "nobody"} {
		c := w.store.call(callIDs(made)[i])
		if c.EndReason.Code != call.EndAgentNeverCame || !strings.Contains(c.EndReason.Detail, word) {
			t.Errorf("call %d is %s, %+v, which does not say %q", i, c.Status, c.EndReason, word)
		}
	}
	w.keep(t, sweepRooms)
	if n := len(w.lobby.came); n != 0 {
		t.Errorf("%d agents are remembered at rooms that are over", n)
	}
}

// Whoever cannot be let in now hears that it is not for good.
func TestAKnockThatFailsSaysSo(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{})
	rooms.vanish()
	rooms.down = errors.New("away")
	if err := w.Knock(t.Context(), made[0].RoomName); err == nil {
		t.Error("nobody was let in, and nothing is said")
	}
	if err := w.Knock(t.Context(), RoomName("call_unknown")); err != nil {
		t.Errorf("a room that never was: %v", err)
	}
}

// A service that has just been started knows the address of its media server when that runs.
func TestARepeatedRequestNamesTheAddressOfAServerThatStarts(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	e, _ := invite(t, w, RoomsRequest{})
	rooms.asleep = true
	made, err := w.Connections(t.Context(), "ws_1", e.ID)
	if err != nil || made[0].URL == "" || made[2].URL != made[0].URL {
		t.Errorf("%+v, %v", made, err)
	}
}

// TestAnAgentThatLeavesWhileItsCallIsHeldBackIsWaitedFor: a caller that came to an empty room would blame the
// agent for it after half a minute.
func TestAnAgentThatLeavesWhileItsCallIsHeldBackIsWaitedFor(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.Hold = time.Hour
	w.Line = lineFunc(func(context.Context, leg.Dial, *leg.Tape) call.Attempt {
		t.Error("the caller came to an empty room")
		return call.Attempt{EndReason: call.EndOf(call.EndAgentNeverCame, ""), EndedAt: w.now}
	})
	full := errors.New("the disk is full")
	w.Recordings = fakeRecordings{deleted: &w.deleted, refuse: func() error { return full }}
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	w.Wait = func(ctx context.Context, d time.Duration) error {
		if d != outagePause {
			<-ctx.Done()
			return ctx.Err()
		}
		if full != nil {
			rooms.join(made[0].RoomName, -1)
		}
		full = nil
		w.now = w.now.Add(d)
		return nil
	}
	placeAll(t, w)
	id := callIDs(made)[0]
	if c := w.store.call(id); c.Status != call.Queued || w.rooms()[id] != RoomOpen {
		t.Errorf("the call is %s, its room %s", c.Status, w.rooms()[id])
	}
	w.keep(t, sweepRooms)
	w.keep(t, w.RoomWait)
	if c := w.store.call(id); c.Status != call.Failed || c.EndReason.Code != call.EndInterrupted {
		t.Errorf("when it does not come again, the call is %s, %+v", c.Status, c.EndReason)
	}
}
