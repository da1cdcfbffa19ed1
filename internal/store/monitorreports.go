package store

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

const reportHead = "workspace_id, origin, dim, value, until_at, redo, taken_at"

// reportColumns is how many columns the table has.
const reportColumns = 10

func reportHeadFields(r *monitor.StoredReport) []any {
	return []any{&r.WorkspaceID, &r.Origin, &r.Dim, &r.Value, micros{&r.Until}, micros{&r.Redo}, micros{&r.TakenAt}}
}

// Reports implements monitor.ReportRows.
func (tx *Tx) Reports(ctx context.Context, workspaceID, origin string) ([]monitor.StoredReport, error) {
	fields := func(r *monitor.StoredReport) []any { return append(reportHeadFields(r), &r.Found) }
	return all(ctx, tx, fields, `SELECT `+reportHead+`, found FROM monitor_reports
		WHERE workspace_id = $1 AND origin = $2 ORDER BY dim, value`, workspaceID, origin)
}

// CountReports implements monitor.ReportRows; the primary key answers it.
func (tx *Tx) CountReports(ctx context.Context, workspaceID, origin string) (map[string]int, error) {
	type counted struct {
		dim string
		n   int
	}
	rows, err := all(ctx, tx, func(c *counted) []any { return []any{&c.dim, &c.n} }, `SELECT dim, COUNT(*) FROM monitor_reports
		WHERE workspace_id = $1 AND origin = $2 GROUP BY dim`, workspaceID, origin)
	out := make(map[string]int, len(rows))
	for _, c := range rows {
		out[c.dim] = c.n
	}
	return out, err
}

// ReportOf implements monitor.ReportRows.
func (tx *Tx) ReportOf(ctx context.Context, workspaceID, origin string, s bucket.Series) (monitor.StoredReport, bool, error) {
	if s.Agent != "" {
		return monitor.StoredReport{}, false, nil
	}
	fields := func(r *monitor.StoredReport) []any { return append(reportHeadFields(r), &r.Found, &r.Bands) }
	return one(ctx, tx, fields, `SELECT `+reportHead+`, found, bands FROM monitor_reports
		WHERE workspace_id = $1 AND origin = $2 AND dim = $3 AND value = $4`, workspaceID, origin, s.Dim, s.Value)
}

// PutReport implements monitor.ReportRows. What has changed meanwhile is taken over from
// the row itself: whoever changes it waits for nobody who looks.
func (tx *Tx) PutReport(ctx context.Context, r monitor.StoredReport, taken time.Time) error {
	_, err := tx.exec(ctx, `UPDATE monitor_reports SET until_at = $5,
		redo = CASE WHEN changed <> 0 AND (CAST($6 AS BIGINT) = 0 OR changed < CAST($6 AS BIGINT)) THEN changed ELSE CAST($6 AS BIGINT) END,
		changed = 0, taken_at = $7, found = $8, bands = $9
		WHERE workspace_id = $1 AND origin = $2 AND dim = $3 AND value = $4 AND taken_at = $10`,
		append(reportHeadFields(&r), blob(r.Found), blob(r.Bands), toMicros(taken))...)
	return err
}

// blob is bytes that are there, if only none of them.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// TakeReport implements monitor.ReportRows.
func (tx *Tx) TakeReport(ctx context.Context, r monitor.StoredReport, before, now time.Time) (bool, error) {
	n, err := tx.exec(ctx, `INSERT INTO monitor_reports (`+reportHead+`, found, bands) VALUES ($1, $2, $3, $4, 0, 0, $5, $7, $7)
		ON CONFLICT (workspace_id, origin, dim, value) DO UPDATE SET taken_at = excluded.taken_at, changed = 0
		WHERE monitor_reports.taken_at < $6 OR monitor_reports.taken_at > $8`,
		r.WorkspaceID, r.Origin, r.Dim, r.Value, toMicros(now), toMicros(before), []byte{}, toMicros(now.Add(reportAhead)))
	return n > 0, err
}

// RedoReports implements monitor.ReportRows. An hour that the report does not reach is noted as
// changed all the same: a look that is under way may have read it already.
func (tx *Tx) RedoReports(ctx context.Context, workspaceID, origin string, hour time.Time, series []bucket.Series) error {
	rows := make([][]any, len(series))
	for i, s := range series {
		r := monitor.StoredReport{WorkspaceID: workspaceID, Origin: origin, Series: s, Redo: hour}
		rows[i] = append(reportHeadFields(&r), micros{&r.Redo}, []byte{}, []byte{})
	}
	for some := range slices.Chunk(rows, maxParameters/reportColumns) {
		text, args := insertText("monitor_reports", reportHead+", changed, found, bands", some)
		_, err := tx.exec(ctx, text+` ON CONFLICT (workspace_id, origin, dim, value) DO UPDATE SET
			redo = CASE WHEN (monitor_reports.until_at = 0 OR monitor_reports.until_at > excluded.redo)
				AND (monitor_reports.redo = 0 OR monitor_reports.redo > excluded.redo) THEN excluded.redo ELSE monitor_reports.redo END,
			changed = excluded.changed
			WHERE monitor_reports.changed = 0 OR monitor_reports.changed > excluded.changed`, args...)
		if err != nil {
			return err
		}
	}
	return nil
}

// reportAhead is how far ahead no report is that a clock which has not been set back since has made.
const reportAhead = 10 * time.Minute

// OldReports implements monitor.ReportRows. The condition on agent_id is that of
// the index that is made for it.
func (tx *Tx) OldReports(
	ctx context.Context, origin string, since int, until, before time.Time, limit int,
) ([]monitor.StoredReport, error) {
	return all(ctx, tx, reportHeadFields, `SELECT r.workspace_id, r.origin, r.dim, r.value,
		COALESCE(p.until_at, 0), COALESCE(p.redo, 0), COALESCE(p.taken_at, 0)
		FROM monitor_rolls r LEFT JOIN monitor_reports p
		ON p.workspace_id = r.workspace_id AND p.origin = r.origin AND p.dim = r.dim AND p.value = r.value
		WHERE r.agent_id = '' AND r.origin = $1 AND r.day >= $2
		AND (p.until_at IS NULL OR p.until_at < $3 OR p.until_at > $6) AND (p.taken_at IS NULL OR p.taken_at < $4 OR p.taken_at > $6)
		UNION SELECT `+reportHead+` FROM monitor_reports WHERE origin = $1 AND redo > 0 AND (taken_at < $4 OR taken_at > $6)
		ORDER BY 7, 1, 3, 4 LIMIT $5`, origin, since, toMicros(until), toMicros(before), limit, toMicros(until.Add(reportAhead)))
}
