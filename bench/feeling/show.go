package main

import (
	"fmt"
	"strings"

	"github.com/ringtrue/ringtrue/internal/emotion"
)

// figures are those that are followed over time.
func (r *report) figures() map[string]float64 {
	f := map[string]float64{"us_per_utterance": r.us, "weights_bytes": float64(r.bytes), "vader_us_per_utterance": r.vader}
	if r.texts > 0 {
		f["macro_f1_labels"], f["macro_f1_groups"] = r.written.Macro()
		f["macro_f1_labels_heard"], f["macro_f1_groups_heard"] = r.heard.Macro()
	}
	for _, s := range r.sentiments {
		name := "sentiment"
		switch {
		case strings.HasSuffix(s.name, "as heard"):
			name = "sentiment_heard"
		case strings.HasSuffix(s.name, "first set"):
			name = "sentiment_service"
		case strings.HasSuffix(s.name, "second set"):
			name = "sentiment_service_second"
		case strings.HasSuffix(s.name, "third set, half A"):
			name = "sentiment_service_third_a"
		case strings.HasSuffix(s.name, "third set, half B"):
			name = "sentiment_service_third_b"
		case strings.HasSuffix(s.name, "fourth set, half A"):
			name = "sentiment_service_fourth_a"
		case strings.HasSuffix(s.name, "fourth set, half B"):
			name = "sentiment_service_fourth_b"
		case strings.HasSuffix(s.name, "fifth set, half A"):
			name = "sentiment_service_fifth_a"
		case strings.HasSuffix(s.name, "fifth set, half B"):
			name = "sentiment_service_fifth_b"
		}
		f["macro_f1_"+name], f["macro_f1_"+name+"_vader"] = s.ours.macro(), s.peer.macro()
	}
	return f
}

// table is what a person reads.
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
	if r.note != "" {
		fmt.Fprintln(&w, r.note)
	}
	return w.String()
}

// outputNames are the 28 labels and the three groups that are no label.
func outputNames() []string {
	names := emotion.LabelNames()
	return append(names[:], "(positive)", "(negative)", "(ambiguous)")
}
