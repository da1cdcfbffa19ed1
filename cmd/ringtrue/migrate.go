package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/ringtrue/ringtrue/internal/app"
)

type migrateCommand struct {
	databaseFlags
}

// Run opens the database, which migrates it. Where there is none, nothing has an older shape.
func (c *migrateCommand) Run(ctx context.Context, w *world, log *slog.Logger) error {
	return withExisting(ctx, keysCommand{databaseFlags: c.databaseFlags}, log, func(*app.Admin) error {
		_, err := fmt.Fprintln(w.out, "the database is up to date with this version")
		return err
	})
}
