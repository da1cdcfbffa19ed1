package practice

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	engine "github.com/ringtrue/ringtrue/internal/speech"
)

// TestRealCalls holds whole conversations with real voices, G.711 and real ears.
func TestRealCalls(t *testing.T) {
	t.Parallel()
	engines, err := engine.New(engine.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		voice string
		lines []string
		want  []string
		tools []string
	}{
		"booking": {
			"slt",
			[]string{
				"Hello, I would like to book an appointment.", "A cleaning, please.", "On Tuesday, please.", "At ten thirty.",
				"My name is Anna Miller.", "Yes, that is right.", "No thank you, goodbye.",
			},
			[]string{
				sayService, sayDay, "On Tuesday we have nine o'clock, ten thirty and two o'clock. What time would you like?", sayName,
				"That is a cleaning on Tuesday at ten thirty for Anna Miller. Is that right?",
				"Your cleaning is booked for Tuesday at ten thirty. Your reference number is four one seven. Is there anything else?", sayFarewell,
			},
			[]string{"check_availability", "book_appointment"},
		},
		"moving": {
			"rms",
			[]string{
				"I need to move my appointment.", "My reference number is three five two.", "How about Friday at two o'clock?",
				"Yes please.", "What are your opening hours?", "That is all, thank you.",
			},
			[]string{
				sayWho, sayDay, "Shall I move your cleaning on Monday at ten o'clock to Friday at two o'clock?",
				"Your cleaning is moved to Friday at two o'clock. Is there anything else?", sayHours, sayFarewell,
			},
			[]string{"check_availability", "move_appointment", "get_opening_hours"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startSession(t, Options{
				Mouth: engines.Mouth(), Now: monday, Voice: map[string]string{"slt": "rms", "rms": "slt"}[test.voice],
				NewEars: func(ctx context.Context, grammar string) (leg.Ears, error) {
					return engines.NewEars(ctx, engine.EarsOptions{Rate: rate, Grammar: grammar})
				},
			})
			var turns []says
			for _, line := range test.lines {
				pcm := telephoned(t, engines, test.voice, line)
				pcm = pcm[4000 : len(pcm)-3200]
				turns = append(turns, says{length: time.Duration(len(pcm)) * time.Second / rate, pcm: pcm})
			}
			s.run(t, 12*time.Second, turns...)
			want := append([]string{sayGreeting}, test.want...)
			if got := s.lines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("the desk said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
				for _, m := range s.party.Record().Messages {
					t.Logf("%6d %s: %s", *m.Start, m.Role, m.Content)
				}
			}
			var tools []string
			for line := range strings.Lines(s.tools()) {
				name, _, _ := strings.Cut(line, " ")
				tools = append(tools, name)
			}
			if !slices.Equal(tools, test.tools) {
				t.Errorf("the desk called %q, want %q", tools, test.tools)
			}
		})
	}
}
