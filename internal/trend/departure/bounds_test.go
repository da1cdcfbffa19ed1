package departure_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// The band of a mean does not exceed the range of its values.
func TestBandsOfMeansStayWhereValuesCanLie(t *testing.T) {
	for name, most := range map[string]float64{"valence": 1, "reported_valence": 1, "cost": 1000} {
		m, _ := trend.MetricOf(name)
		one := departure.Series{Metric: m}
		begin := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
		for i := range 30 * 24 {
			v := float64(i%2) * 0.9
			one.Points = append(one.Points, trend.Point{At: begin.Add(time.Duration(i) * time.Hour), N: 1, Sum: v, Squares: v * v})
		}
		until := begin.AddDate(0, 0, 30)
		r := departure.Find(one, departure.Window{From: until.AddDate(0, 0, -1), Until: until})
		least := -1.0
		if name == "cost" {
			least = 0
		}
		all := append([]departure.Expected{r.Together(until.Add(-time.Hour), until)}, r.Hours...)
		for _, h := range all {
			if !h.Known || h.Low < least || h.High > most || h.Low >= h.High {
				t.Fatalf("%s: between %g and %g is usual (%v)", name, h.Low, h.High, h.Known)
			}
		}
	}
}
