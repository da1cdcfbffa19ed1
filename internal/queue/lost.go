package queue

import "time"

// lost are jobs that the database has as running but that nobody is working on, and when that was
// first seen.
type lost map[int64]time.Time

// overdue records which jobs are lost now, and returns those that have been lost for as long as
// patience. It must be patient: a finished job looks lost until River has recorded that it is done,
// which takes a while when the database is slow; and on PostgreSQL River ends the whole process if
// a job is put back at that very moment.
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
