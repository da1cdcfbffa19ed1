package main

import (
	"encoding/json"
	"fmt"
	"io"
)

func printJSON(w io.Writer, o options, ours, bare outcome) error {
	return json.NewEncoder(w).Encode(map[string]any{"figures": map[string]float64{
		"rooms": float64(ours.Rooms), "seconds": float64(o.seconds), "frames": float64(ours.Due),
		"missed_frames": float64(ours.Missed), "lost_frames": float64(ours.Missed + ours.Lost + ours.FarLost),
		"lost_frames_bare": float64(bare.FarLost), "spoilt_rooms": float64(ours.Spoilt),
		"receive_late_ms_worst": ours.Behind,
		"late_frames":           float64(ours.Late), "late_ms_worst": ours.LateWorst,
		"arrival_ms_p50": ours.P50, "arrival_ms_p99": ours.P99, "arrival_ms_worst": ours.Worst,
		"cpu_ratio_bare": ours.steady / bare.steady, "cpu_s_per_room_minute": ours.steady, "cpu_s_per_room_minute_bare": bare.steady,
		"cpu_s_per_room_minute_server": ours.server, "others_percent": ours.others, "stolen_percent": ours.stolen,
	}})
}

func printTable(w io.Writer, o options, ours, bare outcome) {
	fmt.Fprintf(w, "%d rooms at once for %d s, %.0f new ones per second, seed %d; calling process, media server and agents each a process\n\n",
		o.rooms, o.seconds, o.rate, o.seed)
	fmt.Fprintf(w, "%-10s %6s %9s %7s %6s %6s   %10s %10s %10s\n", "", "rooms", "frames", "missed", "lost", "lost←",
		"CPU s/min", "server", "agents")
	for _, one := range []outcome{ours, bare} {
		fmt.Fprintf(w, "%-10s %6d %9d %7d %6d %6d   %10.4f %10.4f %10.4f\n", one.name, one.Rooms, one.Due, one.Missed, one.Lost, one.FarLost,
			one.steady, one.server, one.agents)
	}
	fmt.Fprintf(w, "\nmissed: ours, never sent · lost: ours, not come to the agent · lost←: the agent's, not found on our recording\n")
	fmt.Fprintf(w, "of ours, %d left more than 5 ms late, the worst %.1f ms; with the agent, through the server, they were after %.1f ms (median), %.1f (99 in 100), %.1f (worst)\n",
		ours.Late, ours.LateWorst, ours.P50, ours.P99, ours.Worst)
	if ours.Lost > 0 {
		fmt.Fprintf(w, "of the frames that did not come, %d were sent before the first that came, %d behind the last, %d in between\n",
			ours.LostFirst, ours.LostLast, ours.Lost-ours.LostFirst-ours.LostLast)
	}
	fmt.Fprintf(w, "the ordinary threads of our calling process were late by %.1f ms at worst\n", ours.Behind)
	fmt.Fprintf(w, "rooms with a frame missing in either direction: %d; frames that our line itself counts as lost or late: %d; the agents were late by %.1f ms at worst\n",
		ours.Spoilt, ours.Unheard, ours.AgentWorst)
	fmt.Fprintf(w, "meanwhile other programs had %.1f %% of the processors, and a host took away %.1f %%\n", ours.others, ours.stolen)
	fmt.Fprintf(w, "CPU per room beside the bare pair: %.2f times\n", ours.steady/bare.steady)
}
