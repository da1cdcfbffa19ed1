package crashloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// tables are the contents of the database, as far as they are audited.
type tables struct {
	experiments []experimentRow
	calls       []callRow
	attempts    map[string][]attemptRow // by call, in order
	reviewed    map[string]bool
	jobs        map[string]int // by kind and state
	events      []eventRow
	names       map[string]int // agents and datasets by name
	logs        map[string]int // production calls by external id
	items       *itemTables
}

type experimentRow struct{ id, to, status, rerunOf string }

type callRow struct {
	id, experiment, item, origin, status, scoring, code, detail string
	repetition                                                  int
	ended                                                       int64
	recording                                                   *call.Recording
}

type attemptRow struct {
	id, call, process, code, detail string
	number                          int
	started, ringing, answered, end int64
}

type eventRow struct {
	Kind       string `json:"kind"`
	Experiment string `json:"voice_experiment_id"`
	Call       string `json:"call_id"`
	Status     string `json:"status"`
	Scoring    string `json:"scoring_status"`
}

// openTables opens the database while the service may be running.
func (w *world) openTables(ctx context.Context) (store.Engine, error) {
	if w.database != "" {
		return postgres.Open(ctx, w.database)
	}
	return sqlite.Open(ctx, filepath.Join(w.data, "ringtrue.db"))
}

// unsettled returns what is still to be done, "" if nothing is.
func (w *world) unsettled(ctx context.Context, engine store.Engine) (string, error) {
	if waiting := w.sink.left(); waiting > 0 {
		return fmt.Sprintf("%d records of the agent", waiting), nil
	}
	for _, one := range [][2]string{
		{"experiments", `SELECT COUNT(*) FROM experiments WHERE status NOT IN ('FINISHED', 'CANCELED', 'FAILED', 'SCORING_FAILED')`},
		{"attempts", `SELECT COUNT(*) FROM attempts WHERE ended_at = 0`},
		{"reviews", `SELECT COUNT(*) FROM calls WHERE scoring_status IN ('PENDING', 'SCORING')`},
		{"jobs", `SELECT COUNT(*) FROM river_job WHERE state NOT IN ('completed', 'cancelled', 'discarded')`},
	} {
		n := 0
		if err := read(ctx, engine, one[1], func(scan func(...any) error) error { return scan(&n) }); err != nil {
			return "", err
		}
		if n > 0 {
			return fmt.Sprintf("%d %s", n, one[0]), nil
		}
	}
	return "", nil
}

// jobsDone returns how many jobs have ever been completed.
func (w *world) jobsDone(ctx context.Context, engine store.Engine) (n int, err error) {
	err = read(ctx, engine, `SELECT COUNT(*) FROM river_job WHERE state = 'completed'`,
		func(scan func(...any) error) error { return scan(&n) })
	return n, err
}

// read calls f for each row of a query.
func read(ctx context.Context, engine store.Engine, text string, f func(scan func(...any) error) error) error {
	tx, err := engine.Begin(ctx, false)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	rows, err := tx.Query(ctx, text)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// readTables reads what is audited, while the service is not running.
func (w *world) readTables(ctx context.Context) (t *tables, err error) {
	engine, err := w.openTables(ctx)
	if err != nil {
		return nil, fmt.Errorf("open the database after the last stop: %w", err)
	}
	defer func() { err = errors.Join(err, engine.Close()) }()
	t = &tables{
		attempts: map[string][]attemptRow{}, reviewed: map[string]bool{},
		jobs: map[string]int{}, names: map[string]int{}, logs: map[string]int{},
	}
	t.items = newItemTables()
	queries := t.queries()
	maps.Copy(queries, t.items.queries())
	for text, f := range queries {
		if err := read(ctx, engine, text, f); err != nil {
			return nil, fmt.Errorf("%s: %w", text, err)
		}
	}
	return t, nil
}

type rowReader = func(scan func(...any) error) error

func (t *tables) queries() map[string]rowReader {
	tally := func(into map[string]int) rowReader {
		return func(scan func(...any) error) error {
			var word string
			var n int
			err := scan(&word, &n)
			into[word] += n
			return err
		}
	}
	return map[string]rowReader{
		`SELECT id, to_number, status, rerun_of FROM experiments ORDER BY id`: func(scan func(...any) error) error {
			var e experimentRow
			err := scan(&e.id, &e.to, &e.status, &e.rerunOf)
			t.experiments = append(t.experiments, e)
			return err
		},
		`SELECT id, experiment_id, item_id, origin, status, scoring_status, end_code, end_detail, repetition, ended_at, recording
			FROM calls ORDER BY id`: t.readCall,
		`SELECT id, call_id, process, end_code, end_detail, number, started_at, ringing_at, answered_at, ended_at
			FROM attempts ORDER BY call_id, number`: func(scan func(...any) error) error {
			var a attemptRow
			err := scan(&a.id, &a.call, &a.process, &a.code, &a.detail, &a.number, &a.started, &a.ringing, &a.answered, &a.end)
			t.attempts[a.call] = append(t.attempts[a.call], a)
			return err
		},
		`SELECT owner FROM payloads WHERE kind = 'review'`: func(scan func(...any) error) error {
			var id string
			err := scan(&id)
			t.reviewed[id] = true
			return err
		},
		`SELECT kind || ' ' || CAST(state AS TEXT), COUNT(*) FROM river_job GROUP BY 1`:  tally(t.jobs),
		`SELECT name, COUNT(*) FROM agents GROUP BY 1`:                                   tally(t.names),
		`SELECT name, COUNT(*) FROM datasets GROUP BY 1`:                                 tally(t.names),
		`SELECT external_id, COUNT(*) FROM calls WHERE origin <> 'simulated' GROUP BY 1`: tally(t.logs),
		`SELECT body FROM events ORDER BY seq`: func(scan func(...any) error) error {
			var body string
			var e eventRow
			if err := scan(&body); err != nil {
				return err
			}
			t.events = append(t.events, e)
			return json.Unmarshal([]byte(body), &t.events[len(t.events)-1])
		},
	}
}

func (t *tables) readCall(scan func(...any) error) error {
	var c callRow
	var recording string
	if err := scan(&c.id, &c.experiment, &c.item, &c.origin, &c.status, &c.scoring, &c.code, &c.detail, &c.repetition, &c.ended, &recording); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(recording), &c.recording); err != nil {
		return err
	}
	t.calls = append(t.calls, c)
	return nil
}

func at(micros int64) time.Time { return time.UnixMicro(micros) }
