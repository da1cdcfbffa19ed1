package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Drafts makes scenarios of calls. Everything of another workspace is problem.NotFound.
type Drafts interface {
	FromCalls(ctx context.Context, workspaceID, datasetID string, f catalog.FromCalls) (catalog.Drafted, error)
}

// FromCallsRequest names the calls that are to become scenarios.
type FromCallsRequest struct {
	CallIDs       []string `json:"call_ids" minItems:"1" maxItems:"100" doc:"Ids of the calls, test calls or production calls"`
	DryRun        bool     `json:"dry_run,omitempty" doc:"true: only show the items, store nothing"`
	RedactNumbers bool     `json:"redact_numbers,omitempty" doc:"true: replace numbers of four digits and more in the caller's lines and the goal by made-up ones, and leave out the facts. This always happens for calls whose platform was told not to keep personal data"`
}

// ItemsFromCalls are the scenarios that were made.
type ItemsFromCalls struct {
	DatasetVersion *int            `json:"dataset_version" doc:"The new version of the dataset, which has the items; null when nothing was stored"`
	Items          []scenario.Item `json:"items" doc:"The items, in the order of the calls; without ids when nothing was stored"`
	Notes          []FromCallNote  `json:"notes" doc:"What the scenarios leave out of their calls"`
}

// FromCallNote says what a scenario leaves out of its call.
type FromCallNote struct {
	CallID string `json:"call_id" doc:"The call that the note is about"`
	Note   string `json:"note" doc:"What is left out, in a sentence"`
}

type fromCallsInput struct {
	rest.CreateHeader
	DatasetPath
	Body FromCallsRequest
}

func (s *server) fromCallsRoutes() {
	if s.Drafts == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "make-items-from-calls", Method: http.MethodPost, Path: "/datasets/{id}/from-calls", Tags: []string{tagDatasets},
		Summary: "Create scenarios from calls",
		Description: "What the caller said becomes the script, with the agent given its turn in between. Goal, facts and language are taken from the item that a test call played, " +
			"or from the keys goal, facts and language of a production call's metadata. Expectations are those of the item, or that the agent stays on the line to the end where the call's end says so; add your own.",
	}, s.fromCalls)
}

func (s *server) fromCalls(ctx context.Context, in *fromCallsInput) (*rest.Body[ItemsFromCalls], error) {
	wanted := catalog.FromCalls{CallIDs: in.Body.CallIDs, DryRun: in.Body.DryRun, RedactNumbers: in.Body.RedactNumbers}
	if wanted.DryRun {
		return s.drafted(ctx, in.ID, wanted)
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "make-items-from-calls", From: []any{in.ID, in.Body}},
		func(ctx context.Context) (*rest.Body[ItemsFromCalls], error) { return s.drafted(ctx, in.ID, wanted) },
		func(m store.Remembered) (*rest.Body[ItemsFromCalls], error) {
			added, err := s.addedItems(ctx, in.ID, m.Version, len(wanted.CallIDs))
			if err != nil {
				return nil, err
			}
			return rest.Answer(ItemsFromCalls{DatasetVersion: &added.Body.DatasetVersion, Items: added.Body.Items, Notes: []FromCallNote{}}), nil
		})
}

func (s *server) drafted(ctx context.Context, datasetID string, f catalog.FromCalls) (*rest.Body[ItemsFromCalls], error) {
	d, err := s.Drafts.FromCalls(ctx, rest.WorkspaceOf(ctx), datasetID, f)
	if err != nil {
		return nil, err
	}
	out := ItemsFromCalls{Items: orEmpty(d.Items), Notes: []FromCallNote{}}
	for _, n := range d.Notes {
		out.Notes = append(out.Notes, FromCallNote(n))
	}
	if !f.DryRun {
		out.DatasetVersion = &d.Dataset.Version
	}
	return rest.Answer(out), nil
}
