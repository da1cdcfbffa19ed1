package practice

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Faults are the things that the desk does wrong. The zero value has none.
type Faults struct {
	// Late is added to the delay of every reply.
	Late time.Duration
	// TalkOver is for how long the desk speaks into every caller turn, from 600 ms after it began.
	TalkOver time.Duration
	// IgnoreInterruption makes the desk keep speaking whatever the caller does.
	IgnoreInterruption bool
	// GoSilent and HangUpEarly take effect after this many turns of the desk, including the greeting; 0 means never.
	GoSilent, HangUpEarly int
	// WrongPrice (dollars) is added to every price that is said.
	WrongPrice int
	// ForgetDate is how often the desk forgets the day that the caller named and asks for it again.
	ForgetDate int
	// SkipTool makes the desk claim that things are done without calling the function that does them.
	SkipTool bool
	// WrongArgument (hours) is added to the times passed to functions.
	WrongArgument int
	// RepeatItself is how often every turn is repeated.
	RepeatItself int
	// StopForBackchannel makes the desk stop at any sound of the caller.
	StopForBackchannel bool
	// Noise, if not nil, is how far (dB) the noise on the desk's line is below speech of -23 dBFS.
	// Voices are up to 9 dB louder and 5 dB softer than that.
	Noise *float64
	// LosePackets is the share (0 to 1) of the desk's packets that are lost.
	LosePackets float64
	// Mishear is the share (0 to 1) of caller turns that are not understood.
	Mishear float64
	// GreetLate is added to the delay of the greeting; NoGreeting replaces it by a mere "Yes?".
	GreetLate  time.Duration
	NoGreeting bool
	// Impatient makes the desk take a short pause of the caller for the end of its turn.
	Impatient bool
	// SlowToYield is how long the desk goes on speaking after noticing an interruption.
	SlowToYield time.Duration
	// Hurry is the factor by which the desk speaks faster; 0 means its normal pace.
	Hurry float64
	// Ramble is how many unrelated sentences precede each reply.
	Ramble int
	// Quiet and Overdrive (dB) are how much too soft or too loud the desk is.
	Quiet, Overdrive float64
	// IgnoreKeys makes the desk ignore telephone keys.
	IgnoreKeys bool
	// Promise makes the desk promise something with every reply.
	Promise bool
	// TransferEarly transfers the caller after this many turns of the desk, including the greeting; 0 means never.
	TransferEarly int
	// Misstate (hours) is added to the time of an appointment when it is confirmed.
	Misstate int
}

// Fault describes one fault.
type Fault struct {
	Name string
	// Default is the size used if none is given.
	Default string
	// Unit describes the form of sizes, "" if the fault is either on or off.
	Unit        string
	Explanation string
}

// KnownFaults returns all faults in a fixed order.
func KnownFaults() []Fault {
	return []Fault{
		{"late", "1500ms", "duration", "answers this much later than it could"},
		{"talk_over", "1000ms", "duration", "talks over the caller for this long, from 600 ms into the caller's turn"},
		{"ignore_interruption", "", "", "goes on speaking when the caller interrupts"},
		{"go_silent", "2", "turns", "falls silent after this many turns of its own"},
		{"hang_up_early", "2", "turns", "hangs up after this many turns of its own"},
		{"wrong_price", "20", "dollars", "states every price this much too high"},
		{"forget_date", "1", "times", "asks for the day again this many times, although it was given"},
		{"skip_tool", "", "", "says that something is done without doing it"},
		{"wrong_argument", "1", "hours", "books, moves and cancels this many hours too late"},
		{"repeat_itself", "1", "times", "repeats everything this many times"},
		{"stop_for_backchannel", "", "", "stops speaking at a mere mm-hm"},
		{"noise", "15dB", "decibels", "has a noisy line, with its speech only this far above the noise"},
		{"lose_packets", "5%", "per cent", "loses this share of its packets on the way to the caller"},
		{"mishear", "30%", "per cent", "does not understand this share of the caller's turns"},
		{"greet_late", "2500ms", "duration", "greets this much later than it could"},
		{"no_greeting", "", "", "says only \"Yes?\" instead of a greeting"},
		{"impatient", "", "", "takes a short pause of the caller's for the end of the turn"},
		{"slow_to_yield", "1500ms", "duration", "goes on speaking for this long after it has noticed an interruption"},
		{"hurry", "70%", "per cent", "speaks this much faster than it should"},
		{"ramble", "1", "times", "says this many things nobody asked for before each reply"},
		{"quiet", "20dB", "decibels", "is this much too soft"},
		{"overdrive", "24dB", "decibels", "is this much too loud, which distorts its speech"},
		{"ignore_keys", "", "", "does not hear telephone keys"},
		{"promise", "", "", "promises something with every reply"},
		{"transfer_early", "2", "turns", "transfers the caller without being asked, after this many turns of its own"},
		{"misstate", "1", "hours", "confirms a time this many hours later than it booked"},
	}
}

// ParseFaults parses faults of the form "name" or "name=size", for example "late=1500ms". All
// problems are reported at once; their paths are "fault[i]".
func ParseFaults(list []string) (Faults, error) {
	var f Faults
	var bad []problem.Field
	for i, text := range list {
		if err := f.set(text); err != nil {
			bad = append(bad, problem.Field{Path: fmt.Sprintf("fault[%d]", i), Message: err.Error()})
		}
	}
	if len(bad) > 0 {
		return Faults{}, problem.Invalid(bad...)
	}
	return f, nil
}

func (f *Faults) set(text string) error {
	name, size, sized := strings.Cut(strings.TrimSpace(text), "=")
	name = strings.ReplaceAll(strings.TrimSpace(name), "-", "_")
	var known *Fault
	names := make([]string, 0, len(KnownFaults()))
	for _, k := range KnownFaults() {
		names = append(names, k.Name)
		if k.Name == name {
			known = &k
		}
	}
	switch {
	case known == nil:
		return fmt.Errorf("there is no fault %q; there are %s", name, strings.Join(names, ", "))
	case sized && known.Unit == "":
		return fmt.Errorf("the fault %q has no size", name)
	case !sized:
		size = known.Default
	}
	if err := f.assign(name, strings.TrimSpace(size)); err != nil {
		return fmt.Errorf("the size %q of %q is not right: %w (for example %s=%s)", size, name, err, name, known.Default)
	}
	return nil
}

// assign sets the fault with the given, valid name.
func (f *Faults) assign(name, size string) (err error) {
	if on := f.switches()[name]; on != nil {
		*on = true
		return nil
	}
	if d := f.durations()[name]; d != nil {
		*d, err = duration(size)
		return err
	}
	if c := f.counts()[name]; c.into != nil {
		*c.into, err = whole(size, c.low, c.high)
		return err
	}
	return f.assignShare(name, size)
}

func (f *Faults) switches() map[string]*bool {
	return map[string]*bool{
		"ignore_interruption": &f.IgnoreInterruption, "skip_tool": &f.SkipTool, "stop_for_backchannel": &f.StopForBackchannel,
		"no_greeting": &f.NoGreeting, "impatient": &f.Impatient, "ignore_keys": &f.IgnoreKeys, "promise": &f.Promise,
	}
}

func (f *Faults) durations() map[string]*time.Duration {
	return map[string]*time.Duration{
		"late": &f.Late, "talk_over": &f.TalkOver, "greet_late": &f.GreetLate, "slow_to_yield": &f.SlowToYield,
	}
}

// counted is a fault whose size is an integer within bounds.
type counted struct {
	into      *int
	low, high int
}

func (f *Faults) counts() map[string]counted {
	return map[string]counted{
		"go_silent": {&f.GoSilent, 1, 100}, "hang_up_early": {&f.HangUpEarly, 1, 100}, "transfer_early": {&f.TransferEarly, 1, 100},
		"wrong_price": {&f.WrongPrice, -1000, 1000}, "forget_date": {&f.ForgetDate, 1, 10}, "wrong_argument": {&f.WrongArgument, 1, 6},
		"repeat_itself": {&f.RepeatItself, 1, 10}, "ramble": {&f.Ramble, 1, 5}, "misstate": {&f.Misstate, 1, 3},
	}
}

// assignShare sets the faults whose size is a share or a level.
func (f *Faults) assignShare(name, size string) (err error) {
	switch name {
	case "noise":
		var db float64
		db, err = decibels(size, -10, 60)
		f.Noise = &db
	case "quiet":
		f.Quiet, err = decibels(size, 0, 60)
	case "overdrive":
		f.Overdrive, err = decibels(size, 0, 60)
	case "lose_packets":
		f.LosePackets, err = share(size)
	case "mishear":
		f.Mishear, err = share(size)
	case "hurry":
		f.Hurry, err = share(size)
		f.Hurry++
	}
	return err
}

func decibels(size string, low, high float64) (float64, error) {
	return number(strings.TrimSuffix(strings.ToLower(size), "db"), low, high)
}

func duration(size string) (time.Duration, error) {
	if n, err := strconv.Atoi(size); err == nil {
		size = strconv.Itoa(n) + "ms"
	}
	d, err := time.ParseDuration(size)
	if err != nil || d <= 0 || d > time.Minute {
		return 0, fmt.Errorf("give a duration up to one minute")
	}
	return d, nil
}

func whole(size string, low, high int) (int, error) {
	n, err := strconv.Atoi(size)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("give a whole number from %d to %d", low, high)
	}
	return n, nil
}

func number(size string, low, high float64) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSpace(size), 64)
	if err != nil || math.IsNaN(x) || x < low || x > high {
		return 0, fmt.Errorf("give a number from %g to %g", low, high)
	}
	return x, nil
}

func share(size string) (float64, error) {
	x, err := number(strings.TrimSuffix(size, "%"), 0, 100)
	return x / 100, err
}
