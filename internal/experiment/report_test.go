package experiment

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A report of ten thousand calls may not hold all their reviews.
func TestReportReadsReviewsAFewAtATime(t *testing.T) {
	t.Parallel()
	const calls = 100
	var r Report
	for i := range calls {
		verdict := call.Passed
		if i%3 == 0 {
			verdict = call.NotPassed
		}
		r.Calls = append(r.Calls, CallResult{Call: call.Call{ID: fmt.Sprint("call_", i), Verdict: verdict}})
	}
	most, asked := 0, 0
	var broken error
	r.Reviews = func(_ context.Context, callIDs []string) (map[string]call.Review, error) {
		most, asked = max(most, len(callIDs)), asked+len(callIDs)
		out := map[string]call.Review{}
		for _, id := range callIDs {
			out[id] = call.Review{CallID: id}
		}
		return out, broken
	}
	i := 0
	for c, err := range r.Reviewed(t.Context(), func(v call.Verdict) bool { return v == call.NotPassed }) {
		if err != nil || c.Call.ID != r.Calls[i].Call.ID || (c.Review != nil) != (i%3 == 0) || c.Review != nil && c.Review.CallID != c.Call.ID {
			t.Fatalf("%d: %+v, %v", i, c, err)
		}
		i++
	}
	if i != calls || asked != 34 || most > 32 {
		t.Errorf("%d calls, %d reviews read, up to %d at once", i, asked, most)
	}
	broken = errors.New("the database is away")
	last := error(nil)
	for _, last = range r.Reviewed(t.Context(), func(call.Verdict) bool { return true }) {
		i++
	}
	if !errors.Is(last, broken) || i != calls+1 {
		t.Errorf("%d, %v", i, last)
	}
}
