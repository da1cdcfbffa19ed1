package emotion

import (
	"os"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The tenth set is of a hand that nothing was learned from: half of its calls are of callers who are upset without the
// words one expects, half of callers who sound rough or are in great trouble and are not upset. No error on it was looked at.
func TestCallersOfAHandNobodyLearnedFrom(t *testing.T) {
	t.Parallel()
	for _, heard := range []bool{false, true} {
		found, upset, wrong, calm := 0, 0, 0, 0
		for _, d := range ratedCalls(t, "tenth.txt") {
			if heard {
				for k := range d.turns {
					d.turns[k].Text = bare(d.turns[k].Text)
				}
			}
			f := model(t).Feel(Input{Turns: d.turns})
			switch {
			case d.upset:
				upset++
				if f.Upset {
					found++
				}
			default:
				calm++
				if f.Upset {
					wrong++
				}
			}
		}
		t.Logf("heard %v: %d of %d upset found, %d of %d calm called so", heard, found, upset, wrong, calm)
		if found < 50 || wrong > 15 {
			t.Error("that is worse than it was")
		}
	}
}

// ratedCalls reads calls whose turns are rated from 0 to 4 ("C3: ").
func ratedCalls(t *testing.T, file string) []dialogue {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var out []dialogue
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "== "); ok {
			out = append(out, dialogue{upset: strings.HasPrefix(head, "upset")})
			continue
		}
		if line == "" {
			continue
		}
		who, text, _ := strings.Cut(line, ": ")
		d := &out[len(out)-1]
		turn := call.Turn{Index: len(d.turns), Speaker: call.Caller, Text: text}
		if who == "A" {
			turn.Speaker = call.Agent
		}
		d.turns = append(d.turns, turn)
	}
	return out
}

func TestLoadTemperRefusesWhatIsBroken(t *testing.T) {
	t.Parallel()
	whole := (&TemperWeights{Bias: 1, Step: 0.5, Hashes: []uint32{7}, Weights: []int8{-2}}).Bytes()
	for _, data := range [][]byte{nil, []byte("RTT1"), append([]byte("RTT2"), whole[4:]...), whole[:len(whole)-1], append(whole, 0)} {
		if _, err := loadTemper(data); err == nil {
			t.Errorf("%q was taken", data)
		}
	}
	got, err := loadTemper(whole)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := got.of(nil), got.of([]Fact{{7, 1}}); a < 0.731 || a > 0.732 || b != 0.5 {
		t.Errorf("%g without a fact, %g with one", a, b)
	}
}
