// Package audit is the log of who did what in a workspace. Whoever lets a
// request in says with With in whose name it changes something; package store
// writes the entry in the transaction that makes the change, so that there is
// never one without the other. Package people and package workspace say with
// Tell what they know better; package api lists the entries.
//
// An entry holds names and ids, never contents and never secrets.
package audit

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/page"
)

// The kinds of actors.
const (
	Person   = "person"
	Key      = "key"
	Operator = "operator" // whoever sits at the command line of the server
)

// Entry is one thing that was done.
type Entry struct {
	ID          string
	WorkspaceID string
	At          time.Time
	Actor       Actor
	// Action is the id of the operation: "create-agent".
	Action string
	Thing  Thing
	// Address is where the request came from, RequestID its name in the service's log.
	Address   string
	RequestID string
}

// Actor is who did it.
type Actor struct{ Kind, ID, Name string }

// Thing is what it was done to. Name is what people call it, "" when that is not known.
type Thing struct{ Kind, ID, Name string }

// note is an entry that waits for the transaction it belongs to.
type note struct {
	mu    sync.Mutex
	entry Entry
	kept  bool
}

type noteKey struct{}

// With returns a context for one request: the first transaction in it that
// changes something also writes the entry.
func With(ctx context.Context, e Entry) context.Context {
	return context.WithValue(ctx, noteKey{}, &note{entry: e})
}

// Tell adds to the entry of the request what is known by now. Without one it does nothing.
func Tell(ctx context.Context, change func(*Entry)) {
	if n, _ := ctx.Value(noteKey{}).(*note); n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		change(&n.entry)
	}
}

// Pending is the entry that is yet to be written; ok is false when there is
// none, or none that has a workspace.
func Pending(ctx context.Context) (e Entry, ok bool) {
	n, _ := ctx.Value(noteKey{}).(*note)
	if n == nil {
		return Entry{}, false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.entry, !n.kept && n.entry.WorkspaceID != ""
}

// Kept notes that the entry is on disk.
func Kept(ctx context.Context) {
	if n, _ := ctx.Value(noteKey{}).(*note); n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.kept = true
	}
}

// Store reads the log.
type Store interface {
	// AuditEntries returns at most limit entries, newest first, after the cursor.
	AuditEntries(ctx context.Context, workspaceID string, limit int, cursor string) ([]Entry, error)
}

// Log is the log as it is read. Its methods are safe for concurrent use.
type Log struct{ store Store }

// New returns a Log.
func New(s Store) *Log { return &Log{s} }

// Prefix is that of the entries' ids.
const Prefix = "aud"

// Entries lists what was done in a workspace, newest first. next is the cursor
// of the next page, "" when there is none.
func (l *Log) Entries(ctx context.Context, workspaceID string, limit int, cursor string) (list []Entry, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID(Prefix))
	if err != nil {
		return nil, "", err
	}
	if list, err = l.store.AuditEntries(ctx, workspaceID, size+1, cursor); err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(e *Entry) string { return e.ID })
	return list, next, nil
}
