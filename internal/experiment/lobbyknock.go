package experiment

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Knock makes sure that the room exists for the agent at its door. The room's turn may not have
// come yet, or the media server may have forgotten it after a restart or because it stood empty;
// until the next sweep the server would turn the agent away for good. The room of a call that is
// over stays closed, which is no error; an error tells the agent to come again.
func (s *Service) Knock(ctx context.Context, room string) error {
	id := callOfRoom(room)
	if id == "" {
		return nil
	}
	err := s.letIn(ctx, id)
	if err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "a room could not be opened for its agent", "call", id, "error", err)
	}
	return err
}

// letIn opens the room of a call that is not over, if it is this process's to open.
func (s *Service) letIn(ctx context.Context, callID string) error {
	row, c, item, err := s.roomAndCall(ctx, callID)
	if err == nil && row.State == RoomPlanned && row.Server == s.MediaServer {
		_, _, _, err = s.moveRoom(ctx, callID, func(tx Tx, c call.Call) (bool, error) {
			return tx.MoveRoom(ctx, c.ID, RoomPlanned, RoomOpen)
		})
		if err == nil { // somebody else may have moved it
			row, c, item, err = s.roomAndCall(ctx, callID)
		}
	}
	if err != nil || !row.isOpen() || row.Server != s.MediaServer {
		return err
	}
	s.lobby.knock(callID)
	// No worker is sent: the agent has come by itself.
	if err := s.openRoom(ctx, c, item, ""); err != nil {
		return err
	}
	// It may be over meanwhile, and its room closed before it was open.
	s.closeIfOver(ctx, callID)
	return nil
}

// knock remembers that somebody was at the door of a call's room.
func (l *lobby) knock(callID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.came[callID] = max(l.came[callID], atDoor)
}

// holdUp remembers that an agent was there whose call could not be placed.
func (l *lobby) holdUp(callID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.came[callID] = heldBack
}

// nobodyCame is the end reason of a call whose caller met nobody. An agent that reaches the media
// server by TCP but not by UDP is let in and never connected, although its own client may say that
// it has joined. One that left while this machine was full had come, and owes us no more.
func (l *lobby) nobodyCame(callID string) call.EndReason {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.came[callID] {
	case heldBack:
		return call.EndOf(call.EndInterrupted, notWaited)
	case inside:
		return call.EndOf(call.EndAgentNeverCame, "whoever joined the room left it before the caller came")
	case atDoor:
		return call.EndOf(call.EndAgentNeverCame, "an agent tried to join the room but was never connected; it must also reach the media server over UDP")
	}
	return call.EndOf(call.EndAgentNeverCame, "nobody joined the room")
}

// forget forgets who came to rooms that are there no more.
func (l *lobby) forget(rows []RoomRow) {
	l.mu.Lock()
	defer l.mu.Unlock()
	still := make(map[string]coming, len(l.came))
	for _, row := range rows {
		if far, came := l.came[row.CallID]; came {
			still[row.CallID] = far
		}
	}
	l.came = still
}

// roomAndCall reads a room with its call; one without a row has no state.
func (s *Service) roomAndCall(ctx context.Context, callID string) (row RoomRow, c call.Call, item scenario.Item, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		rows, err := tx.RoomsOf(ctx, []string{callID})
		if err != nil || len(rows) == 0 {
			return err
		}
		row = rows[0]
		if c, err = tx.CallByID(ctx, "", callID); err != nil {
			return err
		}
		item, err = tx.ItemOf(ctx, callID)
		return err
	})
	return row, c, item, err
}
