package main

import (
	"encoding/json"
	"fmt"
	"io"
)

func printJSON(w io.Writer, o options, all []outcome) error {
	ours := all[0]
	figures := map[string]float64{
		"calls": float64(ours.Answered), "seconds": float64(o.seconds),
		"missed_frames": float64(ours.Missed), "lost_frames": float64(ours.Lost + ours.FarLost), "frames": float64(ours.Due),
		"shortened_frames": float64(ours.FarShort), "spoilt_calls": float64(ours.Spoilt), "stolen_percent": ours.Stolen, "others_percent": ours.others,
		"lateness_ms_p50": ours.P50, "lateness_ms_p99": ours.P99, "lateness_ms_p999": ours.P999, "lateness_ms_worst": ours.Worst, "frames_late_60_ms": float64(ours.Over60),
		"cpu_s_per_call_minute": ours.whole, "cpu_s_per_call_minute_steady": ours.steady,
		"memory_kb_per_call": ours.MemoryKB, "tape_kb_per_call": ours.TapeKB,
	}
	for _, peer := range all[1:] {
		name := map[string]string{"sipp": "sipp", "bare loop": "bare"}[peer.name]
		figures["cpu_ratio_"+name] = ours.whole / peer.whole
		figures["cpu_ratio_"+name+"_steady"] = ours.steady / peer.steady
		figures["cpu_s_per_call_minute_"+name] = peer.whole
	}
	return json.NewEncoder(w).Encode(map[string]any{"figures": figures})
}

// remark describes how a peer differs from what we do.
func (o outcome) remark() string {
	if o.name == "sipp" {
		return ", which sends and never reads what it is sent"
	}
	return ", which sends, and reads and forgets"
}

func printTable(w io.Writer, o options, all []outcome) {
	fmt.Fprintf(w, "%d calls at once for %d s, %.0f new ones per second, seed %d; each side on one processor\n\n", o.calls, o.seconds, o.rate, o.seed)
	fmt.Fprintf(w, "%-10s %6s %9s %7s %6s %6s   %7s %7s %7s %7s   %9s %9s\n", "", "calls", "frames", "missed", "lost", "lost←",
		"p50 ms", "p99", "p99.9", "worst", "CPU s/min", "steady")
	for _, one := range all {
		fmt.Fprintf(w, "%-10s %6d %9d %7d %6d %6d   %7.2f %7.2f %7.2f %7.2f   %9.4f %9.4f\n", one.name, one.Answered, one.Due, one.Missed,
			one.Lost, one.FarLost, one.P50, one.P99, one.P999, one.Worst, one.whole, one.steady)
	}
	ours := all[0]
	fmt.Fprintf(w, "\nmissed: ours, never sent · lost: ours, not found at the far end · lost←: the far end's, not found on our recording\n")
	fmt.Fprintf(w, "late by more than 5 ms: %d frames, by more than 60 ms: %d · calls with a frame missing in either direction: %d\n", ours.Over5, ours.Over60, ours.Spoilt)
	fmt.Fprintf(w, "frames of the far end's pauses of which 2 ms or less gave way to what was said sooner than was thought: %d\n", ours.FarShort)
	fmt.Fprintf(w, "memory per call outside the recording: %.0f KB resident (sockets in the kernel not counted); its samples: %.0f KB\n",
		ours.MemoryKB, ours.TapeKB)
	printQuiet(w, ours)
	for _, peer := range all[1:] {
		fmt.Fprintf(w, "CPU beside %s: %.2f times (%.2f while all calls are up)%s\n", peer.name, ours.whole/peer.whole, ours.steady/peer.steady, peer.remark())
	}
}

// printQuiet prints how quiet the machine was: lateness means little if other programs were
// running.
func printQuiet(w io.Writer, ours outcome) {
	fmt.Fprintf(w, "meanwhile other programs had %.1f %% of the processors, and a host took away %.1f %%\n", ours.others, ours.Stolen)
}
