package experiment

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// openMissing opens the rooms that are missing. It returns the calls whose rooms could not be opened,
// by their id: they keep no others waiting.
func (s *Service) openMissing(ctx context.Context, rows []RoomRow, seen []RoomSeen) (unopened map[string]bool) {
	missing := s.missing(rows, seen)
	inTime, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	failed := make([]bool, len(missing))
	var g errgroup.Group
	g.SetLimit(openers)
	for i, row := range missing {
		g.Go(func() error {
			err := s.openLate(inTime, row)
			failed[i] = err != nil
			return err
		})
	}
	if err := g.Wait(); err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "rooms could not be opened yet", "error", err)
	}
	unopened = map[string]bool{}
	for i, row := range missing {
		if failed[i] {
			unopened[row.CallID] = true
		}
	}
	return unopened
}

// missing returns the rooms of waiting calls that the media server does not have: after it was
// started anew, or when they were empty for too long. Planned ones follow in their order, as there is
// space for them.
func (s *Service) missing(rows []RoomRow, seen []RoomSeen) (missing []RoomRow) {
	there := make(map[string]bool, len(seen))
	for _, r := range seen {
		there[callOfRoom(r.Name)] = true
	}
	space, callable := s.vacancies(rows)
	for _, row := range rows {
		switch {
		case row.Server != s.MediaServer:
		case row.State == RoomOpen && !there[row.CallID]:
			missing = append(missing, row)
		case row.State == RoomPlanned && space > 0 && (row.AgentName == "" || callable > 0):
			space--
			if row.AgentName != "" {
				callable--
			}
			missing = append(missing, row)
		}
	}
	return missing
}

// sendAgain closes the rooms to which an agent worker was sent and did not come, so
// that the media server sends one anew when they are opened.
func (s *Service) sendAgain(ctx context.Context, rows []RoomRow, now time.Duration) {
	sent := make(map[string]sending, len(s.lobby.sent))
	for _, row := range rows {
		if row.AgentName == "" || row.State != RoomOpen || row.Server != s.MediaServer {
			continue
		}
		one, known := s.lobby.sent[row.CallID]
		if !known || s.isThere(row.CallID) {
			one.at = now
		}
		patience := sendAgainSoon
		if one.again {
			patience = sendAgainAfter
		}
		if now-one.at >= patience {
			if err := s.Rooms.CloseRoom(ctx, RoomName(row.CallID)); err == nil {
				one = sending{at: now, again: true} // it is missing now, and opened again
			}
		}
		sent[row.CallID] = one
	}
	s.lobby.sent = sent
}

// vacancies are how many more rooms may be open, and into how many of them agent
// workers may be sent: as many as the machine has room for their calls.
func (s *Service) vacancies(rows []RoomRow) (space, callable int) {
	space, callable = maxOpen, s.free()
	for _, row := range rows {
		if row.Server != s.MediaServer {
			continue
		}
		if row.isOpen() {
			space--
		}
		if row.State == RoomOpen && row.AgentName != "" {
			callable--
		}
	}
	return space, callable
}

// openLate opens the room of a call that still waits.
func (s *Service) openLate(ctx context.Context, row RoomRow) error {
	c, item, waits, err := s.moveRoom(ctx, row.CallID, func(tx Tx, c call.Call) (bool, error) {
		if row.State == RoomPlanned {
			return tx.MoveRoom(ctx, c.ID, RoomPlanned, RoomOpen)
		}
		return true, nil
	})
	if err != nil || !waits {
		return err
	}
	err = s.openRoom(ctx, c, item, row.AgentName)
	if problem.Is(err, problem.InvalidFields) { // nor will it later, and the other rooms need not wait for it
		return s.failWaiting(ctx, row, call.EndOf(call.EndConfiguration, notTaken).Blaming(call.BlameRingtrue))
	}
	if err != nil {
		return err
	}
	// It may have been canceled meanwhile, and its room closed before it was open.
	s.closeIfOver(ctx, c.ID)
	return nil
}

// giveUpWaiting ends the calls whose agents never came, or could not because their rooms are not
// open. Those whose room is at the media server of another process are that one's; when it does
// nothing about them for twice as long, it is gone.
func (s *Service) giveUpWaiting(ctx context.Context, rows []RoomRow, unopened map[string]bool, now time.Duration) error {
	var mine, others []RoomRow
	for _, row := range rows {
		if row.Server == s.MediaServer {
			mine = append(mine, row)
		} else {
			others = append(others, row)
		}
	}
	if err := s.lookFromOutside(ctx, others); err != nil {
		return err
	}
	for _, row := range s.lobby.waits.look(mine, s.isThere, now, s.RoomWait) {
		why := s.lobby.nobodyCame(row.CallID)
		if unopened[row.CallID] {
			why = call.EndOf(call.EndInterrupted, notOpened)
		}
		if err := s.failWaiting(ctx, row, why); err != nil {
			return err
		}
	}
	for _, row := range s.lobby.orphans.look(others, nobodyIsThere, now, 2*s.RoomWait) {
		if err := s.failWaiting(ctx, row, call.EndOf(call.EndInterrupted, "the process whose media server had the room is gone")); err != nil {
			return err
		}
	}
	s.lobby.forget(rows)
	return nil
}

// lookFromOutside has rooms of other processes that were called or planned count as waited for, but for
// those with a call on the line: as long as one lasts, its process lives.
func (s *Service) lookFromOutside(ctx context.Context, rows []RoomRow) error {
	if len(rows) == 0 {
		return nil
	}
	onLine := map[string]bool{}
	err := s.Store.Read(ctx, func(tx Tx) error {
		open, err := tx.OpenAttempts(ctx)
		for _, p := range open {
			onLine[p.CallID] = true
		}
		return err
	})
	for i := range rows {
		switch row := &rows[i]; {
		case row.State == RoomClosing:
		case onLine[row.CallID]:
			row.State = RoomCalled
		default:
			row.State = RoomOpen
		}
	}
	return err
}

func (s *Service) isThere(callID string) bool {
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return s.lobby.joined[callID] > 0
}

// nobodyIsThere is all that is known of the rooms of another process.
func nobodyIsThere(string) bool { return false }

// notAgain is what is said of a call that our side broke off and whose agent did not come
// once more: it had come, and owes us nothing.
const notAgain = "our side dropped the call, and the agent did not join again"

// notWaited is what is said of a call whose agent left while our side could not place it.
const notWaited = "this machine was full when the agent had joined, and the agent left and did not join again"

// notTaken is what is said of a call whose room the media server refuses to open.
const notTaken = "the media server does not accept the call's room; metadata.variables of the item may be too large"

// notOpened is what is said of a call whose room the media server could not open in all the time there was.
const notOpened = "the media server could not open the call's room"

// failWaiting ends a call that waits in vain.
func (s *Service) failWaiting(ctx context.Context, row RoomRow, why call.EndReason) error {
	err := s.Store.Write(ctx, func(tx Tx) error {
		c, err := tx.LockCall(ctx, row.CallID)
		if err != nil || c.Status != call.Queued {
			return err
		}
		before, err := tx.AttemptsOf(ctx, c.ID)
		if err != nil {
			return err
		}
		if len(before) > 0 && why.Code == call.EndAgentNeverCame {
			why = call.EndOf(call.EndInterrupted, notAgain)
		}
		c.Status, c.EndedAt, c.EndReason = call.Failed, s.Now(), why
		return s.afterLine(ctx, tx, c)
	})
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err == nil {
		s.closeIfOver(ctx, row.CallID)
	}
	return err
}

// inRoom prepares a placement whose agent is met in a room: it is false when the
// call is not to be placed now.
func (s *Service) inRoom(ctx context.Context, p *placement) (bool, error) {
	if s.Rooms == nil {
		return false, errNoRooms
	}
	var rows []RoomRow
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		rows, err = tx.RoomsOf(ctx, []string{p.call.ID})
		return err
	})
	switch {
	case err != nil || len(rows) == 0 || rows[0].State != RoomCalled:
		return false, err
	case rows[0].Server != s.MediaServer:
		return false, TryAgain{After: laterAgain}
	}
	there, err := s.agentIsThere(ctx, p.call.ID)
	if err != nil && ctx.Err() == nil {
		s.Log.WarnContext(ctx, "a call waits until the media server answers again", "call", p.call.ID, "error", err)
		return false, TryAgain{After: outagePause}
	}
	if err != nil || there {
		return there, err
	}
	return false, s.backToWaiting(ctx, p.call.ID)
}

var errNoRooms = errors.New("the call needs a room, and this service has no media server")

// againInRoom has the call of a broken attempt wait for its agent once more.
func againInRoom(ctx context.Context, tx Tx, c call.Call) error {
	_, err := tx.MoveRoom(ctx, c.ID, RoomCalled, RoomOpen)
	return err
}

// announceHeld tells the watchers what a queued call waits for.
func announceHeld(ctx context.Context, tx Tx, c call.Call, detail string) error {
	return tx.Announce(ctx, c.WorkspaceID, Progress{
		Kind: "call", ExperimentID: c.ExperimentID, CallID: c.ID,
		Status: string(c.Status), ScoringStatus: string(c.ScoringStatus), Detail: detail,
	})
}

// endRoom has the room of a call that is over closed.
func endRoom(ctx context.Context, tx Tx, c call.Call) error {
	if c.Line != LineRoom {
		return nil
	}
	return tx.EndRoom(ctx, c.ID)
}
