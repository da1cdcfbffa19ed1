package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ringtrue/ringtrue/internal/emotion"
	"github.com/ringtrue/ringtrue/internal/emotion/train"
)

// hand is how well the calls of one hand are judged by a temper learned from those of all others.
type hand struct {
	name                      string
	upset, found, calm, wrong int
	// calls and turns are the shares of pairs that frustration puts in the right order: an upset
	// call above a calm one, and a frustrated turn (2 or more) above one that is not frustrated at
	// all.
	calls, turns float64
}

// judgeHands leaves out each hand in turn.
func judgeHands() ([]hand, error) {
	m, err := emotion.New()
	if err != nil {
		return nil, err
	}
	all, err := train.Calls()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Hand)
	}
	slices.Sort(names)
	var hands []hand
	for _, name := range slices.Compact(names) {
		var own, others []train.Rated
		for _, c := range all {
			if c.Hand == name {
				own = append(own, c)
			} else {
				others = append(others, c)
			}
		}
		tempered, err := emotion.NewTempered(train.Temper(m, others))
		if err != nil {
			return nil, err
		}
		hands = append(hands, judgeHand(name, tempered, own))
	}
	return hands, nil
}

func judgeHand(name string, m *emotion.Model, calls []train.Rated) hand {
	h := hand{name: name}
	var upset, calm, sharp, even []float64
	for _, c := range calls {
		f := m.Feel(emotion.Input{Turns: c.Turns})
		switch {
		case c.Upset:
			h.upset++
			h.found += one(f.Upset)
			upset = append(upset, f.Frustration)
		default:
			h.calm++
			h.wrong += one(f.Upset)
			calm = append(calm, f.Frustration)
		}
		for _, t := range f.Turns {
			switch d := c.Degrees[t.Turn]; {
			case d >= 2:
				sharp = append(sharp, t.Frustration)
			case d == 0:
				even = append(even, t.Frustration)
			}
		}
	}
	h.calls, h.turns = ordered(upset, calm), ordered(sharp, even)
	return h
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// ordered returns the share of pairs in which the first is above the second; equal ones count half.
func ordered(above, below []float64) float64 {
	right := 0.0
	for _, a := range above {
		for _, b := range below {
			switch {
			case a > b:
				right++
			case a == b:
				right += 0.5
			}
		}
	}
	return right / float64(len(above)*len(below))
}

// handFigures returns the table of the page.
func handFigures(hands []hand) string {
	var w strings.Builder
	w.WriteString("| hand left out | upset found | calm called upset | in order: calls | turns |\n|---|---|---|---|---|\n")
	var all hand
	for _, h := range hands {
		fmt.Fprintf(&w, "| %s | %d of %d | %d of %d | %.3f | %.3f |\n", h.name, h.found, h.upset, h.wrong, h.calm, h.calls, h.turns)
		all.found, all.upset, all.wrong, all.calm = all.found+h.found, all.upset+h.upset, all.wrong+h.wrong, all.calm+h.calm
	}
	fmt.Fprintf(&w, "| all | %d of %d | %d of %d | | |\n", all.found, all.upset, all.wrong, all.calm)
	return w.String()
}
