package timing

import (
	"math"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// summarise describes values, which are kept in their order of time; nil for none.
func summarise(values []float64) *call.Spread {
	if len(values) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(values))
	var sum float64
	for _, x := range values {
		sum += x
	}
	return &call.Spread{
		N:      len(values),
		Mean:   sum / float64(len(values)),
		P50:    Percentile(sorted, 50),
		P90:    Percentile(sorted, 90),
		P95:    Percentile(sorted, 95),
		P99:    Percentile(sorted, 99),
		Min:    sorted[0],
		Max:    sorted[len(sorted)-1],
		Values: values,
	}
}

// Percentile returns the p-th percentile (0 to 100) of sorted values by linear interpolation: of
// n values, the k-th (from 0) is at 100·k/(n−1) percent. It is 0 for no values.
func Percentile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	at := min(max(p, 0), 100) / 100 * float64(len(sorted)-1)
	low := int(math.Floor(at))
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (sorted[high]-sorted[low])*(at-float64(low))
}
