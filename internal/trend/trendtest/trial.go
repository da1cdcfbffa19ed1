package trendtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// Names returns the metrics that trials watch.
func Names() []string {
	return []string{"calls", "error_rate", "drop_off_rate", "upset_rate", "valence", "latency_p50", "latency_p95"}
}

// Traffics returns the calls per day of a trial's agents, from 2000 down to two.
func Traffics() []float64 { return []float64{2000, 500, 120, 30, 8, 2} }

// TrialDays is the length of a trial, of which the first 35 days are only history.
const (
	TrialDays    = 90
	trialHistory = 35
)

// begin is a Monday.
func begin() time.Time { return time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC) }

// anyAgent draws an agent with about the given traffic.
func anyAgent(i int, calls float64, rng *rand.Rand) Agent {
	return Agent{
		Name: fmt.Sprintf("agent %d", i), CallsPerDay: calls * (0.8 + 0.4*rng.Float64()), Habit: Habit(rng.IntN(3)),
		Weekend: []float64{0.1, 0.3, 0.7, 1}[rng.IntN(4)], Latency: 0.6 + rng.Float64(), ErrorRate: 0.005 + 0.05*rng.Float64(),
		UpsetRate: 0.02 + 0.06*rng.Float64(), DropOffRate: 0.05 + 0.15*rng.Float64(), Valence: 0.3*rng.Float64() - 0.05,
		Growth: 0.99 + 0.04*rng.Float64(), Turns: 4 + 5*rng.Float64(),
	}
}

func anyHolidays(rng *rand.Rand) []int {
	first := 40 + rng.IntN(20)
	return []int{10 + rng.IntN(20), first, first + 1, 70 + rng.IntN(15)}
}

// Quiet returns a history of 24 agents without faults: four of each traffic, with holidays, growth,
// and unusual hours.
func Quiet(seed uint64) Spec {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := Spec{Seed: seed, Start: begin(), Days: TrialDays, Holidays: anyHolidays(rng), Bursts: 0.5}
	for i := range 24 {
		s.Agents = append(s.Agents, anyAgent(i, Traffics()[i%6], rng))
	}
	return s
}

// Kind is a fault of a trial.
type Kind struct {
	Label  string
	Fault  Fault
	Size   float64
	Length time.Duration // 0: until the end
}

// Kinds returns the faults that trials plant.
func Kinds() []Kind {
	return []Kind{
		{"no calls for 4 hours", Outage, 0, 4 * time.Hour},
		{"a fifth of the calls for a day", Outage, 0.2, 24 * time.Hour},
		{"half of the calls fail for 3 hours", Errors, 0.5, 3 * time.Hour},
		{"one in five fails for a day", Errors, 0.2, 24 * time.Hour},
		{"latency + 50 % for 6 hours", Latency, 1.5, 6 * time.Hour},
		{"latency + 20 % to the end", Latency, 1.2, 0},
		{"latency + 1 % a day to the end", Drift, 0.01, 0},
		{"feeling − 0.15 for 2 days", Sentiment, 0.15, 48 * time.Hour},
		{"four times as many upset for a day", Upset, 4, 24 * time.Hour},
	}
}

// Faulty returns a history with one agent for each kind of fault and each traffic. The fault is
// planted once, in the busy hours of a working day.
func Faulty(seed uint64) Spec {
	rng := rand.New(rand.NewPCG(seed, 2))
	s := Spec{Seed: seed, Start: begin(), Days: TrialDays, Holidays: anyHolidays(rng), Bursts: 0.5}
	for k, kind := range Kinds() {
		for i, calls := range Traffics() {
			a := k*len(Traffics()) + i
			s.Agents = append(s.Agents, anyAgent(a, calls, rng))
			day := 7 * (6 + rng.IntN(4)) // a Monday, from day 42 to 63
			if kind.Fault == Drift {
				day = 42 + rng.IntN(7)
			}
			day += rng.IntN(5)
			for slices.Contains(s.Holidays, day) || slices.Contains(s.Holidays, day+1) {
				day++
			}
			start := s.Start.AddDate(0, 0, day).Add(time.Duration(9+rng.IntN(3)) * time.Hour)
			if kind.Fault == Outage && kind.Length > 12*time.Hour {
				start = start.Add(-3 * time.Hour)
			}
			stop := s.Start.AddDate(0, 0, s.Days)
			if kind.Length > 0 {
				stop = start.Add(kind.Length)
			}
			s.Planted = append(s.Planted, Planted{Agent: a, Fault: kind.Fault, Start: start, Stop: stop, Size: kind.Size})
		}
	}
	return s
}

// Sized returns the faults whose sizes Drawn draws, and the traffics of their agents.
func Sized() (faults []Fault, traffics []float64) {
	return []Fault{Outage, Latency, Drift, Sentiment}, []float64{2000, 500, 120}
}

// Drawn returns a history with one agent for each fault and traffic of Sized. The size, length and
// beginning of each fault are drawn.
func Drawn(seed uint64) Spec {
	rng := rand.New(rand.NewPCG(seed, 3))
	s := Spec{Seed: seed, Start: begin(), Days: TrialDays, Holidays: anyHolidays(rng), Bursts: 0.5}
	faults, traffics := Sized()
	for _, fault := range faults {
		for _, calls := range traffics {
			a := len(s.Agents)
			s.Agents = append(s.Agents, anyAgent(a, calls, rng))
			day := 42 + rng.IntN(21)
			for (s.Start.AddDate(0, 0, day).Weekday()+6)%7 >= 5 || slices.Contains(s.Holidays, day) || slices.Contains(s.Holidays, day+1) {
				day++
			}
			p := Planted{Agent: a, Fault: fault, Start: s.Start.AddDate(0, 0, day).Add(time.Duration(9+rng.IntN(4)) * time.Hour)}
			length := time.Duration(0)
			switch fault {
			case Outage:
				p.Size, length = 0.2*rng.Float64(), time.Duration(4+rng.IntN(20))*time.Hour
			case Latency:
				p.Size, length = 1.25+0.75*rng.Float64(), time.Duration(12+rng.IntN(60))*time.Hour
			case Drift:
				p.Size = 0.008 + 0.012*rng.Float64()
			default:
				p.Size, length = 0.15+0.2*rng.Float64(), time.Duration(2+rng.IntN(4))*24*time.Hour
			}
			if p.Stop = p.Start.Add(length); length == 0 {
				p.Stop = s.Start.AddDate(0, 0, s.Days)
			}
			s.Planted = append(s.Planted, p)
		}
	}
	return s
}

// Shows returns the metrics in which a fault should show.
func (f Fault) Shows() []string {
	switch f {
	case Outage:
		return []string{"calls"}
	case Errors:
		return []string{"error_rate"}
	case Latency, Drift:
		return []string{"latency_p50", "latency_p95"}
	case Sentiment:
		return []string{"valence"}
	default:
		return []string{"upset_rate"}
	}
}

// Watched is the result of watching one history.
type Watched struct {
	// Weeks is the number of agent-weeks that were watched.
	Weeks float64
	// Reports are those of each agent, by metric.
	Reports []map[string]departure.Report
}

// Watch watches every agent and metric of a history as a dashboard does, from the 36th day on.
func (s Spec) Watch() Watched {
	from, until := s.Start.AddDate(0, 0, trialHistory), s.Start.AddDate(0, 0, s.Days)
	w := Watched{Weeks: float64(len(s.Agents)*(s.Days-trialHistory)) / 7}
	for _, series := range s.Series(Names()...) {
		reports := map[string]departure.Report{}
		for name, one := range series {
			reports[name] = departure.Find(one, departure.Window{From: from, Until: until, Looks: len(s.Agents) * len(Names())})
		}
		w.Reports = append(w.Reports, reports)
	}
	return w
}

// FalseAlarms returns the departures to the worse side that no fault explains: those of agents or
// times without one.
func (s Spec) FalseAlarms(w Watched) []departure.Incident {
	var out []departure.Incident
	for a, reports := range w.Reports {
		for _, name := range Names() {
			for _, in := range reports[name].Incidents {
				if in.Bad && !s.explained(a, in) {
					out = append(out, in)
				}
			}
		}
	}
	return out
}

// explained reports whether a fault was present at the time of an incident, or had ended less than
// a day before.
func (s Spec) explained(a int, in departure.Incident) bool {
	for _, p := range s.Planted {
		if p.Agent == a && in.End.After(p.Start) && in.Start.Before(p.Stop.Add(24*time.Hour)) {
			return true
		}
	}
	return false
}

// Found is the result for one planted fault.
type Found struct {
	Planted Planted
	Found   bool
	// Delay is the time from the beginning of the fault to the end of the hour in which it was
	// reported.
	Delay    time.Duration
	Incident departure.Incident
}

// Results returns for every planted fault whether it was found while it was present, or within a
// day after.
func (s Spec) Results(w Watched) []Found {
	var out []Found
	for _, p := range s.Planted {
		f := Found{Planted: p}
		for _, name := range p.Fault.Shows() {
			for _, in := range w.Reports[p.Agent][name].Incidents {
				fits := in.Bad && in.End.After(p.Start) && in.Told.After(p.Start) && in.Told.Before(p.Stop.Add(24*time.Hour))
				if delay := in.Told.Sub(p.Start); fits && (!f.Found || delay < f.Delay) {
					f.Found, f.Delay, f.Incident = true, delay, in
				}
			}
		}
		out = append(out, f)
	}
	return out
}
