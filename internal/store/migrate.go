package store

import (
	"context"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Migrate brings the tables to this program's version. Tables that a newer
// program has made are refused: going back would lose what it has written.
func Migrate(ctx context.Context, provider *goose.Provider) error {
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("version of the tables: %w", err)
	}
	if current > target {
		return tooNew("tables", current, target)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// MigrateQueue does the same for the tables of the queue, whose version is the
// newest in river_migration and 0 when there is no such table yet.
func MigrateQueue[T any](ctx context.Context, m *rivermigrate.Migrator[T], version int) error {
	known := 0
	for _, v := range m.AllVersions() {
		known = max(known, v.Version)
	}
	if version > known {
		return tooNew("tables of the queue", int64(version), int64(known))
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("migrate the queue: %w", err)
	}
	return nil
}

func tooNew(what string, current, target int64) error {
	return problem.New(problem.Unavailable, "the %s are of version %d; this program knows them up to %d", what, current, target).
		WithHint("Run the newer ringtrue that made them, or restore a backup from before it ran.")
}
