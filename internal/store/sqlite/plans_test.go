package sqlite_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
)

// A list of the calls whose scoring failed reads those, and not all that there are to
// find that there is none. Lists of other states are read in their order.
func TestRareStatesHaveAnIndex(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "ringtrue.db"))
	for condition, index := range map[string]string{
		"scoring_status = 'SKIPPED' AND scoring_status IN ('SCORING_FAILED', 'SKIPPED')":                                                       "calls_unscored (workspace_id=? AND scoring_status=?)",
		"scoring_status = 'SCORING_FAILED' AND scoring_status IN ('SCORING_FAILED', 'SKIPPED') AND begun_at < 7 AND (begun_at, id) < (7, 'c')": "calls_unscored (workspace_id=? AND scoring_status=?",
		"scoring_status = 'SCORED'": "COVERING INDEX calls_listed",
	} {
		plan := planOf(t, e, `SELECT id FROM calls WHERE workspace_id = 'w' AND `+condition+` ORDER BY begun_at DESC, id DESC LIMIT 10`)
		if !strings.Contains(plan, index) || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s:\n%s", condition, plan)
		}
	}
}

// What few calls have is looked up, and not looked for in every call of the workspace.
func TestFewCallsAreLookedUp(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "ringtrue.db"))
	asked := &asked{Engine: e}
	s := store.New(asked, nil, time.Now)
	for name, f := range map[string]archive.Filter{
		"waiting": {ScoringStatus: call.ScoringPending}, "under review": {ScoringStatus: call.ScoringNow}, "metadata": {Metadata: map[string]string{"k": "v"}},
		"failing": {Failing: true}, "one group": {Alike: []int{3}}, "an agent's, in a window": {ScoringStatus: call.ScoringPending, AgentID: "a", From: time.Unix(7, 0)},
	} {
		for _, after := range []archive.Place{{}, {Begun: time.Unix(9, 0), ID: "c"}} {
			asked.all = nil
			if err := s.Read(t.Context(), func(tx *store.Tx) error {
				_, err := tx.Calls(t.Context(), "w", f, 10, after)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			for _, q := range asked.all {
				if plan := planOf(t, e, q.text, q.args...); strings.Contains(plan, "calls_listed") {
					t.Errorf("%s: %s\n%s", name, q.text, plan)
				}
			}
		}
	}
	asked.all = nil
	if err := s.Read(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Waiting(t.Context(), "w", "production", "a", 1000)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if plan := planOf(t, e, asked.all[0].text, asked.all[0].args...); !strings.Contains(plan, "calls_waiting (workspace_id=? AND origin=?)") {
		t.Errorf("the calls that wait:\n%s", plan)
	}
}

// How far an experiment has come is counted for each call that moves: without the rows of the others.
func TestTallyReadsNoRows(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "ringtrue.db"))
	asked := &asked{Engine: e}
	if err := store.New(asked, nil, time.Now).Read(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Tally(t.Context(), "ve_1")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for _, q := range asked.all {
		if plan := planOf(t, e, q.text, q.args...); !strings.Contains(plan, "COVERING INDEX") || strings.Contains(plan, "TEMP B-TREE") {
			t.Errorf("%s\n%s", q.text, plan)
		}
	}
}

// The test call that a platform's record is of is looked for in its time, and not among all test
// calls that there ever were to the number.
func TestATestCallIsLookedForInItsTime(t *testing.T) {
	t.Parallel()
	e := open(t, filepath.Join(t.TempDir(), "ringtrue.db"))
	asked := &asked{Engine: e}
	if err := store.New(asked, nil, time.Now).Read(t.Context(), func(tx *store.Tx) error {
		_, _, err := tx.TestCall(t.Context(), "w", calllog.Match{From: "+1", To: "+2", StartedAt: time.Unix(1e9, 0)})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	const index = "calls_numbers (workspace_id=? AND to_digits=? AND started_at>? AND started_at<?)"
	if plan := planOf(t, e, asked.all[0].text, asked.all[0].args...); !strings.Contains(plan, index) {
		t.Error(plan)
	}
}

// asked is an engine that notes what it is asked.
type asked struct {
	store.Engine
	all []question
	// rows is how many it has answered with.
	rows int
}

type question struct {
	text string
	args []any
}

func (a *asked) Begin(ctx context.Context, write bool) (store.Conn, error) {
	conn, err := a.Engine.Begin(ctx, write)
	return askedConn{conn, a}, err
}

type askedConn struct {
	store.Conn
	asked *asked
}

func (c askedConn) Query(ctx context.Context, text string, args ...any) (store.Rows, error) {
	c.asked.all = append(c.asked.all, question{text, args})
	rows, err := c.Conn.Query(ctx, text, args...) //nolint:rowserrcheck // whoever reads the rows asks for their error
	return askedRows{rows, c.asked}, err
}

type askedRows struct {
	store.Rows
	asked *asked
}

func (r askedRows) Next() bool {
	ok := r.Rows.Next()
	if ok {
		r.asked.rows++
	}
	return ok
}

// planOf is how a statement is answered.
func planOf(t *testing.T, e *sqlite.Engine, text string, args ...any) string {
	t.Helper()
	rows, err := e.DB().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+text, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(plan, "\n")
}
