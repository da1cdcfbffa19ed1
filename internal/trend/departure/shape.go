package departure

import "math"

// shape is the usual course of a week: for each hour a factor (for a Count) or what is
// added to the level (for the others, on the scale of the level).
type shape [weekHours]float64

// The weights of the pools above an hour of the week relative to its own history.
const (
	// For a Count, in calls: the same hour of similar days.
	poolCalls = 30
	// For a day of the week with hardly any, in calls: the days of its kind.
	poolDayCalls = 10
	// For the others, in observations: first all hours of the day, then the hour of all days.
	poolHour = 300
	poolWeek = 600
	// A day of the week relative to all days, in observations, besides one average day.
	poolDay = 600
)

func weekend(cell int) int {
	if cell >= 5*dayHours {
		return 1
	}
	return 0
}

// countShape learns the factors of a week from counts x per hour of the week and their
// exposure (the sum of the levels). The mean factor is about 1.
func countShape(x, exposure *shape) shape {
	day := dayFactors(x, exposure)
	all, kind := hourFactors(x, exposure, &day)
	var out shape
	for c := range out {
		h, k := c%dayHours, weekend(c)
		prior := max(day[c/dayHours]*kind[k][h].factor(all[h]), 1e-4)
		out[c] = (x[c] + poolCalls) / (exposure[c] + poolCalls/prior)
	}
	return out
}

// dayFactors compares the days of the week. Each starts from a third of a day with the mean
// of its kind (weekday, weekend).
func dayFactors(x, exposure *shape) (day [7]float64) {
	var dx, de [7]float64
	var kx, ke [2]float64
	for c := range x {
		dx[c/dayHours] += x[c]
		de[c/dayHours] += exposure[c]
		kx[weekend(c)] += x[c]
		ke[weekend(c)] += exposure[c]
	}
	total := (kx[0] + kx[1]) / max(ke[0]+ke[1], 1e-9)
	for d := range day {
		k := weekend(d * dayHours)
		// A quarter of a day per week, and at most poolCalls: if hundreds of calls were due and
		// none came, the office is closed.
		one := min((ke[0]+ke[1])/7/4, poolCalls/max(total, 1e-9))
		mean := (kx[k] + total*one) / (ke[k] + one)
		// What a day starts from counts for ten calls more than it has, at most: a Sunday on which
		// hundreds were due and none came is no fourteenth of a Saturday, however long ago they began.
		some := min(ke[k]/12, (dx[d]+poolDayCalls)/max(mean, 1e-9))
		day[d] = (dx[d] + mean*some) / max(de[d]+some, 1e-9)
	}
	return day
}

// pooled is a factor with the calls that it is based on.
type pooled struct{ x, e float64 }

func (p pooled) factor(prior float64) float64 {
	return (p.x + poolCalls*0.5) / (p.e + poolCalls*0.5/max(prior, 1e-4))
}

// hourFactors compares the hours of the day, over all days and over the two kinds of days.
// Hours with few calls are averaged with their neighbours.
func hourFactors(x, exposure *shape, day *[7]float64) (all [dayHours]float64, kind [2][dayHours]pooled) {
	var hours [dayHours]pooled
	for c := range x {
		h, e := c%dayHours, exposure[c]*day[c/dayHours]
		hours[h].x += x[c]
		hours[h].e += e
		kind[weekend(c)][h].x += x[c]
		kind[weekend(c)][h].e += e
	}
	for h := range all {
		a, b, c := hours[(h+dayHours-1)%dayHours], hours[h], hours[(h+1)%dayHours]
		// With 30 calls of its own, an hour counts as much as both neighbours.
		w := poolCalls / (poolCalls + b.x)
		all[h] = (b.x + w*(a.x+c.x)/2) / max(b.e+w*(a.e+c.e)/2, 1e-9)
	}
	return all, kind
}

// valueShape learns what each hour of the week adds to the level, from sums of deviations
// and numbers of observations over the given weeks. The results are shrunk towards what the
// day of the week and the hour of the day add, and these towards nothing.
func valueShape(dev, of *shape, weeks float64) shape {
	day := valueDays(dev, of, weeks)
	var hx, hn [dayHours]float64
	for c := range dev {
		hx[c%dayHours] += dev[c] - of[c]*day[c/dayHours]
		hn[c%dayHours] += of[c]
	}
	var hod [dayHours]float64
	for h := range hod {
		hod[h] = hx[h] / (hn[h] + poolHour)
	}
	var out shape
	for c := range out {
		h := c % dayHours
		before, after := (h+dayHours-1)%dayHours, (h+1)%dayHours
		prior := day[c/dayHours] + hod[h]/2 + hod[before]/4 + hod[after]/4
		out[c] = (dev[c] + poolWeek*prior) / (of[c] + poolWeek)
	}
	return out
}

// valueDays returns what each day of the week adds. Days also differ without cause, so one
// Monday says little about Mondays.
func valueDays(dev, of *shape, weeks float64) (day [7]float64) {
	var dx, dn [7]float64
	for c := range dev {
		dx[c/dayHours] += dev[c]
		dn[c/dayHours] += of[c]
	}
	for d := range day {
		day[d] = dx[d] / (dn[d] + poolDay) * weeks / (weeks + 1)
	}
	return day
}

func logit(p float64) float64 { return math.Log(p / (1 - p)) }

func expit(l float64) float64 { return 1 / (1 + math.Exp(-l)) }
