package queue

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// manyProcesses is the recovery on PostgreSQL. Every process beats on a row of its own, and whoever
// notices that one has fallen silent puts its jobs back. A process is silent if its beat has not
// changed while it was watched for long enough, so that nobody's clock matters.
type manyProcesses struct {
	pool   *pgxpool.Pool
	clock  *clock
	atWork *atWork
	// every is how often a process beats, patience how long one may be silent.
	every, patience time.Duration

	// What follows belongs to the one goroutine that puts back.
	seen map[string]sighting
	last time.Time
	// lost are jobs that are ours although nobody here works them.
	lost lost
}

// sighting is a beat and when it was first seen.
type sighting struct {
	beat  time.Time
	since time.Time
}

func (p *manyProcesses) begin(ctx context.Context, clientID string) error {
	return p.beat(ctx, clientID)
}

func (p *manyProcesses) periodic(clientID string) []Periodic {
	return []Periodic{
		{Name: "queue_beat", Every: p.every, Run: func(ctx context.Context) error { return p.beat(ctx, clientID) }},
		{Name: "queue_recovery", Every: p.every, Run: func(ctx context.Context) error { return p.recover(ctx, clientID) }},
	}
}

// beat says that this process lives, and reads the database's clock.
func (p *manyProcesses) beat(ctx context.Context, clientID string) error {
	asked := p.clock.now()
	var now time.Time
	err := p.pool.QueryRow(ctx, `INSERT INTO queue_processes (id, beat_at) VALUES ($1, clock_timestamp())
		ON CONFLICT (id) DO UPDATE SET beat_at = CASE WHEN clock_timestamp() > queue_processes.beat_at
			THEN clock_timestamp() ELSE queue_processes.beat_at + interval '1 millisecond' END
		RETURNING clock_timestamp()`, clientID).Scan(&now)
	if err == nil {
		p.clock.set(asked, p.clock.now(), now)
	}
	return err
}

func (p *manyProcesses) recover(ctx context.Context, clientID string) error {
	silent, err := p.silent(ctx, clientID)
	if err != nil {
		return err
	}
	const free = `UPDATE river_job SET state = 'available', attempt = greatest(attempt - 1, 0) WHERE state = 'running' AND `
	// Whether a process is there at all is asked here: one that has just begun works already.
	if _, err := p.pool.Exec(ctx, free+`attempted_by[array_upper(attempted_by, 1)] <> $1 AND (attempted_by[array_upper(attempted_by, 1)] = ANY($2)
		OR NOT EXISTS (SELECT 1 FROM queue_processes p WHERE p.id = attempted_by[array_upper(attempted_by, 1)]))`, clientID, silent); err != nil {
		return err
	}
	// Of jobs whose hand-out broke off on its way here the database believes that we work them.
	nobodys, err := p.unknown(ctx, clientID)
	if err != nil {
		return err
	}
	if again := p.lost.overdue(nobodys, p.clock.now(), p.patience); len(again) > 0 {
		if _, err := p.pool.Exec(ctx, free+`id = ANY($1)`, again); err != nil {
			return err
		}
	}
	// What comes from the future was left before the database's clock was set back.
	_, err = p.pool.Exec(ctx, `UPDATE river_job SET scheduled_at = now() + greatest(scheduled_at - greatest(created_at, attempted_at), '0'),
		created_at = least(created_at, now()), attempted_at = least(attempted_at, now())
		WHERE state IN ('available', 'scheduled', 'retryable') AND greatest(created_at, attempted_at) > now() + interval '10 seconds'`)
	return err
}

// silent are the other processes that have fallen silent. If nobody watched for half of the
// patience, the others may have had no chance to be seen.
func (p *manyProcesses) silent(ctx context.Context, clientID string) ([]string, error) {
	found, err := p.pool.Query(ctx, `SELECT id, beat_at FROM queue_processes`)
	if err != nil {
		return nil, err
	}
	silent, seen, now := []string{}, map[string]sighting{}, p.clock.now()
	fresh := now.Sub(p.last) > p.patience/2
	var dead []string
	var id string
	var beat time.Time
	if _, err := pgx.ForEachRow(found, []any{&id, &beat}, func() error {
		before, known := p.seen[id]
		if !known || fresh || !before.beat.Equal(beat) {
			before = sighting{beat, now}
		}
		seen[id] = before
		if now.Sub(before.since) >= p.patience && id != clientID {
			silent = append(silent, id)
			if now.Sub(before.since) > forget {
				dead = append(dead, id)
			}
		}
		return nil
	}); err != nil {
		return nil, err
	}
	p.seen, p.last = seen, now
	if len(dead) > 0 {
		_, err = p.pool.Exec(ctx, `DELETE FROM queue_processes WHERE id = ANY($1)`, dead)
	}
	return silent, err
}

// forget is how long the row of a dead process is kept.
const forget = time.Hour

// unknown are the jobs that the database has as ours but that nobody here is working on.
func (p *manyProcesses) unknown(ctx context.Context, clientID string) ([]int64, error) {
	found, err := p.pool.Query(ctx, `SELECT id FROM river_job WHERE state = 'running' AND attempted_by[array_upper(attempted_by, 1)] = $1`, clientID)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(found, pgx.RowTo[int64])
	return slices.DeleteFunc(ids, p.atWork.has), err
}
