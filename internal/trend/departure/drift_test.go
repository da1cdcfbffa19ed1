package departure

import (
	"math"
	"testing"
)

// If one call in forty is a hit, most days with four calls have none. Days with one are not
// unusual.
func TestTheLevelBeforeADriftHoldsRareHits(t *testing.T) {
	t.Parallel()
	var days []dayFigure
	var weekday, old []int
	for d := range 70 {
		f := dayFigure{n: 4, chance: 3 * math.Sqrt(0.025*0.975/4), has: true}
		if d%10 == 0 {
			f.v = 0.25
		}
		days, weekday, old = append(days, f), append(weekday, d%7), append(old, d)
	}
	ref, _ := weekOf(days, weekday, old, func(f dayFigure) float64 { return f.n })
	if ref < 0.02 || ref > 0.03 {
		t.Errorf("the level is %v", ref)
	}
}
