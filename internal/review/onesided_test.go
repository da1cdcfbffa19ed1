package review

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Shifted by a few seconds, one side's speech also overlaps both sides' words. The beginnings of
// the turns still show that a recording holds one side, and that of both sides is not taken for it.
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

// A recording on which nobody is heard proves no silence if the transcript has words, and that of
// both sides if it has none.
func TestRecordingsOnWhichNobodyIsHeard(t *testing.T) {
	t.Parallel()
	silence := make([]int16, 15_000*8)
	random := rand.New(rand.NewPCG(5, 5))
	noise := func() []int16 {
		out := make([]int16, len(silence))
		for i := range out {
			out[i] = int16(random.IntN(5) - 2)
		}
		return out
	}
	noWords := func(r *call.Reported) { r.HasTranscript, r.Timed, r.Turns = false, false, nil }
	for name, c := range map[string]struct {
		channels [][]int16
		tell     func(*call.Reported)
		quiet    bool // dead air is measured
		note     string
	}{
		"one channel":             {[][]int16{silence}, func(*call.Reported) {}, false, "although the transcript has words"},
		"two channels":            {[][]int16{silence, silence}, func(*call.Reported) {}, false, "although the transcript has words"},
		"two channels that hiss":  {[][]int16{noise(), noise()}, func(*call.Reported) {}, false, "although the transcript has words"},
		"no times":                {[][]int16{noise(), noise()}, untimed, false, "although the transcript has words"},
		"one channel, no words":   {[][]int16{silence}, noWords, true, "Nobody is heard on the recording."},
		"two channels, no words":  {[][]int16{silence, silence}, noWords, true, "Nobody is heard on the recording."},
		"two that hiss, no words": {[][]int16{noise(), noise()}, noWords, true, "The agent is not heard on the recording."},
	} {
		p := produce(t)
		var w bytes.Buffer
		if err := audio.WriteWAV(&w, rate, c.channels...); err != nil {
			t.Fatal(err)
		}
		p.web.body = w.Bytes()
		p.tell(c.tell)
		_, r := p.work(t)
		if !slices.ContainsFunc(r.Notes, func(n string) bool { return strings.Contains(n, c.note) }) || strings.Contains(strings.Join(r.Notes, " "), "share one channel") {
			t.Errorf("%s: notes %q", name, r.Notes)
		}
		if m := r.Metric("dead_air_total"); (m.Value != nil) != c.quiet || m.Value == nil && m.Reason == "" {
			t.Errorf("%s: the dead air is %+v", name, m)
		}
		if m := r.Metric("turn_latency"); name == "two channels that hiss" && m.Value == nil {
			t.Errorf("%s: the turn latency is %+v, which the platform's times tell", name, m)
		}
	}
}
