package store

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// prompts is how prompts are kept, see versioned.
func prompts() versioned[scenario.Prompt] {
	return versioned[scenario.Prompt]{
		thing: "prompt", table: "prompts",
		columns: "id, workspace_id, slug, version, text, created_at",
		fields: func(p *scenario.Prompt) []any {
			return []any{&p.ID, &p.WorkspaceID, &p.Slug, &p.Version, &p.Text, micros{&p.CreatedAt}}
		},
		place: func(p *scenario.Prompt) (string, string, int, *[]string) {
			return p.WorkspaceID, p.Slug, p.Version, &p.Labels
		},
	}
}

// InsertPrompt implements catalog.PromptRows. Labels it carries are moved to it.
func (tx *Tx) InsertPrompt(ctx context.Context, p scenario.Prompt) error {
	return prompts().insert(ctx, tx, p)
}

// PromptByRef implements catalog.PromptRows.
func (tx *Tx) PromptByRef(ctx context.Context, workspaceID, ref string) (scenario.Prompt, error) {
	return prompts().byRef(ctx, tx, workspaceID, ref)
}

// Prompts implements catalog.PromptRows.
func (tx *Tx) Prompts(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Prompt, error) {
	return prompts().newest(ctx, tx, workspaceID, limit, cursor)
}

// PromptVersions implements catalog.PromptRows.
func (tx *Tx) PromptVersions(ctx context.Context, workspaceID, slug string) ([]scenario.Prompt, error) {
	return prompts().versions(ctx, tx, workspaceID, slug)
}

// LabelPrompt implements catalog.PromptRows.
func (tx *Tx) LabelPrompt(ctx context.Context, workspaceID, slug, label string, version int) error {
	return prompts().label(ctx, tx, workspaceID, slug, label, version)
}
