package catalog

import (
	"context"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// PromptInput is a new version of a prompt. Labels move to it.
type PromptInput struct {
	Slug   string
	Text   string
	Labels []string
}

// CreatePrompt stores the next version of the slug's prompt, the first when there is none.
func (s *Service) CreatePrompt(ctx context.Context, workspaceID string, in PromptInput) (p scenario.Prompt, err error) {
	fields := scenario.Prompt{Slug: in.Slug, Text: in.Text}.Validate("")
	if fields = checkLabels(fields, in.Labels); len(fields) > 0 {
		return p, problem.Invalid(fields...)
	}
	id := s.newID(promptPrefix)
	err = s.writeNext(ctx, func(tx Tx) error {
		newest, err := tx.PromptByRef(ctx, workspaceID, in.Slug)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return err
		}
		p = scenario.Prompt{
			ID: id, WorkspaceID: workspaceID, Slug: in.Slug, Version: newest.Version + 1, Text: in.Text, CreatedAt: s.now(),
		}
		if err := tx.InsertPrompt(ctx, p); err != nil {
			return err
		}
		p.Labels = in.Labels
		return labelAll(ctx, in.Labels, func(ctx context.Context, label string) error {
			return tx.LabelPrompt(ctx, workspaceID, in.Slug, label, p.Version)
		})
	})
	if err != nil {
		return scenario.Prompt{}, err
	}
	return p, nil
}

// Prompt returns a version of the slug's prompt: at is a label, a version number, or "" for the newest.
func (s *Service) Prompt(ctx context.Context, workspaceID, slug, at string) (p scenario.Prompt, err error) {
	ref, ok := refOf(slug, at)
	if !ok {
		return p, problem.Missing("prompt", ref)
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		p, err = tx.PromptByRef(ctx, workspaceID, ref)
		return err
	})
	return p, err
}

// Prompts lists the newest version of each prompt, by slug. next is the cursor of the next page, "" after the last.
func (s *Service) Prompts(ctx context.Context, workspaceID string, limit int, cursor string) (list []scenario.Prompt, next string, err error) {
	size, err := page.Size(limit, cursor, scenario.ValidSlug)
	if err != nil {
		return nil, "", err
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		list, err = tx.Prompts(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(p *scenario.Prompt) string { return p.Slug })
	return list, next, nil
}

// PromptVersions lists all versions of the slug's prompt, newest first.
func (s *Service) PromptVersions(ctx context.Context, workspaceID, slug string) (versions []scenario.Prompt, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		versions, err = tx.PromptVersions(ctx, workspaceID, slug)
		return err
	})
	if err == nil && len(versions) == 0 {
		err = problem.Missing("prompt", slug)
	}
	return versions, err
}

// LabelPrompt moves the label to the version of the slug's prompt and returns it.
func (s *Service) LabelPrompt(ctx context.Context, workspaceID, slug, label string, version int) (p scenario.Prompt, err error) {
	if !scenario.ValidLabel(label) {
		return p, problem.Invalid(problem.Field{Path: "label", Message: labelRule})
	}
	ref, ok := versionRef(slug, version)
	if !ok {
		return p, problem.Missing("prompt", ref)
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		if _, err := tx.PromptByRef(ctx, workspaceID, ref); err != nil {
			return err
		}
		if err := tx.LabelPrompt(ctx, workspaceID, slug, label, version); err != nil {
			return err
		}
		p, err = tx.PromptByRef(ctx, workspaceID, ref)
		return err
	})
	return p, err
}
