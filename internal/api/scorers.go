package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Scorers keeps scorers in versions. Everything of another workspace is problem.NotFound.
type Scorers interface {
	CreateScorer(ctx context.Context, workspaceID string, in catalog.ScorerInput) (score.Config, error)
	// Scorer finds a version by label or number; at "" means the newest.
	Scorer(ctx context.Context, workspaceID, slug, at string) (score.Config, error)
	// Scorers returns the newest version of each by slug and the cursor of the next page, "" when there is none.
	Scorers(ctx context.Context, workspaceID string, limit int, cursor string) ([]score.Config, string, error)
	ScorerVersions(ctx context.Context, workspaceID, slug string) ([]score.Config, error)
	LabelScorer(ctx context.Context, workspaceID, slug, label string, version int) (score.Config, error)
}

// Scorer is one version of a configured check.
type Scorer struct {
	ID        string          `json:"id" doc:"Id of this version"`
	Slug      string          `json:"slug" doc:"Permanent name, the same for all versions"`
	Name      string          `json:"name" doc:"What it is called in scores"`
	Kind      string          `json:"kind" doc:"The kind of check, one of those of GET /scorer-kinds"`
	Version   int             `json:"version" doc:"Counts from 1"`
	Optional  bool            `json:"optional" doc:"true: its scores inform but do not decide the verdict of a call"`
	Params    json.RawMessage `json:"params" doc:"Settings of the kind, an object"`
	Labels    []string        `json:"labels" doc:"Labels that point to this version"`
	CreatedAt int64           `json:"created_at" doc:"Milliseconds since 1970"`
}

// ScorerCreate is a new version of a scorer.
type ScorerCreate struct {
	Slug     string          `json:"slug" doc:"Permanent name. If it exists, this becomes its next version" example:"greets-by-name"`
	Name     *string         `json:"name,omitempty" doc:"What to call it in scores; the slug when not given"`
	Kind     string          `json:"kind" doc:"The kind of check, one of those of GET /scorer-kinds" example:"say"`
	Optional *bool           `json:"optional,omitempty" doc:"true: its scores inform but do not decide the verdict of a call"`
	Params   json.RawMessage `json:"params,omitempty" doc:"Settings of the kind, an object"`
	Labels   *[]string       `json:"labels,omitempty" doc:"Labels to move to this version"`
}

type createScorerInput struct {
	rest.CreateHeader
	Body ScorerCreate
}

const tagScorers = "Scorers"

func (s *server) scorerRoutes() {
	if s.Scorers == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-scorer", Method: http.MethodPost, Path: "/scorers", Tags: []string{tagScorers},
		Summary: "Create a scorer, or its next version", DefaultStatus: http.StatusCreated,
	}, s.createScorer)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-scorers", Method: http.MethodGet, Path: "/scorers", Tags: []string{tagScorers},
		Summary: "List the newest version of each scorer, by slug",
	}, s.listScorers)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-scorer", Method: http.MethodGet, Path: "/scorers/{slug}", Tags: []string{tagScorers},
		Summary: "Get a version of a scorer",
	}, s.getScorer)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-scorer-versions", Method: http.MethodGet, Path: "/scorers/{slug}/versions", Tags: []string{tagScorers},
		Summary: "List all versions of a scorer, newest first",
	}, s.scorerVersions)
	rest.Register(s.Server, huma.Operation{
		OperationID: "label-scorer", Method: http.MethodPut, Path: "/scorers/{slug}/labels/{label}", Tags: []string{tagScorers},
		Summary: "Move a label to a version of a scorer",
	}, s.labelScorer)
	s.scorerKindsRoute()
}

func (s *server) createScorer(ctx context.Context, in *createScorerInput) (*rest.Body[Scorer], error) {
	b := in.Body
	created := catalog.ScorerInput{
		Slug: b.Slug, Name: orZero(b.Name), Kind: b.Kind, Optional: orZero(b.Optional), Params: b.Params, Labels: orZero(b.Labels),
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "create-scorer", From: b},
		func(ctx context.Context) (*rest.Body[Scorer], error) {
			c, err := s.Scorers.CreateScorer(ctx, rest.WorkspaceOf(ctx), created)
			return rest.Answer(wireScorer(c)), err
		},
		func(m store.Remembered) (*rest.Body[Scorer], error) {
			return s.getScorer(ctx, &slugAtInput{SlugPath{m.ID}, strconv.Itoa(m.Version)})
		})
}

func (s *server) listScorers(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[Scorer]], error) {
	list, next, err := s.Scorers.Scorers(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireScorer), next)), nil
}

func (s *server) getScorer(ctx context.Context, in *slugAtInput) (*rest.Body[Scorer], error) {
	c, err := s.Scorers.Scorer(ctx, rest.WorkspaceOf(ctx), in.Slug, in.At)
	return rest.Answer(wireScorer(c)), err
}

func (s *server) scorerVersions(ctx context.Context, in *SlugPath) (*rest.Body[Versions[Scorer]], error) {
	list, err := s.Scorers.ScorerVersions(ctx, rest.WorkspaceOf(ctx), in.Slug)
	return rest.Answer(Versions[Scorer]{rest.Mapped(list, wireScorer)}), err
}

func (s *server) labelScorer(ctx context.Context, in *labelInput) (*rest.Body[Scorer], error) {
	c, err := s.Scorers.LabelScorer(ctx, rest.WorkspaceOf(ctx), in.Slug, in.Label, in.Body.Version)
	return rest.Answer(wireScorer(c)), s.scorerVersionBlamed(ctx, in.Slug, err)
}

func (s *server) scorerVersionBlamed(ctx context.Context, slug string, err error) error {
	return versionBlamed(err, func() error {
		_, err := s.Scorers.Scorer(ctx, rest.WorkspaceOf(ctx), slug, "")
		return err
	})
}

func wireScorer(c score.Config) Scorer {
	out := Scorer{
		ID: c.ID, Slug: c.Slug, Name: c.Name, Kind: c.Kind, Version: c.Version, Optional: c.Optional, Params: c.Params,
		Labels: orEmpty(c.Labels), CreatedAt: rest.Moment(c.CreatedAt),
	}
	if len(out.Params) == 0 {
		out.Params = json.RawMessage("{}")
	}
	return out
}
