package catalog

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
)

// ScorerInput is a new version of a scorer. Labels move to it. Params are the
// kind's own settings.
type ScorerInput struct {
	Slug     string
	Name     string
	Kind     string
	Optional bool
	Params   json.RawMessage
	Labels   []string
}

// CreateScorer stores the next version of the slug's scorer, the first when
// there is none. Without a name it is called by its slug.
func (s *Service) CreateScorer(ctx context.Context, workspaceID string, in ScorerInput) (c score.Config, err error) {
	if in.Name == "" {
		in.Name = in.Slug
	}
	c = score.Config{
		WorkspaceID: workspaceID, Slug: in.Slug, Name: in.Name, Kind: in.Kind, Optional: in.Optional, Params: in.Params,
	}
	if err := s.check(c, in.Labels); err != nil {
		return score.Config{}, err
	}
	c.ID = s.newID(scorerPrefix)
	err = s.writeNext(ctx, func(tx Tx) error {
		newest, err := tx.ScorerByRef(ctx, workspaceID, in.Slug)
		if err != nil && !problem.Is(err, problem.NotFound) {
			return err
		}
		c.Version, c.CreatedAt, c.Labels = newest.Version+1, s.now(), nil
		if err := tx.InsertScorer(ctx, c); err != nil {
			return err
		}
		c.Labels = in.Labels
		return labelAll(ctx, in.Labels, func(ctx context.Context, label string) error {
			return tx.LabelScorer(ctx, workspaceID, in.Slug, label, c.Version)
		})
	})
	if err != nil {
		return score.Config{}, err
	}
	return c, nil
}

// check names everything wrong with a scorer that is about to be stored.
func (s *Service) check(c score.Config, labels []string) error {
	var fields []problem.Field
	if !scenario.ValidSlug(c.Slug) {
		fields = append(fields, problem.Field{Path: "slug", Message: slugRule})
	}
	if c.Name != c.Slug { // then it is blamed already
		fields = checkText(fields, "name", c.Name, maxName)
		switch {
		case len(fields) > 0:
		case strings.ContainsFunc(c.Name, unicode.IsControl):
			fields = append(fields, problem.Field{Path: "name", Message: "must be one line without control characters"})
		case problem.Unseen(c.Name):
			fields = append(fields, problem.Field{Path: "name", Message: "must not be empty; left out, it is the slug"})
		}
	}
	fields = checkText(fields, "params", string(c.Params), maxParams)
	fields = checkLabels(fields, labels)
	bad := s.checkScorer(c)
	if bad == nil && len(fields) == 0 {
		return nil
	}
	if bad == nil {
		return problem.Invalid(fields...)
	}
	out := *bad
	out.Fields = append(fields, bad.Fields...)
	return &out
}

// Scorer returns a version of the slug's scorer: at is a label, a version number, or "" for the newest.
func (s *Service) Scorer(ctx context.Context, workspaceID, slug, at string) (c score.Config, err error) {
	ref, ok := refOf(slug, at)
	if !ok {
		return c, problem.Missing("scorer", ref)
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		c, err = tx.ScorerByRef(ctx, workspaceID, ref)
		return err
	})
	return c, err
}

// Scorers lists the newest version of each scorer, by slug. next is the cursor of the next page, "" after the last.
func (s *Service) Scorers(ctx context.Context, workspaceID string, limit int, cursor string) (list []score.Config, next string, err error) {
	size, err := page.Size(limit, cursor, scenario.ValidSlug)
	if err != nil {
		return nil, "", err
	}
	err = s.store.Read(ctx, func(tx Tx) error {
		list, err = tx.Scorers(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(c *score.Config) string { return c.Slug })
	return list, next, nil
}

// ScorerVersions lists all versions of the slug's scorer, newest first.
func (s *Service) ScorerVersions(ctx context.Context, workspaceID, slug string) (versions []score.Config, err error) {
	err = s.store.Read(ctx, func(tx Tx) error {
		versions, err = tx.ScorerVersions(ctx, workspaceID, slug)
		return err
	})
	if err == nil && len(versions) == 0 {
		err = problem.Missing("scorer", slug)
	}
	return versions, err
}

// LabelScorer moves the label to the version of the slug's scorer and returns it.
func (s *Service) LabelScorer(ctx context.Context, workspaceID, slug, label string, version int) (c score.Config, err error) {
	if !scenario.ValidLabel(label) {
		return c, problem.Invalid(problem.Field{Path: "label", Message: labelRule})
	}
	ref, ok := versionRef(slug, version)
	if !ok {
		return c, problem.Missing("scorer", ref)
	}
	err = s.store.Write(ctx, func(tx Tx) error {
		if _, err := tx.ScorerByRef(ctx, workspaceID, ref); err != nil {
			return err
		}
		if err := tx.LabelScorer(ctx, workspaceID, slug, label, version); err != nil {
			return err
		}
		c, err = tx.ScorerByRef(ctx, workspaceID, ref)
		return err
	})
	return c, err
}
