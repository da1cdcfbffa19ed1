package compare

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

func TestReasonsThatDifferInFiguresAloneAreOne(t *testing.T) {
	t.Parallel()
	var calls []experiment.Result
	for i, reason := range []string{
		"37 of our 20 ms frames were never sent.",
		"Ringtrue's speech synthesis was 900 ms late at 0:09.5; the limit is 60 ms.",
		"104 of our 20 ms frames were never sent.",
		"Ringtrue's speech synthesis was 61 ms late at 1:02.0; the limit is 60 ms.",
		"9 of our 20 ms frames were never sent.",
		"Ringtrue's line was 61 ms late at 1:02.0; the limit is 60 ms.",
		"",
	} {
		r := result(item(fmt.Sprint(i)), 1, call.Void)
		r.Call.VerdictReason = reason
		calls = append(calls, r)
	}
	want := []VoidReason{
		{"9 to 104 of our 20 ms frames were never sent.", []string{"call_0_1", "call_2_1", "call_4_1"}},
		{"Ringtrue's speech synthesis was 61 to 900 ms late at 0:09.5 to 1:02.0; the limit is 60 ms.", []string{"call_1_1", "call_3_1"}},
		{"Ringtrue's line was 61 ms late at 1:02.0; the limit is 60 ms.", []string{"call_5_1"}},
		{"", []string{"call_6_1"}},
	}
	got := Summarise(over(calls...)).Void
	if !slices.EqualFunc(got, want, func(a, b VoidReason) bool { return a.Reason == b.Reason && slices.Equal(a.CallIDs, b.CallIDs) }) {
		t.Errorf("%q, want %q", got, want)
	}
}
