package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// settle brings a new server to the state of one that has been in use for a while. A new one
// creates each file of its log, and every commit waits for that, a hundred milliseconds at a time;
// later it reuses them.
func settle(ctx context.Context, server *pgtest.Server) error {
	address, err := server.Create(ctx)
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // nothing is lost
	statements := []string{`ALTER SYSTEM SET min_wal_size = '1GB'`, `SELECT pg_reload_conf()`, `CREATE TABLE settling (n BIGINT)`}
	for range logFiles {
		statements = append(statements, `INSERT INTO settling VALUES (1)`, `SELECT pg_switch_wal()`)
	}
	for _, text := range append(statements, `CHECKPOINT`) {
		if _, err := conn.Exec(ctx, text); err != nil {
			return fmt.Errorf("settle PostgreSQL: %w", err)
		}
	}
	return nil
}

// logFiles is how many files of 16 MB its log has then.
const logFiles = 48
