package store

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// narrowedBehind are the conditions of a filter, for the part of the list behind a place.
func (tx *Tx) narrowedBehind(ctx context.Context, workspaceID string, f archive.Filter, after archive.Place) (*conditions, error) {
	if after.ID != "" && after.Begun.Before(f.Until) {
		f.Until = time.Time{} // the place is the nearer bound, and of two a database may take the worse
	}
	where := narrow(workspaceID, f)
	if err := tx.withMetadata(ctx, where, f.Metadata); err != nil {
		return nil, err
	}
	if err := tx.withFailure(ctx, where, workspaceID, f); err != nil {
		return nil, err
	}
	if err := tx.withUnreviewed(ctx, where, workspaceID, f.ScoringStatus); err != nil {
		return nil, err
	}
	if after.ID != "" {
		where.add("(begun_at, id) < (?, ?)", toMicros(after.Begun), after.ID)
	}
	return where, nil
}

// narrow are the conditions that can be checked on the row of a call alone.
func narrow(workspaceID string, f archive.Filter) *conditions {
	var where conditions
	where.add("workspace_id = ?", workspaceID)
	where.equal("origin", string(f.Origin))
	if f.AgentID == bucket.NoAgent {
		where.add("agent_id = ''")
	} else {
		where.equal("agent_id", f.AgentID)
	}
	if f.ExperimentID != "" { // the second condition is that of the index, as below
		where.add("experiment_id = ? AND experiment_id <> ''", f.ExperimentID)
	}
	where.equal("status", string(f.Status))
	where.equal("scoring_status", string(f.ScoringStatus))
	if f.ScoringStatus == call.ScoringFailed || f.ScoringStatus == call.ScoringSkipped {
		where.add("scoring_status IN ('SCORING_FAILED', 'SKIPPED')") // the condition of the index calls_unscored
	}
	where.equal("verdict", string(f.Verdict))
	where.equal("end_code", string(f.EndCode))
	where.equal("end_blame", string(f.Blame))
	where.equal("item_id", f.ItemID)
	if f.Sentiment != "" {
		where.add("sentiment = ? AND sentiment <> ''", string(f.Sentiment))
	}
	switch {
	case f.Upset == nil:
	case *f.Upset:
		where.add("upset = 1")
	default:
		where.add("upset = 0 AND sentiment <> ''") // of whom nothing is known, nobody knows that they were not
	}
	if !f.From.IsZero() {
		where.add("begun_at >= ?", toMicros(f.From))
	}
	if !f.Until.IsZero() {
		where.add("begun_at < ?", toMicros(f.Until))
	}
	where.search(f.Search)
	return &where
}

// byNoIndex is the workspace of a call, written so that no index serves it. SQLite keeps no
// statistics and takes a workspace to have a handful of calls: it would rather go through all of
// them than look up those that it is given.
const byNoIndex = "workspace_id || ''"

// among narrows to a few calls, which are looked up by id.
func (c *conditions) among(ids string, args ...any) {
	c.add("id IN ("+ids+")", args...)
	if at := slices.Index(c.parts, "workspace_id = $1"); at >= 0 {
		c.parts[at] = byNoIndex + " = $1"
	}
}

// rareValue is how many calls at most may have a metadata value for a query to begin with that
// value.
const rareValue = 2000

// withMetadata narrows to calls with these values. The calls of a rare value are looked up. Where
// many calls have the value, the query checks one call after another, because a page fills up soon.
func (tx *Tx) withMetadata(ctx context.Context, where *conditions, metadata map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		start, rest := metadataParts(metadata[name])
		n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM (SELECT 1 FROM call_metadata
			WHERE name = $1 AND start = $2 LIMIT $3) few`, name, start, rareValue+1)
		if err != nil {
			return err
		}
		if n <= rareValue {
			where.among("SELECT call_id FROM call_metadata WHERE name = ? AND start = ? AND rest = ?", name, start, rest)
			continue
		}
		where.add("EXISTS (SELECT 1 FROM call_metadata m WHERE m.name = ? AND m.start = ? AND m.call_id = calls.id AND m.rest = ?)", name, start, rest)
	}
	return nil
}

// withFailure narrows to failing calls, or to one group of them if it is given by its numbers. As
// with metadata, few calls are looked up, and many are checked one by one.
func (tx *Tx) withFailure(ctx context.Context, where *conditions, workspaceID string, f archive.Filter) error {
	if !f.Failing && len(f.Alike) == 0 {
		return nil
	}
	keys, err := tx.textsNumbered(ctx, workspaceID, monitor.KindFailure, f.Alike)
	if err != nil {
		return err
	}
	// The condition that every failure fulfils is that of the index.
	of, args := " AND failure <> ''", []any{workspaceID}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		args = append(args, key)
	}
	switch {
	case len(keys) > 0:
		of += " AND failure IN (?" + strings.Repeat(", ?", len(keys)-1) + ")"
	case len(f.Alike) > 0:
		of += " AND failure = ''" // no group has these numbers
	}
	few := &conditions{}
	few.add("workspace_id = ?"+of, args...)
	n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM (SELECT 1 FROM monitor_facts`+few.text()+few.limit(rareValue+1)+`) few`, few.args...)
	if err != nil {
		return err
	}
	if n <= rareValue {
		where.among("SELECT call_id FROM monitor_facts WHERE workspace_id = ?"+of, args...)
		return nil
	}
	where.add("EXISTS (SELECT 1 FROM monitor_facts f WHERE f.call_id = calls.id AND f.workspace_id = ?"+of+")", args...)
	return nil
}

// withUnreviewed narrows to calls that have not been reviewed yet, if the filter asks for that.
// Usually they are few or none and are looked up; if there are many, a page fills up soon anyway.
func (tx *Tx) withUnreviewed(ctx context.Context, where *conditions, workspaceID string, state call.ScoringStatus) error {
	if state != call.ScoringPending && state != call.ScoringNow {
		return nil
	}
	const waiting = "SELECT id FROM calls WHERE " + byNoIndex + " = ? AND " + unreviewed
	few := &conditions{}
	few.add(waiting, workspaceID)
	n, _, err := one(ctx, tx, scalar[int], `SELECT COUNT(*) FROM (`+few.parts[0]+few.limit(rareValue+1)+`) few`, few.args...)
	if err == nil && n <= rareValue {
		where.among(waiting, workspaceID)
	}
	return err
}

// textsNumbered are the texts of a kind with these numbers, nil when none are asked for.
func (tx *Tx) textsNumbered(ctx context.Context, workspaceID, kind string, numbers []int) (map[string]bool, error) {
	if len(numbers) == 0 {
		return nil, nil
	}
	texts, err := tx.Texts(ctx, workspaceID, kind)
	out := map[string]bool{}
	for _, v := range texts {
		if slices.Contains(numbers, v.ID) {
			out[v.Text] = true
		}
	}
	return out, err
}

// leastDigits is how many digits of a number it takes to search by them.
const leastDigits = 3

// search narrows to calls whose id, or whose platform's id for them, begins
// with the text, or one of whose numbers holds its digits.
func (c *conditions) search(text string) {
	text = strings.TrimSpace(text)
	if text == "" {
		return
	}
	n := utf8.RuneCountInString(text)
	either, args := "substr(id, 1, ?) = ? OR substr(external_id, 1, ?) = ?", []any{n, text, n, text}
	if number := digits(text); len(number) >= leastDigits && strings.Trim(text, "+0123456789 ()-./") == "" {
		either += " OR from_digits LIKE ? OR to_digits LIKE ?"
		args = append(args, "%"+number+"%", "%"+number+"%")
	}
	c.add("("+either+")", args...)
}
