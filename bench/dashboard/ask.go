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

// question is one page's question, with something drawn by chance.
type question struct {
	name string
	ask  func(ctx context.Context, m *monitor.Service, r *rand.Rand) error
}

// drawn is a query over so many days: of all calls, of an agent, of a value or of both.
func drawn(r *rand.Rand, length int) monitor.Query {
	until := begin.Add(days*24*time.Hour - time.Duration(r.IntN(36))*time.Hour)
	q := monitor.Query{Until: until, From: until.Add(-time.Duration(length) * 24 * time.Hour)}
	kind := r.IntN(4)
	if kind&1 != 0 {
		q.AgentID = agentName(r.IntN(agents))
	}
	if kind&2 != 0 {
		q.Dimension, q.Value = monitor.DimKey+declared, "gold"
	}
	return q
}

func questions() []question {
	plain := func(r *rand.Rand, length int) monitor.Query {
		q := drawn(r, length)
		q.Dimension, q.Value = "", ""
		return q
	}
	berlin, _ := time.LoadLocation("Europe/Berlin") // nil is UTC
	return []question{
		{"overview", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Overview(ctx, workspace, plain(r, 1))
			return err
		}},
		{"trends, 7 days by hour", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Trends(ctx, workspace, drawn(r, 7), monitor.Hourly, nil)
			return err
		}},
		{"trends, 35 days by hour", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Trends(ctx, workspace, drawn(r, 35), monitor.Hourly, nil)
			return err
		}},
		{"trends, 88 days by day", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Trends(ctx, workspace, drawn(r, 88), monitor.Daily, nil)
			return err
		}},
		{"trends, 28 days in a zone", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			q := drawn(r, 28)
			q.Zone = berlin
			_, err := m.Trends(ctx, workspace, q, monitor.Daily, nil)
			return err
		}},
		{"anomalies", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Anomalies(ctx, workspace, plain(r, 14), "")
			return err
		}},
		{"failures, 28 days", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Failures(ctx, workspace, drawn(r, 28), 20)
			return err
		}},
		{"drop-off, 28 days", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.DropOff(ctx, workspace, drawn(r, 28))
			return err
		}},
		{"upset, 28 days", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Upset(ctx, workspace, drawn(r, 28), 50, "")
			return err
		}},
		{"breakdown by agent, 28 days", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			q := plain(r, 28)
			q.AgentID = ""
			_, err := m.Breakdown(ctx, workspace, q, monitor.DimAgent, "latency_p95")
			return err
		}},
		{"breakdown by version, 28 days", func(ctx context.Context, m *monitor.Service, r *rand.Rand) error {
			_, err := m.Breakdown(ctx, workspace, plain(r, 28), monitor.DimVersion, "failed_rate")
			return err
		}},
	}
}

// ask asks each question many times and returns the worst p99 in milliseconds.
func (o *options) ask(ctx context.Context, m *monitor.Service) (worst float64, err error) {
	o.say("%-32s %8s %8s %8s\n", "page", "p50 ms", "p99 ms", "max ms")
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
		o.say("%-32s %8.2f %8.2f %8.2f\n", q.name, took[len(took)/2], p99, took[len(took)-1])
		worst = max(worst, p99)
	}
	return worst, nil
}
