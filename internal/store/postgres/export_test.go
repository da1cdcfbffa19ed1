package postgres

import "time"

// MigrationLock is what whoever migrates holds.
const MigrationLock = int64(migrationLock)

// Hasten makes the engine impatient.
func (e *Engine) Hasten(begin, statement, commit, fate time.Duration) {
	e.patience = patience{begin: begin, statement: statement, commit: commit, fate: fate}
}

// Relax gives the engine its usual patience again.
func (e *Engine) Relax() { e.patience = usualPatience() }
