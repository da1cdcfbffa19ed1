package compare

import (
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// MetricCompared is one metric in both experiments.
type MetricCompared struct {
	Name       string     `json:"name" doc:"Name of the metric"`
	Unit       string     `json:"unit" doc:"Unit of the figures, such as s (seconds) or count"`
	Better     *string    `json:"better" enum:"lower,higher" doc:"Whether lower or higher figures are better; null when neither is"`
	Base       MetricSide `json:"base" doc:"The metric in base"`
	With       MetricSide `json:"with" doc:"The metric in with"`
	P50        Shift      `json:"p50" doc:"Difference of the medians, over the scenarios that have the metric in both"`
	P95        Shift      `json:"p95" doc:"Difference of the 95th percentiles, over the scenarios that have the metric in both"`
	Scenarios  int        `json:"scenarios" doc:"How many scenarios have the metric in both"`
	ByScenario Shift      `json:"by_scenario" doc:"Mean difference of the scenarios' medians"`
	Change     string     `json:"change" enum:"better,worse,changed,same,unclear" doc:"Decided by by_scenario with six scenarios or more, else by p50. changed: it differs, and neither way is better; unclear: the difference may be chance"`
}

// MetricSide is a metric in one of them.
type MetricSide struct {
	Version int        `json:"version" doc:"Version of the metric; 0 when no call has it"`
	Calls   int        `json:"calls" doc:"How many calls have the metric"`
	Values  int        `json:"values" doc:"How many values there are"`
	P50     MetricStat `json:"p50" doc:"Median of the values"`
	P95     MetricStat `json:"p95" doc:"95th percentile of the values"`
}

// enoughScenarios is how many scenarios tell by themselves how a metric changed.
const enoughScenarios = 6

func metrics(pairs []pair, base, with []experiment.Result) []MetricCompared {
	order, inBase := measure(base)
	more, inWith := measure(with)
	for _, m := range more {
		if inBase[m.name] == nil {
			order = append(order, m)
		}
	}
	out := make([]MetricCompared, 0, len(order))
	for _, m := range order {
		out = append(out, metricCompared(m, inBase[m.name], inWith[m.name], pairs))
	}
	for _, of := range []func(int) *Shift{
		func(i int) *Shift { return &out[i].P50 }, func(i int) *Shift { return &out[i].P95 }, func(i int) *Shift { return &out[i].ByScenario },
	} {
		adjust(len(out), of)
	}
	for i := range out {
		m := &out[i]
		by := m.P50
		if m.Scenarios >= enoughScenarios {
			by = m.ByScenario
		}
		way := ""
		if m.Better != nil {
			way = *m.Better
		}
		m.Change = changeOf(by, way)
	}
	return out
}

func metricCompared(m, base, with *measured, pairs []pair) MetricCompared {
	out := MetricCompared{Name: m.name, Unit: m.unit, Better: better(m.name), Base: base.side(), With: with.side()}
	var medians []trend.Pair
	// Of what only one side has a value, nothing can have changed: thrown together with the
	// rest, slow scenarios that were left out would make the others look slower before.
	var before, after, b, w [][]float64
	if base != nil && with != nil {
		for _, p := range pairs {
			if p.base == nil || p.with == nil {
				continue
			}
			b, w = p.base.valuesOf(b[:0], m.name), p.with.valuesOf(w[:0], m.name)
			was, hadBefore := trend.NewValues(b...).Quantile(0.5)
			is, hasNow := trend.NewValues(w...).Quantile(0.5)
			if hadBefore && hasNow {
				medians = append(medians, trend.Pair{A: was, B: is})
				before, after = append(before, b...), append(after, w...)
			}
		}
	}
	was, is := trend.NewValues(before...), trend.NewValues(after...)
	out.P50, out.P95 = shiftOf(trend.CompareValues(was, is, 0.5, 0)), shiftOf(trend.CompareValues(was, is, 0.95, 0))
	out.Scenarios = len(medians)
	out.ByScenario = shiftOf(byScenario(medians))
	return out
}

// maxDrawn is how many scenarios are compared by drawing from them; of more than
// that the mean is as good as normal.
const maxDrawn = 200

// byScenario compares the medians of scenarios. The draws are the same each time.
func byScenario(medians []trend.Pair) trend.Difference {
	if len(medians) <= maxDrawn {
		return trend.ComparePairs(medians, 0, rand.New(rand.NewPCG(uint64(len(medians)), 1)))
	}
	changes := make([]float64, len(medians))
	for i, m := range medians {
		changes[i] = m.B - m.A
	}
	return trend.CompareChanges(changes, 0)
}

func (m *measured) side() MetricSide {
	if m == nil {
		return MetricSide{}
	}
	v := trend.NewValues(m.calls...)
	return MetricSide{Version: m.version, Calls: int(v.Calls), Values: int(v.Count()), P50: statOf(v, 0.5), P95: statOf(v, 0.95)}
}
