package store

import (
	"context"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// versioned is what prompts and scorers have in common: rows by workspace,
// slug and version, and labels that point at one version each.
type versioned[T any] struct {
	thing, table, columns string
	fields                func(*T) []any
	// place tells where a row belongs and where its labels go.
	place func(*T) (workspaceID, slug string, version int, labels *[]string)
}

func (v versioned[T]) insert(ctx context.Context, tx *Tx, row T) error {
	workspaceID, slug, version, labels := v.place(&row)
	tx.made("", slug, version)
	err := tx.insert(ctx, v.table, v.columns, v.fields(&row))
	if problem.Is(err, problem.Conflict) {
		return problem.New(problem.Conflict, "version %d of the %s %q exists already", version, v.thing, slug).Because(err)
	}
	for _, label := range *labels {
		if err == nil {
			err = v.label(ctx, tx, workspaceID, slug, label, version)
		}
	}
	return err
}

// byRef finds "slug" (the newest), "slug@label" or "slug@3". A label that is a
// number is never found, because the number means the version.
func (v versioned[T]) byRef(ctx context.Context, tx *Tx, workspaceID, ref string) (T, error) {
	slug, point, pointed := strings.Cut(ref, "@")
	text := `SELECT ` + v.columns + ` FROM ` + v.table + ` WHERE workspace_id = $1 AND slug = $2`
	args := []any{workspaceID, slug}
	switch number, err := strconv.ParseInt(point, 10, 32); {
	case !pointed:
		text += ` ORDER BY version DESC LIMIT 1`
	case err == nil:
		text += ` AND version = $3`
		args = append(args, number)
	default:
		text += ` AND version = (SELECT version FROM labels WHERE thing = $3 AND workspace_id = $1 AND slug = $2 AND label = $4)`
		args = append(args, v.table, point)
	}
	row, err := need(ctx, tx, v.thing, ref, v.fields, text, args...)
	if err != nil {
		return row, err
	}
	rows := []T{row}
	err = v.fillLabels(ctx, tx, rows)
	return rows[0], err
}

func (v versioned[T]) newest(ctx context.Context, tx *Tx, workspaceID string, limit int, cursor string) ([]T, error) {
	rows, err := all(ctx, tx, v.fields, `SELECT `+v.columns+` FROM `+v.table+` t WHERE workspace_id = $1 AND slug > $2
		AND version = (SELECT MAX(version) FROM `+v.table+` n WHERE n.workspace_id = $1 AND n.slug = t.slug)
		ORDER BY slug LIMIT $3`, workspaceID, cursor, limit)
	if err != nil {
		return nil, err
	}
	return rows, v.fillLabels(ctx, tx, rows)
}

func (v versioned[T]) versions(ctx context.Context, tx *Tx, workspaceID, slug string) ([]T, error) {
	rows, err := all(ctx, tx, v.fields, `SELECT `+v.columns+` FROM `+v.table+`
		WHERE workspace_id = $1 AND slug = $2 ORDER BY version DESC`, workspaceID, slug)
	if err == nil && len(rows) == 0 {
		err = problem.Missing(v.thing, slug)
	}
	if err != nil {
		return nil, err
	}
	return rows, v.fillLabels(ctx, tx, rows)
}

func (v versioned[T]) label(ctx context.Context, tx *Tx, workspaceID, slug, label string, version int) error {
	return tx.mustChange(ctx, v.thing, slug+"@"+strconv.Itoa(version),
		`INSERT INTO labels (thing, workspace_id, slug, label, version)
		SELECT $1, workspace_id, slug, $4, version FROM `+v.table+` WHERE workspace_id = $2 AND slug = $3 AND version = $5
		ON CONFLICT (thing, workspace_id, slug, label) DO UPDATE SET version = excluded.version`,
		v.table, workspaceID, slug, label, version)
}

// labelled is one label and where it points.
type labelled struct {
	slug, label string
	version     int
}

// fillLabels gives rows of one workspace the labels that point at them.
func (v versioned[T]) fillLabels(ctx context.Context, tx *Tx, rows []T) error {
	if len(rows) == 0 {
		return nil
	}
	workspaceID, first, _, _ := v.place(&rows[0])
	_, last, _, _ := v.place(&rows[len(rows)-1])
	labels, err := all(ctx, tx, func(l *labelled) []any { return []any{&l.slug, &l.label, &l.version} },
		`SELECT slug, label, version FROM labels WHERE thing = $1 AND workspace_id = $2
		AND slug >= $3 AND slug <= $4 ORDER BY label`, v.table, workspaceID, first, last)
	if err != nil {
		return err
	}
	for i := range rows {
		_, slug, version, into := v.place(&rows[i])
		*into = nil
		for _, l := range labels {
			if l.slug == slug && l.version == version {
				*into = append(*into, l.label)
			}
		}
	}
	return nil
}
