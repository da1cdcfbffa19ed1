package bucket

import (
	"bytes"
	"errors"
	"math/bits"
	"time"

	"github.com/ringtrue/ringtrue/internal/pack"
)

// Week is the stored row of one series and one week (UTC, from Monday), so that questions over many
// days read fewer rows.
type Week struct {
	WorkspaceID string
	Origin      string
	Series
	// Week counts from the week of 1970-01-01.
	Week int
	// Whole holds the week's counts, a summary of each of its seven days, and its shape. Days holds
	// the shapes of the days, and Failed the examples of each day and of the week; they are nil if
	// they were not requested.
	Whole, Days, Failed []byte
}

const wholeVersion = 1

// Short is the summary of a day: which of its hours have calls, as a bit mask, and its Slot.
type Short struct {
	hours int
	Slot
}

// First returns the beginning of the first hour with calls, given the number of the day.
func (s *Short) First(day int) time.Time {
	return DayStart(day).Add(time.Duration(bits.TrailingZeros(uint(s.hours))) * time.Hour)
}

// Last returns the beginning of the last hour with calls.
func (s *Short) Last(day int) time.Time {
	return DayStart(day).Add(time.Duration(bits.Len(uint(s.hours))-1) * time.Hour)
}

// Empty reports whether the day has no calls.
func (s *Short) Empty() bool { return s.hours == 0 }

func (s *Short) pack() []byte {
	if s.hours == 0 {
		return nil
	}
	var p pack.Writer
	p.Uint(s.hours)
	s.put(&p)
	return p.B
}

func (s *Short) unpack(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	u := pack.Reader{B: b}
	s.hours = u.Uint()
	s.take(&u)
	return u.Err
}

// ShortWeek is Week.Whole, separated into its parts.
type ShortWeek struct {
	Counts
	shorts [DaysPerWeek][]byte
	shape  []byte
}

// OpenWeek separates Week.Whole into its parts.
func OpenWeek(b []byte) (w ShortWeek, err error) {
	if len(b) == 0 {
		return w, nil
	}
	if b[0] != wholeVersion {
		return w, pack.ErrUnreadable
	}
	u := pack.Reader{B: b[1:]}
	w.addPacked(&u)
	for i := range w.shorts {
		w.shorts[i] = u.Bytes()
	}
	w.shape = u.Rest()
	return w, u.Err
}

// Day returns the summary of one of the seven days; that of a day without calls has no hours.
func (w *ShortWeek) Day(at int) (s Short, err error) { return s, s.unpack(w.shorts[at]) }

// days returns the shapes of the seven days.
func (w *Week) days() (parts [DaysPerWeek][]byte, err error) {
	return parts, splitInto(parts[:], w.Days)
}

// failed returns the examples of the seven days, followed by those of the week.
func (w *Week) failed() (parts [DaysPerWeek + 1][]byte, err error) {
	return parts, splitInto(parts[:], w.Failed)
}

// Replace replaces a day of the week with the contents of its row, and reports whether anything
// changed.
func (w *Week) Replace(r *Roll) (changed bool, err error) {
	whole, err := OpenWeek(w.Whole)
	if err != nil {
		return false, err
	}
	days, err := w.days()
	if err != nil {
		return false, err
	}
	failed, err := w.failed()
	if err != nil {
		return false, err
	}
	brief, shape, examples, err := r.inShort()
	if err != nil {
		return false, err
	}
	at := DayOfWeek(r.Day)
	if bytes.Equal(whole.shorts[at], brief) && bytes.Equal(days[at], shape) && bytes.Equal(failed[at], examples) {
		return false, nil
	}
	whole.shorts[at], days[at], failed[at] = brief, shape, examples
	g := Gather(Everything)
	for i := DaysPerWeek - 1; i >= 0; i-- {
		var day Short
		if err := day.unpack(whole.shorts[i]); err != nil {
			return false, err
		}
		g.Add(&day.Counts)
		if err := errors.Join(g.shape(days[i]), g.failed(failed[i])); err != nil {
			return false, err
		}
	}
	b := g.Take()
	p := pack.Writer{B: []byte{wholeVersion}}
	b.Counts.put(&p)
	for _, s := range whole.shorts {
		p.Bytes(s)
	}
	b.Shape.put(&p)
	failed[DaysPerWeek] = packLatest(b.Failed)
	w.Whole, w.Days, w.Failed = p.B, join(days[:]), join(failed[:])
	return true, nil
}

// Empty reports whether no day of the week has a call.
func (w *Week) Empty() bool {
	whole, err := OpenWeek(w.Whole)
	for _, s := range whole.shorts {
		if len(s) > 0 {
			return false
		}
	}
	return err == nil
}

// inShort returns the day as a week stores it; the parts of a day without calls are empty.
func (r *Roll) inShort() (brief, shape, failed []byte, err error) {
	light, err := split(r.Light)
	if err != nil {
		return nil, nil, nil, err
	}
	var s Short
	for i, packed := range light {
		if len(packed) > 0 {
			s.hours |= 1 << i
		}
	}
	if s.hours == 0 {
		return nil, nil, nil, nil
	}
	g := Gather(Everything)
	if err := g.Hours(r, DayStart(r.Day), DayStart(r.Day+1)); err != nil {
		return nil, nil, nil, err
	}
	b := g.Take()
	s.Slot = slotOf(b)
	return s.pack(), b.pack(), packLatest(b.Failed), nil
}
