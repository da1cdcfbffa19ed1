package app

import "time"

// steady is a clock that starts at the given time and runs on evenly, even when somebody sets the
// wall clock. It measures durations; the dates that people see come from the wall clock.
func steady(from time.Time) func() time.Time {
	began := time.Now()
	return func() time.Time { return from.Add(time.Since(began)) }
}
