package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// accessOf is the one place that says who may do what. By default viewers read, and members also
// create, change and run; the exceptions are listed here.
func accessOf(op *huma.Operation) rest.Access {
	switch op.OperationID {
	case "get-session", "sign-in", "sign-in-by-link", "set-up", "look-at-invitation", "join-workspace", "sign-out",
		"start-oidc-sign-in", "finish-oidc-sign-in":
		return rest.Access{Open: true}
	case "switch-workspace", "change-password", "change-person":
		return rest.Access{Person: true}
	case "change-member", "remove-member", "create-invitation", "delete-invitation", "create-workspace":
		return rest.Access{Least: workspace.Admin, Person: true}
	case "list-invitations", "list-api-keys", "create-api-key", "revoke-api-key", "list-audit-log",
		"create-recording-credential", "list-recording-credentials", "delete-recording-credential",
		"put-platform-key", "list-platform-keys", "delete-platform-key", "set-monitoring-dimensions", "set-prices":
		return rest.Access{Least: workspace.Admin}
	case "create-saved-view", "update-saved-view", "delete-saved-view": // of their own; sharing takes more
		return rest.Access{Least: workspace.Viewer}
	case "stream-events":
		return rest.Access{Least: workspace.Viewer, Unattended: true}
	case "change-workspace": // the role in that workspace counts, which may be another one
		return rest.Access{}
	}
	if op.Method == http.MethodGet || op.Method == http.MethodHead {
		return rest.Access{Least: workspace.Viewer}
	}
	return rest.Access{Least: workspace.Member}
}
