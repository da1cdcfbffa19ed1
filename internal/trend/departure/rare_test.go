package departure_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

const rareDays = 60

// rareCalls returns a series of about perDay calls a day at any hour; value is what a call on a day
// contributes.
func rareCalls(seed uint64, metric string, perDay int, value func(r *rand.Rand, day int) float64) departure.Series {
	r := rand.New(rand.NewPCG(6200, seed))
	m, _ := trend.MetricOf(metric)
	s := departure.Series{Metric: m}
	for h := range 24 * rareDays {
		p := trend.Point{At: first.Add(time.Duration(h) * time.Hour)}
		for range perDay {
			if r.IntN(24) > 0 {
				continue
			}
			v := value(r, h/24)
			p.N, p.Sum, p.Squares = p.N+1, p.Sum+v, p.Squares+v*v
			if v == 1 {
				p.Hits++
			}
		}
		s.Points = append(s.Points, p)
	}
	return s
}

func watched(s departure.Series) departure.Report {
	return departure.Find(s, departure.Window{From: first, Until: first.AddDate(0, 0, rareDays), Looks: 100})
}

// Hours with at most one call teach the share of all their calls together: a single failure is far
// from what is expected of its hour, and must not be limited each time.
func TestTheUsualShareOfFewCallsIsTheirs(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0.02, 0.05} {
		var sum float64
		const times = 12
		for i := range uint64(times) {
			r := watched(rareCalls(i, "failed_rate", 12, func(r *rand.Rand, _ int) float64 {
				if r.Float64() < share {
					return 1
				}
				return 0
			}))
			for _, in := range r.Incidents {
				t.Errorf("of %v: %+v", share, in)
			}
			sum += r.Hours[len(r.Hours)-1].Expected / times
		}
		if sum < share*0.75 || sum > share*1.25 {
			t.Errorf("of %v, %v is expected", share, sum)
		}
	}
}

// Without a hit in n calls, half a hit in n is expected, as for any unknown share.
func TestTheUsualShareOfCallsWithoutAHit(t *testing.T) {
	t.Parallel()
	s := rareCalls(1, "failed_rate", 5, func(*rand.Rand, int) float64 { return 0 })
	var n float64
	for _, p := range s.Points[4*24 : 59*24] { // at most eight weeks are learned from
		n += float64(p.N)
	}
	r := watched(s)
	if e := r.Hours[len(r.Hours)-1].Expected; e < 0.4/n || e > 0.6/n {
		t.Errorf("after %v calls without a hit %v is expected: %v calls of one", n, e, e*n)
	}
}

// One hit in five weeks, and then one on each of six days with three calls, seems far off if days
// hardly vary; by the number of calls it may be chance.
func TestAFewHitsInFewCallsAreNoDrift(t *testing.T) {
	t.Parallel()
	m, _ := trend.MetricOf("error_rate")
	s := departure.Series{Metric: m}
	for day := range rareDays {
		for hour := 9; hour < 12; hour++ {
			p := trend.Point{At: first.Add(time.Duration(24*day+hour) * time.Hour), N: 1}
			if hour == 10 && (day == 20 || day >= rareDays-6) {
				p.Hits = 1
			}
			s.Points = append(s.Points, p)
		}
	}
	for _, in := range watched(s).Incidents {
		t.Errorf("%s: %v where %v is usual, %d calls, sure %v", in.Form, in.Seen, in.Expected, in.N, in.Sure)
	}
}
