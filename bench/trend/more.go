package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/trend/departure"
	"github.com/ringtrue/ringtrue/internal/trend/trendtest"
)

// liveFrom is the first day that is examined.
const liveFrom = 62

// live examines quiet histories every ten minutes for four weeks each.
func live(histories int, seed uint64, asJSON, verbose bool) error {
	var alarms []trendtest.Alarm
	weeks, began := 0.0, time.Now()
	for i := range histories {
		s := trendtest.Quiet(seed + uint64(i))
		weeks += float64(len(s.Agents)*(s.Days-liveFrom)) / 7
		alarms = append(alarms, s.Live(liveFrom)...)
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": map[string]float64{
			"live_agent_weeks": weeks, "live_false_alarms": float64(len(alarms)), "live_false_alarms_per_agent_week": float64(len(alarms)) / weeks,
		}})
	}
	fmt.Printf("looked at every ten minutes: %.0f quiet agent-weeks, %d false alarms (%.5f per agent-week), in %s\n",
		weeks, len(alarms), float64(len(alarms))/weeks, time.Since(began).Round(time.Second))
	for _, a := range alarms {
		if verbose {
			fmt.Printf("  %s agent %2d ", a.At.Format(time.RFC3339), a.Agent)
			show(a.Incident)
		}
	}
	return nil
}

// drawn plants faults of random sizes, one of each sort and traffic in every history.
func drawn(histories int, seed uint64, asJSON, verbose bool) error {
	specs, watched := make([]trendtest.Spec, histories), make([]trendtest.Watched, histories)
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range histories {
		g.Go(func() error {
			specs[i] = trendtest.Drawn(seed + uint64(i))
			watched[i] = specs[i].Watch()
			return nil
		})
	}
	_ = g.Wait()
	faults, traffics := trendtest.Sized()
	table, alarms := make([]cell, len(faults)*len(traffics)), 0
	for i, s := range specs {
		wrong := s.FalseAlarms(watched[i])
		alarms += len(wrong)
		for _, a := range wrong {
			if verbose {
				fmt.Printf("  unexplained: seed %d\n", s.Seed)
				show(a)
			}
		}
		for n, f := range s.Results(watched[i]) {
			table[n].add(f)
			if verbose && !f.Found {
				fmt.Printf("  not found: seed %d, %s by %.3f at %.0f calls a day for %s\n", s.Seed, f.Planted.Fault, f.Planted.Size,
					s.Agents[f.Planted.Agent].CallsPerDay, f.Planted.Stop.Sub(f.Planted.Start))
			}
		}
	}
	figures := map[string]float64{"drawn_false_alarms": float64(alarms)}
	for n, c := range table {
		name := fmt.Sprintf("%s at %.0f a day", faults[n/len(traffics)], traffics[n%len(traffics)])
		figures["drawn_found_"+string(faults[n/len(traffics)])+fmt.Sprintf("_at_%.0f_a_day", traffics[n%len(traffics)])] = float64(c.found) / float64(c.n)
		if !asJSON {
			fmt.Printf("%-28s %d/%d  median %.0f h, worst %.0f h\n", name, c.found, c.n, c.delay().Hours(), worst(c.delays).Hours())
		}
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(map[string]any{"figures": figures})
	}
	fmt.Printf("departures that no fault explains: %d\n", alarms)
	return nil
}

func worst(all []time.Duration) time.Duration {
	if len(all) == 0 {
		return 0
	}
	return slices.Max(all)
}

func show(in departure.Incident) {
	fmt.Printf("  %-14s %-7s %-8s %s + %s seen %.3g expected %.3g n %d score %.1f sure %.6f\n", in.Metric, in.Form, in.Severity,
		in.Start.Format(time.RFC3339), in.End.Sub(in.Start), in.Seen, in.Expected, in.N, in.Score, in.Sure)
}
