package credential

import (
	"context"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// Options are what a Service is built from; all are needed.
type Options struct {
	Store  Store
	Sealer Sealer
	// NewID makes ids of the prefix "rc".
	NewID func(prefix string) string
	Now   func() time.Time
}

// Service keeps credentials. Its methods are safe for concurrent use.
type Service struct{ Options }

// New returns a Service.
func New(o Options) *Service { return &Service{Options: o} }

// Check says whether everything that is kept can be opened. It is asked once, at
// the start: a process with another key must not come so far as to seal with it.
func (s *Service) Check(ctx context.Context) error {
	return s.Store.Read(ctx, func(tx Tx) error { return s.known(ctx, tx) })
}

// known refuses to work beside keys that are not at hand.
func (s *Service) known(ctx context.Context, tx Tx) error {
	ids, err := tx.SealedWith(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !s.Sealer.Knows(id) {
			return otherKey(id)
		}
	}
	return nil
}

func otherKey(id string) error {
	return problem.New(problem.Unavailable, "this database holds credentials that were sealed with another secret key (%s)", id).
		WithHint("give every process of a database the same key with --secret-key or RINGTRUE_SECRET_KEY; without one, each makes its own in its data folder. " +
			"After a change of keys give the old one too, behind the new one. Where it is lost, remove what it sealed (docs/operations.md, \"The secret key\")")
}

// RecordingInput is a new credential. Header or Query is given, not both.
type RecordingInput struct{ Host, Header, Query, Value string }

// PutRecording keeps a token for a host, in place of an earlier one for the same host.
func (s *Service) PutRecording(ctx context.Context, workspaceID string, in RecordingInput) (Recording, error) {
	if err := in.check(); err != nil {
		return Recording{}, err
	}
	in.Host = canonical(in.Host)
	now := s.Now()
	r := Recording{
		ID: s.NewID("rc"), WorkspaceID: workspaceID, Host: in.Host, Header: in.Header, Query: in.Query,
		Sealed: s.Sealer.Seal(in.Value, recordingContext(workspaceID, in.Host)), KeyID: s.Sealer.KeyID(), CreatedAt: now, UpdatedAt: now,
	}
	err := s.Store.Write(ctx, func(tx Tx) error {
		if err := s.known(ctx, tx); err != nil {
			return err
		}
		kept, err := tx.SaveRecordingCredential(ctx, r)
		r.ID, r.CreatedAt = kept.ID, kept.CreatedAt
		return err
	})
	if err != nil {
		return Recording{}, err
	}
	return r, nil
}

// The contexts that tokens are bound to.
func recordingContext(workspaceID, host string) string {
	return "recording " + workspaceID + " " + host
}
func platformContext(workspaceID, provider string) string {
	return "platform " + workspaceID + " " + provider
}

// Recordings lists credentials, newest first, without their tokens. next is the cursor of the next page.
func (s *Service) Recordings(ctx context.Context, workspaceID string, limit int, cursor string) (list []Recording, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID("rc"))
	if err != nil {
		return nil, "", err
	}
	err = s.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.RecordingCredentials(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(r *Recording) string { return r.ID })
	return list, next, nil
}

// DeleteRecording forgets a credential.
func (s *Service) DeleteRecording(ctx context.Context, workspaceID, id string) error {
	return s.Store.Write(ctx, func(tx Tx) error { return tx.DeleteRecordingCredential(ctx, workspaceID, id) })
}

// For opens the credential of a host: that of the host itself, or else that of the
// longest suffix it is below. A host with a port ("files.example.com:8443") has those
// alone that were given for that port. ok is false when there is none.
func (s *Service) For(ctx context.Context, workspaceID, host string) (t Token, ok bool, err error) {
	var found []Recording
	err = s.Store.Read(ctx, func(tx Tx) error {
		found, err = tx.RecordingCredentialsFor(ctx, workspaceID, candidates(canonical(host)))
		return err
	})
	if err != nil || len(found) == 0 {
		return Token{}, false, err
	}
	best := found[0]
	for _, r := range found {
		// The host itself is longer than any suffix of it.
		if len(strings.TrimPrefix(r.Host, ".")) > len(strings.TrimPrefix(best.Host, ".")) {
			best = r
		}
	}
	value, err := s.open(best.Sealed, best.KeyID, recordingContext(workspaceID, best.Host))
	return Token{Header: best.Header, Query: best.Query, Value: value}, err == nil, err
}

// open says in words for people why something cannot be opened.
func (s *Service) open(sealed, keyID, context string) (string, error) {
	if !s.Sealer.Knows(keyID) {
		return "", otherKey(keyID)
	}
	value, err := s.Sealer.Open(sealed, context)
	if err != nil {
		return "", problem.New(problem.Internal, "a sealed credential cannot be opened").Because(err)
	}
	return value, nil
}

// PutPlatformKey keeps a workspace's key at a platform, in place of an earlier one.
func (s *Service) PutPlatformKey(ctx context.Context, workspaceID, provider, key string) (PlatformKey, error) {
	if provider != "platform_a" && provider != "platform_b" {
		return PlatformKey{}, problem.Missing("voice platform", provider)
	}
	if err := checkValue("api_key", key); err != nil {
		return PlatformKey{}, err
	}
	now := s.Now()
	k := PlatformKey{
		WorkspaceID: workspaceID, Provider: provider,
		Sealed: s.Sealer.Seal(key, platformContext(workspaceID, provider)), KeyID: s.Sealer.KeyID(), CreatedAt: now, UpdatedAt: now,
	}
	err := s.Store.Write(ctx, func(tx Tx) error {
		if err := s.known(ctx, tx); err != nil {
			return err
		}
		return tx.SavePlatformKey(ctx, k)
	})
	return k, err
}

// PlatformKeys lists the platforms that the workspace has keys of, without the keys.
func (s *Service) PlatformKeys(ctx context.Context, workspaceID string) (list []PlatformKey, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.PlatformKeys(ctx, workspaceID)
		return err
	})
	return list, err
}

// DeletePlatformKey forgets a workspace's key at a platform.
func (s *Service) DeletePlatformKey(ctx context.Context, workspaceID, provider string) error {
	return s.Store.Write(ctx, func(tx Tx) error { return tx.DeletePlatformKey(ctx, workspaceID, provider) })
}

// PlatformKey opens a workspace's key at a platform; ok is false when there is none.
func (s *Service) PlatformKey(ctx context.Context, workspaceID, provider string) (key string, ok bool, err error) {
	list, err := s.PlatformKeys(ctx, workspaceID)
	for _, k := range list {
		if k.Provider == provider {
			key, err = s.open(k.Sealed, k.KeyID, platformContext(workspaceID, provider))
			return key, err == nil, err
		}
	}
	return "", false, err
}
