package experiment

import (
	"context"
	"errors"
	"fmt"
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
		"unknown dataset": {RoomsRequest{DatasetID: "ds_none"}, problem.NotFound, []string{"datasetId"}},
		"unknown agent":   {RoomsRequest{DatasetID: "ds_1", AgentID: "agt_none"}, problem.NotFound, []string{"agentId"}},
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

func TestTheCallerComesWhenTheAgentHasJoined(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	var dialled []leg.Dial
	w.Line = lineFunc(func(ctx context.Context, d leg.Dial, tape *leg.Tape) call.Attempt {
		dialled = append(dialled, d)
		return w.answered(ctx, d, tape)
	})
	e, made := invite(t, w, RoomsRequest{})
	ids := callIDs(made)
	w.keep(t, time.Second)
	if jobs := w.store.takeJobs(); len(jobs) != 0 {
		t.Fatalf("calls of agents that are not there: %v", jobs)
	}
	rooms.join(made[1].RoomName, 1)
	w.keep(t, time.Second)
	w.keep(t, time.Second)
	if got := w.rooms(); got[ids[0]] != RoomOpen || got[ids[1]] != RoomCalled {
		t.Fatalf("rooms %v", got)
	}
	if !strings.Contains(rooms.rooms[made[1].RoomName].Metadata, `"state":"calling"`) {
		t.Errorf("the room was not told: %s", rooms.rooms[made[1].RoomName].Metadata)
	}
	if errs := placeAll(t, w); len(errs) != 0 || len(dialled) != 1 || dialled[0].Room != made[1].RoomName || dialled[0].To != "" {
		t.Fatalf("%v, dialled %+v", errs, dialled)
	}
	if c := w.store.call(ids[1]); c.Status != call.Ended || c.Recording == nil {
		t.Errorf("the call is %s", c.Status)
	}
	if _, left := w.rooms()[ids[1]]; left || slices.Contains(rooms.names(), made[1].RoomName) {
		t.Error("the room outlived its call")
	}
	if got := w.store.experiment(e.ID); got.Status != Running {
		t.Errorf("the experiment is %s", got.Status)
	}
}

func TestAnAgentThatNeverJoinsIsGivenUp(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	e, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2"}})
	ids := callIDs(made)
	w.keep(t, 0)
	// A call of its experiment gives the other agents more time.
	rooms.join(made[0].RoomName, 1)
	w.keep(t, w.RoomWait-time.Second)
	placeAll(t, w)
	w.keep(t, w.RoomWait-time.Second)
	w.store.takeJobs()
	if c := w.store.call(ids[1]); c.Status != call.Queued {
		t.Fatalf("given up after %s without an agent: %s", w.RoomWait, c.Status)
	}
	w.keep(t, w.RoomWait)
	c := w.store.call(ids[1])
	if c.Status != call.Failed || c.EndReason.Code != call.EndAgentNeverCame || c.EndReason.Blame != call.BlameAgent || c.EndedAt.IsZero() {
		t.Fatalf("the call is %s, %+v", c.Status, c.EndReason)
	}
	if len(rooms.names()) != 0 || len(w.rooms()) != 0 {
		t.Errorf("rooms are left: %v, %v", rooms.names(), w.rooms())
	}
	if jobs := w.store.takeJobs(); !slices.Equal(jobs, []string{"review " + ids[1]}) {
		t.Errorf("jobs %v", jobs)
	}
	if got := w.store.experiment(e.ID); got.Status != Scoring {
		t.Errorf("the experiment is %s", got.Status)
	}
}

func TestAgentsWaitForTheMachineAndAreTold(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	busy := Pressure{Second: 1, Calls: 4, Busy: 0.95}
	w.roomAdmission = NewRoomAdmission(func() Pressure { return busy })
	_, made := invite(t, w, RoomsRequest{})
	for range 4 { // as many as run already
		w.roomAdmission.Enter()
	}
	for _, c := range made {
		rooms.join(c.RoomName, 1)
	}
	w.keep(t, time.Second)
	w.keep(t, 3*w.RoomWait) // whoever has joined is not given up
	if jobs := w.store.takeJobs(); len(jobs) != 0 {
		t.Fatalf("calls that the machine has no room for: %v", jobs)
	}
	told := 0
	for _, p := range w.store.rows.progress {
		if p.Kind == "call" && p.Status == "QUEUED" && p.Detail == heldDetail {
			told++
		}
	}
	meta := rooms.rooms[made[0].RoomName].Metadata
	if told != 3 || !strings.Contains(meta, `"state":"queued"`) || !strings.Contains(meta, heldDetail) {
		t.Errorf("%d calls were told, the room %s", told, meta)
	}
	w.roomAdmission.Leave()
	w.keep(t, time.Second)
	if jobs := w.store.takeJobs(); len(jobs) != 1 {
		t.Errorf("with room for one: %v", jobs)
	}
}

func TestAgentWorkersAreSentAsTheMachineHasRoom(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.roomAdmission = NewRoomAdmission(func() Pressure { return Pressure{Second: 1, Busy: 0.1} })
	for range firstRooms - 1 {
		w.roomAdmission.Enter()
	}
	e, made := invite(t, w, RoomsRequest{AgentName: "front-desk"})
	if len(rooms.names()) != 0 {
		t.Fatalf("all workers were sent at once: %v", rooms.names())
	}
	w.keep(t, 0)
	w.keep(t, 3*time.Second)
	if names := rooms.names(); len(names) != 1 || names[0] != made[0].RoomName || rooms.rooms[names[0]].AgentName != "front-desk" {
		t.Fatalf("opened %v", names)
	}
	// A worker that does not come is sent once more.
	w.keep(t, sendAgainAfter)
	w.keep(t, sweepRooms)
	if n := len(rooms.opened); n != 2 || len(rooms.names()) != 1 {
		t.Errorf("%d times a worker was sent, %v are open", n, rooms.names())
	}
	// Rooms whose turn has not come are not given up.
	w.keep(t, w.RoomWait)
	if c := w.store.call(callIDs(made)[0]); c.EndReason.Code != call.EndAgentNeverCame {
		t.Errorf("the first is %s", c.Status)
	}
	if c := w.store.call(callIDs(made)[2]); c.Status != call.Queued {
		t.Errorf("the last is %s", c.Status)
	}
	w.keep(t, 3*time.Second)
	if names := rooms.names(); len(names) != 1 || names[0] != made[1].RoomName {
		t.Errorf("then opened %v", names)
	}
	again, err := w.Cancel(t.Context(), "ws_1", e.ID)
	if err != nil {
		t.Fatal(err)
	}
	if rerun, err := w.Rerun(t.Context(), "ws_1", again.ID, false); err != nil || rerun.Plan.Rooms.AgentName != "front-desk" || rerun.RerunOf != e.ID {
		t.Errorf("rerun %+v, %v", rerun, err)
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

func TestACallThatWasBrokenOffWaitsForItsAgentAgain(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	id := callIDs(made)[0]
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	stopping, stop := context.WithCancel(t.Context())
	w.Line = lineFunc(func(context.Context, leg.Dial, *leg.Tape) call.Attempt { stop(); return call.Attempt{} })
	w.store.takeJobs()
	if err := w.Place(stopping, id); err != nil {
		t.Fatal(err)
	}
	if c := w.store.call(id); c.Status != call.Queued || w.rooms()[id] != RoomOpen {
		t.Fatalf("the call is %s, its room %s", c.Status, w.rooms()[id])
	}
	if jobs := w.store.takeJobs(); len(jobs) != 0 {
		t.Errorf("it is placed whether or not its agent is there: %v", jobs)
	}
	if len(rooms.names()) != 1 {
		t.Error("its room was closed")
	}
	// The next process finds the room gone, and calls once the agent is back.
	rooms.vanish()
	w.Line = lineFunc(w.answered)
	w.keep(t, 3*time.Second)
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	placeAll(t, w)
	if c := w.store.call(id); c.Status != call.Ended {
		t.Errorf("in the end the call is %s", c.Status)
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
	w.HangUp = func(_ context.Context, reference string) error {
		if c := w.store.call(id); c.Status == call.Queued {
			t.Error("the call was given back before its dead caller had been taken out")
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

func TestAnAgentThatLeftBeforeTheCallerCameIsWaitedFor(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	id := callIDs(made)[0]
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	rooms.join(made[0].RoomName, -1)
	w.now = w.now.Add(2 * time.Second)
	placeAll(t, w)
	if c := w.store.call(id); c.Status != call.Queued || w.rooms()[id] != RoomOpen {
		t.Fatalf("the call is %s, its room %s", c.Status, w.rooms()[id])
	}
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	placeAll(t, w)
	if c := w.store.call(id); c.Status != call.Ended {
		t.Errorf("in the end the call is %s", c.Status)
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

func TestRoomsBeyondTheSpaceAreOpenedInTheirOrder(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	items := make([]scenario.Item, maxOpen+2)
	for i := range items {
		items[i].ID = fmt.Sprintf("di_%d", i)
	}
	w.store.rows.items["ds_1"] = items
	_, made := invite(t, w, RoomsRequest{})
	if n := len(rooms.names()); n != maxOpen || len(made) != maxOpen+2 {
		t.Fatalf("%d rooms are open, %d tokens", n, len(made))
	}
	_, more := invite(t, w, RoomsRequest{ItemIDs: []string{"di_0"}})
	w.keep(t, 0)
	if n := len(rooms.names()); n != maxOpen {
		t.Fatalf("%d rooms are open", n)
	}
	rooms.join(made[7].RoomName, 1)
	w.keep(t, time.Second)
	placeAll(t, w)
	w.keep(t, sweepRooms)
	if names := rooms.names(); len(names) != maxOpen || !slices.Contains(names, made[maxOpen].RoomName) || slices.Contains(names, more[0].RoomName) {
		t.Errorf("not the next one was opened of %d", len(names))
	}
	// Whoever's room has not been open has not been waited for.
	w.keep(t, w.RoomWait-sweepRooms)
	w.keep(t, sweepRooms)
	if c := w.store.call(callIDs(more)[0]); c.Status != call.Queued {
		t.Errorf("the last is %s", c.Status)
	}
}
