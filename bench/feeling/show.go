package main

import (
	"fmt"
	"strings"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// figures returns the numbers that are followed over time.
func (r *report) figures() map[string]float64 {
	f := map[string]float64{"us_per_utterance": r.us, "weights_bytes": float64(r.bytes), "vader_us_per_utterance": r.vader}
	if r.texts > 0 {
		f["macro_f1_labels"], f["macro_f1_groups"] = r.written.Macro()
		f["macro_f1_labels_heard"], f["macro_f1_groups_heard"] = r.heard.Macro()
	}
	sets := []struct{ called, figure string }{
		{"as heard", "_heard"}, {"first set", "_service"}, {"second set", "_service_second"},
		{"third set, half A", "_service_third_a"}, {"third set, half B", "_service_third_b"},
		{"fourth set, half A", "_service_fourth_a"}, {"fourth set, half B", "_service_fourth_b"},
		{"fifth set, half A", "_service_fifth_a"}, {"fifth set, half B", "_service_fifth_b"},
	}
	for _, s := range r.sentiments {
		name := "sentiment"
		for _, set := range sets {
			if strings.HasSuffix(s.name, set.called) {
				name = "sentiment" + set.figure
			}
		}
		f["macro_f1_"+name], f["macro_f1_"+name+"_vader"] = s.ours.macro(), s.peer.macro()
	}
	return f
}

// table returns the tables for people.
func (r *report) table() string {
	var w strings.Builder
	if r.texts > 0 {
		fmt.Fprintf(&w, "%-28s %9s %9s %7s\n", fmt.Sprintf("F1, GoEmotions %s (%d)", r.config.split, r.texts), "written", "as heard", "texts")
		for k, name := range outputNames() {
			fmt.Fprintf(&w, "%-28s %9.3f %9.3f %7d\n", name, r.written.F1(k), r.heard.F1(k), r.written.Texts(k))
		}
		a, b := r.written.Macro()
		c, d := r.heard.Macro()
		fmt.Fprintf(&w, "%-28s %9.3f %9.3f\n%-28s %9.3f %9.3f\n\n", "macro-F1, 28 labels", a, c, "macro-F1, 4 groups", b, d)
	}
	fmt.Fprintf(&w, "%-34s %9s %9s\n", "sentiment, macro-F1 of three", "ours", "VADER")
	for _, s := range r.sentiments {
		fmt.Fprintf(&w, "%-34s %9.3f %9.3f\n", s.name, s.ours.macro(), s.peer.macro())
	}
	fmt.Fprintf(&w, "%-34s %9.1f %9.1f\n%-34s %9d\n", "µs a text", r.us, r.vader, "bytes of weights", r.bytes)
	if len(r.hands) > 0 {
		fmt.Fprintf(&w, "\n%s", handFigures(r.hands))
	}
	if r.note != "" {
		fmt.Fprintln(&w, r.note)
	}
	return w.String()
}

// outputNames returns the 28 labels and the three groups that are not labels.
func outputNames() []string {
	names := emotion.LabelNames()
	return append(names[:], "(positive)", "(negative)", "(ambiguous)")
}
