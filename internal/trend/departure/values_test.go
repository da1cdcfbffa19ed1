package departure

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

// The values of one call resemble each other: two hundred of them, as a platform reports them in
// percentiles, count little more than twenty.
func TestManyValuesOfACallCountLittleMoreThanSome(t *testing.T) {
	m, _ := trend.MetricOf("reported_latency_p95")
	of := func(values int) float64 {
		h := hour{point: trend.Point{N: 1, Sketch: &sketch.Sketch{}}}
		for range values {
			_ = h.point.Sketch.Add(1)
		}
		h.read(m)
		return h.of
	}
	if one, few, many := of(1), of(20), of(200); one != 1 || few < 5 || many > 7 || many < few {
		t.Errorf("one value counts %g, twenty %g, two hundred %g", one, few, many)
	}
}
