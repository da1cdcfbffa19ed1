package experiment

import (
	"context"
	"strings"
	"time"
)

// The lines that an experiment's calls can travel.
const (
	LinePhone = "sip"
	LineRoom  = "room"
)

// roomPrefix begins the names of all rooms that are ours; the call's id follows.
const roomPrefix = "ringtrue-"

// RoomName is the name of the room in which a call's agent is met.
func RoomName(callID string) string { return roomPrefix + callID }

// maxOpen is how many rooms a media server has open at a time; those beyond are
// opened, in the order of the calls, when others are closed. A room that waits
// costs a fifth of a megabyte.
const maxOpen = 500

// isOpen says that the room is, or should be, at the media server.
func (r RoomRow) isOpen() bool { return r.State == RoomOpen || r.State == RoomCalled }

// callOfRoom is the id of the call whose room has the name, "" when it is none of ours.
func callOfRoom(name string) string {
	id, ours := strings.CutPrefix(name, roomPrefix)
	if !ours {
		return ""
	}
	return id
}

// Rooms is the media server as experiments use it.
type Rooms interface {
	// URL is where agents reach the media server: "wss://…" or "ws://127.0.0.1…".
	URL() string
	// Open creates a room; that it exists already is no error.
	Open(ctx context.Context, r RoomSpec) error
	// CloseRoom removes a room and whoever is in it; that it is gone already is no error.
	CloseRoom(ctx context.Context, name string) error
	// Rooms lists the rooms whose names begin with "ringtrue-".
	Rooms(ctx context.Context) ([]RoomSeen, error)
	// AgentToken makes the secret with which an agent joins the room.
	AgentToken(name string, validFor time.Duration) (string, error)
	// Tell changes a room's metadata, which everybody in it sees.
	Tell(ctx context.Context, name, metadata string) error
	// Check fails when the media server does not answer.
	Check(ctx context.Context) error
}

// RoomSpec is a room that is to be opened.
type RoomSpec struct {
	Name string
	// Metadata is the JSON text that everybody in the room sees.
	Metadata string
	// AgentName, when not "", has a registered agent worker sent into the room.
	AgentName string
	// EmptyFor is how long the room lives while nobody is in it.
	EmptyFor time.Duration
	// Participants is how many there may be.
	Participants int
}

// RoomSeen is a room as the media server shows it.
type RoomSeen struct {
	Name         string
	Participants int
	CreatedAt    time.Time
}

// RoomState is how far the room of a call has come.
type RoomState string

// The states of a room. A planned room has not been opened, because its turn has
// not come; in an open one an agent is waited for; a called one has an agent in
// it, and its call is placed; a closing one is of no use any more.
const (
	RoomPlanned RoomState = "planned"
	RoomOpen    RoomState = "open"
	RoomCalled  RoomState = "called"
	RoomClosing RoomState = "closing"
)

// RoomRow is what the database knows of a call's room, until the room has been removed.
type RoomRow struct {
	CallID, ExperimentID string
	// Server is the process whose own media server has the room, "" when the media
	// server is one that all processes reach.
	Server string
	State  RoomState
	// AgentName is the agent worker to be sent there, "" when the agent comes by itself.
	AgentName string
}

// RoomRows are the rooms of calls. Whoever moves one holds its call's row.
type RoomRows interface {
	InsertRooms(ctx context.Context, rooms []RoomRow) error
	// MoveRoom is false when the room is not (any more) in the state from.
	MoveRoom(ctx context.Context, callID string, from, to RoomState) (bool, error)
	// EndRoom makes the room a closing one, whatever it was; a call without one is no error.
	EndRoom(ctx context.Context, callID string) error
	// DropRooms forgets closing rooms.
	DropRooms(ctx context.Context, callIDs []string) error
	// AllRooms are all rooms of all processes, by the call's id.
	AllRooms(ctx context.Context) ([]RoomRow, error)
	// RoomsOf are the rooms of the calls, in no order; those without one are left out.
	RoomsOf(ctx context.Context, callIDs []string) ([]RoomRow, error)
}

// RoomsRequest asks for an experiment whose agent comes to us.
type RoomsRequest struct {
	DatasetID string
	// ItemIDs restricts the run to these items; nil means all.
	ItemIDs []string
	// AgentName names a registered agent worker that the media server sends into each room.
	AgentName string
	// AgentID gives the calls to an agent, with its test defaults; "" for none.
	AgentID string
	// RerunOf and OnlyFailed are kept with the experiment.
	RerunOf    string
	OnlyFailed bool
}

// Connection is what an agent needs to join the room of one item. Token is a secret.
type Connection struct {
	RoomName, URL, ItemID, Token string
}

// RoomPlan is what an experiment in rooms was planned with.
type RoomPlan struct {
	AgentName string `json:"agent_name,omitempty"`
	// Life is how long the agents' tokens are good.
	Life time.Duration `json:"life"`
	// URL and Keys are those of the media server, for another process that can sign
	// tokens for it; see Options.MediaKeys.
	URL  string `json:"url,omitempty"`
	Keys string `json:"keys,omitempty"`
}

// noRooms is the answer of a service without a media server.
func noRooms() error {
	return unavailable("this service has no media server").
		WithHint("start it without --no-media, or name a media server with --media-url")
}
