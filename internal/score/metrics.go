package score

// MetricInfo names a metric that scorers can look at.
type MetricInfo struct {
	Name string
	Unit string
	// Spread says that it has one value per turn, and so n, mean, p50 and so on.
	Spread bool
}

// Metrics lists what package timing measures. A test holds the two together.
func Metrics() []MetricInfo {
	return []MetricInfo{
		{"time_to_first_word", "s", false},
		{"turn_latency", "s", true},
		{"turn_latency_tool", "s", true},
		{"turn_taking", "score", false},
		{"yield_time", "s", true},
		{"barge_in_success", "ratio", false},
		{"false_barge_in", "count", false},
		{"missed_barge_in", "count", false},
		{"agent_interruptions", "count", false},
		{"overlap_seconds", "s", false},
		{"overlap_ratio", "ratio", false},
		{"dead_air", "count", false},
		{"dead_air_total", "s", false},
		{"dead_air_longest", "s", false},
		{"talk_ratio", "ratio", false},
		{"longest_monologue", "s", false},
		{"words_per_minute", "words/min", false},
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
