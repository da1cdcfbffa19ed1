package media

import (
	"context"
	"strings"
	"sync"

	"github.com/livekit/protocol/livekit"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// looksAtATime is the number of rooms of an external server that one call of Rooms looks into.
const looksAtATime = 16

// count fills in how many participants the rooms have. The server's room list is seconds behind
// and omits agents that the server dispatched itself, so rooms of this process are counted
// directly, and others one by one, a limited number per call, in rotation.
func (s *Server) count(ctx context.Context, rooms []RoomState) error {
	var others []*RoomState
	for i := range rooms {
		if n, here := s.inside.participants(ctx, rooms[i].Name); here {
			rooms[i].Participants = n
		} else {
			others = append(others, &rooms[i])
		}
	}
	for _, room := range s.turn.next(others) {
		there, err := s.api.participants(ctx, room.Name)
		if problem.Is(err, problem.NotFound) {
			continue // closed in the meantime
		}
		if err != nil {
			return err
		}
		s.turn.saw(room.Name, crowd(there))
	}
	s.turn.tell(others)
	return nil
}

// crowd returns the number of connected participants other than our own caller.
func crowd(there []*livekit.ParticipantInfo) int {
	n := 0
	for _, p := range there {
		if p.GetState() == livekit.ParticipantInfo_ACTIVE && !strings.HasPrefix(p.GetIdentity(), CallerIdentity) {
			n++
		}
	}
	return n
}

// rota remembers the participant counts of rooms that have to be looked into one by one, and
// which room was looked into last.
type rota struct {
	mu   sync.Mutex
	last string
	seen map[string]int
}

// next picks the rooms to look into now: those after the last one looked into, by name, wrapping around.
func (r *rota) next(rooms []*RoomState) []*RoomState {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(rooms) <= looksAtATime {
		return rooms
	}
	start := 0
	for start < len(rooms) && rooms[start].Name <= r.last {
		start++
	}
	picked := make([]*RoomState, 0, looksAtATime)
	for i := range looksAtATime {
		picked = append(picked, rooms[(start+i)%len(rooms)])
	}
	r.last = picked[looksAtATime-1].Name
	return picked
}

func (r *rota) saw(name string, n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen == nil {
		r.seen = map[string]int{}
	}
	r.seen[name] = n
}

// tell sets each room's participants to the last known count, and forgets rooms that no longer exist.
func (r *rota) tell(rooms []*RoomState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	still := make(map[string]int, len(rooms))
	for _, room := range rooms {
		if n, ok := r.seen[room.Name]; ok {
			room.Participants, still[room.Name] = n, n
		}
	}
	r.seen = still
}
