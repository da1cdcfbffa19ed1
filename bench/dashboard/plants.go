package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// plant is a fault in the calls of one agent, or of one of its customers.
type plant struct {
	name  string
	agent int
	// customer is the agent's customer whose calls have the fault, -1 for all.
	customer int
	metrics  []string
	// from and until count from begin; until 0 means the end.
	from, until time.Duration
}

func at(day, hour, minute int) time.Duration {
	return time.Duration(day)*24*time.Hour + time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute
}

// plants returns the planted faults, each with the metric that must show it.
func plants() []plant {
	latency := []string{"latency_p50", "latency_p95", "reported_latency_p50", "reported_latency_p95"}
	failing := []string{"error_rate", "failed_rate"}
	return []plant{
		outage:     {"outage", 2, -1, []string{"calls"}, at(80, 9, 0), at(80, 16, 0)},
		slower:     {"latency step", 4, -1, latency, at(84, 0, 0), 0},
		drift:      {"slow drift", 6, -1, latency, at(62, 0, 0), 0},
		gloom:      {"sentiment drop", 8, -1, []string{"valence", "upset_rate"}, at(86, 0, 0), 0},
		brief:      {"20 minutes of errors", 1, -1, failing, at(81, 11, 10), at(81, 11, 30)},
		ofCustomer: {"errors of one customer", 10, 2, failing, at(87, 10, 0), at(87, 16, 0)},
		justNow:    {"errors that begin now", 12, -1, failing, at(88, 11, 0), 0},
	}
}

// The series of the plants.
const (
	outage = iota
	slower
	drift
	gloom
	brief
	ofCustomer
	justNow
)

// has reports whether a call of an agent's customer at a time has the fault.
func (p plant) has(agent, customer int, since time.Duration) bool {
	return agent == p.agent && (p.customer < 0 || customer == p.customer) && since >= p.from && (p.until == 0 || since < p.until)
}

// planted is what the faults do to a call.
type planted struct {
	// stays means that the call never comes, fails that it ends in an error.
	stays, fails bool
	// latency is multiplied, mood lowered.
	latency, mood float64
}

func (m *maker) plantedIn(agent, customer int, since time.Duration) planted {
	all := m.faults
	out := planted{latency: 1}
	out.stays = all[outage].has(agent, customer, since)
	for _, i := range []int{brief, ofCustomer, justNow} {
		out.fails = out.fails || all[i].has(agent, customer, since)
	}
	if all[slower].has(agent, customer, since) {
		out.latency = 1.5
	}
	if all[drift].has(agent, customer, since) {
		out.latency = 1 + 0.015*(since-all[drift].from).Hours()/24
	}
	if all[gloom].has(agent, customer, since) {
		out.mood = 0.3
	}
	return out
}

// plants requests the anomalies and compares them with what was planted.
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
	found, err := m.Anomalies(ctx, workspace, monitor.Query{Origin: call.Production, From: begin.Add(span - window*24*time.Hour)}, "")
	if err != nil {
		return false, err
	}
	told, alarms := map[string]bool{}, 0
	for _, a := range found.Anomalies {
		for _, p := range plants() {
			if p.tells(a) {
				told[p.name] = true
			}
		}
		if a.Worse && !slices.ContainsFunc(plants(), func(p plant) bool { return p.explains(a) }) {
			alarms++
			o.say("  false alarm: %s %s\n", whose(a), a.Text)
		}
	}
	for _, p := range plants() {
		o.say("  %-24s told: %v\n", p.name, told[p.name])
	}
	weeks := float64(found.Known) * window / 7
	o.say("  false alarms: %d in %.0f weeks of %d series, %d of them with enough history\n", alarms, weeks, found.Checked, found.Known)
	figures["planted_"+short(size)], figures["found_"+short(size)] = float64(len(plants())), float64(len(told))
	figures["false_alarms_"+short(size)], figures["series_weeks_"+short(size)] = float64(alarms), weeks
	return len(told) == len(plants()), nil
}

func whose(a monitor.Anomaly) string {
	switch {
	case a.AgentID != nil:
		return *a.AgentID
	case a.Dimension != nil:
		return *a.Dimension + " " + *a.Value
	}
	return "all calls"
}

// tells reports whether an anomaly is about the fault: its series, its metric and its time.
func (p plant) tells(a monitor.Anomaly) bool {
	whom := agentName(p.agent)
	if p.customer >= 0 {
		whom = monitor.DimKey + byCustomer + " " + customerName(p.agent, p.customer)
	}
	return a.Worse && whose(a) == whom && slices.Contains(p.metrics, a.Metric) && p.meets(a, 0)
}

// meets reports whether an anomaly is within the time of the fault, or at most behind after it.
func (p plant) meets(a monitor.Anomaly, behind time.Duration) bool {
	start, end := begin.Add(p.from), begin.Add(span)
	if p.until > 0 {
		end = begin.Add(p.until + behind)
	}
	return a.End > start.UnixMilli() && a.Start < end.UnixMilli()
}

// explains reports whether the fault explains an anomaly, in any metric: one of its own agent or of
// the agent's customers, or of calls of many agents.
func (p plant) explains(a monitor.Anomaly) bool {
	if !p.meets(a, 24*time.Hour) {
		return false
	}
	switch {
	case a.AgentID != nil:
		return *a.AgentID == agentName(p.agent)
	case a.Dimension != nil && *a.Dimension == monitor.DimKey+byCustomer:
		return strings.HasPrefix(*a.Value, customerName(p.agent, 0)[:len("customer-00-")])
	}
	return true
}
