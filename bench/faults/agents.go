package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/practice"
)

// agentFault is one thing an agent does wrong, with the checks meant for it. All
// of it is written down before anything is measured; the checks themselves know
// neither the fault nor its size.
type agentFault struct {
	name string
	// sizes says in words from what range the size is drawn, "" when there is none.
	sizes string
	draw  func(r *rand.Rand) string
	// finders are the checks meant for it: each seed one of them has to fail, in
	// one of the scenarios named in where.
	finders []string
	where   []string
	// also are further checks that fail rightly, because of what the fault does to a
	// call; why explains that. Any other failed check is blame on the wrong side.
	also []string
	why  string
}

// either draws from a list.
func either(values ...string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return values[r.IntN(len(values))] }
}

// whole draws a whole number with a unit behind it.
func whole(low, high int, unit string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return strconv.Itoa(low+r.IntN(high-low+1)) + unit }
}

// The scenarios of dataset.yaml.
const (
	books   = "books"
	asks    = "asks-and-interrupts"
	cancels = "cancels-by-keypad"
	moves   = "moves-and-hesitates"
)

func everywhere() []string { return []string{books, asks, cancels, moves} }

// agentFaults are all of them. A test holds the list and the practice agent's together.
func agentFaults() []agentFault {
	return slices.Concat(timingFaults(), wordFaults(), endFaults(), soundFaults())
}

func timingFaults() []agentFault {
	return []agentFault{
		{
			name: "late", sizes: "800 to 4000 ms", draw: whole(800, 4000, "ms"), where: everywhere(),
			finders: []string{"bound-turn-latency"},
		},
		{
			name: "talk_over", sizes: "400 to 1500 ms", draw: whole(400, 1500, "ms"), where: everywhere(),
			finders: []string{"bound-agent-interruptions"},
		},
		{
			name: "greet_late", sizes: "1500 to 5000 ms", draw: whole(1500, 5000, "ms"), where: everywhere(),
			finders: []string{"bound-time-to-first-word"},
		},
		{
			name: "impatient", where: []string{moves}, finders: []string{"bound-agent-interruptions"},
		},
		{
			name: "slow_to_yield", sizes: "1200 to 2500 ms", draw: whole(1200, 2500, "ms"), where: []string{asks}, finders: []string{"bound-yield-time"},
		},
		{
			name: "ramble", sizes: "1 to 2 times", draw: whole(1, 2, ""), where: everywhere(), finders: []string{"bound-longest-monologue"},
		},
		{
			name: "hurry", sizes: "50 to 100 %", draw: whole(50, 100, "%"), where: everywhere(), finders: []string{"bound-words-per-minute"},
		},
		{
			name: "ignore_interruption", where: []string{asks}, finders: []string{"bound-missed-barge-in"},
		},
		{
			name: "stop_for_backchannel", where: []string{asks}, finders: []string{"bound-false-barge-in"},
		},
	}
}

func wordFaults() []agentFault {
	return []agentFault{
		{
			name: "wrong_price", sizes: "-40 to 40 dollars, not 0", where: []string{asks},
			draw: func(r *rand.Rand) string {
				n := 1 + r.IntN(40)
				if r.IntN(2) == 0 {
					n = -n
				}
				return strconv.Itoa(n)
			},
			finders: []string{"fact_stated:price of a cleaning", "fact_stated:price of a vaccination"},
		},
		{
			name: "misstate", sizes: "1 to 2 hours", draw: whole(1, 2, ""), where: []string{books, moves}, finders: []string{"say:2"},
		},
		{
			name: "promise", where: everywhere(), finders: []string{"do_not_say:2"},
		},
		{
			name: "no_greeting", where: everywhere(), finders: []string{"greets"},
		},
		{
			name: "ignore_keys", where: []string{cancels}, finders: []string{"tool_called:1"},
		},
		{
			name: "forget_date", sizes: "1 to 3 times", draw: whole(1, 3, ""), where: []string{books},
			finders: []string{"asks-once-day"},
		},
		{
			name: "skip_tool", where: everywhere(), finders: []string{"tool_called:"},
		},
		{
			name: "wrong_argument", sizes: "1 to 3 hours", draw: whole(1, 3, ""), where: []string{books, cancels, moves},
			finders: []string{"tool_called:"},
		},
		{
			name: "repeat_itself", sizes: "1 to 2 times", draw: whole(1, 2, ""), where: everywhere(),
			finders: []string{"says-once-"},
		},
		{
			name: "mishear", sizes: "60 to 100 %", draw: whole(60, 100, "%"), where: everywhere(),
			finders: []string{"understands"},
		},
	}
}

func endFaults() []agentFault {
	return []agentFault{
		{
			name: "go_silent", sizes: "after 1 to 3 turns", draw: whole(1, 3, ""), where: everywhere(),
			finders: []string{"blameless-end"},
		},
		{
			name: "transfer_early", sizes: "after 1 to 2 turns", draw: whole(1, 2, ""), where: everywhere(), finders: []string{"no-transfer"},
		},
		{
			name: "hang_up_early", sizes: "after 1 to 3 turns", draw: whole(1, 3, ""), where: everywhere(),
			finders: []string{"blameless-end"},
		},
	}
}

func soundFaults() []agentFault {
	return []agentFault{
		{
			name: "quiet", sizes: "18 to 30 dB", draw: whole(18, 30, "dB"), where: everywhere(), finders: []string{"bound-level"},
		},
		{
			name: "overdrive", sizes: "18 to 35 dB", draw: whole(18, 35, "dB"), where: everywhere(), finders: []string{"bound-clipping"},
		},
		{
			name: "noise", sizes: "3 to 20 dB", draw: whole(3, 20, "dB"), where: everywhere(), finders: []string{"bound-snr"},
		},
		{
			name: "lose_packets", sizes: "3 to 20 %", draw: whole(3, 20, "%"), where: everywhere(), finders: []string{"bound-loss"},
		},
	}
}

// planted is a fault with its size drawn.
func (f agentFault) planted(r *rand.Rand) (practice.Faults, string, error) {
	text := f.name
	if f.draw != nil {
		text += "=" + f.draw(r)
	}
	faults, err := practice.ParseFaults([]string{text})
	if err != nil {
		return faults, text, fmt.Errorf("plant %s: %w", text, err)
	}
	return faults, text, nil
}
