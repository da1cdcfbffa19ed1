package practice

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// Faults are the things the desk does wrong. The zero value does nothing wrong.
type Faults struct {
	// Late is added to the delay of every reply.
	Late time.Duration
	// TalkOver is for how long the desk speaks into every caller turn, from 600 ms after it began.
	TalkOver time.Duration
	// IgnoreInterruption keeps speaking whatever the caller does.
	IgnoreInterruption bool
	// GoSilent and HangUpEarly take effect after so many turns of the desk, the greeting included; 0 is never.
	GoSilent, HangUpEarly int
	// WrongPrice (dollars) is added to every price that is said.
	WrongPrice int
	// ForgetDate is how often the day that the caller gave is forgotten and asked for again.
	ForgetDate int
	// SkipTool says that things are done without calling the function that does them.
	SkipTool bool
	// WrongArgument (hours) is added to the time that functions are called with.
	WrongArgument int
	// RepeatItself is how often every turn is said again.
	RepeatItself int
	// StopForBackchannel stops at any sound of the caller's.
	StopForBackchannel bool
	// Noise, unless nil, is the signal-to-noise ratio (dB) of the desk's line.
	Noise *float64
	// LosePackets is the share (0 to 1) of the desk's packets that never arrive.
	LosePackets float64
	// Mishear is the share (0 to 1) of caller turns that are not understood.
	Mishear float64
}

// Fault explains one fault.
type Fault struct {
	Name string
	// Default is the size when none is given.
	Default string
	// Unit tells what sizes look like, "" when the fault is either on or off.
	Unit        string
	Explanation string
}

// KnownFaults lists all faults in a fixed order.
func KnownFaults() []Fault {
	return []Fault{
		{"late", "1500ms", "duration", "answers so much later than it could"},
		{"talk_over", "1000ms", "duration", "speaks into the caller's turn for so long, from 600 ms after it began"},
		{"ignore_interruption", "", "", "goes on speaking when the caller interrupts"},
		{"go_silent", "2", "turns", "says nothing more after so many turns of its own"},
		{"hang_up_early", "2", "turns", "hangs up after so many turns of its own"},
		{"wrong_price", "20", "dollars", "says every price so much too high"},
		{"forget_date", "1", "times", "asks for the day again though it was given, so many times"},
		{"skip_tool", "", "", "says that it is done without doing it"},
		{"wrong_argument", "1", "hours", "books, moves and cancels so many hours too late"},
		{"repeat_itself", "1", "times", "says everything so many times more"},
		{"stop_for_backchannel", "", "", "stops speaking at a mere mm-hm"},
		{"noise", "15dB", "decibels", "has so little signal above the noise on its line"},
		{"lose_packets", "5%", "per cent", "loses so many packets on its way to the caller"},
		{"mishear", "30%", "per cent", "does not understand so many of the caller's turns"},
	}
}

// ParseFaults reads faults as "name" or "name=size", for example
// "late=1500ms". All problems are reported at once; paths are "fault[i]".
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

func (f *Faults) assign(name, size string) (err error) {
	switch name {
	case "late":
		f.Late, err = duration(size)
	case "talk_over":
		f.TalkOver, err = duration(size)
	case "ignore_interruption":
		f.IgnoreInterruption = true
	case "go_silent":
		f.GoSilent, err = whole(size, 1, 100)
	case "hang_up_early":
		f.HangUpEarly, err = whole(size, 1, 100)
	case "wrong_price":
		f.WrongPrice, err = whole(size, -1000, 1000)
	case "forget_date":
		f.ForgetDate, err = whole(size, 1, 10)
	case "skip_tool":
		f.SkipTool = true
	case "wrong_argument":
		f.WrongArgument, err = whole(size, 1, 6)
	case "repeat_itself":
		f.RepeatItself, err = whole(size, 1, 10)
	case "stop_for_backchannel":
		f.StopForBackchannel = true
	case "noise":
		var db float64
		db, err = number(strings.TrimSuffix(strings.ToLower(size), "db"), -10, 60)
		f.Noise = &db
	case "lose_packets":
		f.LosePackets, err = share(size)
	case "mishear":
		f.Mishear, err = share(size)
	}
	return err
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
