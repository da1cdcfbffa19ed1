package store

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"
)

// keyLife is how long an idempotency key is remembered.
const keyLife = 24 * time.Hour

// Remembered is what an idempotency key was used for.
type Remembered struct {
	// Digest is that of the request: operation and body.
	Digest string
	// ID is what the request made: the id of an experiment, an agent or a
	// dataset, the slug of a prompt or a scorer.
	ID string
	// Version is the version of it that the request made, 0 for what has none.
	Version int
}

// ErrKeyUsed is the error of a Write under a key that another request has used
// in the meantime. Nothing was written; UseOfKey tells what the other has made.
var ErrKeyUsed = errors.New("the idempotency key has been used")

// keyUse is the key of a request, until a transaction of the request makes something.
type keyUse struct {
	workspaceID, key, digest string
	// committed says that the key is in the database; later transactions of the request leave it alone.
	committed bool
}

type keyUseKey struct{}

// UnderKey returns a context for one request. The transaction that makes something for it (an
// experiment, an agent, a dataset or a version of one, a prompt, a scorer) stores the key with it,
// so that both are on disk together or not at all. Of several requests with one key only one makes
// something; the Write of the others ends with ErrKeyUsed.
func (s *Store) UnderKey(ctx context.Context, workspaceID, key, digest string) context.Context {
	return context.WithValue(ctx, keyUseKey{}, &keyUse{workspaceID: workspaceID, key: key, digest: digest})
}

// UseOfKey tells what the key was used for within its life of 24 hours; ok is
// false when it was not.
func (s *Store) UseOfKey(ctx context.Context, workspaceID, key string, now time.Time) (m Remembered, ok bool, err error) {
	err = s.Read(ctx, func(tx *Tx) error {
		type row struct{ digest, made string }
		var r row
		r, ok, err = one(ctx, tx, func(r *row) []any { return []any{&r.digest, &r.made} },
			`SELECT digest, result_id FROM idempotency_keys WHERE workspace_id = $1 AND name = $2 AND created_at >= $3`,
			workspaceID, key, toMicros(now.Add(-keyLife)))
		m = Remembered{Digest: r.digest}
		m.ID, m.Version = madeOf(r.made)
		return err
	})
	return m, ok, err
}

// made notes what the transaction makes; the first note is the one that counts. kind is what the
// audit log calls it, "" where that is the kind of thing that the request is about anyway.
func (tx *Tx) made(kind, id string, version int) {
	if tx.makes == "" {
		tx.makes, tx.makesKind = madeText(id, version), kind
	}
}

func madeText(id string, version int) string {
	if version == 0 {
		return id
	}
	return id + "@" + strconv.Itoa(version)
}

func madeOf(text string) (id string, version int) {
	id, number, _ := strings.Cut(text, "@")
	version, _ = strconv.Atoi(number)
	return id, version
}

// useKey writes the request's key, when it has one, with what the transaction makes.
func (tx *Tx) useKey(ctx context.Context) error {
	use, _ := ctx.Value(keyUseKey{}).(*keyUse)
	if use == nil || use.committed || tx.makes == "" {
		return nil
	}
	now := tx.store.now()
	if _, err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE workspace_id = $1 AND name = $2 AND created_at < $3`,
		use.workspaceID, use.key, toMicros(now.Add(-keyLife))); err != nil {
		return err
	}
	n, err := tx.exec(ctx, `INSERT INTO idempotency_keys (workspace_id, name, digest, result_id, created_at)
		VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, use.workspaceID, use.key, use.digest, tx.makes, toMicros(now))
	if err == nil && n == 0 {
		return ErrKeyUsed
	}
	return err
}

// UseKey implements calllog.ArrivalRows: it writes the key that the request
// with this context has, when it has one, with what the request makes. So a
// transaction can work for many requests. It is false when another request
// has used the key; then nothing was written.
func (tx *Tx) UseKey(ctx context.Context, made string) (bool, error) {
	before := tx.makes
	defer func() { tx.makes = before }()
	tx.makes = made
	err := tx.useKey(ctx)
	if errors.Is(err, ErrKeyUsed) {
		return false, nil
	}
	return err == nil, err
}

// keyCommitted notes that the request's key is on disk.
func keyCommitted(ctx context.Context, tx *Tx) {
	if use, _ := ctx.Value(keyUseKey{}).(*keyUse); use != nil && tx.makes != "" {
		use.committed = true
	}
}
