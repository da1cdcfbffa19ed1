package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"

	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/ringtrue/ringtrue/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// patience is how long one process waits for another that brings the same file
// up to date, in milliseconds.
const patience = 60_000

// upgrade brings a file up to date, one process at a time: a command may be given
// while the service that it belongs to has only just begun. The lock is SQLite's
// own, on an empty file beside: it is the same on every system, and ends with its
// process.
func upgrade(ctx context.Context, db *sql.DB, path string, tell store.Tell) (err error) {
	q := url.Values{"_txlock": {"exclusive"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", patience)}}
	makePrivate(path + "-upgrade")
	lock := open((&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path + "-upgrade"}).EscapedPath(), RawQuery: q.Encode()}).String())
	defer func() { err = errors.Join(err, lock.Close()) }()
	held, err := lock.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("wait for whoever brings the file up to date: %w", err)
	}
	defer func() { err = errors.Join(err, held.Rollback()) }()
	return migrate(ctx, db, tell)
}

func migrate(ctx context.Context, db *sql.DB, tell store.Tell) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithSlog(slog.New(slog.DiscardHandler)), goose.WithAllowOutofOrder(true))
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	older, err := store.Migrate(ctx, provider, tell)
	if err != nil {
		return err
	}
	if older { // a step leaves as much in the log as it has written, which can be as much as the file
		if _, err := db.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
			return fmt.Errorf("bring the log into the file: %w", err)
		}
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
