package api

import (
	"net"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// isAudited reports whether what the operation does is to be remembered. Call
// logs are what programs send all day; they are kept themselves.
func isAudited(op *huma.Operation) bool {
	switch op.OperationID {
	case "submit-call-log", "amend-call-log", "look-at-invitation", "switch-workspace", "sign-out":
		return false
	case "finish-oidc-sign-in":
		return true
	}
	return op.Method != http.MethodGet && op.Method != http.MethodHead
}

// audited has the transaction of the request say who did what.
func (s *server) audited(op *huma.Operation) func(huma.Context, func(huma.Context)) {
	names := parametersOf(op.Path)
	kind := kindOf(op.Path)
	return func(ctx huma.Context, next func(huma.Context)) {
		id := identityOf(ctx.Context())
		var ids []string
		for _, name := range names {
			ids = append(ids, ctx.Param(name))
		}
		next(huma.WithContext(ctx, audit.With(ctx.Context(), audit.Entry{
			WorkspaceID: id.WorkspaceID, Actor: actorOf(id), Action: op.OperationID,
			Thing:   audit.Thing{Kind: kind, ID: strings.Join(ids, "/")},
			Address: addressOf(ctx.Context()), RequestID: requestIDOf(ctx.Context()),
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

// kindOf is what the things below a path are called.
func kindOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if kind, ok := map[string]string{
		"voice-agent": "agent", "voice-experiments": "experiment", "test-runs": "experiment", "api-keys": "API key",
		"monitoring": "dimensions", "reviews": "replay", "recording-credentials": "recording credential", "platform-keys": "platform key",
	}[first]; ok {
		return kind
	}
	return strings.TrimSuffix(first, "s")
}

// hostOf is the address without the port.
func hostOf(remote string) string {
	host, _, err := net.SplitHostPort(remote)
	if err != nil {
		return remote
	}
	return host
}
