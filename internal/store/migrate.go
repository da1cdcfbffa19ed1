package store

import (
	"context"
	"fmt"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Step is one step by which the tables of an older program become those of this
// one. Each is a transaction of its own: whatever ends the process within a step,
// the next start begins with that step again.
type Step struct {
	// Number counts from 1 up to Of.
	Number, Of int
	// Version is the tables' version after the step.
	Version int64
}

// Tell hears of each step before it is taken. It hears nothing while the tables
// of a new database are made.
type Tell func(Step)

// Migrate brings the tables to this program's version and says whether they had
// been those of an older one. Tables that a newer program has made are refused:
// going back would lose what it has written.
func Migrate(ctx context.Context, provider *goose.Provider, tell Tell) (older bool, err error) {
	current, target, err := provider.GetVersions(ctx)
	if err != nil {
		return false, fmt.Errorf("version of the tables: %w", err)
	}
	if current > target {
		return false, tooNew("tables", current, target)
	}
	steps, err := provider.Status(ctx)
	if err != nil {
		return false, fmt.Errorf("steps that the tables have taken: %w", err)
	}
	// Lines of development that were joined later numbered their steps apart: a program of one
	// of them has left out steps of the other below its own version.
	var versions []int64
	for _, step := range steps {
		if step.State == goose.StatePending {
			versions = append(versions, step.Source.Version)
		}
	}
	older = current > 0 && len(versions) > 0
	for i, version := range versions {
		if older && tell != nil {
			tell(Step{Number: i + 1, Of: len(versions), Version: version})
		}
		if _, err := provider.UpTo(ctx, version); err != nil {
			return older, fmt.Errorf("migrate: %w", err)
		}
	}
	return older, nil
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
