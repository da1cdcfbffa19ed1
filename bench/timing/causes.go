package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// otherTurn is the error (ms) from which on another sound must have been taken for the edge.
const otherTurn = 500.0

// cause is the reason for an error of turn_latency beyond the goal for the 95th percentile.
type cause int

// The causes, in the order of the table.
const (
	fine cause = iota
	underNoise
	unsure
	late
	early
	elsewhere
	causes
)

// why returns the cause of a sample's error, of which limit ms are acceptable.
func (s sample) why(limit float64) cause {
	e := s.error()
	switch {
	case s.Missed || s.Invented || math.Abs(e) >= otherTurn:
		return elsewhere
	case math.Abs(e) <= limit:
		return fine
	case e < 0:
		return early
	case s.Bound > limit/2:
		return underNoise
	case s.Sure > limit/2:
		return unsure
	}
	return late
}

// causeTable writes the causes of the errors beyond the goals.
func (r *report) causeTable(w *strings.Builder) {
	row(w, "condition", "events", "beyond the goal", "late, under the noise", "late, ideal guesses", "late, ideal sure", "early", "another sound")
	rule(w, 8)
	for _, g := range goals() {
		all := slices.DeleteFunc(r.of(turnLatency, "", ""), func(s sample) bool { return s.Figure != g.figure })
		var n [causes]int
		for _, s := range all {
			n[s.why(g.p95)]++
		}
		cells := []string{g.name, fmt.Sprint(len(all)), share(len(all)-n[fine], len(all))}
		for c := underNoise; c < causes; c++ {
			cells = append(cells, share(n[c], len(all)))
		}
		row(w, cells...)
	}
}

func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}
