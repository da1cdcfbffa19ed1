package monitor

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// A call counts in its ten minutes of the hour, whatever its time zone.
func TestCallsAreCountedByTenMinutes(t *testing.T) {
	t.Parallel()
	var b bucket.Bucket
	half := time.FixedZone("half an hour off", 30*60)
	for _, minute := range []int{0, 9, 10, 59, 59} {
		at := time.Date(2026, 3, 2, 10, minute, 0, 0, time.UTC).In(half)
		addCall(&b, &Fact{At: at, Figures: Figures{Answered: true}}, newNumbers(nil))
	}
	if b.Tens != [bucket.TensPerHour]int64{2, 1, 0, 0, 0, 2} {
		t.Errorf("counted as %v", b.Tens)
	}
	if calls, _ := figureOf("calls"); calls.point(&b.Counts, nil).N != 5 {
		t.Error("not all calls are counted")
	}
}

// Stages only count answered calls, like the other places of drop-off: an agent passes its stages
// on a voicemail, too.
func TestUnansweredCallsReachNoStage(t *testing.T) {
	t.Parallel()
	var b bucket.Bucket
	ids := newNumbers(nil)
	for _, f := range []Fact{
		{Figures: Figures{Answered: true, Dropped: true, Stages: []string{"greeting"}}},
		{Figures: Figures{Answered: true, Stages: []string{"greeting", "billing"}}},
		{Figures: Figures{End: call.EndVoicemail, Stages: []string{"greeting"}}},
	} {
		addCall(&b, &f, ids)
	}
	greeting := ids.of(KindStage, "greeting")
	if reached, left := b.Reached[greeting], b.LeftIn[greeting]; reached != 2 || left != 1 {
		t.Errorf("%d came to the greeting and %d left there, not 2 and 1", reached, left)
	}
}

// If no words of a call may be kept, the turn at which its caller left is unknown; it was not
// before the first word.
func TestNobodyLeavesBeforeTheFirstWordThatMustNotBeKept(t *testing.T) {
	t.Parallel()
	var b bucket.Bucket
	for keep, turns := range map[call.Keep][]call.Turn{call.KeepBasics: nil, call.KeepNoPeople: {{Text: "Hello."}}, call.KeepEverything: nil} {
		c := call.Call{Status: call.Ended, EndReason: call.EndOf(call.EndCallerHungUp, "user_hangup"), Keep: keep}
		f, _ := factOf(c, call.Review{Heard: call.Heard{Turns: turns}}, call.Reported{}, nil)
		addCall(&b, &f, newNumbers(nil))
	}
	if b.Counts[bucket.Dropped] != 3 || b.Counts[bucket.Turns] != 1 {
		t.Errorf("%d left, after %d turns in all", b.Counts[bucket.Dropped], b.Counts[bucket.Turns])
	}
	for turns, n := range []int64{1, 1} { // one call without a word, and one with a scrubbed one
		if b.Spoken[turns] != n || b.LeftAfter[turns] != n || len(b.Spoken) != 2 {
			t.Errorf("%v came, and %v left", b.Spoken, b.LeftAfter)
		}
	}
}

// Costs on two days, drawn from the same few hundredths of a cent, do not differ significantly.
func TestCostsThatHardlyVary(t *testing.T) {
	t.Parallel()
	f, _ := figureOf("cost")
	told := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 9))
		var sides [2]bucket.Counts
		for i := range 800 {
			cost := int64(11_500 + r.IntN(1000))
			countCall(&sides[i%2], &Fact{Figures: Figures{Cost: &cost}})
		}
		if d := trend.Compare(f.Metric, f.point(&sides[0], nil), f.point(&sides[1], nil)); d.P < 0.05 {
			told++
		}
	}
	if told > 8 {
		t.Errorf("%d of 60 comparisons without any difference have a p below 0.05", told)
	}
}
