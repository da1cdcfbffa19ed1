// Package media is the media server: where agents without a telephone number
// meet the caller. [Embed] runs one inside this process, [Connect] uses one
// that runs elsewhere, alone or in a cluster; both speak LiveKit's protocol and
// give the same *Server, which package mediatest holds to one suite.
//
// It makes rooms, tells who is in them, and mints the tokens with which agents
// and our own caller join. The conversation inside a room is package line/room's;
// which rooms there should be is package experiment's; package app wires them.
package media

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/livekit/protocol/livekit"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Prefix begins the name of every room that is ours. Rooms of other names on a
// shared server are never looked at and never closed.
const Prefix = "ringtrue-"

// Room says how a room is to be.
type Room struct {
	// Name begins with [Prefix].
	Name string
	// Metadata is what whoever joins is told about the call, as JSON.
	Metadata string
	// AgentName has the server send the agent worker that registered under this
	// name; "" when the agent comes by itself.
	AgentName string
	// EmptyFor is how long the room stays while nobody is in it; whole seconds, at least one.
	EmptyFor time.Duration
	// Participants is how many may be in it at a time; 0 is 4.
	Participants int
}

// RoomState is a room as the server sees it.
type RoomState struct {
	Name string
	// Participants counts those who are connected and not our own caller,
	// agents that the server sent included.
	Participants int
	CreatedAt    time.Time
}

// roomParticipants is how many may be in a room: the caller, the agent, and
// somebody who listens or an agent's avatar.
const roomParticipants = 4

// departFor is how long a room stays after the last participant has gone: time
// enough to come back.
const departFor = 20 * time.Second

// Server is a media server, embedded or external. Its methods may be called at
// a time from many goroutines.
type Server struct {
	api     *api
	keys    Keys
	url     string
	address string
	// inside is the server of this process, nil for an external one.
	inside *embedded
	// turn is where the next look into single rooms begins, see crowd.go.
	turn rota
}

// URL is what agents are told: ws:// on this machine, wss:// where the operator
// says so.
func (s *Server) URL() string { return s.url }

// Address is where our own caller joins.
func (s *Server) Address() string { return s.address }

// Open creates a room. When a room of this name is there, it stays as it is.
func (s *Server) Open(ctx context.Context, room Room) error {
	if !strings.HasPrefix(room.Name, Prefix) {
		return problem.New(problem.Internal, "a room of ours is called %s…, not %q", Prefix, room.Name)
	}
	request := &livekit.CreateRoomRequest{
		Name:             room.Name,
		Metadata:         room.Metadata,
		EmptyTimeout:     wholeSeconds(room.EmptyFor),
		DepartureTimeout: wholeSeconds(departFor),
		MaxParticipants:  uint32(cmp.Or(max(room.Participants, 0), roomParticipants)),
	}
	if room.AgentName != "" {
		request.Agents = []*livekit.RoomAgentDispatch{{AgentName: room.AgentName, Metadata: room.Metadata}}
	}
	return s.api.create(ctx, request)
}

// wholeSeconds is d in the server's unit, rounded up. Zero would mean its own default.
func wholeSeconds(d time.Duration) uint32 {
	return uint32(max((d+time.Second-1)/time.Second, 1))
}

// CloseRoom removes a room and whoever is in it. A room that is not there is no error.
func (s *Server) CloseRoom(ctx context.Context, name string) error {
	err := s.api.remove(ctx, name)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}

// RemoveCaller takes the caller of one attempt out of a room: that of a process which has
// died stays there until the server misses it, and agents would greet it. That it
// is not there, or the room, is no error. The caller of another attempt, who bears
// the same name, is let be: whoever asks may be late.
func (s *Server) RemoveCaller(ctx context.Context, name, attempt string) error {
	there, err := s.api.participants(ctx, name)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	if err != nil || !slices.ContainsFunc(there, func(p *livekit.ParticipantInfo) bool { return isCallerOf(p, attempt) }) {
		return err
	}
	return s.api.putOut(ctx, name, CallerIdentity)
}

// isCallerOf reports whether a participant is the caller of an attempt; one of
// a process that is older than the attribute could be of any.
func isCallerOf(p *livekit.ParticipantInfo, attempt string) bool {
	its, said := p.GetAttributes()[attemptAttribute]
	return p.GetIdentity() == CallerIdentity && (!said || its == attempt)
}

// Tell replaces a room's metadata; those in the room hear of it.
func (s *Server) Tell(ctx context.Context, name, metadata string) error {
	return s.api.tell(ctx, name, metadata)
}

// Rooms lists the rooms that are ours, ordered by name, with one request for all of them.
// An external server does not count agents that it sent itself, so a bounded
// number of rooms that look empty is looked into each time, in turn.
func (s *Server) Rooms(ctx context.Context) ([]RoomState, error) {
	listed, err := s.api.list(ctx)
	if err != nil {
		return nil, err
	}
	rooms := make([]RoomState, 0, len(listed))
	for _, room := range listed {
		if strings.HasPrefix(room.GetName(), Prefix) {
			rooms = append(rooms, RoomState{Name: room.GetName(), CreatedAt: createdAt(room)})
		}
	}
	slices.SortFunc(rooms, func(a, b RoomState) int { return strings.Compare(a.Name, b.Name) })
	return rooms, s.count(ctx, rooms)
}

func createdAt(room *livekit.Room) time.Time {
	if ms := room.GetCreationTimeMs(); ms != 0 {
		return time.UnixMilli(ms)
	}
	return time.Unix(room.GetCreationTime(), 0)
}

// Check asks the server whether it is there and takes our key.
func (s *Server) Check(ctx context.Context) error { return s.api.check(ctx) }

// Stop ends an embedded server: whoever is in a room is put out, and the ports
// are free when it returns. An external server is left as it is, rooms included.
func (s *Server) Stop(ctx context.Context) error {
	s.api.close()
	if s.inside == nil {
		return nil
	}
	return s.inside.stop(ctx)
}
