// Package credential keeps what opens doors elsewhere, per workspace: tokens for
// the hosts of private recordings, and the keys of the voice platforms. They are
// sealed before they reach the disk, never shown again and never logged.
//
// It is a package of its own, and no part of workspace, because these are not our
// keys: ours are only ever recognised (a hash is enough), these must be told to
// others. Package secret seals through the port Sealer, package store keeps the
// rows, package api takes them in. Package app hands the token of a recording's
// host to the guarded client, and package platform asks for its keys.
package credential

import (
	"context"
	"time"
)

// Store gives transactions. Write commits when f returns nil; after that the
// changes are on disk. f may be run again after a serialisation failure.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	// SaveRecordingCredential adds one, or replaces that of the same workspace and
	// host, which keeps its id and time of creation; what is kept is returned.
	SaveRecordingCredential(ctx context.Context, r Recording) (Recording, error)
	// RecordingCredentials lists newest first, after the cursor (an id, "" from the start).
	RecordingCredentials(ctx context.Context, workspaceID string, limit int, cursor string) ([]Recording, error)
	// RecordingCredentialsFor are those of any of the hosts.
	RecordingCredentialsFor(ctx context.Context, workspaceID string, hosts []string) ([]Recording, error)
	DeleteRecordingCredential(ctx context.Context, workspaceID, id string) error
	PlatformKeyRows
	// SealedWith are the ids of all keys that anything of any workspace is sealed with.
	SealedWith(ctx context.Context) ([]string, error)
}

// PlatformKeyRows are the keys of the voice platforms.
type PlatformKeyRows interface {
	SavePlatformKey(ctx context.Context, k PlatformKey) error
	PlatformKeys(ctx context.Context, workspaceID string) ([]PlatformKey, error)
	DeletePlatformKey(ctx context.Context, workspaceID, provider string) error
}

// Sealer encrypts. What was sealed opens only in the same context.
type Sealer interface {
	// KeyID names the key that seals, Knows says whether another can be opened.
	KeyID() string
	Knows(keyID string) bool
	Seal(plain, context string) string
	Open(sealed, context string) (string, error)
}

// Recording is what opens the recordings of a host.
type Recording struct {
	ID          string
	WorkspaceID string
	// Host is "files.example.com", or ".example.com" for every host below it; with
	// ":8443" behind it where that is another port than the one of https.
	Host string
	// Header is the name of the header that carries the token, Query that of the
	// parameter; one of them is "".
	Header, Query string
	// Sealed is the token, sealed with the key of that id.
	Sealed, KeyID        string
	CreatedAt, UpdatedAt time.Time
}

// PlatformKey is a workspace's key at a voice platform.
type PlatformKey struct {
	WorkspaceID string
	// Provider is "platform_a" or "platform_b".
	Provider             string
	Sealed, KeyID        string
	CreatedAt, UpdatedAt time.Time
}

// Token is an opened credential: the header or the query parameter to send.
type Token struct{ Header, Query, Value string }
