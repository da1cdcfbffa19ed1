package problem

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestAnErrorIsFoundThroughWraps(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("load: %w", Missing("dataset", "ds_1"))
	if !Is(err, NotFound) || Is(err, Conflict) || As(errors.New("other")) != nil {
		t.Errorf("codes are not told apart in %v", err)
	}
}

func TestTheCauseIsForLogsAlone(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp: refused")
	e := New(Unavailable, "the database does not answer").Because(cause).WithHint("start it")
	if !errors.Is(e, cause) || e.Hint != "start it" || strings.Contains(e.Message, "refused") {
		t.Errorf("got %#v", e)
	}
}

func TestFieldsAreTold(t *testing.T) {
	t.Parallel()
	e := Invalid(
		Field{Path: "items[0].input.gaol", Line: 3, Message: "is not a known key", Suggestion: "goal"},
		Field{Path: "name", Message: "is missing"},
	)
	const want = `invalid_fields: some fields are not valid; line 3: items[0].input.gaol: is not a known key (did you mean "goal"?); name: is missing`
	if e.Error() != want {
		t.Errorf("got  %s\nwant %s", e, want)
	}
}

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"goal", "persona", "script", "wait_for_agent", "stay_silent_ms"}
	for word, want := range map[string]string{
		"gaol": "goal", "Goal": "goal", "wait-for-agent": "wait_for_agent", "stay_silent": "stay_silent_ms",
		"wait": "wait_for_agent", "xyz": "", "": "", "scripts": "script", "srcpt": "script",
	} {
		if got := Nearest(word, known); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestWhatStandsBehindAFailure(t *testing.T) {
	t.Parallel()
	secret := errors.New("secret")
	for want, err := range map[string]error{
		"speech":                                secret,
		"speech, the endpoint rejected the key": fmt.Errorf("speak: %w", New(Unavailable, "the endpoint rejected the key").Because(secret)),
	} {
		if got := Behind("speech", err); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestFieldsStandBehindAFailure checks that the fields are shown instead of the message, which only
// says that some field is not valid.
func TestFieldsStandBehindAFailure(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("speak line 1 of 2: %w", Invalid(
		Field{Path: "persona.voice", Message: `there is no voice "x"`}, Field{Path: "language", Message: "must be English"},
	))
	want := `speech, persona.voice: there is no voice "x"; language: must be English`
	if got := Behind("speech", err); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if got := Behind("speech", Invalid(make([]Field, 9)...)); strings.Count(got, ";") != 2 {
		t.Errorf("told %q, want three of the nine fields", got)
	}
}
