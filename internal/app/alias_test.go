package app

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/api/rest"
)

// Who copies the address that a client calls gives it whole.
func TestPathAliasesMayBeGivenWhole(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"/old/logs=/v2/call-logs", "/api/rest/old/logs=/api/rest/v2/call-logs", "/old/logs/=/api/rest/v2/call-logs/"} {
		list, err := pathAliases("--alias-path", []string{text})
		if want := (rest.PathAlias{From: "/old/logs", To: "/v2/call-logs"}); err != nil || len(list) != 1 || list[0] != want {
			t.Errorf("%s: %v, %v", text, list, err)
		}
	}
	for _, text := range []string{"/v1=/", "/api/rest/v1=/api/rest"} { // all that is below another path
		if list, err := pathAliases("--alias-path", []string{text}); err != nil || list[0] != (rest.PathAlias{From: "/v1"}) {
			t.Errorf("%s: %v, %v", text, list, err)
		}
	}
	for _, text := range []string{"old=/v2/call-logs", "/old=v2", "/=/v2", "/api/rest/=/v2"} {
		if list, err := pathAliases("--alias-path", []string{text}); err == nil {
			t.Errorf("%s was taken: %v", text, list)
		}
	}
}
