package api

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score"
)

// Previews tells what a scorer would say of a call, without keeping anything.
type Previews interface {
	// Preview names the fields of a configuration that does not build. A call of
	// another workspace is problem.NotFound.
	Preview(ctx context.Context, workspaceID, callID string, c score.Config) (call.Score, error)
}

// ScorerTrial is a scorer that is not kept yet, and the call to try it on.
type ScorerTrial struct {
	Kind   string          `json:"kind" doc:"The kind of check, one of those of GET /scorer-kinds" example:"say"`
	Params json.RawMessage `json:"params,omitempty" doc:"Settings of the kind, an object"`
	Name   *string         `json:"name,omitempty" maxLength:"200" doc:"Name to show in the score; the kind when not given"`
	CallID string          `json:"call_id" minLength:"1" maxLength:"128" doc:"The call to try it on; it must have been reviewed"`
}

// ScorerTry names a version of a scorer and the call to try it on.
type ScorerTry struct {
	CallID  string `json:"call_id" minLength:"1" maxLength:"128" doc:"The call to try it on; it must have been reviewed"`
	Version *int   `json:"version,omitempty" minimum:"1" doc:"Version of the scorer; the newest when not given"`
}

// ScorerPreview is what a scorer would say of a call.
type ScorerPreview struct {
	CallID string `json:"call_id" doc:"The call that was looked at"`
	Score  Score  `json:"score" doc:"What the scorer says of it; not_evaluated, with the reason, when something is missing that it needs"`
}

type tryScorerInput struct{ Body ScorerTrial }

type previewScorerInput struct {
	SlugPath
	Body ScorerTry
}

func (s *server) previewRoutes() {
	if s.Previews == nil || s.Scorers == nil {
		return
	}
	const what = "Uses what the call's review heard and measured: nothing is transcribed again or stored, and the call's verdict stays as it is."
	rest.Register(s.Server, huma.Operation{
		OperationID: "try-scorer", Method: http.MethodPost, Path: "/scorers/preview", Tags: []string{tagScorers},
		Summary: "Try a scorer that is not saved yet on an earlier call", Description: what,
	}, s.tryScorer)
	rest.Register(s.Server, huma.Operation{
		OperationID: "preview-scorer", Method: http.MethodPost, Path: "/scorers/{slug}/preview", Tags: []string{tagScorers},
		Summary: "Try a version of a scorer on an earlier call", Description: what,
	}, s.previewScorer)
}

func (s *server) tryScorer(ctx context.Context, in *tryScorerInput) (*rest.Body[ScorerPreview], error) {
	b := in.Body
	name := orZero(b.Name)
	if name == "" {
		name = b.Kind
	}
	return s.preview(ctx, b.CallID, score.Config{Slug: name, Name: name, Kind: b.Kind, Params: b.Params})
}

func (s *server) previewScorer(ctx context.Context, in *previewScorerInput) (*rest.Body[ScorerPreview], error) {
	at := ""
	if in.Body.Version != nil {
		at = strconv.Itoa(*in.Body.Version)
	}
	c, err := s.Scorers.Scorer(ctx, rest.WorkspaceOf(ctx), in.Slug, at)
	if err != nil {
		return nil, s.scorerVersionBlamed(ctx, in.Slug, err)
	}
	return s.preview(ctx, in.Body.CallID, c)
}

func (s *server) preview(ctx context.Context, callID string, c score.Config) (*rest.Body[ScorerPreview], error) {
	found, err := s.Previews.Preview(ctx, rest.WorkspaceOf(ctx), callID, c)
	if problem.Is(err, problem.NotFound) {
		err = problem.Absent("call_id", "call", err)
	}
	if err != nil {
		return nil, err
	}
	return rest.Answer(ScorerPreview{CallID: callID, Score: wireScore(&found)}), nil
}
