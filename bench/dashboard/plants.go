package main

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// plant is a fault in the calls of one agent.
type plant struct {
	name    string
	agent   int
	metrics []string
	form    trend.Form
	// from and until are hours since begin; until 0 is the end.
	from, until int
}

// plants are the planted faults: each by what tells of it.
func plants() []plant {
	return []plant{
		{"outage", 2, []string{"calls"}, trend.Outage, 80*24 + 9, 80*24 + 16},
		{"latency step", 4, []string{"latency_p50", "latency_p95", "reported_latency_p50", "reported_latency_p95"}, trend.Step, 84 * 24, 0},
		{"slow drift", 6, []string{"latency_p50", "latency_p95", "reported_latency_p50", "reported_latency_p95"}, trend.Drift, 62 * 24, 0},
		{"sentiment drop", 8, []string{"valence", "upset_rate"}, trend.Step, 86 * 24, 0},
	}
}

func (p plant) has(agent, h int) bool {
	return agent == p.agent && h >= p.from && (p.until == 0 || h < p.until)
}

func plantedTraffic(agent, h int) float64 {
	if plants()[0].has(agent, h) {
		return 0
	}
	return 1
}

// plantedLatency is by what the latency is multiplied.
func plantedLatency(agent, h int) float64 {
	if plants()[1].has(agent, h) {
		return 1.5
	}
	if drift := plants()[2]; drift.has(agent, h) {
		return 1 + 0.015*float64(h-drift.from)/24
	}
	return 1
}

func plantedMood(agent, h int) float64 {
	if plants()[3].has(agent, h) {
		return 0.3
	}
	return 0
}

// plants asks for anomalies and compares them with what was planted.
func (o *options) plants(ctx context.Context, m *monitor.Service, size int, figures map[string]float64) (bool, error) {
	began := time.Now()
	for {
		more, err := m.Refresh(ctx)
		if err != nil {
			return false, err
		}
		if !more {
			break
		}
	}
	o.say("looked for departures in %s\n", time.Since(began).Round(time.Second))
	const window = 14
	found, err := m.Anomalies(ctx, workspace, monitor.Query{Origin: call.Production, From: begin.Add((days - window) * 24 * time.Hour)}, "")
	if err != nil {
		return false, err
	}
	told, alarms := map[string]bool{}, 0
	for _, a := range found.Anomalies {
		switch name, planted := plantOf(a); {
		case a.AgentID == nil: // all calls together: the faults of its parts may show
		case planted:
			if name != "" {
				told[name] = true
			}
		default:
			alarms++
			o.say("  false alarm: %s %s\n", *a.AgentID, a.Text)
		}
	}
	for _, p := range plants() {
		o.say("  %-15s told: %v\n", p.name, told[p.name])
	}
	// Weeks of one agent with every metric watched.
	weeks := float64(agents-len(plants())) * window / 7
	o.say("  false alarms: %d in %.0f agent-weeks\n", alarms, weeks)
	figures["planted_"+short(size)], figures["found_"+short(size)] = float64(len(plants())), float64(len(told))
	figures["false_alarms_per_week_"+short(size)] = float64(alarms) / weeks
	return len(told) == len(plants()), nil
}

// plantOf names the fault that an anomaly tells of; planted says that it is of an agent that has one.
func plantOf(a monitor.Anomaly) (name string, planted bool) {
	for _, p := range plants() {
		if a.AgentID == nil || *a.AgentID != agentName(p.agent) {
			continue
		}
		planted = true
		for _, metric := range p.metrics {
			end := begin.Add(time.Duration(p.from) * time.Hour)
			if a.Metric == metric && a.Worse && a.End > end.UnixMilli() {
				name = p.name
			}
		}
	}
	return name, planted
}
