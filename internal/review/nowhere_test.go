package review

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Times in another unit, or of a clock that is too far off, match the recording nowhere: roles and
// words then follow from the order of turns alone.
func TestTimesThatFitNowhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		move func(time.Duration) time.Duration
		note string
	}{
		"seconds taken for milliseconds": {func(at time.Duration) time.Duration { return at.Truncate(time.Second) / 1000 }, "do not match the recording"},
		"45 s late":                      {func(at time.Duration) time.Duration { return at + 45*time.Second }, "long after the end of the call: 5"},
		"an hour late":                   {func(at time.Duration) time.Duration { return at + time.Hour }, "long after the end of the call: 5"},
	} {
		p := produce(t)
		p.web.body = stereo(t, agentSpeaks(), callerSpeaks(), 0) // sides swapped
		p.tell(func(r *call.Reported) {
			for i := range r.Turns {
				turn := &r.Turns[i]
				turn.Start = c.move(turn.Start)
				turn.End, turn.Words = turn.Start, nil
			}
		})
		got, r := p.work(t)
		planted(t, r)
		if got.Recording.Roles != call.RolesTranscript || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], c.note) {
			t.Errorf("%s: roles %s, notes %q", name, got.Recording.Roles, r.Notes)
		}
	}
}

// The beginnings of a few overlapping turns match both ways round, once shifted by a turn. The
// order of turns then decides the roles, and no clock offset is assumed.
func TestTimesThatFitBothWays(t *testing.T) {
	t.Parallel()
	told := call.Reported{HasTranscript: true, Timed: true}
	for _, turn := range []struct {
		who   call.Speaker
		start time.Duration // in milliseconds
		words int
	}{
		{call.Agent, 500, 10},
		{call.Caller, 4271, 10},
		{call.Agent, 5471, 12},
		{call.Caller, 9688, 6},
		{call.Agent, 12721, 30},
		{call.Caller, 14721, 14},
		{call.Agent, 26899, 6},
	} {
		start := turn.start * time.Millisecond
		told.Turns = append(told.Turns, call.Turn{Speaker: turn.who, Start: start, End: start, Text: strings.Repeat("word ", turn.words)})
	}
	of := func(ms ...time.Duration) (out []call.Segment) {
		for i := 0; i < len(ms); i += 2 {
			out = append(out, call.Segment{Start: ms[i] * time.Millisecond, End: ms[i+1] * time.Millisecond})
		}
		return out
	}
	agent := of(500, 3771, 5471, 8888, 12721, 21266, 26899, 28725)
	caller := of(4271, 6708, 9688, 12121, 14721, 17356, 21966, 24399)
	for name, c := range map[string]struct{ left, right []call.Segment }{"straight": {caller, agent}, "crossed": {agent, caller}} {
		roles, sure, swapped := rolesOf(&told, c.left, c.right)
		if roles != call.RolesTranscript || swapped != (name == "crossed") {
			t.Errorf("%s: roles %s sure to %.2f, swapped %v", name, roles, sure, swapped)
		}
	}
	if by := offsetOf(told.Turns, caller, agent); by.Abs() > time.Second {
		t.Errorf("the clocks are said to differ by %s", by)
	}
}
