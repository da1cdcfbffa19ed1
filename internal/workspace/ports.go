// Package workspace is tenancy: workspaces and the API keys that open them.
// A key is a prefix and 256 random bits, shown once and kept as a SHA-256
// digest. Package store keeps the rows, package api asks it who is calling.
// Its child people lets in those who sign in with a browser; package audit
// remembers who did what.
package workspace

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
	WorkspaceRows
	KeyRows
}

// WorkspaceRows keeps workspaces.
type WorkspaceRows interface {
	InsertWorkspace(ctx context.Context, w Workspace) error
	// Workspaces lists all of them, oldest first.
	Workspaces(ctx context.Context) ([]Workspace, error)
	// LockFirst lets one transaction at a time make the first workspace, until it ends.
	LockFirst(ctx context.Context) error
}

// KeyRows keeps keys.
type KeyRows interface {
	InsertKey(ctx context.Context, k Key) error
	// KeyByPrefix finds a key that is not revoked; ok is false when there is none.
	KeyByPrefix(ctx context.Context, prefix string) (k Key, ok bool, err error)
	Keys(ctx context.Context, workspaceID string) ([]Key, error)
	RevokeKey(ctx context.Context, workspaceID, id string, now time.Time) error
	TouchKey(ctx context.Context, id string, now time.Time) error
}

// Workspace is one tenant.
type Workspace struct {
	ID        string
	Name      string
	CreatedAt time.Time
}

// Key is a secret API key as it is kept: without the secret.
type Key struct {
	ID          string
	WorkspaceID string
	Name        string
	// Prefix is the public part of the secret; it finds the row.
	Prefix     string
	SHA256     string // hex digest of the whole secret
	CreatedAt  time.Time
	LastUsedAt time.Time
	RevokedAt  time.Time
	// MadeBy is the id of the person or the key that made it, "" for the command
	// line, MadeByName what that was called then.
	MadeBy     string
	MadeByName string
}
