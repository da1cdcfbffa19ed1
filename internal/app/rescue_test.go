package app

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/review"
)

// TestReviewsThatWaitAreLeftAlone: one that is behind in the queue has its job there already.
func TestReviewsThatWaitAreLeftAlone(t *testing.T) {
	t.Parallel()
	if d := silenceAllowed([]queue.Waiting{{Kind: review.JobReview}, {Kind: review.JobReviewLog, Oldest: 2 * time.Second}}); d != reviewSilence+2*time.Second {
		t.Errorf("a review may be silent for %s while nearly none waits", d)
	}
	behind := []queue.Waiting{{Kind: review.JobFetch, Oldest: 9 * time.Hour}, {Kind: review.JobReview, Oldest: time.Hour}, {Kind: review.JobReviewPast, Oldest: time.Second}}
	if d := silenceAllowed(behind); d != reviewSilence+time.Hour {
		t.Errorf("a review may be silent for %s while others wait for an hour", d)
	}
}
