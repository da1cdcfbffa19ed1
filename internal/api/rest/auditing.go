package rest

import (
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// audited has the transaction of the request say who did what.
func audited(op *huma.Operation, kind string) func(huma.Context, func(huma.Context)) {
	names := parametersOf(op.Path)
	return func(ctx huma.Context, next func(huma.Context)) {
		id := IdentityOf(ctx.Context())
		var ids []string
		for _, name := range names {
			ids = append(ids, ctx.Param(name))
		}
		next(huma.WithContext(ctx, audit.With(ctx.Context(), audit.Entry{
			WorkspaceID: id.WorkspaceID, Actor: actorOf(id), Action: op.OperationID,
			Thing:   audit.Thing{Kind: kind, ID: strings.Join(ids, "/")},
			Address: AddressOf(ctx.Context()), RequestID: RequestIDOf(ctx.Context()),
		})))
	}
}

func actorOf(id workspace.Identity) audit.Actor {
	a := audit.Actor{Kind: audit.Key}
	if id.PersonID != "" {
		a.Kind = audit.Person
	}
	a.ID, a.Name = id.Who()
	return a
}

// parametersOf are the names of the parameters in a path.
func parametersOf(path string) (names []string) {
	for segment := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}
