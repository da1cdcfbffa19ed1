package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// page returns docs/metrics/feeling.md: page.md with the figures filled in.
func (r *report) page() string {
	return strings.NewReplacer("{{figures}}", r.pageFigures(), "{{hands}}", handFigures(r.hands)).Replace(pageText)
}

//go:embed page.md
var pageText string //nolint:gochecknoglobals // an embedded file has to be one

func (r *report) pageFigures() string {
	var w strings.Builder
	fmt.Fprintf(&w, "Made by `go run ./bench/feeling --data DIR --seed %d --page docs/metrics/feeling.md`.\n\n", r.config.seed)
	if r.texts > 0 {
		a, b := r.written.Macro()
		c, d := r.heard.Macro()
		fmt.Fprintf(&w, "GoEmotions, split `%s`, %d texts:\n\n| | as written | as heard | goal |\n|---|---|---|---|\n", r.config.split, r.texts)
		fmt.Fprintf(&w, "| macro-F1, 28 labels | %.3f | %.3f | 0.46 |\n| macro-F1, 4 groups | %.3f | %.3f | 0.66 |\n\n", a, c, b, d)
	}
	w.WriteString("Sentiment (negative, neutral, positive), macro-F1, beside VADER (govader, its own thresholds):\n\n| texts | ours | VADER |\n|---|---|---|\n")
	for _, s := range r.sentiments {
		fmt.Fprintf(&w, "| %s | %.3f | %.3f |\n", s.name, s.ours.macro(), s.peer.macro())
	}
	fmt.Fprintf(&w, "\nA text takes %.0f µs on one core (VADER: %.0f); the weights are %d bytes.\n", r.us, r.vader, r.bytes)
	if r.texts == 0 {
		return w.String()
	}
	w.WriteString("\nF1 of each label:\n\n| label | texts | as written | as heard |\n|---|---|---|---|\n")
	for k, name := range outputNames() {
		fmt.Fprintf(&w, "| %s | %d | %.2f | %.2f |\n", name, r.written.Texts(k), r.written.F1(k), r.heard.F1(k))
	}
	return w.String()
}
