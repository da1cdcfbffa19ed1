package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/monitor"
)

// question is the question of a page, partly random.
type question struct {
	name string
	ask  func(ctx context.Context, m *monitor.Service, r *rand.Rand) error
}

// drawn returns a query over so many days: of all calls, of an agent (the busiest one as often as
// all others together), of a value or of both.
func drawn(r *rand.Rand, length int) monitor.Query {
	until := begin.Add(span - time.Duration(r.IntN(36))*time.Hour)
	q := monitor.Query{Until: until, From: until.Add(-time.Duration(length) * 24 * time.Hour)}
	kind := r.IntN(4)
	agent := r.IntN(2) * r.IntN(agents)
	if kind&1 != 0 {
		q.AgentID = agentName(agent)
	}
	switch {
	case kind&2 == 0:
	case r.IntN(2) == 0:
		q.Dimension, q.Value = monitor.DimKey+tier, "gold"
	default:
		q.Dimension, q.Value = monitor.DimKey+byCustomer, customerName(agent, r.IntN(customers))
	}
	return q
}

// plain returns a query without a dimension.
func plain(r *rand.Rand, length int) monitor.Query {
	q := drawn(r, length)
	q.Dimension, q.Value = "", ""
	return q
}

func questions() []question {
	all := []question{{"overview", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
		_, err := m.Overview(ctx, workspace, plain(r, 1))
		return err
	}}}
	all = append(all, trends()...)
	for _, length := range []int{28, 88} {
		all = append(all, places(length)...)
		all = append(all, breakdowns(length)...)
	}
	return all
}

func trends() []question {
	berlin, _ := time.LoadLocation("Europe/Berlin") // nil means UTC
	line := func(name string, length int, step monitor.Step, zone *time.Location) question {
		return question{"trends, " + name, func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			q := drawn(r, length)
			q.Zone = zone
			_, err := m.Trends(ctx, workspace, q, step, nil)
			return err
		}}
	}
	return []question{
		line("7 days by hour", 7, monitor.Hourly, nil), line("34 days by hour", 34, monitor.Hourly, nil),
		line("88 days by day", 88, monitor.Daily, nil), line("28 days in a zone", 28, monitor.Daily, berlin),
		line("88 days in a zone", 88, monitor.Daily, berlin),
	}
}

// places returns the questions about failures, drop-off, upset callers and departures.
func places(length int) []question {
	return []question{
		{named("anomalies", length), func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Anomalies(ctx, workspace, plain(r, length), "")
			return err
		}},
		{named("failures", length), func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Failures(ctx, workspace, drawn(r, length), 50)
			return err
		}},
		{named("drop-off", length), func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.DropOff(ctx, workspace, drawn(r, length))
			return err
		}},
		{named("upset", length), func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			q := drawn(r, length)
			page, err := m.Upset(ctx, workspace, q, 50, "")
			if err == nil && page.NextCursor != nil {
				_, err = m.Upset(ctx, workspace, q, 50, *page.NextCursor)
			}
			return err
		}},
	}
}

func breakdowns(length int) []question {
	by := func(name, dim, metric string) question {
		return question{named("breakdown by "+name, length), func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			q := plain(r, length)
			if dim == monitor.DimAgent {
				q.AgentID = ""
			}
			_, err := m.Breakdown(ctx, workspace, q, dim, metric)
			return err
		}}
	}
	return []question{
		by("agent", monitor.DimAgent, "latency_p95"), by("version", monitor.DimVersion, "failed_rate"),
		by("tier", monitor.DimKey+tier, "latency_p95"), by("customer", monitor.DimKey+byCustomer, "failed_rate"),
		by("customer's latency", monitor.DimKey+byCustomer, "latency_p95"),
	}
}

func named(page string, length int) string { return fmt.Sprintf("%s, %d days", page, length) }

// ask asks each question many times and returns the worst p99 in milliseconds.
func (o *options) ask(ctx context.Context, m *monitor.Service) (worst float64, err error) {
	o.say("%-40s %8s %8s %8s\n", "page", "p50 ms", "p99 ms", "max ms")
	for _, q := range questions() {
		if !strings.Contains(q.name, o.pages) {
			continue
		}
		r := rand.New(rand.NewPCG(o.seed, 7))
		took := make([]float64, o.asks)
		for i := -5; i < o.asks; i++ { // the first five warm up
			began := time.Now()
			if err := q.ask(ctx, m, r); err != nil {
				return 0, fmt.Errorf("%s: %w", q.name, err)
			}
			if i >= 0 {
				took[i] = float64(time.Since(began).Microseconds()) / 1000
			}
		}
		slices.Sort(took)
		p99 := took[(len(took)*99+99)/100-1]
		o.say("%-40s %8.2f %8.2f %8.2f\n", q.name, took[len(took)/2], p99, took[len(took)-1])
		worst = max(worst, p99)
	}
	return worst, nil
}
