package queue

import "time"

// lost are jobs that run by the database and that nobody works, and since when that was seen.
type lost map[int64]time.Time

// overdue takes in which jobs are lost now, and gives those that have been so for as long as
// the patience. A job that is done is among the lost until River has written that
// down, which takes a while when the database is slow; on PostgreSQL River ends the whole
// process when a job is put back at the very moment it is written down as done.
func (l *lost) overdue(jobs []int64, now time.Time, patience time.Duration) []int64 {
	since := make(lost, len(jobs))
	var out []int64
	for _, id := range jobs {
		first, known := (*l)[id]
		if !known {
			first = now
		}
		since[id] = first
		if now.Sub(first) >= patience {
			out = append(out, id)
		}
	}
	*l = since
	return out
}
