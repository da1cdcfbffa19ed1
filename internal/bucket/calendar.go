package bucket

import "time"

// What rows are made of. Days and weeks are those of UTC, counted from 1970-01-01.
const (
	DaysPerWeek = 7
	DayLength   = hoursPerDay * time.Hour
	hoursPerDay = 24
	// firstMonday is the day before which week 0 has three days.
	firstMonday = 4
)

// DayOf is the day of a time.
func DayOf(t time.Time) int { return int(floorDiv(t.Unix(), int64(DayLength/time.Second))) }

// HourOf is the hour of a time within its day.
func HourOf(t time.Time) int { return t.UTC().Hour() }

// DayStart is where a day begins.
func DayStart(day int) time.Time {
	return time.Unix(int64(day)*int64(DayLength/time.Second), 0).UTC()
}

// WeekOf is the week of a day.
func WeekOf(day int) int { return int(floorDiv(int64(day-firstMonday+DaysPerWeek), DaysPerWeek)) }

// DayOfWeek is the place of a day in its week, 0 for Monday.
func DayOfWeek(day int) int { return day - FirstDay(WeekOf(day)) }

// FirstDay is the Monday of a week.
func FirstDay(week int) int { return (week-1)*DaysPerWeek + firstMonday }

// Within reports whether the whole week lies from the one day up to and without the other.
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

// DayBegin is where the day that the hour t lies in begins in a zone: with the first whole
// hour (UTC) that begins on it.
func DayBegin(t time.Time, zone *time.Location) time.Time {
	return dayBegin(t.In(zone), 0)
}

// dayBegin is the first whole hour of the day that t lies in, or of a later one; of a day that
// the zone has left out it is that of the next. Where clocks are changed at midnight there is
// none, or there are two, and what time.Date takes for it is an hour off.
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

// dateOf is a date as a number that orders as dates do.
func dateOf(t time.Time) int {
	y, m, d := t.Date()
	return (y*12+int(m))*31 + d
}

// firstHour is the first whole hour (UTC) that begins at t or later: where a
// zone lies off by parts of an hour, an hour belongs to the day it begins in.
func firstHour(t time.Time) time.Time {
	if down := t.UTC().Truncate(time.Hour); !down.Before(t) {
		return down
	}
	return t.UTC().Truncate(time.Hour).Add(time.Hour)
}

// NextDay is the beginning of the day after the one that begins at begin. Some zones
// have left a day out.
func NextDay(begin time.Time, zone *time.Location) time.Time {
	for later := 1; ; later++ {
		if end := dayBegin(begin.In(zone), later); end.After(begin) {
			return end
		}
	}
}
