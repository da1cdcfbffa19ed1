package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// durable makes the commits of a new connection wait for the disk, should the
// server, the database or the user be set not to. Settings that are stronger
// stay. Whether the server syncs at all (fsync) is not ours to set.
func durable(ctx context.Context, c *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	_, err := c.Exec(ctx, `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`)
	if err != nil {
		return fmt.Errorf("have commits wait for the disk: %w", err)
	}
	return nil
}
