package app

import "time"

// steady is a clock that begins at the given time and then goes on evenly,
// whatever becomes of the wall clock: for how long things take and how far apart
// they lie. The dates that people see come from the wall clock.
func steady(from time.Time) func() time.Time {
	began := time.Now()
	return func() time.Time { return from.Add(time.Since(began)) }
}
