// Package platform asks the two voice platforms' own interfaces what agents a
// client has there, so that calls can be linked to them.
//
// It knows the shapes of platform A and B, which change without notice: it reads
// what it understands, bounds what it takes, and turns every refusal into a problem
// that says what to do. The guarded client stands behind the port Getter, the keys
// behind Keys (package credential), and what to do with the agents is package
// catalog's business, behind Agents. Package calllog reads what the same platforms
// send by themselves.
package platform

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// The names of the platforms.
const (
	A = "platform_a"
	B = "platform_b"
)

// Getter fetches a JSON document of a platform with a key. Errors are *Refused
// when the platform, or the way to it, said no.
type Getter interface {
	GetJSON(ctx context.Context, q Question, key string) ([]byte, error)
}

// Question is what a platform is asked.
type Question struct {
	Address string
	// Body is JSON that is sent by POST; nil asks by GET.
	Body []byte
}

// Refused says why a platform gave nothing.
type Refused struct {
	// Status is the HTTP status, 0 when there was no answer.
	Status int
	// Text is a clause for people that names no address.
	Text string
	// RetryAfter is when it wants to be asked again, 0 when it did not say.
	RetryAfter time.Duration
}

// Error implements error.
func (r *Refused) Error() string { return r.Text }

// Keys opens the keys that workspaces have at the platforms.
type Keys interface {
	// PlatformKey is the workspace's key; ok is false when there is none.
	PlatformKey(ctx context.Context, workspaceID, provider string) (key string, ok bool, err error)
}

// Agents takes agents in by their source ids: new ones are created, known ones
// renamed, none is deleted. What cannot be an agent is passed over and counted.
type Agents interface {
	SyncAgents(ctx context.Context, workspaceID string, listed []scenario.Agent) (created, updated []scenario.Agent, skipped int, err error)
}

// Synced is what came of asking a platform.
type Synced struct {
	// Listed is how many agents the platform listed, its versions of one counted once.
	Listed           int
	Created, Updated []scenario.Agent
	// Unchanged were known already, Skipped had an id or a name that cannot be kept.
	Unchanged, Skipped int
}
