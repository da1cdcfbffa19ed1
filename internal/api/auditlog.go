package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/audit"
)

// AuditLog tells who did what.
type AuditLog interface {
	// Entries returns newest first and the cursor of the next page, "" when there is none.
	Entries(ctx context.Context, workspaceID string, limit int, cursor string) ([]audit.Entry, string, error)
}

// AuditEntry is one thing that was done.
type AuditEntry struct {
	ID        string     `json:"id"`
	At        *int64     `json:"at" doc:"Milliseconds since 1970"`
	Actor     AuditActor `json:"actor"`
	Action    string     `json:"action" doc:"Id of the operation in this document" example:"create-agent"`
	Thing     AuditThing `json:"thing"`
	Address   *string    `json:"address" doc:"Where the request came from; null at the command line"`
	RequestID *string    `json:"request_id" doc:"Names the request in the service's log"`
}

// AuditActor is who did it.
type AuditActor struct {
	Kind string  `json:"kind" enum:"person,key,operator" doc:"operator is whoever sits at the command line of the server"`
	ID   *string `json:"id"`
	Name *string `json:"name" doc:"As it was then"`
}

// AuditThing is what it was done to.
type AuditThing struct {
	Kind string  `json:"kind" doc:"agent, dataset, experiment, member, API key, …"`
	ID   *string `json:"id" doc:"Its id or slug (slug@3 for a version); null where there is one of it"`
	Name *string `json:"name"`
}

func (s *server) auditRoutes() {
	if s.AuditLog == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-audit-log", Method: http.MethodGet, Path: "/audit-log", Tags: []string{"Audit log"},
		Summary:     "List what was done in the workspace, newest first",
		Description: "Who changed what, when, and from where: never contents, never secrets. An entry is written together with the change and never changed.",
	}, s.listAuditLog)
}

func (s *server) listAuditLog(ctx context.Context, in *rest.PageQuery) (*rest.Body[rest.Page[AuditEntry]], error) {
	list, next, err := s.AuditLog.Entries(ctx, rest.WorkspaceOf(ctx), in.Limit, in.Cursor)
	if err != nil {
		return nil, err
	}
	return rest.Answer(rest.PageOf(rest.Mapped(list, wireAudit), next)), nil
}

func wireAudit(e audit.Entry) AuditEntry {
	return AuditEntry{
		ID: e.ID, At: rest.Millis(e.At), Action: e.Action, Address: rest.OrNull(e.Address), RequestID: rest.OrNull(e.RequestID),
		Actor: AuditActor{Kind: e.Actor.Kind, ID: rest.OrNull(e.Actor.ID), Name: rest.OrNull(e.Actor.Name)},
		Thing: AuditThing{Kind: e.Thing.Kind, ID: rest.OrNull(e.Thing.ID), Name: rest.OrNull(e.Thing.Name)},
	}
}
