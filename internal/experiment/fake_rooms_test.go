package experiment

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

func (t fakeTx) InsertRooms(_ context.Context, rooms []RoomRow) error {
	for _, r := range rooms {
		t.rooms[r.CallID] = r
	}
	return nil
}

func (t fakeTx) MoveRoom(_ context.Context, callID string, from, to RoomState) (bool, error) {
	r, ok := t.rooms[callID]
	if !ok || r.State != from {
		return false, nil
	}
	r.State = to
	t.rooms[callID] = r
	return true, t.holds(callID)
}

func (t fakeTx) EndRoom(_ context.Context, callID string) error {
	if r, ok := t.rooms[callID]; ok {
		r.State = RoomClosing
		t.rooms[callID] = r
	}
	return t.holds(callID)
}

func (t fakeTx) DropRooms(_ context.Context, callIDs []string) error {
	for _, id := range callIDs {
		if t.rooms[id].State == RoomClosing {
			delete(t.rooms, id)
		}
	}
	return nil
}

func (t fakeTx) AllRooms(context.Context) ([]RoomRow, error) {
	rows := slices.Collect(maps.Values(t.rooms))
	slices.SortFunc(rows, func(a, b RoomRow) int { return cmp.Compare(a.CallID, b.CallID) })
	return rows, nil
}

func (t fakeTx) RoomsOf(_ context.Context, callIDs []string) (rows []RoomRow, err error) {
	for _, id := range callIDs {
		if r, ok := t.rooms[id]; ok {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// fakeRooms is a media server that remembers what it was told.
type fakeRooms struct {
	mu    sync.Mutex
	now   func() time.Time
	rooms map[string]*fakeRoom
	// opened and closed are the names in the order in which it was asked.
	opened, closed []string
	minted         []time.Duration
	down           error
	// refused is a room that it does not take, broken one that it fails to open.
	refused, broken string
	// asleep is a server that starts with its first token.
	asleep bool
}

type fakeRoom struct {
	RoomSpec
	people  int
	created time.Time
}

func (f *fakeRooms) URL() string {
	if f.asleep {
		return ""
	}
	return "wss://media.example.org"
}

func (f *fakeRooms) Open(_ context.Context, r RoomSpec) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down != nil {
		return f.down
	}
	if r.Name == f.refused {
		return problem.New(problem.InvalidFields, "it does not accept such a room")
	}
	if r.Name == f.broken {
		return errors.New("it could not do what was asked")
	}
	f.opened = append(f.opened, r.Name)
	if f.rooms[r.Name] == nil {
		f.rooms[r.Name] = &fakeRoom{RoomSpec: r, created: f.now()}
	}
	return nil
}

func (f *fakeRooms) CloseRoom(_ context.Context, name string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down != nil {
		return f.down
	}
	f.closed = append(f.closed, name)
	delete(f.rooms, name)
	return nil
}

func (f *fakeRooms) Rooms(context.Context) ([]RoomSeen, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var seen []RoomSeen
	for _, name := range slices.Sorted(maps.Keys(f.rooms)) {
		seen = append(seen, RoomSeen{Name: name, Participants: f.rooms[name].people, CreatedAt: f.rooms[name].created})
	}
	return seen, f.down
}

func (f *fakeRooms) AgentToken(name string, validFor time.Duration) (string, error) {
	f.minted, f.asleep = append(f.minted, validFor), false
	return "token of " + name, nil
}

func (f *fakeRooms) Tell(_ context.Context, name, metadata string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.rooms[name]; r != nil {
		r.Metadata = metadata
	}
	return nil
}

func (f *fakeRooms) Check(context.Context) error { return f.down }

// join has so many more people in the room.
func (f *fakeRooms) join(name string, people int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rooms[name].people += people
}

// vanish empties the media server, as a restart does.
func (f *fakeRooms) vanish() {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.rooms)
}

func (f *fakeRooms) names() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Sorted(maps.Keys(f.rooms))
}
