package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// heldIdle is for how long a transaction may stand open with nothing asked in it.
// Ours never wait for anything else; a process that was stopped in the middle of
// one would hold up all others for as long as it stands still.
const heldIdle = "15s"

// prepare sets up a new connection. What the server, the database or the user are
// set to stays where it is stronger.
func prepare(ctx context.Context, c *pgx.Conn) error {
	return bounded(ctx, connectTimeout, func(ctx context.Context) error { return setUp(ctx, c) })
}

func setUp(ctx context.Context, c *pgx.Conn) error {
	if err := takeColumns(c); err != nil {
		return err
	}
	if err := durable(ctx, c); err != nil {
		return err
	}
	_, err := c.Exec(ctx, `SELECT set_config('idle_in_transaction_session_timeout', $1, false) WHERE current_setting('idle_in_transaction_session_timeout') = '0'`, heldIdle)
	if err != nil {
		return fmt.Errorf("bound how long a transaction may stand still: %w", err)
	}
	if err := silent(ctx, c); err != nil {
		return err
	}
	if err := committed(ctx, c); err != nil {
		return err
	}
	if err := noteReadOnly(ctx, c); err != nil {
		return err
	}
	return steady(ctx, c)
}

// silent has a connection stay while it is asked nothing. The one that listens for jobs never is,
// and the pool keeps others for the next question: each that the server ends has to be made again.
// A server before version 14 knows no such end.
func silent(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config('idle_session_timeout', '0', false) WHERE current_setting('idle_session_timeout', true) IS NOT NULL`)
	if err != nil {
		return fmt.Errorf("have a connection stay that is asked nothing: %w", err)
	}
	return nil
}

// readOnlyMark marks a connection that took no writes when it was made.
const readOnlyMark = "read only"

// noteReadOnly marks a connection to a database that takes no writes. A session keeps
// the setting that it began with: one that began while the database was set to be read
// only would refuse writes long after that has been set back.
func noteReadOnly(ctx context.Context, c *pgx.Conn) error {
	var readOnly bool
	if err := c.QueryRow(ctx, `SELECT current_setting('transaction_read_only')::boolean`).Scan(&readOnly); err != nil {
		return fmt.Errorf("ask whether the database takes writes: %w", err)
	}
	if readOnly {
		c.PgConn().CustomData()[readOnlyMark] = true
	}
	return nil
}

// beganReadOnly reports whether a connection took no writes when it was made.
func beganReadOnly(c *pgx.Conn) bool {
	_, marked := c.PgConn().CustomData()[readOnlyMark]
	return marked
}

// committed has what begins no transaction of ours, the queue's work and single
// statements, run at READ COMMITTED as ours do. At a stricter level they would fail
// whenever two processes are at work on the same rows, and a start with them.
func committed(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config('default_transaction_isolation', 'read committed', false)`)
	if err != nil {
		return fmt.Errorf("have transactions see what others have committed: %w", err)
	}
	return nil
}

// steady has every question answered by the index that is made for it. Otherwise
// the server reads a table through while that is small, and goes on to do so with
// the statements it has prepared when the table has grown, until it counts its
// rows anew. Compiling statements is for those that take seconds.
func steady(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config('enable_seqscan', 'off', false), set_config('jit', 'off', false)`)
	if err != nil {
		return fmt.Errorf("have questions answered by their indexes: %w", err)
	}
	return nil
}

// durable makes the commits of a connection wait for the disk, should they be set
// not to. Whether the server syncs at all (fsync) is not ours to set.
func durable(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`)
	if err != nil {
		return fmt.Errorf("have commits wait for the disk: %w", err)
	}
	return nil
}

// unhurried has a connection that migrates take minutes, wait for another process that
// does, and hold the lock that keeps others waiting while it says nothing, whatever an
// administrator allows those who ask.
func unhurried(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, `SELECT set_config(name, '0', false) FROM pg_settings
		WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_session_timeout', 'transaction_timeout')`)
	if err != nil {
		return fmt.Errorf("let migrations take their time: %w", err)
	}
	return nil
}
