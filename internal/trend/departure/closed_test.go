package departure_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// Days of the week on which nobody ever calls are no outages, however busy the others are.
func TestDaysOnWhichTheOfficeIsClosed(t *testing.T) {
	t.Parallel()
	calls, _ := trend.MetricOf("calls")
	start := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
	const days = 84
	for name, closed := range map[string][]time.Weekday{
		"sundays": {time.Sunday}, "weekends": {time.Saturday, time.Sunday}, "wednesdays": {time.Wednesday}, "sundays and mondays": {time.Sunday, time.Monday},
	} {
		for _, perHour := range []int64{5, 30, 200, 2000} {
			s := departure.Series{Metric: calls}
			for h := range days * 24 {
				at := start.Add(time.Duration(h) * time.Hour)
				if at.Hour() >= 8 && at.Hour() < 18 && !slices.Contains(closed, at.Weekday()) {
					s.Points = append(s.Points, trend.Point{At: at, N: perHour})
				}
			}
			r := departure.Find(s, departure.Window{From: start, Until: start.AddDate(0, 0, days), Looks: 20})
			for _, in := range r.Incidents {
				t.Errorf("closed on %s, with %d calls an hour otherwise: %s from %s to %s, expected %.1f", name, perHour, in.Form, in.Start, in.End, in.Expected)
			}
		}
	}
}
