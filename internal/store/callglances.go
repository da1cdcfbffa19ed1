package store

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// Glances implements archive.Tx.
func (tx *Tx) Glances(ctx context.Context, ids []string) (map[string]archive.Glance, error) {
	type seen struct {
		id      string
		glance  archive.Glance
		figures monitor.Figures
	}
	out := make(map[string]archive.Glance, len(ids))
	for chunk := range slices.Chunk(ids, maxParameters) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		felt, err := all(ctx, tx, func(s *seen) []any { return []any{&s.id, &s.glance.Sentiment, flag{&s.glance.Upset}} },
			`SELECT id, sentiment, upset FROM calls WHERE id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for _, s := range felt {
			out[s.id] = s.glance
		}
		timed, err := all(ctx, tx, func(s *seen) []any { return []any{&s.id, figures{&s.figures}} },
			`SELECT call_id, figures FROM monitor_facts WHERE call_id IN `+marks(1, len(args)), args...)
		if err != nil {
			return nil, err
		}
		for _, s := range timed {
			glance := out[s.id]
			glance.TurnLatency = median(s.figures.Latencies)
			out[s.id] = glance
		}
	}
	return out, nil
}

// median is that of times in seconds, interpolated as all percentiles are; nil of none.
func median(seconds []float64) *time.Duration {
	if len(seconds) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(seconds))
	middle := (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
	d := time.Duration(math.Round(middle * 1e9)) // 1.001 s are 1001 ms
	return &d
}
