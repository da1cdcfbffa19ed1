package departure_test

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Costs depend on the length of calls, one in a hundred of which is six times the median: a
// few of these in an hour are no departure, but a doubled cost of all calls is.
func TestALongCallIsNoDepartureOfTheCost(t *testing.T) {
	t.Parallel()
	for i := range uint64(30) {
		dearer := i%3 == 0
		r := watched(rareCalls(i, "cost", 60, func(r *rand.Rand, day int) float64 {
			v := 0.13 * math.Exp(0.8*r.NormFloat64())
			if dearer && day >= 52 {
				v *= 2
			}
			return v
		}))
		found := 0
		for _, in := range r.Incidents {
			if found++; in.Start.Before(first.AddDate(0, 0, 50)) {
				t.Errorf("%d: %s of %v where %v is usual, at %s", i, in.Form, in.Seen, in.Expected, in.Start)
			}
		}
		if (found > 0) != dearer {
			t.Errorf("%d: %d departures were found, and calls are dearer: %v", i, found, dearer)
		}
	}
}
