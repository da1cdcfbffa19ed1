package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/trend"
)

const (
	days = 89
	// span is from begin to now, which is on the last of the days.
	span       = 88*24*time.Hour + 11*time.Hour + 20*time.Minute
	agents     = 20
	workspace  = "ws_bench"
	tier       = "tier"
	byCustomer = "customer"
	// customers is how many each agent has: together as many as a dimension distinguishes.
	customers = 5
)

// begin is a Monday.
var begin = time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // a constant in all but type

// maker generates calls: a repeating week with random variation, and planted faults.
type maker struct {
	r    *rand.Rand
	size int
	// The shares of all calls by agent and by hour of the week.
	byAgent [agents]float64
	byHour  [168]float64
	made    int
	faults  []plant
}

func newMaker(seed uint64, size int) *maker {
	m := &maker{r: rand.New(rand.NewPCG(seed, uint64(size))), size: size, faults: plants()}
	sum := 0.0
	for i := range m.byAgent {
		m.byAgent[i] = 1 / math.Sqrt(float64(i+1))
		sum += m.byAgent[i]
	}
	for i := range m.byAgent {
		m.byAgent[i] /= sum
	}
	sum = 0
	for h := range m.byHour {
		hour, weekday := h%24, h/24
		m.byHour[h] = 0.15 + math.Exp(-math.Pow(float64(hour-11)/3, 2)) + 0.8*math.Exp(-math.Pow(float64(hour-16)/2.5, 2))
		if weekday >= 5 {
			m.byHour[h] *= 0.45
		}
		sum += m.byHour[h]
	}
	for h := range m.byHour {
		m.byHour[h] /= sum
	}
	return m
}

// customerName returns the name of a customer of an agent; the first ones call most.
func customerName(agent, i int) string { return fmt.Sprintf("customer-%02d-%d", agent, i) }

func agentName(i int) string { return fmt.Sprintf("agt_bench%02d", i) }

// hour generates the calls of one hour since begin.
func (m *maker) hour(h int) []monitor.Fact {
	var out []monitor.Fact
	at := begin.Add(time.Duration(h) * time.Hour)
	week := float64(m.size) * 7 / days
	for agent := range agents {
		mean := week * m.byHour[h%168] * m.byAgent[agent]
		for range m.poisson(mean) {
			f, stays := m.call(agent, at.Add(time.Duration(m.r.Int64N(int64(time.Hour))).Truncate(time.Microsecond)))
			if !stays {
				out = append(out, f)
			}
		}
	}
	return out
}

func (m *maker) poisson(mean float64) int {
	if mean > 50 {
		return max(0, int(math.Round(mean+math.Sqrt(mean)*m.r.NormFloat64())))
	}
	n, p, limit := 0, 1.0, math.Exp(-mean)
	for p *= m.r.Float64(); p > limit; p *= m.r.Float64() {
		n++
	}
	return n
}

//nolint:gochecknoglobals // constants in all but type
var (
	stageNames = []string{"greeting", "identify", "find account", "answer", "offer", "confirm", "goodbye"}
	lastLines  = []string{
		"Could you give me your account number?", "Is there anything else I can do for you?", "I did not quite get that.",
		"Please hold the line while I look that up.", "Can you tell me your date of birth?", "Let me transfer you.",
		"Which of the two do you mean?", "I am sorry, I cannot help with that.",
	}
	quotes = []string{"I already told you that twice", "this is useless", "let me talk to a real person", "are you even listening to me"}
	faults = []call.EndCode{call.EndAgentError, call.EndProviderError, call.EndPlatformError, call.EndMediaLost, call.EndSilence, call.EndAgentHungUp}
)

// call generates one call of an agent; stays means that a fault or the end of the time keeps it
// away.
func (m *maker) call(agent int, at time.Time) (f monitor.Fact, stays bool) {
	r := m.r
	m.made++
	since, customer := at.Sub(begin), r.IntN(1+r.IntN(customers))
	fault := m.plantedIn(agent, customer, since)
	cost := int64(math.Exp(0.4*r.NormFloat64()) * 120_000)
	f = monitor.Fact{
		CallID: fmt.Sprintf("call_%012d", m.made), WorkspaceID: workspace, Origin: call.Production, AgentID: agentName(agent), At: at,
		Figures: monitor.Figures{
			Answered: true, Duration: time.Duration(math.Exp(4.6+0.7*r.NormFloat64())*1000) * time.Millisecond, End: call.EndCompleted,
			Verdict: call.NotEvaluated, Turns: 4 + r.IntN(20), Cost: &cost,
			Stages: stageNames[:3+r.IntN(len(stageNames)-2)], Dims: m.dims(agent, customer, int(since/(24*time.Hour))),
		},
	}
	m.end(&f, fault.fails)
	f.Blame = call.EndOf(f.End, "").Blame
	m.feel(&f, fault.mood)
	for range 3 + r.IntN(5) {
		v := math.Exp(-0.2+0.35*r.NormFloat64()) * fault.latency
		f.Latencies = append(f.Latencies, round(v))
		f.Reported = append(f.Reported, round(v*0.85+0.03*r.NormFloat64()))
	}
	return f, fault.stays || since >= span
}

func round(v float64) float64 { return math.Round(v*1000) / 1000 }

func (m *maker) dims(agent, customer, day int) map[string]string {
	return map[string]string{
		monitor.DimVersion: fmt.Sprint(1 + (day+3*agent)/30), monitor.DimModel: "model-" + fmt.Sprint(agent%3),
		monitor.DimPrompt: "prompt-" + fmt.Sprint(day/45), monitor.DimKey + tier: []string{"free", "basic", "gold", "partner"}[m.r.IntN(4)],
		monitor.DimKey + byCustomer: customerName(agent, customer),
	}
}

// end decides how the call ended: 4 % fail, as do all those that must, and 8 % of callers leave
// early.
func (m *maker) end(f *monitor.Fact, fails bool) {
	line := lastLines[m.r.IntN(len(lastLines))]
	act := trend.ShapeOf(trend.Failure{Words: line}).Words
	switch chance := m.r.Float64(); {
	case chance < 0.04 || fails:
		if f.End = faults[m.r.IntN(len(faults))]; fails {
			f.End = call.EndProviderError
		}
		f.Act = act
		f.Failure = trend.ShapeOf(trend.Failure{End: f.End, Blame: call.EndOf(f.End, "").Blame, Words: act}).Key
	case chance < 0.12:
		f.End, f.Dropped, f.Act, f.Turns = call.EndCallerHungUp, true, act, 2+m.r.IntN(6)
	case chance < 0.2:
		f.End = call.EndTransferred
	}
}

func (m *maker) feel(f *monitor.Fact, lower float64) {
	f.Felt = true
	f.Valence = round(min(max(0.15+0.3*m.r.NormFloat64()-lower, -1), 1))
	f.Frustration = round(min(max(0.2-0.3*f.Valence+0.1*m.r.NormFloat64(), 0), 1))
	switch {
	case f.Valence < -0.2:
		f.Sentiment = call.Negative
	case f.Valence > 0.2:
		f.Sentiment = call.Positive
	default:
		f.Sentiment = call.Neutral
	}
	if f.Upset = f.Valence < -0.4; f.Upset {
		f.UpsetTurn, f.Quote = 2+m.r.IntN(4), quotes[m.r.IntN(len(quotes))]
	}
}

type filling struct{ facts, buckets time.Duration }

// fill writes all calls, then makes the buckets.
func fill(ctx context.Context, s *store.Store, m *monitor.Service, calls *maker) (filling, error) {
	var took filling
	if _, err := m.Declare(ctx, workspace, []string{tier, byCustomer}, nil); err != nil {
		return took, err
	}
	if err := m.Rebuild(ctx); err != nil { // there are no calls yet that it would have to process
		return took, err
	}
	began := time.Now()
	for day := range days {
		if err := s.Write(ctx, func(tx *store.Tx) error { return fillDay(ctx, tx, calls, day) }); err != nil {
			return took, err
		}
	}
	took.facts = time.Since(began)
	began = time.Now()
	err := m.Rebuild(ctx)
	took.buckets = time.Since(began)
	return took, err
}

// fillDay writes a day hour by hour, so that little of it is in memory at once.
func fillDay(ctx context.Context, tx *store.Tx, calls *maker, day int) error {
	for hour := range 24 {
		facts := calls.hour(24*day + hour)
		if err := tx.PutFacts(ctx, facts); err != nil {
			return err
		}
		at := begin.Add(time.Duration(24*day+hour) * time.Hour)
		if err := tx.PutMarks(ctx, []monitor.Mark{{WorkspaceID: workspace, Origin: string(call.Production), Hour: at}}); err != nil {
			return err
		}
	}
	return nil
}
