package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/store"
)

// Reviews has calls reviewed again, one or many. Everything of another workspace is problem.NotFound.
type Reviews interface {
	Again(ctx context.Context, workspaceID, callID string) error
	StartReplay(ctx context.Context, workspaceID string, s review.Scope) (review.Replay, error)
	ReplayByID(ctx context.Context, workspaceID, id string) (review.Replay, error)
	// Replays lists newest first and gives the cursor of the next page, "" when there is none.
	Replays(ctx context.Context, workspaceID string, limit int, cursor string) ([]review.Replay, string, error)
	CancelReplay(ctx context.Context, workspaceID, id string) (review.Replay, error)
	ResumeReplay(ctx context.Context, workspaceID, id string) (review.Replay, error)
}

// ReviewAccepted says that a call will be reviewed again.
type ReviewAccepted struct {
	ID     string `json:"id" doc:"Id of the call"`
	Status string `json:"status" enum:"accepted" doc:"The review is queued; until it is over, the call shows the one before"`
}

// ReplayRequest says which calls are to be reviewed again; what is left out does not narrow.
type ReplayRequest struct {
	Since                int64  `json:"since,omitempty" minimum:"0" maximum:"253402300799999" doc:"Only calls that began at this time or later, milliseconds since 1970"`
	Until                int64  `json:"until,omitempty" minimum:"0" maximum:"253402300799999" doc:"Only calls that began before this time, milliseconds since 1970"`
	AgentID              string `json:"agent_id,omitempty" minLength:"1" maxLength:"128" doc:"Only calls of this agent"`
	Origin               string `json:"origin,omitempty" enum:"simulated,production" doc:"Only calls of this origin"`
	OnlyOlderThanEngines bool   `json:"only_older_than_engines,omitempty" doc:"true: leave out calls whose latest review already used the current engines, metrics and scorers"`
}

// Replay is a review of history.
type Replay struct {
	ID         string        `json:"id" doc:"Id of this review of history"`
	Status     string        `json:"status" enum:"RUNNING,FINISHED,CANCELED" doc:"RUNNING; FINISHED; CANCELED: it was stopped, and can be resumed where it stopped"`
	Scope      ReplayRequest `json:"scope" doc:"Which calls it covers"`
	Total      int           `json:"total" doc:"How many calls were in scope when it began"`
	Reviewed   int           `json:"reviewed" doc:"How many calls were reviewed again"`
	Skipped    int           `json:"skipped" doc:"How many calls were left out, because they already rest on the newest engines and scorers or were being reviewed anyway"`
	Failed     int           `json:"failed" doc:"How many calls could not be reviewed; they keep their earlier review"`
	CreatedAt  int64         `json:"created_at" doc:"Milliseconds since 1970, as all times here"`
	UpdatedAt  int64         `json:"updated_at" doc:"When the progress was last noted"`
	FinishedAt *int64        `json:"finished_at" doc:"When it finished; null while it runs, and when it was canceled"`
}

// ReplayPath names a replay.
type ReplayPath struct {
	ID string `path:"id" maxLength:"128" doc:"Id of the review of history"`
}

type startReplayInput struct {
	rest.CreateHeader
	Body ReplayRequest
}

type listReplaysInput struct{ rest.PageQuery }

const tagReviews = "Reviews"

func (s *server) reviewRoutes() {
	if s.Reviews == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "review-call", Method: http.MethodPost, Path: "/calls/{id}/review", Tags: []string{tagCalls},
		Summary:       "Review a call again",
		Description:   "It is heard, measured and scored with the current engines and scorers. A recording that could not be fetched is tried again. The answer does not wait for the review.",
		DefaultStatus: http.StatusAccepted,
	}, s.reviewAgain)
	rest.Register(s.Server, huma.Operation{
		OperationID: "start-review", Method: http.MethodPost, Path: "/reviews", Tags: []string{tagReviews},
		Summary:       "Review history again",
		Description:   "Reviews every call in scope again, one after the other; new calls go first. It continues after a restart of the service. The answer does not wait for the end: poll GET /reviews/{id}.",
		DefaultStatus: http.StatusAccepted,
	}, s.startReplay)
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-reviews", Method: http.MethodGet, Path: "/reviews", Tags: []string{tagReviews},
		Summary: "List reviews of history, newest first",
	}, s.listReplays)
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-review", Method: http.MethodGet, Path: "/reviews/{id}", Tags: []string{tagReviews},
		Summary: "Get the progress of a review of history",
	}, s.getReplay)
	rest.Register(s.Server, huma.Operation{
		OperationID: "cancel-review", Method: http.MethodDelete, Path: "/reviews/{id}", Tags: []string{tagReviews},
		Summary:       "Stop a review of history",
		Description:   "It can be resumed. A review that is over stays as it is.",
		DefaultStatus: http.StatusOK,
	}, s.cancelReplay)
	rest.Register(s.Server, huma.Operation{
		OperationID: "resume-review", Method: http.MethodPost, Path: "/reviews/{id}/resume", Tags: []string{tagReviews},
		Summary: "Resume a review of history that was stopped",
	}, s.resumeReplay)
}

func (s *server) reviewAgain(ctx context.Context, in *CallPath) (*rest.Body[ReviewAccepted], error) {
	err := s.Reviews.Again(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(ReviewAccepted{ID: in.ID, Status: "accepted"}), err
}

func (s *server) startReplay(ctx context.Context, in *startReplayInput) (*rest.Body[Replay], error) {
	b := in.Body
	scope := review.Scope{
		Since: fromMS(b.Since), Until: fromMS(b.Until), AgentID: b.AgentID, Origin: call.Origin(b.Origin), OnlyOlder: b.OnlyOlderThanEngines,
	}
	return rest.Once(ctx, s.Server, rest.Creation{Key: in.IdempotencyKey, Operation: "start-review", From: in.Body},
		func(ctx context.Context) (*rest.Body[Replay], error) {
			r, err := s.Reviews.StartReplay(ctx, rest.WorkspaceOf(ctx), scope)
			return rest.Answer(wireReplay(r)), err
		},
		func(m store.Remembered) (*rest.Body[Replay], error) { return s.getReplay(ctx, &ReplayPath{ID: m.ID}) })
}

func (s *server) listReplays(ctx context.Context, in *listReplaysInput) (*rest.Body[rest.Page[Replay]], error) {
	list, next, err := s.Reviews.Replays(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireReplay), next)), nil
}

func (s *server) getReplay(ctx context.Context, in *ReplayPath) (*rest.Body[Replay], error) {
	r, err := s.Reviews.ReplayByID(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireReplay(r)), err
}

func (s *server) cancelReplay(ctx context.Context, in *ReplayPath) (*rest.Body[Replay], error) {
	r, err := s.Reviews.CancelReplay(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireReplay(r)), err
}

func (s *server) resumeReplay(ctx context.Context, in *ReplayPath) (*rest.Body[Replay], error) {
	r, err := s.Reviews.ResumeReplay(ctx, rest.WorkspaceOf(ctx), in.ID)
	return rest.Answer(wireReplay(r)), err
}

func wireReplay(r review.Replay) Replay {
	since, until := rest.Millis(r.Scope.Since), rest.Millis(r.Scope.Until)
	out := Replay{
		ID: r.ID, Status: string(r.State), Total: r.Total, Reviewed: r.Reviewed, Skipped: r.Skipped, Failed: r.Failed,
		CreatedAt: rest.Moment(r.CreatedAt), UpdatedAt: rest.Moment(r.UpdatedAt), FinishedAt: rest.Millis(r.FinishedAt),
		Scope: ReplayRequest{AgentID: r.Scope.AgentID, Origin: string(r.Scope.Origin), OnlyOlderThanEngines: r.Scope.OnlyOlder},
	}
	if since != nil {
		out.Scope.Since = *since
	}
	if until != nil {
		out.Scope.Until = *until
	}
	return out
}
