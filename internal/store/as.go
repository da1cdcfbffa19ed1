package store

import (
	"context"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/calllog"
)

// View is a Store as one package sees it: its transactions are of the type T,
// that package's own Tx interface.
type View[T any] struct{ store *Store }

// As returns the store as the package with the Tx interface T sees it. T must
// be an interface that *Tx implements.
func As[T any](s *Store) View[T] { return View[T]{store: s} }

// Write is Store.Write.
func (v View[T]) Write(ctx context.Context, f func(T) error) error {
	return v.store.Write(ctx, func(tx *Tx) error { return pass(tx, f) })
}

// Read is Store.Read.
func (v View[T]) Read(ctx context.Context, f func(T) error) error {
	return v.store.Read(ctx, func(tx *Tx) error { return pass(tx, f) })
}

// Pack is Store.Pack.
func (v View[T]) Pack(record, raw []byte) []byte { return v.store.Pack(record, raw) }

// ReadBodies is Store.ReadBodies.
func (v View[T]) ReadBodies(read func(provider string, body []byte) (calllog.Record, error)) {
	v.store.ReadBodies(read)
}

func pass[T any](tx *Tx, f func(T) error) error {
	seen, ok := any(tx).(T)
	if !ok {
		return fmt.Errorf("a transaction of the store is no %T", *new(T))
	}
	return f(seen)
}
