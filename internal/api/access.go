package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// access is who may ask for an operation.
type access struct {
	// least is the least role, "" for everybody who is signed in.
	least workspace.Role
	// person keeps API keys out: they do not manage people.
	person bool
	// open lets everybody in, signed in or not.
	open bool
}

// accessOf is the one place that says who may do what. Viewers read, members
// also create, change and run; what differs from that is listed here.
func accessOf(op *huma.Operation) access {
	switch op.OperationID {
	case "get-session", "sign-in", "sign-in-by-link", "set-up", "look-at-invitation", "join-workspace", "sign-out",
		"start-oidc-sign-in", "finish-oidc-sign-in":
		return access{open: true}
	case "switch-workspace", "change-password", "change-person":
		return access{person: true}
	case "change-member", "remove-member", "create-invitation", "delete-invitation", "create-workspace":
		return access{least: workspace.Admin, person: true}
	case "list-invitations", "list-api-keys", "create-api-key", "revoke-api-key", "list-audit-log",
		"create-recording-credential", "list-recording-credentials", "delete-recording-credential",
		"put-platform-key", "list-platform-keys", "delete-platform-key", "set-monitoring-dimensions", "set-prices":
		return access{least: workspace.Admin}
	case "create-saved-view", "update-saved-view", "delete-saved-view": // of their own; sharing takes more
		return access{least: workspace.Viewer}
	case "change-workspace": // the role in that workspace counts, which may be another one
		return access{}
	}
	if op.Method == http.MethodGet || op.Method == http.MethodHead {
		return access{least: workspace.Viewer}
	}
	return access{least: workspace.Member}
}

// allowed refuses those who may not ask for the operation.
func (s *server) allowed(op *huma.Operation) func(huma.Context, func(huma.Context)) {
	a := accessOf(op)
	if a.open {
		path := BasePath + op.Path
		s.open[op.Method+" "+path] = true
		if op.Method == http.MethodGet {
			s.open[http.MethodHead+" "+path] = true
		}
	}
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := a.refusal(identityOf(ctx.Context())); err != nil {
			s.refuseIn(ctx, err)
			return
		}
		next(ctx)
	}
}

// refusal says why somebody may not; nil when they may.
func (a access) refusal(id workspace.Identity) error {
	switch {
	case a.open:
		return nil
	case a.person && id.PersonID == "":
		return problem.New(problem.Forbidden, "an API key does not manage people").WithHint("sign in with a browser and do it there")
	case a.least == "" || id.Role.AtLeast(a.least):
		return nil
	case id.Role == "":
		return problem.New(problem.Forbidden, "you are in no workspace").WithHint("ask somebody who is in one for an invitation")
	}
	return problem.New(problem.Forbidden, "this takes the role %s or more; yours is %s", a.least, id.Role).
		WithHint("an admin of the workspace can change your role")
}

// refuseIn writes an error from within a middleware of an operation.
func (s *server) refuseIn(ctx huma.Context, err error) {
	p := s.shown(ctx.Context(), err)
	for name, values := range p.GetHeaders() {
		for _, v := range values {
			ctx.AppendHeader(name, v)
		}
	}
	ctx.SetHeader("Content-Type", problemType)
	ctx.SetStatus(p.Status)
	if body, err := marshal(p); err == nil {
		_, _ = ctx.BodyWriter().Write(body) // it fails when the client has gone
	}
}
