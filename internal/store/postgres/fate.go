package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// fatePause is the time between two tries to find out what became of a commit.
const fatePause = 200 * time.Millisecond

// drawName draws the name of a transaction.
func drawName() (name [16]byte) {
	_, _ = rand.Read(name[:]) // it never fails
	return name
}

// fate finds out what became of the commit that failed with cause, waiting for
// the database if need be.
func (e *Engine) fate(ctx context.Context, name [16]byte, cause error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), e.patience.fate)
	defer cancel()
	pause := time.NewTicker(fatePause)
	defer pause.Stop()
	for {
		denied, err := e.deny(ctx, name)
		switch {
		case err == nil && !denied:
			return nil
		case err == nil:
			return fmt.Errorf("not committed: %w", errors.Join(errAway, cause))
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return errors.Join(errUncertain, cause)
		}
	}
}

// deny has the transaction of the name not come to pass, unless it has already. Whoever
// writes its row waits for its end, and then either finds the row there or has made sure
// that it never will be. A row of ours is told from the transaction's by its time, a
// thousand years ahead: it may be we who wrote it a moment ago, and did not hear the answer. The
// row is written in either case, so that an answer means that the standbys have it which
// commits wait for, and with it all that was committed before.
func (e *Engine) deny(ctx context.Context, name [16]byte) (denied bool, err error) {
	held, err := e.pool.Acquire(ctx)
	if err != nil {
		return false, err
	}
	defer held.Release()
	err = held.QueryRow(ctx, `INSERT INTO commits (name, at) VALUES ($1, now() + interval '1000 years')
		ON CONFLICT (name) DO UPDATE SET name = commits.name RETURNING at > now() + interval '500 years'`, name).Scan(&denied)
	if err == nil && tookAlone(held) {
		err = errAlone
	}
	return denied, err
}

// Trim implements store.Trimmer: it forgets commits that nobody asks about any more, and those that were denied.
func (e *Engine) Trim(ctx context.Context) error {
	_, err := e.pool.Exec(ctx, `DELETE FROM commits WHERE at < now() - interval '1 hour'
		OR at > now() + interval '500 years' AND at < now() + interval '1000 years' - interval '1 hour'`)
	return err
}

// errAlone is a commit that the server has, and the standbys perhaps not that it was to wait for.
var errAlone = errors.New("the wait for a standby to have the commit too was broken off")

// waitsForStandbys is the routine of the server in which a commit waits for standbys. Should
// somebody break the wait off, it says so in a warning beside a commit that succeeds.
const waitsForStandbys = "SyncRepWaitForLSN"

// aloneMark marks a connection whose last commit is the server's alone.
const aloneMark = "alone"

// heed hears what the server says beside its answers.
func heed(c *pgconn.PgConn, said *pgconn.Notice) {
	if said.Routine == waitsForStandbys {
		c.CustomData()[aloneMark] = true
	}
}

// tookAlone reports whether the last commit of a connection is the server's alone, and forgets it.
func tookAlone(held *pgxpool.Conn) bool {
	marks := held.Conn().PgConn().CustomData()
	_, alone := marks[aloneMark]
	delete(marks, aloneMark)
	return alone
}
