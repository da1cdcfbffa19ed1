package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/practice"
)

// agentFault is one thing an agent does wrong, with the checks meant for it. All of it is written
// down before anything is measured; the checks themselves know neither the fault nor its size. A
// check that ends in "-" or ":" stands for all whose names have this prefix.
type agentFault struct {
	name string
	// sizes describes the range from which the size is drawn, "" if there is none.
	sizes string
	draw  func(r *rand.Rand) string
	// finders are the checks meant for it: for each seed, one of them must fail in one of the
	// scenarios named in where.
	finders []string
	where   []string
	// also are further checks that may rightly fail because of what the fault does to a call; why
	// explains that. Any other failed check blames the wrong side.
	also []string
	why  string
	// ends are who else than nobody may be blamed for the end of the call.
	ends []call.Blame
}

// whole draws a whole number followed by a unit.
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

// What faults do to the rest of a call, as names of checks.

// words returns the checks of the agent's words.
func words() []string {
	return []string{"say:", "do_not_say:", "fact_stated:", "understands", "greets", "says-once-", "asks-once-", "reads-well"}
}

// done returns the checks of the result of the call.
func done() []string {
	return []string{"say:", "fact_stated:", "tool_called:", "outcome", "ends-well", "blameless-end", "duration"}
}

func silences() []string { return []string{"bound-dead-air-", "timing:longest_dead_air_ms"} }

func overlaps() []string {
	return []string{"bound-overlap-", "timing:overlap_ms", "bound-turn-taking", "bound-agent-interruptions"}
}

func yields() []string {
	return []string{"bound-yield-time", "timing:yield_time_ms", "bound-barge-in-success", "bound-missed-barge-in"}
}

func talking() []string {
	return []string{"bound-talk-ratio", "bound-longest-monologue", "duration", "timing:duration"}
}

// agentFaults returns all of them. A test compares the list with the practice agent's own.
func agentFaults() []agentFault {
	return slices.Concat(delayFaults(), floorFaults(), wordFaults(), taskFaults(), endFaults(), soundFaults())
}

func delayFaults() []agentFault {
	return []agentFault{
		{
			name: "late", sizes: "800 to 4000 ms", draw: whole(800, 4000, "ms"), where: everywhere(), finders: []string{"bound-turn-latency"},
			also: slices.Concat(silences(), talking(), []string{"bound-turn-latency-tool", "timing:turn_latency_", "bound-turn-taking"}),
			why:  "each delay is a silence of both sides; after a key press, which is not speech, it lies inside the agent's turn",
		},
		{
			name: "greet_late", sizes: "1500 to 5000 ms", draw: whole(1500, 5000, "ms"), where: everywhere(), finders: []string{"bound-time-to-first-word"},
			also: append(silences(), "timing:time_to_first_word_ms"), why: "both are silent until the greeting",
		},
		{
			name: "slow_to_yield", sizes: "1200 to 2500 ms", draw: whole(1200, 2500, "ms"), where: []string{asks}, finders: []string{"bound-yield-time"},
			also: slices.Concat(yields(), overlaps(), silences(), []string{"fact_stated:price of a vaccination", "tool_called:2", "bound-longest-monologue"}),
			why:  "both speak until the agent yields, and after 2 s it has not yielded; a question that the caller has finished by then is not answered, and both wait",
		},
	}
}

func floorFaults() []agentFault {
	return []agentFault{
		{
			name: "talk_over", sizes: "400 to 1500 ms", draw: whole(400, 1500, "ms"), where: everywhere(), finders: []string{"bound-agent-interruptions"},
			also: slices.Concat(overlaps(), yields(), talking(), []string{"fact_stated:price of a vaccination", "tool_called:2"}),
			why:  "both speak at once, also during an interruption; an agent that speaks over a question for 1.2 s is itself interrupted, so that two questions become one",
		},
		{
			name: "impatient", where: []string{moves}, finders: []string{"bound-agent-interruptions"},
			also: slices.Concat(overlaps(), words(), done()), why: "it speaks into the rest of the sentence, of which it has understood half",
			ends: []call.Blame{call.BlameCaller},
		},
		{
			name: "ignore_interruption", where: []string{asks}, finders: []string{"bound-missed-barge-in"},
			also: slices.Concat(yields(), overlaps(), []string{"fact_stated:price of a vaccination", "tool_called:2"}),
			why:  "both speak at once, and what the caller asked while interrupting is not answered",
		},
		{
			name: "stop_for_backchannel", where: []string{asks}, finders: []string{"bound-false-barge-in"},
			also: []string{"bound-backchannel-", "say:", "fact_stated:price of a cleaning", "bound-yield-time", "bound-turn-taking"}, why: "the rest of its sentence is never said",
		},
		{
			name: "ramble", sizes: "1 to 2 times", draw: whole(1, 2, ""), where: everywhere(), finders: []string{"bound-longest-monologue"},
			also: append(talking(), "fact_stated:", "tool_called:", "outcome", "ends-well"), why: "it talks more in total, and is interrupted before it has answered",
		},
		{
			name: "hurry", sizes: "50 to 100 %", draw: whole(50, 100, "%"), where: everywhere(), finders: []string{"bound-words-per-minute"},
			also: slices.Concat(words(), done(), silences(), talking(), overlaps()),
			why:  "words that are spoken too fast are understood less well, by the caller too; an \"okay\" that falls at the end of a sentence instead of its middle is taken for an answer, and the reply falls into the caller's next line",
			ends: []call.Blame{call.BlameCaller},
		},
	}
}

func wordFaults() []agentFault {
	return []agentFault{
		{
			name: "wrong_price", sizes: "-40 to 40 dollars, not 0", where: []string{asks}, draw: price,
			finders: []string{"fact_stated:price of a cleaning", "fact_stated:price of a vaccination"},
		},
		{
			name: "misstate", sizes: "1 to 2 hours", draw: whole(1, 2, ""), where: []string{books, moves}, finders: []string{"say:2"},
		},
		{
			name: "promise", where: everywhere(), finders: []string{"do_not_say:2"}, also: talking(), why: "it talks longer",
		},
		{
			name: "no_greeting", where: everywhere(), finders: []string{"greets"}, also: []string{"say:1", "bound-talk-ratio"}, why: "the greeting is an expected phrase of one scenario",
		},
		{
			name: "repeat_itself", sizes: "1 to 2 times", draw: whole(1, 2, ""), where: everywhere(), finders: []string{"says-once-"},
			also: append(talking(), "asks-once-", "reads-well"), why: "what is said twice is asked twice and takes twice as long",
		},
	}
}

func price(r *rand.Rand) string {
	n := 1 + r.IntN(40)
	if r.IntN(2) == 0 {
		n = -n
	}
	return strconv.Itoa(n)
}

func taskFaults() []agentFault {
	return []agentFault{
		{
			name: "forget_date", sizes: "1 to 3 times", draw: whole(1, 3, ""), where: []string{books}, finders: []string{"asks-once-day"},
			also: slices.Concat(words(), done()), why: "the caller says its next line, which is no answer, and nothing gets booked",
			ends: []call.Blame{call.BlameCaller},
		},
		{
			name: "skip_tool", where: everywhere(), finders: []string{"tool_called:"},
		},
		{
			name: "wrong_argument", sizes: "1 to 3 hours", draw: whole(1, 3, ""), where: []string{books, cancels, moves}, finders: []string{"tool_called:"},
		},
		{
			name: "ignore_keys", where: []string{cancels}, finders: []string{"tool_called:1"},
			also: slices.Concat(words(), done(), silences(), talking()), why: "the caller waits in vain for an answer to its keys", ends: []call.Blame{call.BlameCaller, call.BlameAgent},
		},
		{
			name: "mishear", sizes: "60 to 100 %", draw: whole(60, 100, "%"), where: everywhere(), finders: []string{"understands"},
			also: slices.Concat(words(), done(), silences(), talking(), overlaps(), yields(), []string{"bound-backchannel-", "bound-false-barge-in"}),
			why:  "what is not understood is not done, and the call takes another course", ends: []call.Blame{call.BlameCaller},
		},
	}
}

func endFaults() []agentFault {
	course := slices.Concat(words(), done(), silences(), talking(), overlaps(), yields(), []string{"bound-backchannel-", "bound-false-barge-in", "bound-words-per-minute", "bound-turn-latency", "timing:"})
	return []agentFault{
		{
			name: "go_silent", sizes: "after 1 to 3 turns", draw: whole(1, 3, ""), where: everywhere(), finders: []string{"blameless-end"},
			also: course, why: "nothing of what should follow happens", ends: []call.Blame{call.BlameAgent},
		},
		{
			name: "transfer_early", sizes: "after 1 to 2 turns", draw: whole(1, 2, ""), where: everywhere(), finders: []string{"no-transfer"},
			also: course, why: "nothing of what should follow happens", ends: []call.Blame{call.BlameAgent},
		},
		{
			name: "hang_up_early", sizes: "after 1 to 3 turns", draw: whole(1, 3, ""), where: everywhere(), finders: []string{"blameless-end"},
			also: course, why: "nothing of what should follow happens, and an agent that leaves does not yield", ends: []call.Blame{call.BlameAgent},
		},
	}
}

func soundFaults() []agentFault {
	heard := slices.Concat(words(), done(), silences(), talking())
	return []agentFault{
		{
			name: "quiet", sizes: "18 to 26 dB", draw: whole(18, 26, "dB"), where: everywhere(), finders: []string{"bound-level"},
			also: append(slices.Clone(heard), "bound-snr", "bound-words-per-minute"), why: "the softest sounds are not taken for speech, and soft words are understood less well", ends: []call.Blame{call.BlameCaller},
		},
		{
			name: "overdrive", sizes: "18 to 35 dB", draw: whole(18, 35, "dB"), where: everywhere(), finders: []string{"bound-clipping"},
			also: append(slices.Clone(heard), "bound-level", "bound-words-per-minute"), why: "distorted words are understood less well", ends: []call.Blame{call.BlameCaller},
		},
		{
			name: "noise", sizes: "5 to 15 dB", draw: whole(5, 15, "dB"), where: everywhere(), finders: []string{"bound-snr"},
			also: append(slices.Clone(heard), "bound-words-per-minute"), why: "words in noise are understood less well, by the caller too", ends: []call.Blame{call.BlameCaller},
		},
		{
			name: "lose_packets", sizes: "3 to 20 %", draw: whole(3, 20, "%"), where: everywhere(), finders: []string{"bound-loss"},
			also: append(slices.Clone(heard), "bound-packets-lost", "bound-r-factor", "bound-mos", "bound-dropouts", "bound-dropouts-per-minute", "bound-longest-gap"),
			why:  "lost packets are holes in the sound, and words with holes are understood less well", ends: []call.Blame{call.BlameCaller},
		},
	}
}

// planted draws the size of a fault.
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
