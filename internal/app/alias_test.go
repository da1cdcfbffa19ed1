package app

import (
	"log/slog"
	"strings"
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

// Of two meanings of a name one would be passed over, and of two ways to write a path any of them.
func TestANameHasOneMeaning(t *testing.T) {
	t.Parallel()
	for _, texts := range [][]string{
		{"/old=/datasets", "/old=/agents"}, {"/old=/datasets", "/old/=/agents"}, {"/api/rest/old=/agents", "/old=/datasets"},
	} {
		if list, err := pathAliases("--alias-path", texts); err == nil || !strings.Contains(err.Error(), "/old stands for /") {
			t.Errorf("%s: %v, %v", texts, list, err)
		}
	}
	if _, err := pathAliases("--alias-path", []string{"/old=/agents", "/old/=/api/rest/agents"}); err != nil {
		t.Error(err)
	}
	if names, err := pairs("--alias-provider", []string{"x=platform_a", "x=platform_b"}); err == nil {
		t.Errorf("%v", names)
	}
	if _, err := pairs("--alias-provider", []string{"x=platform_a", "x=platform_a"}); err != nil {
		t.Error(err)
	}
	if names, err := pairs("--alias-provider", []string{"custom=platform_a"}, "custom", "platform_a"); err == nil {
		t.Errorf("one of our own names: %v", names)
	}
	if _, err := pairs("--alias-provider", []string{"custom=custom"}, "custom", "platform_a"); err != nil {
		t.Error(err)
	}
	if err := leadSomewhere("--alias-path", []rest.PathAlias{{From: "/agents", To: "/datasets"}}); err == nil || !strings.Contains(err.Error(), "/agents stands for /agents and for /datasets") {
		t.Errorf("a path of our own: %v", err)
	}
}

// An alias to nowhere takes the calls of its clients away without a word.
func TestPathAliasesLeadToOperations(t *testing.T) {
	t.Parallel()
	service := func(alias string) error {
		_, err := (&parts{}).handler(Options{PathAliases: []string{alias}, Log: slog.New(slog.DiscardHandler)}, "", nil)
		return err
	}
	for _, to := range []string{"/v2/call-logs", "/v2", "/voice-experiment", "/voice-agent/agt_1/run", "/api/rest/test-runs/create-media-rooms/", "/"} {
		if err := service("/old=" + to); err != nil {
			t.Errorf("%s: %v", to, err)
		}
	}
	for _, to := range []string{"/v2/call-log", "/nowhere", "/v2/call-logs/x/y", "/call-logs", "/openapi.json"} {
		if err := service("/old=" + to); err == nil || !strings.Contains(err.Error(), "--alias-path: "+to+" leads to no operation") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if err := service("/old=/v2/call-log"); err == nil || !strings.Contains(err.Error(), `did you mean "/v2/call-logs"?`) {
		t.Errorf("no suggestion: %v", err)
	}
}
