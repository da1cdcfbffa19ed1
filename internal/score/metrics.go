package score

// MetricInfo describes a metric that scorers can use.
type MetricInfo struct {
	Name string
	Unit string
	// Spread says that it has one value per turn, and therefore n, mean, p50 and so
	// on.
	Spread bool
}

// Metrics returns what package timing measures. A test keeps the two in step.
func Metrics() []MetricInfo {
	return append(speechMetrics(), lineMetrics()...)
}

func speechMetrics() []MetricInfo {
	return []MetricInfo{
		{"time_to_first_word", "s", false},
		{"turn_latency", "s", true},
		{"turn_latency_tool", "s", true},
		{"turn_taking", "ratio", false},
		{"yield_time", "s", true},
		{"barge_in_success", "count", false},
		{"missed_barge_in", "count", false},
		{"false_barge_in", "count", false},
		{"backchannel_selectivity", "count", false},
		{"backchannel_errors", "count", false},
		{"agent_interruptions", "count", false},
		{"overlap_seconds", "s", false},
		{"overlap_ratio", "ratio", false},
		{"dead_air_count", "count", false},
		{"dead_air_total", "s", false},
		{"dead_air_longest", "s", false},
		{"talk_ratio", "ratio", false},
		{"longest_monologue", "s", false},
		{"words_per_minute", "wpm", false},
	}
}

func lineMetrics() []MetricInfo {
	return []MetricInfo{
		{"packets_sent", "count", false},
		{"packets_received", "count", false},
		{"packets_lost", "count", false},
		{"packets_late", "count", false},
		{"packets_duplicate", "count", false},
		{"loss", "ratio", false},
		{"jitter", "s", false},
		{"jitter_max", "s", false},
		{"round_trip", "s", false},
		{"longest_gap", "s", false},
		{"r_factor", "R", false},
		{"mos", "MOS", false},
		{"level", "dBFS", false},
		{"clipping", "ratio", false},
		{"snr", "dB", false},
		{"dropouts", "count", false},
		{"dropouts_per_minute", "per_min", false},
	}
}

func metricOf(name string) (MetricInfo, bool) {
	for _, m := range Metrics() {
		if m.Name == name {
			return m, true
		}
	}
	return MetricInfo{}, false
}

func metricNames() []string {
	var out []string
	for _, m := range Metrics() {
		out = append(out, m.Name)
	}
	return out
}
