package monitor

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// lot draws the calls of a value, in some hours of most days.
func lot(r *rand.Rand, from, until int) (facts []Fact) {
	for day := from; day < until; day++ {
		if r.IntN(5) == 0 {
			continue
		}
		for range r.IntN(12) {
			f := Fact{CallID: fmt.Sprint(r.Uint32()), At: bucket.DayStart(day).Add(time.Duration(r.IntN(24*60)) * time.Minute)}
			f.Answered, f.Duration, f.Turns = r.IntN(9) > 0, time.Duration(r.IntN(1e6))*time.Millisecond, r.IntN(40)
			if f.Felt = r.IntN(3) > 0; f.Felt {
				f.Valence = float64(r.IntN(2001)-1000) / 1000
			}
			for range r.IntN(5) {
				f.Latencies = append(f.Latencies, float64(r.IntN(3000)-100)/1000)
			}
			if r.IntN(6) == 0 {
				f.Failure = "failed"
			}
			facts = append(facts, f)
		}
	}
	return facts
}

// counted returns the bucket of those facts that keep selects.
func counted(ids *numbers, facts []Fact, keep func(at time.Time) bool) *bucket.Bucket {
	b := &bucket.Bucket{}
	for i := range facts {
		if keep(facts[i].At) {
			addCall(b, &facts[i], ids)
		}
	}
	return b
}

// weeksFrom returns the facts as stored weeks.
func weeksFrom(t *testing.T, ids *numbers, value string, facts []Fact, from, until int) (weeks []bucket.Week) {
	t.Helper()
	for day := from; day < until; day++ {
		if n := len(weeks); n == 0 || weeks[n-1].Week != bucket.WeekOf(day) {
			weeks = append(weeks, bucket.Week{Week: bucket.WeekOf(day), Series: bucket.Series{Dim: "d", Value: value}})
		}
		fresh := map[int]*bucket.Bucket{}
		for hour := range 24 {
			at := bucket.DayStart(day).Add(time.Duration(hour) * time.Hour)
			if b := counted(ids, facts, func(t time.Time) bool { return t.Truncate(time.Hour).Equal(at) }); b.Counts[bucket.Calls] > 0 {
				fresh[hour] = b
			}
		}
		row := bucket.Roll{Day: day}
		if _, err := row.Replace(fresh); err != nil {
			t.Fatal(err)
		}
		if _, err := weeks[len(weeks)-1].Replace(&row); err != nil {
			t.Fatal(err)
		}
	}
	return weeks
}

// TestThePartsOfABreakdownAreTheirCalls compares what is computed from weeks with the calls
// themselves.
func TestThePartsOfABreakdownAreTheirCalls(t *testing.T) {
	t.Parallel()
	const begin, days = 20000, 30
	r, ids := rand.New(rand.NewPCG(3, 14)), newNumbers(nil)
	values := map[string][]Fact{}
	var weeks []bucket.Week
	for i := range 5 {
		value := string(rune('a' + i))
		values[value] = lot(r, begin+r.IntN(9), begin+days)
		weeks = append(weeks, weeksFrom(t, ids, value, values[value], begin, begin+days)...)
	}
	for range 40 {
		from := begin - 3 + r.IntN(days)
		until := from + 1 + r.IntN(days)
		for _, name := range []string{"failed_rate", "valence", "latency_p95"} {
			f, _ := figureOf(name)
			c := collection{f: &f, from: from, until: until, g: bucket.Gather(bucket.WithSpreads)}
			// Rows are only lent: this store overwrites them as soon as give returns.
			var lent bucket.Week
			for _, w := range weeks {
				if w.Week < bucket.WeekOf(from) || w.Week > bucket.WeekOf(until-1) {
					continue
				}
				whole := append(lent.Whole[:0], w.Whole...)
				lent = w
				if lent.Whole = whole; bucket.Within(w.Week, from, until) {
					lent.Days = nil
				}
				if err := c.add(&lent); err != nil {
					t.Fatal(err)
				}
				clear(lent.Whole)
			}
			c.end()
			for i := range c.parts {
				comparePart(t, ids, &c.parts[i], values[c.parts[i].value], from, until, &f)
			}
		}
	}
}

func comparePart(t *testing.T, ids *numbers, x *part, facts []Fact, from, until int, f *figure) {
	t.Helper()
	inside := func(at time.Time) bool { return bucket.DayOf(at) >= from && bucket.DayOf(at) < until }
	want := counted(ids, facts, inside)
	if x.b.Counts != want.Counts {
		t.Fatalf("%s: %d calls and not %d, or other numbers", x.value, x.b.Counts[bucket.Calls], want.Counts[bucket.Calls])
	}
	theirs := want.Sketches()
	for i, s := range x.b.Sketches() {
		if !bytes.Equal(s.Bytes(), theirs[i].Bytes()) {
			t.Fatalf("%s: sketch %d is another", x.value, i)
		}
	}
	var first, last time.Time
	var days []trend.Day
	for day := from; day < until; day++ {
		b := counted(ids, facts, func(at time.Time) bool { return bucket.DayOf(at) == day })
		if v, ok := f.seen(&b.Counts, &b.Shape); ok && b.Counts[bucket.Calls] > 0 {
			days = append(days, trend.Day{Day: day, Value: v, N: f.point(&b.Counts, &b.Shape).N})
		}
	}
	for _, one := range facts {
		if hour := one.At.Truncate(time.Hour); inside(one.At) {
			if first.IsZero() || hour.Before(first) {
				first = hour
			}
			if hour.After(last) {
				last = hour
			}
		}
	}
	// The short form of a day has its quantiles in whole milliseconds.
	near := func(a, b trend.Day) bool {
		return a.Day == b.Day && a.N == b.N && math.Abs(a.Value-b.Value) <= 0.0005001
	}
	if !x.first.Equal(first) || !x.last.Equal(last) || !slices.EqualFunc(x.days, days, near) {
		t.Fatalf("%s, %s: from %s to %s and not from %s to %s, or other days:\n%v\n%v", x.value, f.Name, x.first, x.last, first, last, x.days, days)
	}
}
