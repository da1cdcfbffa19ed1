package postgres

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrationLock is the advisory lock that lets one process migrate at a time.
const migrationLock = 0x72696e6774727565

// migrateAt migrates over connections of its own, which may take the time it takes.
func migrateAt(ctx context.Context, config *pgxpool.Config, tell store.Tell) error {
	config = config.Copy()
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		if err := prepare(ctx, c); err != nil {
			return err
		}
		return unhurried(ctx, c)
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	defer pool.Close()
	return migrate(ctx, pool, tell)
}

func migrate(ctx context.Context, pool *pgxpool.Pool, tell store.Tell) error {
	guard, err := pool.Acquire(ctx)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer guard.Release()
	if err := keepsSession(ctx, pool, guard); err != nil {
		return err
	}
	if _, err := guard.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return fmt.Errorf("wait for other migrations: %w", err)
	}
	defer func() {
		// A connection that cannot unlock is broken, and its end unlocks.
		_, _ = guard.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock($1)", int64(migrationLock))
	}()
	err = migrateLocked(ctx, pool, tell)
	if stateOf(err) == noPrivilege {
		return mayNotMake(ctx, pool, err)
	}
	return err
}

func migrateLocked(ctx context.Context, pool *pgxpool.Pool, tell store.Tell) error {
	if err := ownSchema(ctx, pool); err != nil {
		return err
	}
	if err := keepsText(ctx, pool); err != nil {
		return err
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	db := stdlib.OpenDBFromPool(pool)
	defer func() { _ = db.Close() }()
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSlog(slog.New(slog.DiscardHandler)), goose.WithAllowOutofOrder(true))
	if err != nil {
		return fmt.Errorf("migrations: %w", err)
	}
	if _, err := store.Migrate(ctx, provider, tell); err != nil {
		return err
	}
	return migrateQueue(ctx, pool)
}

// migrateQueue names the schema that tables are made in. By the search path alone the queue
// of another service in the same database would be found behind it, and taken for ours.
func migrateQueue(ctx context.Context, pool *pgxpool.Pool) error {
	var schema string
	if err := pool.QueryRow(ctx, `SELECT current_schema()`).Scan(&schema); err != nil {
		return fmt.Errorf("schema of the tables: %w", err)
	}
	jobs, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler), Schema: schema})
	if err != nil {
		return fmt.Errorf("migrations of the queue: %w", err)
	}
	version, err := queueVersion(ctx, pool)
	if err != nil {
		return fmt.Errorf("version of the queue's tables: %w", err)
	}
	return store.MigrateQueue(ctx, jobs, version)
}

// keepsText refuses to make tables in a database that takes the bytes of our texts for
// those of another encoding: it would refuse letters, and a restored dump would hold
// others. One that has no encoding keeps bytes as they are.
func keepsText(ctx context.Context, pool *pgxpool.Pool) error {
	var encoding string
	var fresh bool
	err := pool.QueryRow(ctx, `SELECT current_setting('server_encoding'), to_regclass('goose_db_version') IS NULL`).Scan(&encoding, &fresh)
	if err != nil {
		return fmt.Errorf("encoding of the database: %w", err)
	}
	if encoding == "UTF8" || encoding == "SQL_ASCII" || !fresh {
		return nil
	}
	return problem.New(problem.Unavailable, "the encoding of the database is %s, and must be UTF8", encoding).
		WithHint("make another one: CREATE DATABASE name TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'")
}

func queueVersion(ctx context.Context, pool *pgxpool.Pool) (version int, err error) {
	var there int
	err = pool.QueryRow(ctx, `SELECT COUNT(*) FROM pg_tables WHERE tablename = 'river_migration' AND schemaname = current_schema()`).Scan(&there)
	if err != nil || there == 0 {
		return 0, err
	}
	err = pool.QueryRow(ctx, `SELECT COALESCE(MAX(version), 0) FROM river_migration`).Scan(&version)
	return version, err
}
