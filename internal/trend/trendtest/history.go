// Package trendtest makes histories of production calls with known truth: agents with
// their own traffic, weekends and holidays, hours and days that vary without cause, and
// faults planted at known times. It serves to measure package departure, and to test a
// dashboard with many calls. The same seed makes the same history.
package trendtest

import (
	"math"
	"math/rand/v2"
	"time"
)

// Habit is when an agent's callers call.
type Habit int

// The habits.
const (
	Office   Habit = iota // working days, nine to six
	Consumer              // every day, most in the evening
	Always                // around the clock
)

// Agent is one agent of a history.
type Agent struct {
	Name        string
	CallsPerDay float64
	Habit       Habit
	// Weekend is the traffic of a Saturday or Sunday relative to a working day.
	Weekend float64
	// Latency is the median turn latency in seconds.
	Latency float64
	// ErrorRate, UpsetRate and DropOffRate are shares of calls; Valence is the mean feeling.
	ErrorRate, UpsetRate, DropOffRate, Valence float64
	// Growth is the factor by which traffic grows each week.
	Growth float64
	// Turns is the mean number of the agent's turns in a call.
	Turns float64
}

// Fault is a kind of planted fault.
type Fault string

// The faults. The meaning of Size depends on the fault.
const (
	Outage    Fault = "outage"    // calls are multiplied by Size (0: none arrive)
	Errors    Fault = "errors"    // the share of calls that end in an error becomes Size
	Latency   Fault = "latency"   // latencies are multiplied by Size
	Drift     Fault = "drift"     // latencies grow by Size each day (0.01: 1 %), until the end
	Sentiment Fault = "sentiment" // Size is subtracted from the valence
	Upset     Fault = "upset"     // the share of upset callers is multiplied by Size
)

// Planted is a fault at a known place and time.
type Planted struct {
	Agent       int
	Fault       Fault
	Start, Stop time.Time
	Size        float64
}

// Spec describes a history.
type Spec struct {
	Seed   uint64
	Start  time.Time // the beginning of a day in Zone
	Days   int
	Zone   *time.Location // nil is UTC
	Agents []Agent
	// Holidays are days with the traffic of a Sunday, counted from 0.
	Holidays []int
	Planted  []Planted
	// Bursts is how often per week and agent an hour has twice its calls, twice its errors
	// or a third more latency without any fault: 0.5 is every other week.
	Bursts float64
}

// Call is one call of a history.
type Call struct {
	Agent    int
	At       time.Time
	Duration time.Duration
	// Latencies are those of the agent's turns, in seconds.
	Latencies []float64
	Valence   float64
	Error     bool
	Upset     bool
	DroppedAt int // the turn in which the caller left before the goal, 0 if not
}

// hourState is the state of one agent in one hour.
type hourState struct {
	calls, latency, errors, valence, upset float64
}

// Each yields the calls of the history, agent by agent and hour by hour, in order of
// time for each agent. A Call's Latencies are only valid until the next call.
func (s Spec) Each(yield func(Call) bool) {
	for a := range s.Agents {
		if !s.agent(a, yield) {
			return
		}
	}
}

func (s Spec) agent(a int, yield func(Call) bool) bool {
	rng := rand.New(rand.NewPCG(s.Seed, uint64(a)+1))
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	var wander, feeling, busy, slow float64
	latencies := make([]float64, 0, 64)
	end := s.Start.AddDate(0, 0, s.Days)
	day := -1
	for at := s.Start; at.Before(end); at = at.Add(time.Hour) {
		local := at.In(zone)
		if d := int(at.Sub(s.Start).Hours() / 24); d != day {
			day = d
			wander = 0.8*wander + 0.012*rng.NormFloat64()
			feeling = 0.6*feeling + 0.008*rng.NormFloat64()
			busy, slow = math.Exp(0.07*rng.NormFloat64()), math.Exp(0.015*rng.NormFloat64())
		}
		h := s.quiet(a, local, day, rng)
		h.calls *= busy
		h.latency *= math.Exp(wander) * slow
		h.valence += feeling
		s.burst(&h, rng)
		s.plant(&h, a, at)
		for range poisson(h.calls, rng) {
			c := s.call(a, h, at, &latencies, rng)
			if !yield(c) {
				return false
			}
		}
	}
	return true
}

// quiet returns an hour without faults.
func (s Spec) quiet(a int, local time.Time, day int, rng *rand.Rand) hourState {
	ag := s.Agents[a]
	weekend := local.Weekday() == time.Saturday || local.Weekday() == time.Sunday
	for _, h := range s.Holidays {
		weekend = weekend || h == day
	}
	share := profile(ag.Habit, local.Hour(), weekend)
	calls := ag.CallsPerDay * share
	if weekend {
		calls *= ag.Weekend
	}
	if ag.Growth > 0 {
		calls *= math.Pow(ag.Growth, float64(day)/7)
	}
	load := share * 24 // 1 on average
	evening := 0.0
	if local.Hour() >= 19 {
		evening = 1
	}
	return hourState{
		calls:   calls * math.Exp(0.12*rng.NormFloat64()),
		latency: ag.Latency * (1 + 0.04*(load-1)) * math.Exp(0.04*rng.NormFloat64()),
		errors:  odds(ag.ErrorRate, math.Exp(0.3*rng.NormFloat64())),
		valence: ag.Valence - 0.03*evening,
		upset:   odds(ag.UpsetRate, math.Exp(0.2*rng.NormFloat64()+0.2*evening)),
	}
}

// burst makes an hour unusual without a fault.
func (s Spec) burst(h *hourState, rng *rand.Rand) {
	if rng.Float64() >= s.Bursts/168 {
		return
	}
	switch rng.IntN(3) {
	case 0:
		h.calls *= 2
	case 1:
		h.errors = odds(h.errors, 2)
	default:
		h.latency *= 1.3
	}
}

func (s Spec) plant(h *hourState, a int, at time.Time) {
	for _, p := range s.Planted {
		if p.Agent != a || at.Before(p.Start) || !at.Before(p.Stop) {
			continue
		}
		switch p.Fault {
		case Outage:
			h.calls *= p.Size
		case Errors:
			h.errors = p.Size
		case Latency:
			h.latency *= p.Size
		case Drift:
			h.latency *= math.Pow(1+p.Size, at.Sub(p.Start).Hours()/24)
		case Sentiment:
			h.valence -= p.Size
		case Upset:
			h.upset = min(h.upset*p.Size, 0.95)
		}
	}
}

func (s Spec) call(a int, h hourState, at time.Time, latencies *[]float64, rng *rand.Rand) Call {
	ag := s.Agents[a]
	c := Call{Agent: a, At: at.Add(time.Duration(rng.Int64N(int64(time.Hour))))}
	turns := 1 + poisson(max(ag.Turns-1, 0), rng)
	*latencies = (*latencies)[:0]
	mine := h.latency * math.Exp(0.2*rng.NormFloat64())
	for range turns {
		v := mine * math.Exp(0.45*rng.NormFloat64())
		if rng.Float64() < 0.02 {
			v *= 3 // a slow tool
		}
		*latencies = append(*latencies, v)
	}
	c.Latencies = *latencies
	c.Duration = time.Duration(float64(turns) * 12e9 * math.Exp(0.5*rng.NormFloat64()))
	c.Valence = min(max(h.valence+0.3*rng.NormFloat64(), -1), 1)
	c.Error = rng.Float64() < h.errors
	c.Upset = rng.Float64() < h.upset
	if rng.Float64() < ag.DropOffRate {
		c.DroppedAt = 1 + rng.IntN(turns)
	}
	return c
}

// profile returns the share of a day's calls that fall in an hour.
func profile(h Habit, hour int, weekend bool) float64 {
	v := func(hour int) float64 {
		x := float64(hour)
		switch {
		case h == Always:
			return 1 + 0.5*math.Sin((x-9)/24*2*math.Pi)
		case h == Consumer || weekend:
			return 0.03 + bump(x, 12, 3.5) + 1.4*bump(x, 19, 2.5)
		default:
			return 0.004 + bump(x, 10.5, 1.8) + bump(x, 15, 2)
		}
	}
	var sum float64
	for i := range 24 {
		sum += v(i)
	}
	return v(hour) / sum
}

func bump(x, middle, width float64) float64 {
	return math.Exp(-(x - middle) * (x - middle) / (2 * width * width))
}

// odds multiplies the odds of a probability.
func odds(p, by float64) float64 { return p * by / (1 - p + p*by) }

// poisson draws a count of the given mean.
func poisson(mean float64, rng *rand.Rand) int {
	if mean > 200 {
		return max(int(mean+math.Sqrt(mean)*rng.NormFloat64()+0.5), 0)
	}
	limit, n := math.Exp(-mean), 0
	for p := rng.Float64(); p > limit; p *= rng.Float64() {
		n++
	}
	return n
}
