package rest

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Access is who may ask for an operation.
type Access struct {
	// Least is the least role, "" for everybody who is signed in.
	Least workspace.Role
	// Person keeps API keys out: they do not manage people.
	Person bool
	// Open lets everybody in, signed in or not.
	Open bool
	// Unattended says that browsers ask for it by themselves, for as long as a page is open. It does
	// not keep a session alive: nobody need sit there.
	Unattended bool
}

// told says in the document who may ask; "" for everybody who may look.
func (a Access) told() string {
	var out []string
	if a.Open {
		out = append(out, "Needs no sign-in.")
	}
	if a.Least != "" && a.Least != workspace.Viewer {
		role := "Takes the role " + string(a.Least)
		if a.Least != workspace.Owner {
			role += " or higher"
		}
		out = append(out, role+".")
	}
	if a.Person {
		out = append(out, "Only for a person who is signed in: API keys are refused.")
	}
	return strings.Join(out, " ")
}

// allowed refuses those who may not ask for the operation.
func (s *Server) allowed(op *huma.Operation, a Access) func(huma.Context, func(huma.Context)) {
	if a.Open {
		mark(s.open, op)
	}
	if a.Unattended {
		mark(s.unattended, op)
	}
	return func(ctx huma.Context, next func(huma.Context)) {
		if err := a.refusal(IdentityOf(ctx.Context())); err != nil {
			s.refuseIn(ctx, err)
			return
		}
		next(ctx)
	}
}

// mark notes the operation's requests; what can be got can be asked for its head.
func mark(requests map[string]bool, op *huma.Operation) {
	path := BasePath + op.Path
	requests[op.Method+" "+path] = true
	if op.Method == http.MethodGet {
		requests[http.MethodHead+" "+path] = true
	}
}

// refusal says why somebody may not; nil when they may.
func (a Access) refusal(id workspace.Identity) error {
	switch {
	case a.Open:
		return nil
	case a.Person && id.PersonID == "":
		return problem.New(problem.Forbidden, "an API key cannot do this, only a person can").WithHint("sign in with a browser and do it there")
	case a.Least == "" || id.Role.AtLeast(a.Least):
		return nil
	case id.Role == "":
		return problem.New(problem.Forbidden, "you are in no workspace").WithHint("ask somebody who is in one for an invitation")
	}
	return problem.New(problem.Forbidden, "this needs the role %s or higher; yours is %s", a.Least, id.Role).
		WithHint("an admin of the workspace can change your role")
}

// refuseIn writes an error from within a middleware of an operation.
func (s *Server) refuseIn(ctx huma.Context, err error) {
	p := s.shown(ctx.Context(), err)
	for name, values := range p.GetHeaders() {
		for _, v := range values {
			ctx.AppendHeader(name, v)
		}
	}
	ctx.SetHeader("Content-Type", problemType)
	ctx.SetStatus(p.Status)
	if body, err := Marshal(p); err == nil {
		_, _ = ctx.BodyWriter().Write(body) // it fails when the client has gone
	}
}
