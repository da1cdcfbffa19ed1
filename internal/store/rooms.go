package store

import (
	"context"
	"slices"

	"github.com/ringtrue/ringtrue/internal/experiment"
)

const roomColumns = "call_id, experiment_id, server, state, agent_name"

func roomFields(r *experiment.RoomRow) []any {
	return []any{&r.CallID, &r.ExperimentID, &r.Server, &r.State, &r.AgentName}
}

// InsertRooms implements experiment.RoomRows.
func (tx *Tx) InsertRooms(ctx context.Context, rooms []experiment.RoomRow) error {
	rows := make([][]any, len(rooms))
	for i := range rooms {
		rows[i] = roomFields(&rooms[i])
	}
	return tx.insert(ctx, "rooms", roomColumns, rows...)
}

// MoveRoom implements experiment.RoomRows.
func (tx *Tx) MoveRoom(ctx context.Context, callID string, from, to experiment.RoomState) (bool, error) {
	n, err := tx.exec(ctx, `UPDATE rooms SET state = $3 WHERE call_id = $1 AND state = $2`, callID, from, to)
	return n > 0, err
}

// EndRoom implements experiment.RoomRows.
func (tx *Tx) EndRoom(ctx context.Context, callID string) error {
	_, err := tx.exec(ctx, `UPDATE rooms SET state = $2 WHERE call_id = $1`, callID, experiment.RoomClosing)
	return err
}

// DropRooms implements experiment.RoomRows.
func (tx *Tx) DropRooms(ctx context.Context, callIDs []string) error {
	for chunk := range slices.Chunk(callIDs, maxParameters-1) {
		args := append([]any{experiment.RoomClosing}, anys(chunk)...)
		if _, err := tx.exec(ctx, `DELETE FROM rooms WHERE state = $1 AND call_id IN `+marks(2, len(chunk)), args...); err != nil {
			return err
		}
	}
	return nil
}

// AllRooms implements experiment.RoomRows.
func (tx *Tx) AllRooms(ctx context.Context) ([]experiment.RoomRow, error) {
	return all(ctx, tx, roomFields, `SELECT `+roomColumns+` FROM rooms ORDER BY call_id`)
}

// RoomsOf implements experiment.RoomRows.
func (tx *Tx) RoomsOf(ctx context.Context, callIDs []string) ([]experiment.RoomRow, error) {
	var out []experiment.RoomRow
	for chunk := range slices.Chunk(callIDs, maxParameters) {
		found, err := all(ctx, tx, roomFields,
			`SELECT `+roomColumns+` FROM rooms WHERE call_id IN `+marks(1, len(chunk)), anys(chunk)...)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

func anys(texts []string) []any {
	out := make([]any, len(texts))
	for i := range texts {
		out[i] = texts[i]
	}
	return out
}
