package trendtest

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// Series returns the calls of every agent as series of the given metrics (by the
// names of trend.Metrics), in one map per agent. Metrics that the calls of a
// history do not have are left out.
func (s Spec) Series(names ...string) []map[string]departure.Series {
	out := make([]map[string]departure.Series, len(s.Agents))
	for a := range out {
		out[a] = map[string]departure.Series{}
		for _, n := range names {
			if m, ok := trend.MetricOf(n); ok {
				out[a][n] = departure.Series{Metric: m, Zone: s.Zone}
			}
		}
	}
	for c := range s.Each {
		for name, series := range out[c.Agent] {
			hour := c.At.Truncate(time.Hour)
			if n := len(series.Points); n == 0 || !series.Points[n-1].At.Equal(hour) {
				series.Points = append(series.Points, trend.Point{At: hour})
			}
			c.into(&series.Points[len(series.Points)-1], name)
			out[c.Agent][name] = series
		}
	}
	return out
}

// into adds a call to a point of a metric.
func (c Call) into(p *trend.Point, name string) {
	p.N++
	hit := func(is bool) {
		if is {
			p.Hits++
		}
	}
	switch name {
	case "calls":
		p.Tens[c.At.UTC().Minute()/10]++
	case "error_rate":
		hit(c.Error)
	case "upset_rate":
		hit(c.Upset)
	case "drop_off_rate":
		hit(c.DroppedAt > 0)
	case "valence":
		p.Sum += c.Valence
		p.Squares += c.Valence * c.Valence
	case "latency_p50", "latency_p95":
		if p.Sketch == nil {
			p.Sketch = &sketch.Sketch{}
		}
		for _, v := range c.Latencies {
			_ = p.Sketch.Add(v)
		}
	}
}
