package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Prompts keeps prompts in versions. Everything of another workspace is problem.NotFound.
type Prompts interface {
	CreatePrompt(ctx context.Context, workspaceID string, in catalog.PromptInput) (scenario.Prompt, error)
	// Prompt finds a version by label or number; at "" means the newest.
	Prompt(ctx context.Context, workspaceID, slug, at string) (scenario.Prompt, error)
	// Prompts returns the newest version of each by slug and the cursor of the next page, "" when there is none.
	Prompts(ctx context.Context, workspaceID string, limit int, cursor string) ([]scenario.Prompt, string, error)
	PromptVersions(ctx context.Context, workspaceID, slug string) ([]scenario.Prompt, error)
	LabelPrompt(ctx context.Context, workspaceID, slug, label string, version int) (scenario.Prompt, error)
}

// Prompt is one version of a text: the caller's persona or a judge's instruction.
type Prompt struct {
	ID        string   `json:"id" doc:"Id of this version"`
	Slug      string   `json:"slug" doc:"Permanent name, the same for all versions"`
	Version   int      `json:"version" doc:"Counts from 1"`
	Text      string   `json:"text" doc:"The prompt itself"`
	Labels    []string `json:"labels" doc:"Labels that point to this version"`
	CreatedAt int64    `json:"created_at" doc:"Milliseconds since 1970"`
}

// PromptCreate is a new version of a prompt.
type PromptCreate struct {
	Slug   string    `json:"slug" doc:"Permanent name. If it exists, this becomes its next version" example:"impatient-caller"`
	Text   string    `json:"text" doc:"The prompt itself"`
	Labels *[]string `json:"labels,omitempty" doc:"Labels to move to this version" example:"[\"production\"]"`
}

// Versions are all versions of a prompt or scorer, newest first.
type Versions[T any] struct {
	Data []T `json:"data" doc:"All versions, newest first"`
}

type createPromptInput struct {
	rest.CreateHeader
	Body PromptCreate
}

// SlugPath names a prompt or scorer. It is exported for the HTTP library, which passes over embedded types that are not.
type SlugPath struct {
	Slug string `path:"slug" maxLength:"64" doc:"The permanent name"`
}

type slugAtInput struct {
	SlugPath
	At string `query:"at" maxLength:"64" doc:"A label, such as production, or a version number; the newest version when not given" example:"production"`
}

type labelInput struct {
	SlugPath
	Label string `path:"label" maxLength:"64" doc:"The label"`
	Body  LabelMove
}

// LabelMove says where a label moves.
type LabelMove struct {
	Version int `json:"version" minimum:"1" doc:"The version that the label is to point to"`
}

const tagPrompts = "Prompts"

func (s *server) promptRoutes() {
	if s.Prompts == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "create-prompt", Method: http.MethodPost, Path: "/prompts", Tags: []string{tagPrompts},
		Summary: "Create a prompt, or its next version", DefaultStatus: http.StatusCreated,
	}, s.createPrompt)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-prompts", Method: http.MethodGet, Path: "/prompts", Tags: []string{tagPrompts},
		Summary: "List the newest version of each prompt, by slug",
	}, s.listPrompts)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-prompt", Method: http.MethodGet, Path: "/prompts/{slug}", Tags: []string{tagPrompts},
		Summary: "Get a version of a prompt",
	}, s.getPrompt)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-prompt-versions", Method: http.MethodGet, Path: "/prompts/{slug}/versions", Tags: []string{tagPrompts},
		Summary: "List all versions of a prompt, newest first",
	}, s.promptVersions)
	rest.Register(s.Server, huma.Operation{
		OperationID: "label-prompt", Method: http.MethodPut, Path: "/prompts/{slug}/labels/{label}", Tags: []string{tagPrompts},
		Summary: "Move a label to a version of a prompt",
	}, s.labelPrompt)
}

func (s *server) createPrompt(ctx context.Context, in *createPromptInput) (*rest.Body[Prompt], error) {
	created := catalog.PromptInput{Slug: in.Body.Slug, Text: in.Body.Text, Labels: orZero(in.Body.Labels)}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "create-prompt", From: in.Body},
		func(ctx context.Context) (*rest.Body[Prompt], error) {
			p, err := s.Prompts.CreatePrompt(ctx, rest.WorkspaceOf(ctx), created)
			return rest.Answer(wirePrompt(p)), err
		},
		func(m store.Remembered) (*rest.Body[Prompt], error) {
			return s.getPrompt(ctx, &slugAtInput{SlugPath{m.ID}, strconv.Itoa(m.Version)})
		})
}

func (s *server) listPrompts(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[Prompt]], error) {
	list, next, err := s.Prompts.Prompts(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wirePrompt), next)), nil
}

func (s *server) getPrompt(ctx context.Context, in *slugAtInput) (*rest.Body[Prompt], error) {
	p, err := s.Prompts.Prompt(ctx, rest.WorkspaceOf(ctx), in.Slug, in.At)
	return rest.Answer(wirePrompt(p)), err
}

func (s *server) promptVersions(ctx context.Context, in *SlugPath) (*rest.Body[Versions[Prompt]], error) {
	list, err := s.Prompts.PromptVersions(ctx, rest.WorkspaceOf(ctx), in.Slug)
	return rest.Answer(Versions[Prompt]{rest.Mapped(list, wirePrompt)}), err
}

func (s *server) labelPrompt(ctx context.Context, in *labelInput) (*rest.Body[Prompt], error) {
	p, err := s.Prompts.LabelPrompt(ctx, rest.WorkspaceOf(ctx), in.Slug, in.Label, in.Body.Version)
	return rest.Answer(wirePrompt(p)), versionBlamed(err, func() error {
		_, err := s.Prompts.Prompt(ctx, rest.WorkspaceOf(ctx), in.Slug, "")
		return err
	})
}

// versionBlamed is err, the outcome of looking for the version that a body names, or the
// refusal of that field where newest finds that the path leads to something.
func versionBlamed(err error, newest func() error) error {
	if problem.Is(err, problem.NotFound) && newest() == nil {
		return problem.Absent("version", "version", err)
	}
	return err
}

func wirePrompt(p scenario.Prompt) Prompt {
	return Prompt{ID: p.ID, Slug: p.Slug, Version: p.Version, Text: p.Text, Labels: orEmpty(p.Labels), CreatedAt: rest.Moment(p.CreatedAt)}
}

// orEmpty is the list, never null.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
