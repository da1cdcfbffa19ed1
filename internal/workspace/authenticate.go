package workspace

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// recheck is how long a key that was found good is not looked up again: how
	// long a revocation by another process may take to hold here.
	recheck = time.Second
	// touchEvery is how often the time of last use is written down at most.
	touchEvery = time.Minute
	// touchTimeout is how long a request waits for that writing; it does not fail when that fails.
	touchTimeout = 2 * time.Second
	// cacheSize bounds how many keys are remembered.
	cacheSize = 1024
)

// Authenticate finds out who a secret key belongs to. What is not a key of
// ours, not known or revoked is problem.Unauthenticated, all with the same words.
func (s *Service) Authenticate(ctx context.Context, secret string) (Identity, error) {
	prefix, ok := prefixOf(secret)
	if !ok {
		return Identity{}, refused()
	}
	digest, now := digestOf(secret), s.Now()
	if id, ok := s.cache.find(digest, now); ok {
		return id, nil
	}
	var key Key
	var found bool
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		key, found, err = tx.KeyByPrefix(ctx, prefix)
		return err
	})
	if err != nil {
		return Identity{}, err
	}
	if !found || !matches(key.SHA256, digest) || !key.RevokedAt.IsZero() {
		return Identity{}, refused()
	}
	id := Identity{WorkspaceID: key.WorkspaceID, KeyID: key.ID, KeyName: key.Name, Role: Admin}
	if s.cache.keep(digest, id, key.LastUsedAt, now) {
		s.touch(ctx, key.ID, now)
	}
	return id, nil
}

// touch writes the time of last use. It is a convenience for people who tidy
// up their keys, so its failure is nobody's problem.
func (s *Service) touch(ctx context.Context, keyID string, now time.Time) {
	Note(ctx, touchTimeout, func(ctx context.Context) {
		_ = s.Store.Write(ctx, func(tx Tx) error { return tx.TouchKey(ctx, keyID, now) })
	})
}

// Note lets write put down what no request depends on, and waits for it no longer than limit. The
// end of a context does not break off a commit, which may take far longer than who reads can wait:
// it goes on behind the request.
func Note(ctx context.Context, limit time.Duration, write func(context.Context)) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	written := make(chan struct{})
	go func() {
		defer close(written)
		write(ctx)
	}()
	select {
	case <-written:
	case <-ctx.Done():
	}
}

func refused() error {
	return problem.New(problem.Unauthenticated, "the API key is not valid").
		WithHint("send a key that has not been revoked as Authorization: Bearer <API_KEY>")
}

// cache remembers for a moment which keys are good, by the digest of their secret.
type cache struct {
	mu      *sync.Mutex
	entries map[string]cached
}

type cached struct {
	id      Identity
	checked time.Time
	touched time.Time
}

func newCache() cache { return cache{mu: &sync.Mutex{}, entries: map[string]cached{}} }

// find returns who the digest belongs to if that was looked up just now.
func (c *cache) find(digest string, now time.Time) (Identity, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	if !ok || now.Sub(e.checked) >= recheck || now.Before(e.checked) {
		return Identity{}, false
	}
	return e.id, true
}

// keep remembers a key that was looked up and reports whether its use is to be
// written down.
func (c *cache) keep(digest string, id Identity, lastUsed, now time.Time) (touch bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[digest]
	if !ok {
		e.touched = lastUsed
		c.makeRoom(now)
	}
	e.id, e.checked = id, now
	if touch = now.Sub(e.touched) >= touchEvery; touch {
		e.touched = now
	}
	c.entries[digest] = e
	return touch
}

// makeRoom drops what is old, and everything when that does not help.
func (c *cache) makeRoom(now time.Time) {
	if len(c.entries) < cacheSize {
		return
	}
	for digest, e := range c.entries {
		if now.Sub(e.checked) >= recheck {
			delete(c.entries, digest)
		}
	}
	if len(c.entries) >= cacheSize {
		clear(c.entries)
	}
}

// forget drops a key that was revoked.
func (c *cache) forget(keyID string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for digest, e := range c.entries {
		if e.id.KeyID == keyID {
			delete(c.entries, digest)
		}
	}
}
