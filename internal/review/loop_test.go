package review

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A recogniser stuck in a loop has not heard the agent, which is not judged by it; one that hears
// a few words too many is believed.
func TestALoopOfTheRecogniserIsNotHeldAgainstTheAgent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	heard := b.scribe.texts[1]
	b.scribe.texts[1] = strings.Repeat("thank you ", 120)
	for range 4 {
		_ = b.service.Review(t.Context(), id)
	}
	c := b.store.rows.Calls[id]
	if c.ScoringStatus != call.ScoringFailed || c.Verdict != call.Void || !strings.Contains(c.VerdictReason, "wrote 960 letters for") {
		t.Errorf("%s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
	b.scribe.texts[1] = heard + strings.Repeat(" thank you", 10)
	if c, _ := b.review(t); c.ScoringStatus != call.Scored || c.Verdict != call.Passed {
		t.Errorf("with some words too many: %s, %s because %q", c.ScoringStatus, c.Verdict, c.VerdictReason)
	}
}

// In a production call it is a failure like any other of the recogniser: the call is reviewed without words.
func TestALoopOfTheRecogniserIsNoTranscript(t *testing.T) {
	t.Parallel()
	p := produce(t)
	p.tell(func(r *call.Reported) { r.HasTranscript, r.Timed, r.Turns = false, false, nil })
	p.work(t) // fetches the recording, and reviews it
	p.store.rows.Heard, p.store.rows.Reviews = map[string]call.Heard{}, map[string]call.Review{}
	p.scribe.texts = []string{strings.Repeat("thank you ", 120)}
	for range defaultTries {
		_ = p.service.Review(t.Context(), id)
	}
	r := p.store.rows.Reviews[id]
	if len(r.Notes) == 0 || !strings.Contains(strings.Join(r.Notes, " "), "could not be transcribed (speech recognition wrote") {
		t.Errorf("notes %q", r.Notes)
	}
	for _, turn := range r.Heard.Turns {
		if turn.Text != "" {
			t.Errorf("turn %d says %.40q", turn.Index, turn.Text)
		}
	}
}
