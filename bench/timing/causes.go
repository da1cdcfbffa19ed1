package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// otherTurn is the error (ms) from which on another sound was taken for the edge.
const otherTurn = 500.0

// cause is what made an error of turn_latency that is beyond the goal for the 95th percentile.
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

// why tells what made the error of a sample, of which so many ms are fine.
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

// causeTable says what the errors beyond the goals are made of.
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
