package review

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A time far after the end of a call is ignored: nothing is measured up to it, and a note says so.
func TestTimesLongAfterTheEnd(t *testing.T) {
	t.Parallel()
	const far = 3000 * time.Second
	for name, change := range map[string]func(last *call.Turn){
		"a turn": func(last *call.Turn) { last.Start, last.End = far, far+time.Second },
		"an end": func(last *call.Turn) {
			last.Segments, last.End = []call.Segment{last.Span(), {Start: far, End: far + time.Second}}, far+time.Second
		},
		"a word": func(last *call.Turn) { last.Words = []call.Word{{Text: "We", Start: far, End: far + time.Second}} },
	} {
		for _, sound := range []bool{true, false} {
			p := produce(t)
			p.tell(func(r *call.Reported) {
				change(&r.Turns[4])
				if !sound {
					r.RecordingURL = ""
				}
			})
			p.service.o.Feel = func(talk Talk) call.Feeling {
				for _, turn := range talk.Turns {
					if max(turn.Start, turn.End) > 15*time.Second {
						t.Errorf("%s, sound %t: felt by %+v", name, sound, turn)
					}
				}
				return call.Feeling{}
			}
			_, r := p.work(t)
			if notes := strings.Join(r.Notes, " "); strings.Count(notes, "long after the end of the call: 1.") != 1 {
				t.Errorf("%s, sound %t: notes %q", name, sound, r.Notes)
			}
			if m := r.Metric("longest_monologue"); m.Value != nil && *m.Value > 15 {
				t.Errorf("%s, sound %t: a monologue of %.0f s", name, sound, *m.Value)
			}
			if sound {
				planted(t, r)
			}
		}
	}
}

// A smaller error of the clock, an unknown length, and a recording that is longer than the call are
// no reason to drop times.
func TestTimesThatMayBe(t *testing.T) {
	t.Parallel()
	told := call.Reported{HasTranscript: true, Timed: true, Turns: []call.Turn{{Start: 0, End: time.Second}, {Start: 40 * time.Second, End: 44 * time.Second}}}
	for _, length := range []time.Duration{0, 14 * time.Second, time.Minute} {
		if out, beyond := inTimeOf(told, length); beyond != 0 || !out.Timed || out.Turns[1].Start != told.Turns[1].Start {
			t.Errorf("of a call of %s: %+v", length, out)
		}
	}
	if out, beyond := inTimeOf(told, 5*time.Second); beyond != 1 || out.Timed || out.Turns[1].Start != -1 || told.Turns[1].Start < 0 {
		t.Errorf("of a call of 5 s: %+v", out)
	}
}

// If a call has more turns than are judged for feeling, a note says so, and the end is not
// attributed to the last judged turn.
func TestMoreTurnsThanFeelingsAreReadFrom(t *testing.T) {
	t.Parallel()
	for _, n := range []int{feelTurns, feelTurns + 1} {
		p := produce(t)
		p.tell(func(r *call.Reported) {
			r.RecordingURL, r.Timed, r.Turns = "", false, nil
			for i := range n {
				r.Turns = append(r.Turns, call.Turn{Index: i, Speaker: call.Caller, Start: -1, End: -1, Text: "And then?"})
			}
		})
		p.service.o.Feel = func(talk Talk) call.Feeling {
			if bounded := n > feelTurns; len(talk.Turns) != feelTurns || (talk.End.Code == "") != bounded {
				t.Errorf("%d turns: felt by %d with the end %q", n, len(talk.Turns), talk.End.Code)
			}
			return call.Feeling{}
		}
		_, r := p.work(t)
		if noted := strings.Contains(strings.Join(r.Notes, " "), "the first 2000 of 2001 turns"); noted != (n > feelTurns) {
			t.Errorf("%d turns: notes %q", n, r.Notes)
		}
	}
}
