package app

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// TestRunsAndTheirModel begins runs while the language model's endpoint is away: what is
// played by a script does not care, and what is played by the model is refused at once.
func TestRunsAndTheirModel(t *testing.T) {
	t.Parallel()
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	engines, err := speech.New(speech.Options{HTTP: speech.HTTPOptions{BaseURL: away.URL + "/v1", ChatModel: "fake"}})
	if err != nil {
		t.Fatal(err)
	}
	p := &parts{speech: engines}
	scripted := scenario.Item{ID: "di_1", Input: scenario.Input{Script: []scenario.Step{{}}}}
	if err := p.preflight(t.Context(), experiment.LineRoom, "", []scenario.Item{scripted}); err != nil {
		t.Errorf("a scripted run is refused: %v", err)
	}
	played := scenario.Item{ID: "di_2", Input: scenario.Input{Goal: "Move the appointment"}}
	err = p.preflight(t.Context(), experiment.LineRoom, "", []scenario.Item{scripted, played})
	if !problem.Is(err, problem.Unavailable) || !strings.Contains(err.Error(), "nothing answers at") {
		t.Errorf("a run that needs the model: %v", err)
	}
}
