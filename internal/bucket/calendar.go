package bucket

import "time"

// The lengths that rows are made of. Days and weeks are in UTC and counted from 1970-01-01.
const (
	DaysPerWeek = 7
	DayLength   = hoursPerDay * time.Hour
	hoursPerDay = 24
	// firstMonday is the day of the first Monday, with which week 1 begins.
	firstMonday = 4
)

// DayOf returns the day of a time.
func DayOf(t time.Time) int { return int(floorDiv(t.Unix(), int64(DayLength/time.Second))) }

// HourOf returns the hour of a time within its day.
func HourOf(t time.Time) int { return t.UTC().Hour() }

// DayStart returns the beginning of a day.
func DayStart(day int) time.Time {
	return time.Unix(int64(day)*int64(DayLength/time.Second), 0).UTC()
}

// WeekOf returns the week of a day.
func WeekOf(day int) int { return int(floorDiv(int64(day-firstMonday+DaysPerWeek), DaysPerWeek)) }

// DayOfWeek returns the position of a day in its week, 0 for Monday.
func DayOfWeek(day int) int { return day - FirstDay(WeekOf(day)) }

// FirstDay returns the Monday of a week.
func FirstDay(week int) int { return (week-1)*DaysPerWeek + firstMonday }

// Within reports whether the whole week lies within [from, until).
func Within(week, from, until int) bool {
	return FirstDay(week) >= from && FirstDay(week+1) <= until
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// DayBegin returns the beginning, in the zone, of the day that contains the hour t: the first whole
// hour (UTC) that begins on that day.
func DayBegin(t time.Time, zone *time.Location) time.Time {
	return dayBegin(t.In(zone), 0)
}

// dayBegin returns the first whole hour of the day that contains t, or of the day that many days
// later. A day that the zone skips begins with the next one. Where clocks change at midnight, there
// is no midnight or there are two, and the result of time.Date is an hour off.
func dayBegin(t time.Time, later int) time.Time {
	y, m, d := t.Date()
	noon := time.Date(y, m, d+later, 12, 0, 0, 0, time.UTC)
	y, m, d = noon.Date()
	at := firstHour(time.Date(y, m, d, 0, 0, 0, 0, t.Location()))
	for dateOf(at.In(t.Location())) < dateOf(noon) {
		at = at.Add(time.Hour)
	}
	for dateOf(at.Add(-time.Hour).In(t.Location())) >= dateOf(noon) {
		at = at.Add(-time.Hour)
	}
	return at
}

// dateOf returns a date as a number that sorts like the date.
func dateOf(t time.Time) int {
	y, m, d := t.Date()
	return (y*12+int(m))*31 + d
}

// firstHour returns the first whole hour (UTC) that begins at t or later. In a zone whose offset is
// not a whole number of hours, an hour belongs to the day in which it begins.
func firstHour(t time.Time) time.Time {
	if down := t.UTC().Truncate(time.Hour); !down.Before(t) {
		return down
	}
	return t.UTC().Truncate(time.Hour).Add(time.Hour)
}

// NextDay returns the beginning of the day after the one that begins at begin. Some zones have
// skipped a day.
func NextDay(begin time.Time, zone *time.Location) time.Time {
	for later := 1; ; later++ {
		if end := dayBegin(begin.In(zone), later); end.After(begin) {
			return end
		}
	}
}
