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
