package emotion

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Several calm calls in a row make a long calm call: a little frustration in each must not add up.
// If they include an upset call, it shows.
func TestLongCalls(t *testing.T) {
	t.Parallel()
	var calm, upset [][]call.Turn
	for _, d := range dialogues(t, set{file: "dialogues.txt"}) {
		if d.upset {
			upset = append(upset, d.turns)
		} else {
			calm = append(calm, d.turns)
		}
	}
	for _, d := range dialogues(t, set{file: "calm.txt"}) {
		calm = append(calm, d.turns)
	}
	for _, d := range labelledCalls(t, "sixth_a.txt") {
		if !d.upset {
			calm = append(calm, d.turns)
		}
	}
	const long = 6
	wrong, missed, n := 0, 0, 0
	for i := range len(calm) {
		var turns []call.Turn
		for k := range long {
			turns = append(turns, calm[(i+7*k)%len(calm)]...)
		}
		n++
		if f := model(t).Feel(Input{Turns: turns}); f.Upset {
			wrong++
			t.Logf("%.2f: %q", f.Frustration, turns[f.UpsetTurn].Text)
		}
		turns = append(turns, upset[i%len(upset)]...)
		if f := model(t).Feel(Input{Turns: turns}); !f.Upset {
			missed++
		}
	}
	t.Logf("%d of %d long calm calls are called upset, %d upset ones are missed", wrong, n, missed)
	// Somebody with six problems in one call, or upset in one sentence after forty, may be misjudged
	// one time in ten.
	if wrong > n/9 || missed > n/9 {
		t.Error("what is little in a long call adds up, or what is much is lost")
	}
}
