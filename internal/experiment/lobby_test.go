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
	"github.com/ringtrue/ringtrue/internal/scenario"
)

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

// An experiment to which no agent came is scored like any other once its calls are over.
func TestAnExperimentToWhichNobodyCameIsScored(t *testing.T) {
	t.Parallel()
	w, _ := newRoomWorld()
	e, _ := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2"}})
	w.keep(t, time.Second)
	w.keep(t, w.RoomWait)
	if got := w.store.experiment(e.ID); got.Status != Scoring {
		t.Errorf("while its calls are reviewed, the experiment is %s", got.Status)
	}
	settle(t, w, e, call.NotPassed, call.NotPassed)
	if got := w.store.experiment(e.ID); got.Status != Finished || got.Verdict != call.NotPassed {
		t.Errorf("in the end it is %s, %s", got.Status, got.Verdict)
	}
}

// A room that the media server does not take, and never will, is not to keep others from being looked after.
func TestARoomThatIsRefusedKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2"}})
	ids := callIDs(made)
	rooms.vanish()
	rooms.refused = made[0].RoomName
	w.keep(t, sweepRooms)
	c := w.store.call(ids[0])
	if c.Status != call.Failed || c.EndReason.Code != call.EndConfiguration || c.EndReason.Blame != call.BlameRingtrue || c.EndReason.Detail != notTaken {
		t.Errorf("the call whose room is refused is %s, %+v", c.Status, c.EndReason)
	}
	if got := rooms.names(); !slices.Equal(got, []string{made[1].RoomName}) {
		t.Errorf("the rooms are %v", got)
	}
	w.keep(t, w.RoomWait)
	w.keep(t, w.RoomWait)
	if c := w.store.call(ids[1]); c.Status != call.Failed || c.EndReason.Code != call.EndAgentNeverCame {
		t.Errorf("the other call is %s, %+v", c.Status, c.EndReason)
	}
	if jobs := w.store.takeJobs(); !slices.Equal(jobs, []string{"review " + ids[0], "review " + ids[1]}) {
		t.Errorf("jobs %v", jobs)
	}
}

// A room that the media server cannot open, whenever it is asked, is not to keep others from being opened and given up.
func TestARoomThatCannotBeOpenedKeepsNoOtherWaiting(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1", "di_2"}})
	ids := callIDs(made)
	rooms.vanish()
	rooms.broken = made[0].RoomName
	w.keep(t, sweepRooms)
	if got := rooms.names(); !slices.Equal(got, []string{made[1].RoomName}) {
		t.Errorf("the rooms are %v", got)
	}
	w.keep(t, w.RoomWait)
	for i, want := range []call.EndReason{call.EndOf(call.EndInterrupted, notOpened), call.EndOf(call.EndAgentNeverCame, "nobody joined the room")} {
		if c := w.store.call(ids[i]); c.Status != call.Failed || c.EndReason != want {
			t.Errorf("call %d is %s, %+v, want %+v", i, c.Status, c.EndReason, want)
		}
	}
}

// What no room could tell is said before there is one.
func TestVariablesThatNoRoomCouldTell(t *testing.T) {
	t.Parallel()
	item := func(key string, n int) scenario.Item {
		return scenario.Item{ID: "di_" + key, Key: key, Metadata: map[string]any{"variables": map[string]any{"notes": strings.Repeat("x", n)}}}
	}
	if got := checkVariables([]scenario.Item{{ID: "di_1"}, item("some", 100_000)}); len(got) != 0 {
		t.Errorf("usual items are refused: %v", got)
	}
	got := checkVariables([]scenario.Item{item("some", 10), item("many", longestVariables)})
	if len(got) != 1 || got[0].Path != "datasetId" || !strings.Contains(got[0].Message, "(many)") {
		t.Errorf("an item that says too much: %v", got)
	}
}

func TestAgentsWaitForTheMachineAndAreTold(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	busy := Pressure{Second: 1, Calls: 4, Busy: 0.95}
	w.roomAdmission = newRoomAdmission(func() Pressure { return busy })
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

// The time that an agent spent in its room because the machine was full is not held against it when
// it leaves and comes again.
func TestAnAgentThatLeavesAFullMachineHasItsWholeTimeToComeBack(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.roomAdmission = newRoomAdmission(func() Pressure { return Pressure{Second: 1, Calls: 1, Busy: 0.95} })
	w.roomAdmission.Enter()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	id := callIDs(made)[0]
	w.keep(t, time.Second)
	rooms.join(made[0].RoomName, 1)
	w.keep(t, w.RoomWait-sweepRooms)
	w.keep(t, w.RoomWait)
	rooms.join(made[0].RoomName, -1)
	w.keep(t, w.RoomWait-time.Second)
	if c := w.store.call(id); c.Status != call.Queued {
		t.Fatalf("given up when it had left: %s, %+v", c.Status, c.EndReason)
	}
	w.keep(t, time.Second+sweepRooms)
	if c := w.store.call(id); c.Status != call.Failed || c.EndReason != call.EndOf(call.EndInterrupted, notWaited) {
		t.Errorf("in the end the call is %s, %+v, and its agent had come", c.Status, c.EndReason)
	}
}

// An agent that had to wait for the machine, comes again and leaves when its caller is on the way, leaves by itself.
func TestAnAgentThatLeavesWhenTheMachineHasRoomIsToBlame(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.roomAdmission = newRoomAdmission(func() Pressure { return Pressure{Second: 1, Calls: 1, Busy: 0.95} })
	w.roomAdmission.Enter()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	rooms.join(made[0].RoomName, 1)
	w.keep(t, time.Second)
	w.roomAdmission.Leave()
	w.keep(t, time.Second)
	rooms.join(made[0].RoomName, -1)
	w.keep(t, time.Second)
	placeAll(t, w)
	w.keep(t, sweepRooms)
	w.keep(t, w.RoomWait)
	if c := w.store.call(callIDs(made)[0]); c.EndReason.Code != call.EndAgentNeverCame || !strings.Contains(c.EndReason.Detail, "left") {
		t.Errorf("the call is %s, %+v", c.Status, c.EndReason)
	}
}

func TestAgentWorkersAreSentAsTheMachineHasRoom(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	w.roomAdmission = newRoomAdmission(func() Pressure { return Pressure{Second: 1, Busy: 0.1} })
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
	// A worker that does not come is sent once more, soon at first.
	for i, after := range []time.Duration{sendAgainSoon, sendAgainSoon, sendAgainAfter} {
		w.keep(t, after)
		w.keep(t, sweepRooms)
		if n, want := len(rooms.opened), []int{2, 2, 3}[i]; n != want || len(rooms.names()) != 1 {
			t.Errorf("%d times a worker was sent, want %d; %v are open", n, want, rooms.names())
		}
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
	if rerun, err := w.Rerun(t.Context(), "ws_1", again.ID, false); err != nil || rerun.Plan.Rooms.AgentName != "front-desk" || rerun.RerunOf != e.ID || rerun.Plan.OnlyFailed {
		t.Errorf("rerun %+v, %v", rerun, err)
	}
	if rerun, err := w.Rerun(t.Context(), "ws_1", again.ID, true); err != nil || !rerun.Plan.OnlyFailed {
		t.Errorf("a rerun of what failed %+v, %v", rerun, err)
	}
	w.store.rows.items["ds_1"] = w.store.rows.items["ds_1"][1:]
	if rerun, err := w.Rerun(t.Context(), "ws_1", again.ID, false); err != nil || rerun.Counts.Calls != len(made)-1 {
		t.Errorf("a rerun after an item was deleted: %d calls, %v", rerun.Counts.Calls, err)
	}
	w.store.rows.items["ds_1"] = nil
	if _, err := w.Rerun(t.Context(), "ws_1", again.ID, false); fieldOf(err) != "datasetId" {
		t.Errorf("a rerun without any of its items: %v", err)
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

// TestNobodyIsWaitedForWhileTheMediaServerIsAway however long that is: no agent can join then.
func TestNobodyIsWaitedForWhileTheMediaServerIsAway(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	_, made := invite(t, w, RoomsRequest{ItemIDs: []string{"di_1"}})
	id := callIDs(made)[0]
	w.keep(t, 0)
	w.keep(t, w.RoomWait/2)
	rooms.down = errors.New("away")
	w.keep(t, time.Second)
	w.keep(t, 3*w.RoomWait)
	rooms.down = nil
	w.keep(t, time.Second)
	w.keep(t, w.RoomWait/2-3*time.Second)
	if c := w.store.call(id); c.Status != call.Queued {
		t.Fatalf("the agent is not waited for any more: %s, %s", c.Status, c.EndReason.Code)
	}
	w.keep(t, 2*sweepRooms)
	if c := w.store.call(id); c.EndReason.Code != call.EndAgentNeverCame {
		t.Errorf("what it had waited before counts no more: %s", c.Status)
	}
}

// An agent need not know whether its room's turn has come.
func TestWhoeverComesBeforeItsTurnIsLetIn(t *testing.T) {
	t.Parallel()
	w, rooms := newRoomWorld()
	items := make([]scenario.Item, maxOpen+3)
	for i := range items {
		items[i].ID = fmt.Sprintf("di_%d", i)
	}
	w.store.rows.items["ds_1"] = items
	e, made := invite(t, w, RoomsRequest{})
	last, madeByJoining := made[maxOpen+2], made[maxOpen+1]
	for _, stranger := range []string{"", "somebody-elses", RoomName("call_unknown")} {
		w.knock(t, stranger)
	}
	if n := len(rooms.names()); n != maxOpen {
		t.Fatalf("%d rooms are open", n)
	}
	for range 2 {
		w.knock(t, last.RoomName)
	}
	if n := len(rooms.names()); n != maxOpen+1 || rooms.rooms[last.RoomName] == nil {
		t.Fatalf("%d rooms were opened", n)
	}
	rooms.join(last.RoomName, 1)
	if err := rooms.Open(t.Context(), RoomSpec{Name: madeByJoining.RoomName}); err != nil {
		t.Fatal(err)
	}
	rooms.join(madeByJoining.RoomName, 1)
	w.keep(t, time.Second)
	for _, c := range []Connection{last, madeByJoining} {
		if got := w.rooms()[callOfRoom(c.RoomName)]; got != RoomCalled {
			t.Errorf("the room of an agent that came early is %s", got)
		}
	}
	if _, err := w.Cancel(t.Context(), "ws_1", e.ID); err != nil {
		t.Fatal(err)
	}
	before := len(rooms.opened)
	w.knock(t, made[maxOpen].RoomName)
	if len(rooms.opened) != before {
		t.Error("the room of a canceled call was opened")
	}
}
