package postgres

import (
	"context"
	"errors"
	"time"
)

// MigrationLock is what whoever migrates holds.
const MigrationLock = int64(migrationLock)

// Hasten makes the engine impatient.
func (e *Engine) Hasten(begin, statement, commit, fate time.Duration) {
	e.patience = patience{begin: begin, statement: statement, commit: commit, fate: fate}
}

// Relax gives the engine its usual patience again.
func (e *Engine) Relax() { e.patience = usualPatience() }

// CommittedNever finds out what became of a commit that nobody has begun, and says whether that was told.
func (e *Engine) CommittedNever(ctx context.Context, name [16]byte) bool {
	return errors.Is(e.fate(ctx, name, nil), errAway)
}
