package experiment

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const (
	// sweepRooms is how often the rooms in the database are compared with those on the media
	// server. In between, only joins are looked for.
	sweepRooms = 3 * time.Second
	// youngRoom is the age below which a room without a call is left alone: its call may not have
	// been stored when the rooms were listed.
	youngRoom = 10 * time.Second
	// emptyGrace is how much longer than the wait for an agent the media server keeps an empty
	// room. We close rooms earlier; this is for a process that is never started again.
	emptyGrace = 5 * time.Minute
	// roomParticipants is how many may be in a room: the agent, the caller, and whoever an agent
	// brings along or listens in.
	roomParticipants = 4
	// fresh is how old a list of the rooms may be to tell whether an agent is there.
	fresh = 1500 * time.Millisecond
	// sendAgainSoon is when another agent worker is sent into a room to which none has come:
	// the media server sends it once, and to nobody when none is registered yet or all are busy.
	// sendAgainAfter is when that is done once more, which leaves time to a worker that is slow to come.
	sendAgainSoon, sendAgainAfter = 20 * time.Second, time.Minute
	// calledFor is how long a call that was sent to its agent counts as on its way.
	calledFor = 15 * time.Second
)

// lobby is what a process remembers of the rooms whose agents it is waiting for. It may be lost
// with the process: what counts is in the database.
type lobby struct {
	mu sync.Mutex
	// joined are the rooms with somebody in them, by the call's id, as listed at listedAt.
	joined   map[string]int
	listedAt time.Duration
	listed   bool
	// called are the calls that were sent to their agents and have not been dialled yet, with the time of that.
	called map[string]time.Duration
	// held are the calls already reported as waiting for this machine.
	held map[string]bool
	// came are the calls to whose rooms somebody has come, and how far.
	came map[string]coming
	// swept is when the last sweep began.
	swept   time.Duration
	sweeped bool
	// away says that the media server did not answer when it was last asked, and for the first time at awaySince.
	away      bool
	awaySince time.Duration
	// blind says that the rooms could not be looked after, mostly because the database was away, and for the
	// first time at blindSince.
	blind      bool
	blindSince time.Duration
	// names are the rooms that existed when it last answered.
	names map[string]bool
	// sent tells of the agent workers that were sent into rooms, by the call's id.
	sent map[string]sending
	// waits are for the agents of our own rooms, orphans for the processes of other rooms.
	waits, orphans patience
}

// coming is how far an agent has come: to the door of the media server, into its room, or so far that its call was to be
// placed and this machine was full.
type coming int

const (
	atDoor coming = iota + 1
	inside
	heldBack
)

// sending is when an agent worker was last sent into a room, and whether that was not the first time.
type sending struct {
	at    time.Duration
	again bool
}

func newLobby() *lobby {
	return &lobby{
		joined: map[string]int{}, called: map[string]time.Duration{}, held: map[string]bool{}, came: map[string]coming{}, sent: map[string]sending{},
		waits: newPatience(), orphans: newPatience(),
	}
}

// KeepRooms looks after the rooms: it places the calls whose agents have joined as
// the machine has room for them, opens rooms whose turn has come or that have
// vanished, closes those whose calls are over, and ends the calls whose agents
// never came. It runs about once a second in every process, one at a time.
func (s *Service) KeepRooms(ctx context.Context) error {
	if s.Rooms == nil {
		return nil
	}
	seen, err := s.lookIntoRooms(ctx)
	if s.away(ctx, err) {
		return nil
	}
	now := s.Steady()
	if err = s.keepRooms(ctx, seen, now); err != nil && !s.lobby.blind {
		s.lobby.blind, s.lobby.blindSince = true, now
	}
	return err
}

func (s *Service) keepRooms(ctx context.Context, seen []RoomSeen, now time.Duration) error {
	if err := s.callJoined(ctx, seen); err != nil {
		return err
	}
	lacks := s.lobby.lacks(seen)
	if s.lobby.sweeped && now-s.lobby.swept < sweepRooms && !lacks {
		return nil
	}
	s.lobby.swept, s.lobby.sweeped = now, true
	return s.sweepRooms(ctx, seen, now)
}

// lacks reports whether half of the rooms of the last look are gone. A media server that was
// restarted has none of them, and turns agents away until they are opened again.
func (l *lobby) lacks(seen []RoomSeen) bool {
	before, still := l.names, 0
	l.names = make(map[string]bool, len(seen))
	for _, r := range seen {
		l.names[r.Name] = true
		if before[r.Name] {
			still++
		}
	}
	return 2*still <= len(before) && len(before) > 0
}

// away logs the beginning and the end of an outage of the media server. No agent can join during
// it, so none is waited for.
func (s *Service) away(ctx context.Context, err error) bool {
	l := s.lobby
	before := l.away
	l.away = err != nil
	switch {
	case err != nil && !before && ctx.Err() == nil:
		l.awaySince = s.Steady()
		s.Log.WarnContext(ctx, "the media server does not answer: calls in rooms wait", "error", err)
	case err == nil && before:
		l.waits.excuse(s.Steady() - l.awaySince)
		s.Log.InfoContext(ctx, "the media server answers again")
	}
	return err != nil
}

// sees ends a time in which the rooms could not be looked after: agents were turned away at the door, and other
// processes could do no more about theirs.
func (l *lobby) sees(now time.Duration) {
	if l.blind {
		l.blind = false
		l.waits.excuse(now - l.blindSince)
		l.orphans.excuse(now - l.blindSince)
	}
}

// lookIntoRooms lists the rooms at the media server and remembers who is where.
func (s *Service) lookIntoRooms(ctx context.Context) ([]RoomSeen, error) {
	at := s.Steady()
	seen, err := s.Rooms.Rooms(ctx)
	if err != nil {
		return nil, err
	}
	joined := map[string]int{}
	for _, r := range seen {
		if id := callOfRoom(r.Name); id != "" && r.Participants > 0 {
			joined[id] = r.Participants
		}
	}
	l := s.lobby
	l.mu.Lock()
	defer l.mu.Unlock()
	l.joined, l.listedAt, l.listed = joined, at, true
	for id := range joined {
		l.came[id] = max(l.came[id], inside)
	}
	for id, when := range l.called {
		if at-when > calledFor {
			delete(l.called, id)
		}
	}
	for id := range l.held {
		if joined[id] == 0 {
			delete(l.held, id)
		}
	}
	return seen, nil
}

// agentIsThere reports whether anybody is in the room of a call that our caller has not joined.
func (s *Service) agentIsThere(ctx context.Context, callID string) (bool, error) {
	l := s.lobby
	l.mu.Lock()
	old := !l.listed || s.Steady()-l.listedAt > fresh
	l.mu.Unlock()
	if old {
		if _, err := s.lookIntoRooms(ctx); err != nil {
			return false, err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.joined[callID] > 0, nil
}

// free is how many calls may be sent to their agents now.
func (s *Service) free() int {
	room, placed := s.roomAdmission.Room()
	s.lobby.mu.Lock()
	defer s.lobby.mu.Unlock()
	return room - placed - len(s.lobby.called)
}

// dialled notes that the call is no longer on its way: it has its place, or needs none.
func (l *lobby) dialled(callID string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.called, callID)
}

// callJoined places the calls whose agents have joined, as far as the machine has room, and tells
// the others that they have to wait.
func (s *Service) callJoined(ctx context.Context, seen []RoomSeen) error {
	var ids []string
	for _, r := range seen {
		if id := callOfRoom(r.Name); id != "" && r.Participants > 0 && !s.isOnLine(id) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var rows []RoomRow
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		rows, err = tx.RoomsOf(ctx, ids)
		return err
	})
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Server != s.MediaServer || row.State != RoomOpen && row.State != RoomPlanned {
			continue
		}
		if row.State == RoomPlanned { // its agent has not waited for its turn; most media servers make rooms for those who join
			if err := s.openLate(ctx, row); err != nil {
				return err
			}
		}
		if s.free() > 0 {
			err = s.sendTo(ctx, row.CallID)
		} else {
			err = s.holdBack(ctx, row.CallID)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) isOnLine(callID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.onLine[callID] != nil
}

// sendTo has the call placed whose agent is in its room.
func (s *Service) sendTo(ctx context.Context, callID string) error {
	c, item, moved, err := s.moveRoom(ctx, callID, func(tx Tx, c call.Call) (bool, error) {
		moved, err := tx.MoveRoom(ctx, c.ID, RoomOpen, RoomCalled)
		if err != nil || !moved {
			return false, err
		}
		return true, tx.Enqueue(ctx, JobPlace, c.ID, 0)
	})
	if err != nil || !moved {
		return err
	}
	l := s.lobby
	l.mu.Lock()
	l.called[callID] = s.Steady()
	l.came[callID] = inside // from here on nothing but the agent itself keeps it from meeting the caller
	delete(l.held, callID)
	l.mu.Unlock()
	s.tell(ctx, c, item, tellCalling)
	return nil
}

// holdBack tells the agent in the room and the watchers, once, that the call waits for the machine.
func (s *Service) holdBack(ctx context.Context, callID string) error {
	s.lobby.mu.Lock()
	told := s.lobby.held[callID]
	s.lobby.held[callID], s.lobby.came[callID] = true, heldBack
	s.lobby.mu.Unlock()
	if told {
		return nil
	}
	c, item, waits, err := s.moveRoom(ctx, callID, func(tx Tx, c call.Call) (bool, error) { return true, announceHeld(ctx, tx, c, heldDetail) })
	if err == nil && waits {
		s.tell(ctx, c, item, tellHeld)
	}
	return err
}

// moveRoom runs f on the locked call, unless the call is no longer waiting.
func (s *Service) moveRoom(ctx context.Context, callID string, f func(Tx, call.Call) (bool, error)) (c call.Call, item scenario.Item, moved bool, err error) {
	err = s.Store.Write(ctx, func(tx Tx) (err error) {
		moved = false
		if c, err = tx.LockCall(ctx, callID); err != nil || c.Status != call.Queued {
			return err
		}
		if item, err = tx.ItemOf(ctx, callID); err != nil {
			return err
		}
		moved, err = f(tx, c)
		return err
	})
	return c, item, moved, err
}

// backToWaiting makes the call wait for its agent again, because the agent left before the caller
// came.
func (s *Service) backToWaiting(ctx context.Context, callID string) error {
	s.lobby.dialled(callID)
	c, item, moved, err := s.moveRoom(ctx, callID, func(tx Tx, c call.Call) (bool, error) {
		return tx.MoveRoom(ctx, c.ID, RoomCalled, RoomOpen)
	})
	if err == nil && moved {
		s.tell(ctx, c, item, tellWaiting)
	}
	return err
}
