package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"

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

// planOf is how a statement is answered.
func planOf(t *testing.T, e *sqlite.Engine, text string) string {
	t.Helper()
	rows, err := e.DB().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+text)
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
