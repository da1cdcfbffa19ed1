package experiment

import (
	"context"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// sweepRooms brings the database and the media server together.
func (s *Service) sweepRooms(ctx context.Context, seen []RoomSeen, now time.Duration) error {
	var rows []RoomRow
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		rows, err = tx.AllRooms(ctx)
		return err
	})
	if err != nil {
		return err
	}
	s.lobby.sees(now)
	known := make(map[string]bool, len(rows))
	for _, row := range rows {
		known[row.CallID] = true
	}
	s.closeUnknown(ctx, seen, known)
	if err := s.closeOver(ctx, rows); err != nil {
		return err
	}
	s.sendAgain(ctx, rows, now)
	unopened := s.openMissing(ctx, rows, seen)
	return s.giveUpWaiting(ctx, rows, unopened, now)
}

// closeUnknown closes rooms that bear our name and belong to no call that waits.
// At a media server that others use as well, a room of a call that this
// database does not know may be theirs: it ends when it has been empty for a while.
func (s *Service) closeUnknown(ctx context.Context, seen []RoomSeen, known map[string]bool) {
	for _, r := range seen {
		id := callOfRoom(r.Name)
		if id == "" || known[id] || s.isOnLine(id) || s.Now().Sub(r.CreatedAt).Abs() < youngRoom {
			continue
		}
		err := s.Store.Read(ctx, func(tx Tx) error {
			_, err := tx.CallByID(ctx, "", id)
			return err
		})
		if err == nil || problem.Is(err, problem.NotFound) && s.MediaServer != "" {
			err = s.Rooms.CloseRoom(ctx, r.Name)
		}
		if err != nil && !problem.Is(err, problem.NotFound) && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "a room that nobody needs could not be closed", "room", r.Name, "error", err)
		}
	}
}

// closeOver closes the rooms whose calls are over.
func (s *Service) closeOver(ctx context.Context, rows []RoomRow) error {
	var mine []RoomRow
	for _, row := range rows {
		if row.State == RoomClosing && row.Server == s.MediaServer {
			mine = append(mine, row)
		}
	}
	return s.closeRooms(ctx, mine)
}

// closeRooms closes rooms at the media server and then forgets them; those that
// could not be closed are tried again later.
func (s *Service) closeRooms(ctx context.Context, rows []RoomRow) error {
	closed := make([]bool, len(rows))
	var g errgroup.Group
	g.SetLimit(openers)
	for i, row := range rows {
		g.Go(func() error {
			err := s.Rooms.CloseRoom(ctx, RoomName(row.CallID))
			if closed[i] = err == nil; !closed[i] && ctx.Err() == nil {
				s.Log.WarnContext(ctx, "a room could not be closed yet", "call", row.CallID, "error", err)
			}
			return nil
		})
	}
	_ = g.Wait() // each has been logged
	var gone []string
	for i, row := range rows {
		if closed[i] {
			gone = append(gone, row.CallID)
		}
	}
	if len(gone) == 0 {
		return nil
	}
	return s.Store.Write(ctx, func(tx Tx) error { return tx.DropRooms(ctx, gone) })
}

// closeIfOver closes the room of a call that has just been stored, if it is of no more use.
func (s *Service) closeIfOver(ctx context.Context, callID string) {
	ctx = context.WithoutCancel(ctx)
	var rows []RoomRow
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		rows, err = tx.RoomsOf(ctx, []string{callID})
		return err
	})
	if err == nil {
		err = s.closeOver(ctx, rows)
	}
	if err != nil { // the next sweep does it
		s.Log.WarnContext(ctx, "a room could not be forgotten yet", "call", callID, "error", err)
	}
}
