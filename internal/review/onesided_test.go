package review

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// What one side says lies over both sides' words where it is moved by a few seconds: a recording of it
// alone is known all the same, by the beginnings of the turns, and one of both is not taken for it.
func TestOneSideAloneByBeginnings(t *testing.T) {
	t.Parallel()
	told := call.Reported{HasTranscript: true, Timed: true}
	var sides [2][]call.Segment // the agent's and the caller's
	for i, turn := range []struct {
		start, end time.Duration // in milliseconds
		words      int
	}{
		{700, 3950, 10},
		{4570, 7190, 8},
		{8110, 11470, 12},
		{12020, 14460, 6},
		{15660, 18460, 10},
		{18880, 21310, 10},
		{24810, 28180, 12},
		{28930, 31360, 6},
		{32200, 33950, 6},
		{34540, 35160, 2},
	} {
		start, end := turn.start*time.Millisecond, turn.end*time.Millisecond
		who := []call.Speaker{call.Agent, call.Caller}[i%2]
		told.Turns = append(told.Turns, call.Turn{Speaker: who, Start: start, End: start, Text: strings.Repeat("word ", turn.words)})
		sides[i%2] = append(sides[i%2], call.Segment{Start: start, End: end})
	}
	both := slices.Concat(sides[0], sides[1])
	slices.SortFunc(both, func(a, b call.Segment) int { return int(a.Start - b.Start) })
	for _, late := range []time.Duration{0, 1200 * time.Millisecond, 8 * time.Second} {
		for name, c := range map[string]struct {
			heard []call.Segment
			want  bool
		}{"the agent": {sides[0], true}, "the caller": {sides[1], true}, "both": {both, false}} {
			heard := slices.Clone(c.heard)
			for i := range heard {
				heard[i].Start, heard[i].End = heard[i].Start+late, heard[i].End+late
			}
			if got := lacksSide(&told, heard); got != c.want {
				t.Errorf("%s, %s late: taken for one side alone: %v", name, late, got)
			}
		}
	}
}
