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
	ID        string     `json:"id" doc:"Id of the entry"`
	At        int64      `json:"at" doc:"When it was done, milliseconds since 1970"`
	Actor     AuditActor `json:"actor" doc:"Who did it"`
	Action    string     `json:"action" doc:"What was done: the operationId in this document" example:"create-agent"`
	Thing     AuditThing `json:"thing" doc:"What it was done to"`
	Address   *string    `json:"address" doc:"IP address that the request came from; null at the command line"`
	RequestID *string    `json:"request_id" doc:"Id of the request in the service's log; null at the command line"`
}

// AuditActor is who did it.
type AuditActor struct {
	Kind string  `json:"kind" enum:"person,key,operator" doc:"person; key: an API key; operator: whoever used the command line of the server"`
	ID   *string `json:"id" doc:"Id of the person or key; null for an operator"`
	Name *string `json:"name" doc:"Name of the person or key at that time"`
}

// AuditThing is what it was done to.
type AuditThing struct {
	Kind string  `json:"kind" doc:"Kind of the thing, such as agent, dataset, experiment, member or API key"`
	ID   *string `json:"id" doc:"Its id, or its slug (slug@3 for a version); null when there is only one such thing, as with prices"`
	Name *string `json:"name" doc:"Its name; null when none was noted"`
}

func (s *server) auditRoutes() {
	if s.AuditLog == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "list-audit-log", Method: http.MethodGet, Path: "/audit-log", Tags: []string{"Audit log"},
		Summary:     "List what was done in the workspace, newest first",
		Description: "Who changed what, when, and from where; never contents or secrets. Entries cannot be changed.",
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
		ID: e.ID, At: rest.Moment(e.At), Action: e.Action, Address: rest.OrNull(e.Address), RequestID: rest.OrNull(e.RequestID),
		Actor: AuditActor{Kind: e.Actor.Kind, ID: rest.OrNull(e.Actor.ID), Name: rest.OrNull(e.Actor.Name)},
		Thing: AuditThing{Kind: e.Thing.Kind, ID: rest.OrNull(e.Thing.ID), Name: rest.OrNull(e.Thing.Name)},
	}
}
