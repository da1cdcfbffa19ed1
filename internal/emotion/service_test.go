package emotion

import (
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The turns and dialogues in testdata were written and labelled by hand for this
// purpose. Nothing was trained on them.

// bare is a text without case and marks.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".,!?;:", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

func serviceTurns(t *testing.T) [][2]string {
	t.Helper()
	data, err := os.ReadFile("testdata/service.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	for line := range strings.Lines(string(data)) {
		label, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			t.Fatalf("%q has no label", line)
		}
		out = append(out, [2]string{label, text})
	}
	return out
}

func TestSentimentOfServiceTurns(t *testing.T) {
	t.Parallel()
	m := model(t)
	for _, heard := range []bool{false, true} {
		hit, said, real := map[string]float64{}, map[string]float64{}, map[string]float64{}
		right, n := 0, 0
		for _, x := range serviceTurns(t) {
			text := x[1]
			if heard {
				text = bare(text)
			}
			f := m.Feel(Input{Turns: []call.Turn{{Speaker: call.Caller, Text: text}}})
			got := string(call.Neutral)
			if len(f.Turns) > 0 {
				got = string(f.Turns[0].Sentiment)
			}
			n++
			said[got]++
			real[x[0]]++
			if got == x[0] {
				hit[got]++
				right++
			} else {
				t.Logf("%s for %s: %q", got, x[0], x[1])
			}
		}
		macro := 0.0
		for k := range real {
			f := 2 * hit[k] / (said[k] + real[k])
			t.Logf("%s: F1 %.2f", k, f)
			macro += f / 3
		}
		t.Logf("heard %v: %d of %d right, macro-F1 %.3f", heard, right, n, macro)
		if macro < 0.75 {
			t.Errorf("macro-F1 %.3f", macro)
		}
	}
}

type dialogue struct {
	upset bool
	turns []call.Turn
}

func dialogues(t *testing.T) []dialogue {
	t.Helper()
	data, err := os.ReadFile("testdata/dialogues.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []dialogue
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if kind, ok := strings.CutPrefix(line, "== "); ok {
			out = append(out, dialogue{upset: kind == "upset"})
			continue
		}
		d := &out[len(out)-1]
		turn := call.Turn{Index: len(d.turns), Speaker: call.Agent, Text: line[3:]}
		if line[0] == 'C' {
			turn.Speaker = call.Caller
		}
		d.turns = append(d.turns, turn)
	}
	return out
}

func TestUpsetServiceDialogues(t *testing.T) {
	t.Parallel()
	m := model(t)
	for _, heard := range []bool{false, true} {
		var hit, said, real float64
		var upset, calm []float64
		for i, d := range dialogues(t) {
			if heard {
				for k := range d.turns {
					d.turns[k].Text = bare(d.turns[k].Text)
				}
			}
			f := m.Feel(Input{Turns: d.turns})
			if d.upset {
				real++
				upset = append(upset, f.Frustration)
			} else {
				calm = append(calm, f.Frustration)
			}
			if f.Upset {
				said++
				if d.upset {
					hit++
				}
			}
			if f.Upset != d.upset {
				t.Logf("dialogue %d (upset %v, %q): %.2f %s", i, d.upset, d.turns[1].Text, f.Frustration, f.Reason)
				for _, x := range f.Turns {
					t.Logf("    %.2f %.2f %v %q", x.Valence, x.Frustration, x.Signs, d.turns[x.Turn].Text)
				}
			}
			if f.Upset && d.turns[f.UpsetTurn].Speaker != call.Caller {
				t.Errorf("dialogue %d: turn %d is not the caller's", i, f.UpsetTurn)
			}
		}
		order := 0.0
		for _, u := range upset {
			order += float64(sort.SearchFloat64s(sorted(calm), u)) / float64(len(calm)*len(upset))
		}
		t.Logf("heard %v: %g of %g upset found, %g false, in order %.3f", heard, hit, real, said-hit, order)
		if hit < 0.8*real || said-hit > 4 || order < 0.93 {
			t.Error("that is worse than it was")
		}
	}
}

func sorted(v []float64) []float64 {
	sort.Float64s(v)
	return v
}
