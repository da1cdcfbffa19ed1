package monitor

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// filled are days and weeks with calls in most of their hours.
func filled(t *testing.T, r *rand.Rand, from, until int) (rows []Roll, weeks []Week) {
	t.Helper()
	ids, byWeek := newNumbers(nil), map[int]*Week{}
	for day := from; day < until; day++ {
		if r.IntN(8) == 0 {
			continue
		}
		fresh := map[int]*Bucket{}
		for i := range 30 {
			hour := r.IntN(hoursPerDay)
			if fresh[hour] == nil {
				fresh[hour] = &Bucket{}
			}
			f := randomFact(r)
			f.CallID, f.At = fmt.Sprint("call_", day, "_", i), dayStart(day).Add(time.Duration(hour)*time.Hour)
			fresh[hour].add(&f, ids)
		}
		row := Roll{Day: day}
		if _, err := row.replace(fresh); err != nil {
			t.Fatal(err)
		}
		if byWeek[weekOf(day)] == nil {
			byWeek[weekOf(day)] = &Week{Week: weekOf(day)}
		}
		if _, err := byWeek[weekOf(day)].replace(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	for _, w := range byWeek {
		weeks = append(weeks, *w)
	}
	return rows, weeks
}

// TestADayInAZoneIsThatOfItsHours goes over days of 23 and 25 hours, zones off by
// parts of an hour, and a day that was left out.
func TestADayInAZoneIsThatOfItsHours(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]time.Time{
		"Europe/London":      time.Date(2026, 3, 15, 0, 0, 0, 0, time.UTC),
		"Europe/Berlin":      time.Date(2026, 10, 10, 0, 0, 0, 0, time.UTC),
		"America/New_York":   time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC),
		"Asia/Kathmandu":     time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
		"Pacific/Auckland":   time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC),
		"Pacific/Apia":       time.Date(2011, 12, 12, 0, 0, 0, 0, time.UTC),
		"America/St_Johns":   time.Date(2026, 10, 20, 0, 0, 0, 0, time.UTC),
		"Pacific/Kiritimati": time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			zone, err := time.LoadLocation(name)
			if err != nil {
				t.Fatal(err)
			}
			p := span{from: begin, until: begin.Add(30*dayLength + time.Hour), zone: zone}
			p.widen()
			from, until := p.days()
			rows, weeks := filled(t, rand.New(rand.NewPCG(7, 8)), from, until)
			z, err := zoneDaysOf(rows, weeks, p.from)
			if err != nil {
				t.Fatal(err)
			}
			compareDays(t, z, p, rows)
		})
	}
}

func compareDays(t *testing.T, z *zoneDays, p span, rows []Roll) {
	t.Helper()
	seen, days := int64(0), 0
	for begin := p.from; begin.Before(p.until); days++ {
		end := nextDay(begin, p.zone)
		if y, m, d := begin.In(p.zone).Add(12 * time.Hour).Date(); time.Date(y, m, d, 0, 0, 0, 0, p.zone).Sub(begin).Abs() > time.Hour {
			t.Errorf("a day begins at %s", begin.In(p.zone))
		}
		if err := z.next(end); err != nil {
			t.Fatal(begin, err)
		}
		hours := gather(withSpreads)
		for i := range rows {
			if err := hours.hours(&rows[i], begin, end); err != nil {
				t.Fatal(err)
			}
		}
		got, want := z.take(), hours.take()
		if got.Counts != want.Counts || string(got.pack()) != string(want.pack()) {
			t.Errorf("%s: %d calls and not %d, or other latencies", begin.In(p.zone), got.Counts[Calls], want.Counts[Calls])
		}
		seen += got.Counts[Calls]
		begin = end
	}
	if days < 29 || days > 33 || seen < 30*20 {
		t.Errorf("%d days with %d calls", days, seen)
	}
}
