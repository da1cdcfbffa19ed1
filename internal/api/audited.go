package api

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// changes is what kind of thing an operation changes, "" where the audit log does not
// hold it.
func changes(op *huma.Operation) string {
	if !isAudited(op) {
		return ""
	}
	return kindOf(op.Path)
}

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
