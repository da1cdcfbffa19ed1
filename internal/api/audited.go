package api

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// changes is the kind of thing that an operation changes, "" for operations outside the audit log.
func changes(op *huma.Operation) string {
	if !isAudited(op) {
		return ""
	}
	return kindOf(op.Path)
}

// isAudited reports whether the audit log records the operation. It leaves out call logs, which
// programs submit all day and which are stored anyway.
func isAudited(op *huma.Operation) bool {
	switch op.OperationID {
	case "submit-call-log", "amend-call-log", "look-at-invitation", "switch-workspace", "sign-out":
		return false
	case "finish-oidc-sign-in":
		return true
	}
	return op.Method != http.MethodGet && op.Method != http.MethodHead
}

// kindOf names the kind of things below a path.
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
