package timing

import (
	"cmp"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// longest limits media times, so that sums cannot overflow.
const longest = 1000 * time.Hour

// tidy returns the segments sorted, without empty ones and with overlapping ones joined.
func tidy(segments []call.Segment) []call.Segment {
	out := make([]call.Segment, 0, len(segments))
	for _, s := range slices.SortedFunc(slices.Values(segments), byStart) {
		s.Start, s.End = max(s.Start, 0), min(s.End, longest)
		if s.End <= s.Start {
			continue
		}
		if k := len(out) - 1; k >= 0 && s.Start <= out[k].End {
			out[k].End = max(out[k].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

func byStart(a, b call.Segment) int {
	return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}

// total returns the total length of tidy segments.
func total(segments []call.Segment) (sum time.Duration) {
	for _, s := range segments {
		sum += s.Length()
	}
	return sum
}

// both returns how long tidy a and b overlap.
func both(a, b []call.Segment) time.Duration { return total(shared(a, b)) }

// shared returns when tidy a and b overlap.
func shared(a, b []call.Segment) []call.Segment {
	var out []call.Segment
	for i, j := 0, 0; i < len(a) && j < len(b); {
		s := call.Segment{Start: max(a[i].Start, b[j].Start), End: min(a[i].End, b[j].End)}
		if s.End > s.Start {
			out = append(out, s)
		}
		if a[i].End < b[j].End {
			i++
		} else {
			j++
		}
	}
	return out
}

// bridged joins tidy segments that are separated by no more than a breath.
func bridged(segments []call.Segment) []call.Segment {
	var out []call.Segment
	for _, s := range segments {
		if k := len(out) - 1; k >= 0 && s.Start-out[k].End < pause {
			out[k].End = s.End
			continue
		}
		out = append(out, s)
	}
	return out
}

// longer returns the longer of two segments, a if they are equally long.
func longer(a, b call.Segment) call.Segment {
	if b.Length() > a.Length() {
		return b
	}
	return a
}

// at returns the index of the tidy segment that contains the given time, -1 if none does.
func at(segments []call.Segment, t time.Duration) int {
	i, _ := slices.BinarySearchFunc(segments, t, func(s call.Segment, t time.Duration) int {
		if s.End > t {
			return 1
		}
		return -1
	})
	if i < len(segments) && segments[i].Start <= t {
		return i
	}
	return -1
}

// seconds converts to the unit of most metrics.
func seconds(d time.Duration) float64 { return d.Seconds() }
