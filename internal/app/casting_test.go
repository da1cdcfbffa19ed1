package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
	"github.com/ringtrue/ringtrue/internal/speech/speechtest"
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

// TestCallersHearInTheirLanguage checks that an endpoint is told the language of the item, the default of
// which is English: it would otherwise guess one for each turn of the agent.
func TestCallersHearInTheirLanguage(t *testing.T) {
	t.Parallel()
	for language, want := range map[string]string{"": "en", "de-AT": "de"} {
		heardIn := make(chan string, 1)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/speech") {
				_ = audio.WriteWAV(w, phoneRate, speechtest.Voice(200, time.Second, phoneRate))
				return
			}
			heardIn <- r.FormValue("language")
			fmt.Fprint(w, `{"text": "Hello."}`)
		}))
		t.Cleanup(server.Close)
		engines, err := speech.New(speech.Options{TTS: speech.OpenAI, STT: speech.OpenAI, HTTP: speech.HTTPOptions{
			BaseURL: server.URL + "/v1", TTSModel: "tts", STTModel: "stt",
		}})
		if err != nil {
			t.Fatal(err)
		}
		item := scenario.Item{Input: scenario.Input{
			Language: language,
			Script:   []scenario.Step{{WaitForWords: &scenario.WaitForWords{Any: []string{"hello"}}}},
		}}
		c := &casting{speech: engines, lines: caller.NewCache(0)}
		party, err := c.cast(t.Context(), experiment.Casting{Item: item})
		if err != nil {
			t.Fatal(err)
		}
		party.Begin(phoneRate)
		heard := slices.Concat(speechtest.Voice(200, time.Second, phoneRate), audio.Silence(time.Second, phoneRate))
		for n := range len(heard) / leg.Samples(phoneRate) {
			at := time.Duration(n) * leg.FrameTime
			frame := heard[n*leg.Samples(phoneRate):][:leg.Samples(phoneRate)]
			party.Step(&leg.Frame{At: at, PCM: frame}, &leg.Frame{At: at, PCM: make([]int16, len(frame))})
		}
		if got := <-heardIn; got != want {
			t.Errorf("a caller of language %q hears in %q, want %q", language, got, want)
		}
		party.End(2*time.Second, false)
		party.Close()
	}
}
