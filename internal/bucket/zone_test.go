package bucket

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// filled returns days and weeks with calls in most of their hours.
func filled(t *testing.T, r *rand.Rand, from, until int) (rows []Roll, weeks []Week) {
	t.Helper()
	byWeek := map[int]*Week{}
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
			c := randomCall(r, fmt.Sprint("call_", day, "_", i), DayStart(day).Add(time.Duration(hour)*time.Hour))
			c.addTo(fresh[hour])
		}
		row := Roll{Day: day}
		if _, err := row.Replace(fresh); err != nil {
			t.Fatal(err)
		}
		if byWeek[WeekOf(day)] == nil {
			byWeek[WeekOf(day)] = &Week{Week: WeekOf(day)}
		}
		if _, err := byWeek[WeekOf(day)].Replace(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	for _, w := range byWeek {
		weeks = append(weeks, *w)
	}
	return rows, weeks
}

// TestADayInAZoneIsThatOfItsHours includes days of 23 and 25 hours, zones whose offsets are not
// whole hours, and a day that a zone skipped.
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
			from := DayBegin(begin, zone)
			until := NextDay(DayBegin(begin.Add(30*DayLength+time.Hour), zone), zone)
			rows, weeks := filled(t, rand.New(rand.NewPCG(7, 8)), DayOf(from), DayOf(until.Add(-time.Second))+1)
			z, err := NewZoneDays(rows, weeks, from)
			if err != nil {
				t.Fatal(err)
			}
			compareDays(t, z, from, until, zone, rows)
		})
	}
}

func compareDays(t *testing.T, z *ZoneDays, from, until time.Time, zone *time.Location, rows []Roll) {
	t.Helper()
	seen, days := int64(0), 0
	for begin := from; begin.Before(until); days++ {
		end := NextDay(begin, zone)
		if y, m, d := begin.In(zone).Add(12 * time.Hour).Date(); time.Date(y, m, d, 0, 0, 0, 0, zone).Sub(begin).Abs() > time.Hour {
			t.Errorf("a day begins at %s", begin.In(zone))
		}
		if err := z.Next(end); err != nil {
			t.Fatal(begin, err)
		}
		hours := Gather(WithSpreads)
		for i := range rows {
			if err := hours.Hours(&rows[i], begin, end); err != nil {
				t.Fatal(err)
			}
		}
		got, want := z.Take(), hours.Take()
		if got.Counts != want.Counts || string(got.pack()) != string(want.pack()) {
			t.Errorf("%s: %d calls and not %d, or other latencies", begin.In(zone), got.Counts[Calls], want.Counts[Calls])
		}
		seen += got.Counts[Calls]
		begin = end
	}
	if days < 29 || days > 33 || seen < 30*20 {
		t.Errorf("%d days with %d calls", days, seen)
	}
}

// TestEveryHourLiesInItsDay includes zones whose clocks change at midnight, where a day has no
// midnight or two. There, too, an hour must belong to the day in which it begins, and to no other.
func TestEveryHourLiesInItsDay(t *testing.T) {
	t.Parallel()
	for name, year := range map[string]int{
		"America/Santiago": 2025, "America/Havana": 2026, "Asia/Beirut": 2025, "Africa/Cairo": 2026, "Atlantic/Azores": 2026, "Asia/Amman": 2005,
		"America/St_Johns": 2005, "Pacific/Apia": 2011, "Australia/Lord_Howe": 2026, "Asia/Kathmandu": 2026, "Europe/Berlin": 2026,
	} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Skip("this machine knows no time zones")
		}
		date := func(at time.Time) string { return at.In(zone).Format(time.DateOnly) }
		for at := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC); at.Year() == year; at = at.Add(time.Hour) {
			begin := DayBegin(at, zone)
			end := NextDay(begin, zone)
			if begin.After(at) || !end.After(at) || date(begin) != date(at) || date(begin.Add(-time.Hour)) == date(at) || date(end) == date(at) {
				t.Fatalf("%s: the hour of %s is put from %s to %s", name, at.In(zone), begin.In(zone), end.In(zone))
			}
		}
	}
}
