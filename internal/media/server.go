// Package media runs or connects to the media server on which agents without a telephone number
// meet the caller. [Embed] runs one inside this process, [Connect] uses one that runs
// elsewhere, alone or in a cluster. Both speak LiveKit's protocol and return the same *Server,
// which package mediatest checks with one test suite.
//
// It creates rooms, reports who is in them and issues the tokens with which agents and our own
// caller join. The conversation inside a room is handled by package line/room; package
// experiment decides which rooms there should be; package app wires them together.
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

// Prefix is the prefix of the names of all rooms of Ringtrue. Other rooms on a shared server
// are never looked at and never closed.
const Prefix = "ringtrue-"

// Room describes a room to create.
type Room struct {
	// Name must begin with [Prefix].
	Name string
	// Metadata describes the call to those who join, as JSON.
	Metadata string
	// AgentName is the name of a registered agent worker that the server is to dispatch; "" if
	// the agent joins by itself.
	AgentName string
	// EmptyFor is how long the room stays open with nobody in it, rounded up to whole seconds.
	EmptyFor time.Duration
	// Participants is the maximum number of participants; 0 means 4.
	Participants int
}

// RoomState is the state of a room according to the server.
type RoomState struct {
	Name string
	// Participants is the number of connected participants other than our own caller, including
	// agents that the server dispatched.
	Participants int
	CreatedAt    time.Time
}

// roomParticipants is the default maximum of participants in a room: the caller, the agent, and
// a listener or an agent's avatar.
const roomParticipants = 4

// departFor is how long a room stays open after the last participant has left, so that one can come back.
const departFor = 20 * time.Second

// Server is a media server, embedded or external. Its methods are safe for concurrent use.
type Server struct {
	api     *api
	keys    Keys
	url     string
	address string
	// inside is the server of this process, nil for an external one.
	inside *embedded
	// turn is the rotation in which rooms are looked into, see crowd.go.
	turn rota
}

// URL returns the address given to agents: ws:// on this machine, or what the operator configured.
func (s *Server) URL() string { return s.url }

// Address returns the address at which our own caller joins.
func (s *Server) Address() string { return s.address }

// Open creates a room. A room of this name that already exists is left as it is.
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

// wholeSeconds returns d in seconds, rounded up and at least 1, as the server takes 0 for its own default.
func wholeSeconds(d time.Duration) uint32 {
	return uint32(max((d+time.Second-1)/time.Second, 1))
}

// CloseRoom deletes a room and removes its participants. It is not an error if there is no such room.
func (s *Server) CloseRoom(ctx context.Context, name string) error {
	err := s.api.remove(ctx, name)
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}

// RemoveCaller removes the caller of one attempt from a room. The caller of a process that died
// stays until the server notices, and agents would greet it. It is not an error if the caller
// or the room does not exist. The caller of another attempt, which has the same identity, is
// left alone, as the request may come late.
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

// isCallerOf reports whether p is the caller of an attempt. A caller without the attribute,
// from a process of an older version, matches any attempt.
func isCallerOf(p *livekit.ParticipantInfo, attempt string) bool {
	its, said := p.GetAttributes()[attemptAttribute]
	return p.GetIdentity() == CallerIdentity && (!said || its == attempt)
}

// Tell replaces a room's metadata and notifies those in the room.
func (s *Server) Tell(ctx context.Context, name, metadata string) error {
	return s.api.tell(ctx, name, metadata)
}

// Rooms lists the rooms of Ringtrue, ordered by name, with one request for all of them. Because
// an external server does not count agents that it dispatched itself, a limited number of
// its rooms is looked into with each call, in rotation.
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

// Check verifies that the server answers and accepts our key.
func (s *Server) Check(ctx context.Context) error { return s.api.check(ctx) }

// Stop shuts down an embedded server: participants are removed, and the ports are free when it
// returns. An external server is left as it is, rooms included.
func (s *Server) Stop(ctx context.Context) error {
	s.api.close()
	if s.inside == nil {
		return nil
	}
	return s.inside.stop(ctx)
}
