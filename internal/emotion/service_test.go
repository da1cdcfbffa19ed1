package emotion

import (
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The turns and dialogues in testdata were written and labelled by hand for this purpose. Nothing
// was trained on them, but the templates of package train, the phrases and the thresholds were made
// by somebody who had seen the errors on the first set (service.tsv, dialogues.txt), on the second,
// and on the halves A of the third, the fourth and the fifth; those on the halves B were never
// inspected. calm.txt has calm callers who seem upset at a careless reading; it was written to
// reduce such errors. seventh.txt was judged as a whole once before its errors were inspected.
// docs/metrics/feeling-sets.md also gives the figures before inspection.

// bare returns a text without case and marks.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(".,!?;:", r) {
			return -1
		}
		return r
	}, strings.ToLower(s))
}

// set is a file of testdata, or every other entry of it.
type set struct {
	file string
	half half
	// least is the figure that the set must reach, ordered the share of its pairs of dialogues that
	// frustration must order correctly.
	least, ordered float64
	// wrong is the share of calm callers that may be called upset; 0 means a tenth.
	wrong float64
}

// half selects entries of a set.
type half int

const (
	whole half = iota
	odd        // the first, the third, and so on
	even
)

// has reports whether the entry with that index is selected.
func (h half) has(i int) bool { return h == whole || i%2 == int(h)-1 }

func (s set) name() string { return s.file + [...]string{"", ", half A", ", half B"}[s.half] }

func serviceTurns(t *testing.T, s set) [][2]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + s.file)
	if err != nil {
		t.Fatal(err)
	}
	var out [][2]string
	at := -1
	for line := range strings.Lines(string(data)) {
		if at++; !s.half.has(at) {
			continue
		}
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
	for _, s := range []set{
		{file: "service.tsv", least: 0.89}, {file: "second.tsv", least: 0.84}, {file: "third.tsv", half: odd, least: 0.87}, {file: "third.tsv", half: even, least: 0.8},
		{file: "fourth.tsv", half: odd, least: 0.78}, {file: "fourth.tsv", half: even, least: 0.76}, {file: "fifth.tsv", half: odd, least: 0.68}, {file: "fifth.tsv", half: even, least: 0.72},
	} {
		for _, heard := range []bool{false, true} {
			if macro := sentimentF1(t, s, heard); macro < s.least {
				t.Errorf("%s, heard %v: macro-F1 %.3f", s.name(), heard, macro)
			}
		}
	}
}

func sentimentF1(t *testing.T, s set, heard bool) float64 {
	t.Helper()
	m := model(t)
	hit, said, real := map[string]float64{}, map[string]float64{}, map[string]float64{}
	right, n := 0, 0
	for _, x := range serviceTurns(t, s) {
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
		macro += 2 * hit[k] / (said[k] + real[k]) / 3
	}
	t.Logf("%s, heard %v: %d of %d right, macro-F1 %.3f", s.name(), heard, right, n, macro)
	return macro
}

type dialogue struct {
	upset bool
	turns []call.Turn
}

func dialogues(t *testing.T, s set) []dialogue {
	t.Helper()
	data, err := os.ReadFile("testdata/" + s.file)
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
	var kept []dialogue
	for i, d := range out {
		if s.half.has(i) {
			kept = append(kept, d)
		}
	}
	return kept
}

func TestUpsetServiceDialogues(t *testing.T) {
	t.Parallel()
	for _, s := range []set{
		{file: "dialogues.txt", least: 0.95, ordered: 0.98}, {file: "second.txt", least: 0.85, ordered: 0.98}, {file: "third.txt", half: odd, least: 0.9, ordered: 0.98},
		{file: "third.txt", half: even, least: 0.7, ordered: 0.9}, {file: "fourth.txt", half: odd, least: 0.9, ordered: 0.98}, {file: "fourth.txt", half: even, least: 0.9, ordered: 0.9},
		{file: "fifth.txt", half: odd, least: 0.75, ordered: 0.9}, {file: "fifth.txt", half: even, least: 0.5, ordered: 0.7}, {file: "seventh.txt", least: 0.9, ordered: 0.98}, {file: "calm.txt"},
		{file: "ninth_a.txt", least: 1, ordered: 0.9}, {file: "ninth_b.txt", least: 0.9, ordered: 0.9, wrong: 0.2},
	} {
		for _, heard := range []bool{false, true} {
			upset(t, s, heard)
		}
	}
}

// upset judges a file of dialogues: at least the given share of upset callers must be found, with
// few false ones, and frustration must order them.
func upset(t *testing.T, s set, heard bool) {
	t.Helper()
	var hit, wrong float64
	var upset, calm []float64
	for i, d := range dialogues(t, s) {
		if heard {
			for k := range d.turns {
				d.turns[k].Text = bare(d.turns[k].Text)
			}
		}
		f := model(t).Feel(Input{Turns: d.turns})
		if d.upset {
			upset = append(upset, f.Frustration)
		} else {
			calm = append(calm, f.Frustration)
		}
		switch {
		case f.Upset && d.upset:
			hit++
		case f.Upset:
			wrong++
		}
		if f.Upset != d.upset {
			t.Logf("dialogue %d (upset %v, %q): %.2f %s", i, d.upset, d.turns[1].Text, f.Frustration, f.Reason)
		}
		if f.Upset && f.Sentiment != call.Negative && (f.Sentiment == call.Positive || !strings.Contains(f.Reason, "put right")) {
			t.Errorf("dialogue %d: an upset call is %s: %s", i, f.Sentiment, f.Reason)
		}
		if f.Upset && d.turns[f.UpsetTurn].Speaker != call.Caller {
			t.Errorf("dialogue %d: turn %d is not the caller's", i, f.UpsetTurn)
		}
	}
	order := 0.0
	for _, u := range upset {
		order += float64(sort.SearchFloat64s(sorted(calm), u)) / float64(len(calm)*len(upset))
	}
	t.Logf("%s, heard %v: %g of %d upset found, %g of %d calm ones called so, in order %.3f", s.name(), heard, hit, len(upset), wrong, len(calm), order)
	if s.wrong == 0 {
		s.wrong = 0.1
	}
	if hit < s.least*float64(len(upset)) || wrong > max(1, s.wrong*float64(len(calm))) || order < s.ordered {
		t.Error("that is worse than it was")
	}
}

func sorted(v []float64) []float64 {
	sort.Float64s(v)
	return v
}
