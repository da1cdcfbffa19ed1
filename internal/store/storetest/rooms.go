package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

// aRoomCall is a call that waits for its agent in a room.
func aRoomCall(experimentID string) call.Call {
	c := aCall(experimentID)
	c.AgentID, c.Line, c.Trunk, c.From, c.To = "", experiment.LineRoom, "", "", ""
	c.Room = experiment.RoomName(c.ID)
	return c
}

func (b *bench) allRooms(t *testing.T) []experiment.RoomRow {
	t.Helper()
	return get(t, b, func(ctx context.Context, tx *store.Tx) ([]experiment.RoomRow, error) { return tx.AllRooms(ctx) })
}

func (b *bench) moveRoom(t *testing.T, callID string, from, to experiment.RoomState) (moved bool) {
	t.Helper()
	b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
		moved, err = tx.MoveRoom(ctx, callID, from, to)
		return err
	})
	return moved
}

func rooms(t *testing.T, b *bench) {
	e := anExperiment()
	e.AgentID, e.Line, e.To = "", experiment.LineRoom, ""
	e.Plan.Rooms = &experiment.RoomPlan{AgentName: "front-desk", Life: 1}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertExperiment(ctx, e) })
	same(t, "experiment without an agent", get(t, b, func(ctx context.Context, tx *store.Tx) (experiment.Experiment, error) {
		return tx.ExperimentByID(ctx, ours, e.ID)
	}), e)
	c := aRoomCall(e.ID)
	b.insert(t, c)
	same(t, "call in a room", get(t, b, func(ctx context.Context, tx *store.Tx) (call.Call, error) { return tx.CallByID(ctx, ours, c.ID) }), c)

	row := experiment.RoomRow{CallID: c.ID, ExperimentID: e.ID, Server: "srv", State: experiment.RoomPlanned, AgentName: "front-desk"}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertRooms(ctx, []experiment.RoomRow{row}) })
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertRooms(ctx, []experiment.RoomRow{row})
	})
	same(t, "room", b.allRooms(t), []experiment.RoomRow{row})
	if !b.moveRoom(t, c.ID, experiment.RoomPlanned, experiment.RoomOpen) || b.moveRoom(t, c.ID, experiment.RoomPlanned, experiment.RoomOpen) {
		t.Error("a room moves once from where it is")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DropRooms(ctx, []string{c.ID}) })
	row.State = experiment.RoomOpen
	same(t, "an open room is not forgotten", b.allRooms(t), []experiment.RoomRow{row})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.EndRoom(ctx, "call_none"); err != nil {
			return err
		}
		return tx.EndRoom(ctx, c.ID)
	})
	row.State = experiment.RoomClosing
	same(t, "closing", b.allRooms(t), []experiment.RoomRow{row})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DropRooms(ctx, []string{"call_none", c.ID}) })
	if left := b.allRooms(t); len(left) != 0 {
		t.Errorf("closed rooms are kept: %v", left)
	}
}

// manyRooms has more rooms than one statement takes.
func manyRooms(t *testing.T, b *bench) {
	const n = 300
	calls, rows, ids := make([]call.Call, n), make([]experiment.RoomRow, n), make([]string, n)
	for i := range calls {
		calls[i] = aRoomCall("ve_many")
		ids[i] = calls[i].ID
		rows[i] = experiment.RoomRow{CallID: ids[i], ExperimentID: "ve_many", State: experiment.RoomClosing, Server: fmt.Sprint(i)}
	}
	b.insert(t, calls...)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertRooms(ctx, rows) })
	byID := func(a, b experiment.RoomRow) int { return cmp.Compare(a.CallID, b.CallID) }
	slices.SortFunc(rows, byID)
	same(t, "all", b.allRooms(t), rows)
	found := get(t, b, func(ctx context.Context, tx *store.Tx) ([]experiment.RoomRow, error) {
		return tx.RoomsOf(ctx, append([]string{"call_none"}, ids...))
	})
	slices.SortFunc(found, byID)
	same(t, "by call", found, rows)
	if none := get(t, b, func(ctx context.Context, tx *store.Tx) ([]experiment.RoomRow, error) { return tx.RoomsOf(ctx, nil) }); len(none) != 0 {
		t.Errorf("rooms of no calls: %v", none)
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DropRooms(ctx, ids[1:]) })
	if left := b.allRooms(t); len(left) != 1 || left[0].CallID != ids[0] {
		t.Errorf("%d rooms are left, want the one", len(left))
	}
}
