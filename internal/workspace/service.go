package workspace

import (
	"context"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Options are what a Service is built from; all are needed.
type Options struct {
	Store Store
	// NewID makes ids of the prefixes "ws" and "key".
	NewID func(prefix string) string
	Now   func() time.Time
	// Random gives the bits of secret keys (crypto/rand.Reader).
	Random io.Reader
}

// Service keeps workspaces and keys. Its methods are safe for concurrent use.
type Service struct {
	Options

	cache cache
}

// New returns a Service.
func New(o Options) *Service { return &Service{Options: o, cache: newCache()} }

// CreateWorkspace adds a tenant.
func (s *Service) CreateWorkspace(ctx context.Context, name string) (Workspace, error) {
	w, err := s.newWorkspace(name)
	if err != nil {
		return Workspace{}, err
	}
	return w, s.Store.Write(ctx, func(tx Tx) error { return tx.InsertWorkspace(ctx, w) })
}

// Workspaces lists all tenants, oldest first.
func (s *Service) Workspaces(ctx context.Context) ([]Workspace, error) {
	var list []Workspace
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		list, err = tx.Workspaces(ctx)
		return err
	})
	return list, err
}

// FirstKey is what the first key of a workspace is called that nobody has named.
const FirstKey = "first key"

// First is a new workspace with its first key.
type First struct {
	Workspace Workspace
	Key       Key
	// Secret is the whole key; it cannot be had again.
	Secret string
}

// CreateWithKey adds a tenant together with its first key.
func (s *Service) CreateWithKey(ctx context.Context, name string) (First, error) {
	f, err := s.newFirst(name, FirstKey)
	if err != nil {
		return First{}, err
	}
	if err := s.Store.Write(ctx, func(tx Tx) error { return insertFirst(ctx, tx, f) }); err != nil {
		return First{}, err
	}
	return f, nil
}

func (s *Service) newFirst(name, key string) (f First, err error) {
	if f.Workspace, err = s.newWorkspace(name); err != nil {
		return First{}, err
	}
	f.Key, f.Secret, err = s.newKey(f.Workspace.ID, key)
	return f, err
}

func insertFirst(ctx context.Context, tx Tx, f First) error {
	if err := tx.InsertWorkspace(ctx, f.Workspace); err != nil {
		return err
	}
	return tx.InsertKey(ctx, f.Key)
}

// EnsureFirst makes a workspace and one key of that name when the database has no
// workspace yet; otherwise made is false and f is empty.
func (s *Service) EnsureFirst(ctx context.Context, key string) (f First, made bool, err error) {
	err = s.Store.Write(ctx, func(tx Tx) error {
		f, made = First{}, false
		needed, err := firstNeeded(ctx, tx)
		if err != nil || !needed {
			return err
		}
		if f, err = s.newFirst("default", key); err != nil {
			return err
		}
		made = true
		return insertFirst(ctx, tx, f)
	})
	if err != nil || !made {
		return First{}, false, err
	}
	return f, true, nil
}

// firstNeeded reports whether there is no workspace. While there is none, others may be about to make
// one: it looks again once none of them is.
func firstNeeded(ctx context.Context, tx Tx) (bool, error) {
	list, err := tx.Workspaces(ctx)
	if err != nil || len(list) > 0 {
		return false, err
	}
	if err := tx.LockFirst(ctx); err != nil {
		return false, err
	}
	list, err = tx.Workspaces(ctx)
	return len(list) == 0, err
}

// CreateKey adds a key to the workspace. The secret is returned this once and
// cannot be had again.
func (s *Service) CreateKey(ctx context.Context, workspaceID, name string) (k Key, secret string, err error) {
	return s.CreateKeyBy(ctx, Identity{WorkspaceID: workspaceID}, name)
}

// CreateKeyBy is CreateKey in the name of a person or another key, for its workspace.
func (s *Service) CreateKeyBy(ctx context.Context, by Identity, name string) (k Key, secret string, err error) {
	if k, secret, err = s.newKey(by.WorkspaceID, name); err != nil {
		return Key{}, "", err
	}
	k.MadeBy, k.MadeByName = by.Who()
	err = s.Store.Write(ctx, func(tx Tx) error {
		if err := s.mustExist(ctx, tx, by.WorkspaceID); err != nil {
			return err
		}
		if err := s.mustHaveRoom(ctx, tx, by.WorkspaceID); err != nil {
			return err
		}
		audit.Tell(ctx, func(e *audit.Entry) { e.Thing = audit.Thing{Kind: "API key", ID: k.ID, Name: name} })
		return tx.InsertKey(ctx, k)
	})
	if err != nil {
		return Key{}, "", err
	}
	return k, secret, nil
}

// Keys lists the keys of a workspace, revoked ones included, without their secrets.
func (s *Service) Keys(ctx context.Context, workspaceID string) ([]Key, error) {
	var list []Key
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		if err = s.mustExist(ctx, tx, workspaceID); err != nil {
			return err
		}
		list, err = tx.Keys(ctx, workspaceID)
		return err
	})
	return list, err
}

// Revoke ends a key's life; one that is revoked already keeps its time. In this process it holds at
// once, in others on the same database within recheck.
func (s *Service) Revoke(ctx context.Context, workspaceID, id string) error {
	audit.Tell(ctx, func(e *audit.Entry) { e.Thing = audit.Thing{Kind: "API key", ID: id} })
	err := s.Store.Write(ctx, func(tx Tx) error { return tx.RevokeKey(ctx, workspaceID, id, s.Now()) })
	s.cache.forget(id)
	return err
}

// maxKeys is how many keys a workspace may have that are not revoked.
const maxKeys = 1000

func (s *Service) mustHaveRoom(ctx context.Context, tx Tx, workspaceID string) error {
	keys, err := tx.Keys(ctx, workspaceID)
	alive := 0
	for _, k := range keys {
		if k.RevokedAt.IsZero() {
			alive++
		}
	}
	if err == nil && alive >= maxKeys {
		return problem.New(problem.Conflict, "the workspace has %d keys", alive).WithHint("revoke those that are not used any more")
	}
	return err
}

func (s *Service) mustExist(ctx context.Context, tx Tx, workspaceID string) error {
	list, err := tx.Workspaces(ctx)
	if err != nil {
		return err
	}
	for _, w := range list {
		if w.ID == workspaceID {
			return nil
		}
	}
	return problem.Missing("workspace", workspaceID)
}

func (s *Service) newWorkspace(name string) (Workspace, error) {
	if err := CheckName("name", name); err != nil {
		return Workspace{}, err
	}
	return Workspace{ID: s.NewID("ws"), Name: name, CreatedAt: s.Now()}, nil
}

func (s *Service) newKey(workspaceID, name string) (Key, string, error) {
	if err := CheckName("name", name); err != nil {
		return Key{}, "", err
	}
	secret, prefix, err := newSecret(s.Random)
	if err != nil {
		return Key{}, "", err
	}
	return Key{
		ID: s.NewID("key"), WorkspaceID: workspaceID, Name: name, Prefix: prefix, SHA256: digestOf(secret), CreatedAt: s.Now(),
	}, secret, nil
}

const maxName = 100

// CheckName refuses what is no name for a workspace, a key or a person; path says where it stands.
func CheckName(path, name string) error {
	bad := func(message string) error { return problem.Invalid(problem.Field{Path: path, Message: message}) }
	switch {
	case problem.Unseen(name):
		return bad("must not be empty")
	case utf8.RuneCountInString(name) > maxName:
		return bad("must not be longer than 100 characters")
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return bad("must be plain text in one line")
	}
	return nil
}
