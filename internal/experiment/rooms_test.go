package experiment

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// newRoomWorld is a world with a media server of its own.
func newRoomWorld() (*world, *fakeRooms) {
	w := newWorld()
	rooms := &fakeRooms{now: func() time.Time { return w.now }, rooms: map[string]*fakeRoom{}}
	w.Rooms, w.MediaServer, w.MediaKeys = rooms, "here", "keys"
	return w, rooms
}

func invite(t *testing.T, w *world, r RoomsRequest) (Experiment, []Connection) {
	t.Helper()
	if r.DatasetID == "" {
		r.DatasetID = "ds_1"
	}
	e, made, err := w.StartInRooms(t.Context(), "ws_1", r)
	if err != nil {
		t.Fatal(err)
	}
	return e, made
}

// keep looks after the rooms once, after so much time.
func (w *world) keep(t *testing.T, after time.Duration) {
	t.Helper()
	w.now = w.now.Add(after)
	if err := w.KeepRooms(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (w *world) rooms() map[string]RoomState {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	out := map[string]RoomState{}
	for id, r := range w.store.rows.rooms {
		out[id] = r.State
	}
	return out
}

func callIDs(made []Connection) []string {
	ids := make([]string, len(made))
	for i, c := range made {
		ids[i] = strings.TrimPrefix(c.RoomName, "ringtrue-")
	}
	return ids
}

func TestARoomIsMadeForEachItem(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.store.rows.items["ds_1"][1].Metadata = map[string]any{"variables": map[string]any{"name": "Ann"}, "note": "not for the agent"}
	e, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_2", "di_1"}})
	if e.Line != LineRoom || e.AgentID != "" || e.To != "" || e.Counts.Calls != 2 || e.Status != Created {
		t.Fatalf("made %+v", e)
	}
	if len(made) != 2 || made[0].ItemID != "di_1" || made[1].ItemID != "di_2" {
		t.Fatalf("rooms not in the order of the dataset: %+v", made)
	}
	for _, c := range made {
		if c.URL != rooms.URL() || c.Token != "token of "+c.RoomName || rooms.rooms[c.RoomName] == nil {
			t.Errorf("connection %+v", c)
		}
	}
	spec := rooms.rooms[made[1].RoomName].RoomSpec
	id := callIDs(made)[1]
	want := `{"experiment_id":"` + e.ID + `","call_id":"` + id + `","dataset_item_id":"di_2","state":"waiting_for_agent","variables":{"name":"Ann"}}`
	if spec.Metadata != want || spec.AgentName != "" || spec.Participants != 4 || spec.EmptyFor <= w.RoomWait {
		t.Errorf("opened %+v", spec)
	}
	if c := w.store.call(id); c.Room != made[1].RoomName || c.Line != LineRoom || c.Status != call.Queued {
		t.Errorf("the call is %+v", c)
	}
	if jobs := w.store.takeJobs(); len(jobs) != 0 {
		t.Errorf("nobody has joined, and yet: %v", jobs)
	}
	// Two calls of 5 min each, and the wait for the agent.
	if rooms.minted[0] != 20*time.Minute {
		t.Errorf("tokens live %s", rooms.minted[0])
	}
	again, err := w.Connections(t.Context(), "ws_1", e.ID)
	if err != nil || !slices.Equal(again, made) || len(rooms.minted) != 4 {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := w.Connections(t.Context(), "ws_2", e.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace gets %v", err)
	}
}

func TestRequestsForRoomsThatAreRefused(t *testing.T) {
	t.Parallel()
	many := make([]string, maxCalls+1)
	for i := range many {
		many[i] = strings.Repeat("x", i%50)
	}
	for name, tt := range map[string]struct {
		r     RoomsRequest
		code  problem.Code
		paths []string
	}{
		"unknown dataset": {RoomsRequest{DatasetID: "ds_none"}, problem.InvalidFields, []string{"datasetId"}},
		"unknown agent":   {RoomsRequest{DatasetID: "ds_1", AgentID: "agt_none"}, problem.InvalidFields, []string{"agentId"}},
		"empty list":      {RoomsRequest{DatasetID: "ds_1", ItemIDs: []string{}}, problem.InvalidFields, []string{"datasetItemIds"}},
		"twice":           {RoomsRequest{DatasetID: "ds_1", ItemIDs: []string{"di_1", "di_2", "di_1"}}, problem.InvalidFields, []string{"datasetItemIds[2]"}},
		"of another": {
			RoomsRequest{DatasetID: "ds_1", ItemIDs: []string{"di_x", "di_2", ""}}, problem.InvalidFields,
			[]string{"datasetItemIds[0]", "datasetItemIds[2]"},
		},
		"too many":    {RoomsRequest{DatasetID: "ds_1", ItemIDs: many}, problem.InvalidFields, []string{"datasetItemIds"}},
		"line breaks": {RoomsRequest{DatasetID: "ds_1", AgentName: "a\nb"}, problem.InvalidFields, []string{"agentName"}},
		"no items":    {RoomsRequest{DatasetID: "ds_empty"}, problem.InvalidFields, []string{"datasetId"}},
		"large":       {RoomsRequest{DatasetID: "ds_large"}, problem.InvalidFields, []string{"datasetId"}},
	} {
		w, rooms := newRoomWorld()
		w.store.rows.datasets["ds_empty"] = scenario.Dataset{ID: "ds_empty"}
		w.store.rows.datasets["ds_large"] = scenario.Dataset{ID: "ds_large"}
		w.store.rows.items["ds_large"] = make([]scenario.Item, maxCalls+1)
		_, _, err := w.StartInRooms(t.Context(), "ws_1", tt.r)
		p := problem.As(err)
		if p == nil || p.Code != tt.code {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		var paths []string
		for _, f := range p.Fields {
			paths = append(paths, f.Path)
		}
		if !slices.Equal(paths, tt.paths) || len(w.store.rows.calls) != 0 || len(rooms.names()) != 0 {
			t.Errorf("%s: faults at %v, %d calls, %d rooms", name, paths, len(w.store.rows.calls), len(rooms.names()))
		}
	}
}

func TestNoRoomsWithoutAMediaServer(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	rooms.down = problem.New(problem.Unavailable, "the media server does not answer")
	if _, _, err := w.StartInRooms(t.Context(), "ws_1", RoomsRequest{DatasetID: "ds_1"}); !problem.Is(err, problem.Unavailable) {
		t.Errorf("got %v", err)
	}
	w.Rooms = nil
	_, _, err := w.StartInRooms(t.Context(), "ws_1", RoomsRequest{DatasetID: "ds_1"})
	if p := problem.As(err); p == nil || p.Code != problem.Unavailable || p.Hint == "" {
		t.Errorf("got %v", err)
	}
	if err := w.KeepRooms(t.Context()); err != nil || len(w.store.rows.experiments) != 0 {
		t.Errorf("%v, %d experiments", err, len(w.store.rows.experiments))
	}
}

func TestRoomsComeAndGoWithTheMediaServer(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	e, made := invite(t, w, RoomsRequest{})
	w.keep(t, 0)
	rooms.vanish()
	w.keep(t, 3*time.Second)
	if len(rooms.names()) != 3 {
		t.Fatalf("rooms that vanished were not opened again: %v", rooms.names())
	}
	// Rooms under our name that nobody needs go, others' stay.
	ctx := t.Context()
	for _, name := range []string{"ringtrue-call_unknown", "their-room"} {
		if err := rooms.Open(ctx, RoomSpec{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	w.keep(t, 3*time.Second)
	if len(rooms.names()) != 5 {
		t.Fatalf("a young room was closed: %v", rooms.names())
	}
	w.keep(t, youngRoom)
	if names := rooms.names(); len(names) != 4 || slices.Contains(names, "ringtrue-call_unknown") {
		t.Errorf("rooms %v", names)
	}
	if _, err := w.Cancel(ctx, "ws_1", e.ID); err != nil {
		t.Fatal(err)
	}
	rooms.down = errors.New("away")
	w.keep(t, 3*time.Second)
	if len(w.rooms()) != 3 {
		t.Errorf("rooms were forgotten that could not be closed: %v", w.rooms())
	}
	rooms.down = nil
	w.keep(t, 3*time.Second)
	if names := rooms.names(); !slices.Equal(names, []string{"their-room"}) || len(w.rooms()) != 0 {
		t.Errorf("rooms of canceled calls: %v, %v", names, w.rooms())
	}
	if len(made) != 3 {
		t.Error("three rooms were made")
	}
}

func TestAtASharedMediaServerUnknownRoomsAreLeftAlone(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.MediaServer = ""
	if err := rooms.Open(t.Context(), RoomSpec{Name: "ringtrue-call_of_another_service"}); err != nil {
		t.Fatal(err)
	}
	w.keep(t, time.Hour)
	if len(rooms.names()) != 1 {
		t.Error("the room of another service was closed")
	}
}

func TestTheCallerOfADeadProcessIsTakenOutOfItsRoom(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	id := callIDs(made)[0]
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	var out []string
	w.HangUp = func(_ context.Context, attempt, reference string) error {
		if c := w.store.call(id); c.Status == call.Queued {
			t.Error("the call was given back before its dead caller had been taken out")
		}
		if a := w.store.rows.attempts[attempt]; a.CallID != id {
			t.Errorf("the caller of attempt %q is to be taken out, which is %+v", attempt, a)
		}
		out = append(out, reference)
		return nil
	}
	others, late := New(w.Options), New(w.Options)
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		w.silence(t, others)
		w.silence(t, late) // it finds the attempt buried
		return w.answered(ctx, d, tape)
	})
	if err := w.Place(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out, []string{made[0].RoomName}) {
		t.Errorf("our caller was taken out of %v, want once out of %s", out, made[0].RoomName)
	}
}

// An agent that came, and was broken off by us, is not to blame for not coming a second time.
func TestAnAgentThatWasBrokenOffIsNotToBlame(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2"}})
	ids := callIDs(made)
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	w.Line = lineFunc(func(context.Context, leg.Dial, *leg.Tape) call.Attempt {
		rooms.join(made[0].RoomName, -1)
		return call.Attempt{EndReason: call.EndOf(call.EndInterrupted, "the media server stopped")}
	})
	placeAll(t, w)
	if c := w.store.call(ids[0]); c.Status != call.Queued {
		t.Fatalf("the call that was broken off is %s", c.Status)
	}
	w.keep(t, sweepRooms)
	w.keep(t, w.RoomWait)
	for i, want := range []call.EndReason{call.EndOf(call.EndInterrupted, notAgain), call.EndOf(call.EndAgentNeverCame, "nobody joined the room")} {
		if c := w.store.call(ids[i]); c.Status != call.Failed || c.EndReason != want {
			t.Errorf("call %d is %s, %+v, want %+v", i, c.Status, c.EndReason, want)
		}
	}
}

// A media server that was started anew has its rooms again as soon as that is noticed, and not
// with the next sweep: until then it tells agents that there is no such room.
func TestRoomsThatVanishAreOpenedAtOnce(t *testing.T) {
	t.Parallel()
	for name, restart := range map[string]func(*world, *fakeRooms){
		"noticed": func(w *world, rooms *fakeRooms) {
			rooms.down = errors.New("away")
			w.keep(t, time.Second)
			rooms.vanish()
			rooms.down = nil
		},
		"too fast to be noticed": func(_ *world, rooms *fakeRooms) { rooms.vanish() },
	} {
		w, rooms := newRoomWorld()
		invite(t, w, RoomsRequest{})
		w.keep(t, sweepRooms)
		restart(w, rooms)
		w.keep(t, time.Second)
		if n := len(rooms.names()); n != 3 {
			t.Errorf("%s: a second later there are %d rooms", name, n)
		}
	}
}

func TestRoomsOfAnotherProcessAreItsOwn(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	e, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	id := callIDs(made)[0]
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	w.store.takeJobs()
	other := New(w.Options)
	other.MediaServer, other.MediaKeys = "there", "others"
	var again TryAgain
	if err := other.Place(t.Context(), id); !errors.As(err, &again) {
		t.Errorf("placed by a process that cannot: %v", err)
	}
	if _, err := other.Connections(t.Context(), "ws_1", e.ID); !problem.Is(err, problem.Unavailable) {
		t.Errorf("tokens by a process that has no keys: %v", err)
	}
	other.MediaKeys = w.MediaKeys
	if got, err := other.Connections(t.Context(), "ws_1", e.ID); err != nil || got[0].URL != made[0].URL || got[0].RoomName != made[0].RoomName || got[0].Token == "" {
		t.Errorf("tokens by a process that has the keys: %+v, %v", got, err)
	}
	other.Rooms = &fakeRooms{now: rooms.now, rooms: map[string]*fakeRoom{}}
	look := func(after time.Duration) {
		w.now = w.now.Add(after)
		if err := other.KeepRooms(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	look(0)
	look(2*w.RoomWait - time.Second)
	if c := w.store.call(id); c.Status != call.Queued {
		t.Fatalf("taken from a process that may live: %s", c.Status)
	}
	look(sweepRooms)
	if c := w.store.call(id); c.Status != call.Failed || c.EndReason.Code != call.EndInterrupted {
		t.Errorf("the call of a process that is gone is %s, %+v", c.Status, c.EndReason)
	}
}

// TestAnotherProcessLeavesRoomsAloneWhileACallIsOnTheLine: an agent that visits one room after the other
// is still in the first. While it talks, its process lives.
func TestAnotherProcessLeavesRoomsAloneWhileACallIsOnTheLine(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2"}})
	waiting := callIDs(made)[1]
	other := New(w.Options)
	other.Rooms, other.MediaServer = &fakeRooms{now: rooms.now, rooms: map[string]*fakeRoom{}}, "there"
	look := func(after time.Duration) {
		w.now = w.now.Add(after)
		if err := other.KeepRooms(t.Context()); err != nil {
			t.Error(err)
		}
	}
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		look(0)
		look(3 * w.RoomWait)
		return w.answered(ctx, d, tape)
	})
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	placeAll(t, w)
	if c := w.store.call(waiting); c.Status != call.Queued {
		t.Errorf("taken from a process whose caller is talking: %s, %+v", c.Status, c.EndReason)
	}
	look(sweepRooms)
	look(2*w.RoomWait - time.Second)
	if c := w.store.call(waiting); c.Status != call.Queued {
		t.Errorf("taken too soon after that: %s, %+v", c.Status, c.EndReason)
	}
	look(sweepRooms)
	if c := w.store.call(waiting); c.Status != call.Failed {
		t.Errorf("never taken from a process that does nothing: %s", c.Status)
	}
}
