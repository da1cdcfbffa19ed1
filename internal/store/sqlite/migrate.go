package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/ringtrue/ringtrue/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

func migrate(ctx context.Context, db *sql.DB) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithSlog(slog.New(slog.DiscardHandler)))
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if err := store.Migrate(ctx, provider); err != nil {
		return err
	}
	jobs, err := rivermigrate.New(riversqlite.New(db), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("migrations of the queue: %w", err)
	}
	version, err := queueVersion(ctx, db)
	if err != nil {
		return fmt.Errorf("version of the queue's tables: %w", err)
	}
	return store.MigrateQueue(ctx, jobs, version)
}

func queueVersion(ctx context.Context, db *sql.DB) (version int, err error) {
	var there int
	err = db.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = 'river_migration'`).Scan(&there)
	if err != nil || there == 0 {
		return 0, err
	}
	err = db.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) FROM river_migration`).Scan(&version)
	return version, err
}
