package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"github.com/ringtrue/ringtrue/internal/score"
)

// scorers is how scorers are kept, see versioned.
func scorers() versioned[score.Config] {
	return versioned[score.Config]{
		thing: "scorer", table: "scorers",
		columns: "id, workspace_id, slug, version, name, kind, optional, params, created_at",
		fields: func(s *score.Config) []any {
			return []any{
				&s.ID, &s.WorkspaceID, &s.Slug, &s.Version, &s.Name, &s.Kind, flag{&s.Optional},
				rawText{&s.Params}, micros{&s.CreatedAt},
			}
		},
		place: func(s *score.Config) (string, string, int, *[]string) {
			return s.WorkspaceID, s.Slug, s.Version, &s.Labels
		},
	}
}

// rawText keeps JSON as it came, byte for byte; "" when there is none.
type rawText struct{ v *json.RawMessage }

// Value implements driver.Valuer.
func (r rawText) Value() (driver.Value, error) { return string(*r.v), nil }

// Scan implements sql.Scanner.
func (r rawText) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("a text is kept as %T", src)
	}
	*r.v = nil
	if text != "" {
		*r.v = json.RawMessage(text)
	}
	return nil
}

// InsertScorer implements catalog.ScorerRows. Labels it carries are moved to it.
func (tx *Tx) InsertScorer(ctx context.Context, s score.Config) error {
	return scorers().insert(ctx, tx, s)
}

// ScorerByRef implements catalog.ScorerRows.
func (tx *Tx) ScorerByRef(ctx context.Context, workspaceID, ref string) (score.Config, error) {
	return scorers().byRef(ctx, tx, workspaceID, ref)
}

// Scorers implements catalog.ScorerRows.
func (tx *Tx) Scorers(ctx context.Context, workspaceID string, limit int, cursor string) ([]score.Config, error) {
	return scorers().newest(ctx, tx, workspaceID, limit, cursor)
}

// ScorerVersions implements catalog.ScorerRows.
func (tx *Tx) ScorerVersions(ctx context.Context, workspaceID, slug string) ([]score.Config, error) {
	return scorers().versions(ctx, tx, workspaceID, slug)
}

// LabelScorer implements catalog.ScorerRows.
func (tx *Tx) LabelScorer(ctx context.Context, workspaceID, slug, label string, version int) error {
	return scorers().label(ctx, tx, workspaceID, slug, label, version)
}
