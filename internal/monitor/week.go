package monitor

import (
	"bytes"
	"errors"
	"math/bits"
	"time"
)

// Week is the stored row of one series and one week (UTC, from Monday on): what
// questions over many days read instead of so many rows.
type Week struct {
	WorkspaceID string
	Origin      string
	Series
	// Week counts from the one of 1970-01-01.
	Week int
	// Whole holds the week's counts, its seven days in short, and its shape. Days
	// holds the shapes of the days, Failed the examples of each day and of the week;
	// they are nil where they were not asked for.
	Whole, Days, Failed []byte
}

const (
	daysPerWeek  = 7
	wholeVersion = 1
	// firstMonday is the day, from 1970-01-01 on, before which week 0 has three days.
	firstMonday = 4
)

// weekOf is the week of a day, dayOfWeek its place there, and firstDay a week's Monday.
func weekOf(day int) int    { return int(floorDiv(int64(day-firstMonday+daysPerWeek), daysPerWeek)) }
func dayOfWeek(day int) int { return day - firstDay(weekOf(day)) }
func firstDay(week int) int { return (week-1)*daysPerWeek + firstMonday }

// short is a day in short: which of its hours have calls, as bits of a number,
// and what a slot holds of it.
type short struct {
	hours int
	slot
}

// first and last are the beginnings of the first and of the last hour with calls of the day.
func (s *short) first(day int) time.Time {
	return dayStart(day).Add(time.Duration(bits.TrailingZeros(uint(s.hours))) * time.Hour)
}

func (s *short) last(day int) time.Time {
	return dayStart(day).Add(time.Duration(bits.Len(uint(s.hours))-1) * time.Hour)
}

func (s *short) pack() []byte {
	if s.hours == 0 {
		return nil
	}
	var p packer
	p.uint(s.hours)
	p.slot(&s.slot)
	return p.b
}

func (s *short) unpack(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	u := unpacker{b: b}
	s.hours = u.uint()
	u.slot(&s.slot)
	return u.err
}

// wholeWeek is Week.Whole taken apart.
type wholeWeek struct {
	Counts
	shorts [daysPerWeek][]byte
	shape  []byte
}

func openWhole(b []byte) (w wholeWeek, err error) {
	if len(b) == 0 {
		return w, nil
	}
	if b[0] != wholeVersion {
		return w, ErrPacked
	}
	u := unpacker{b: b[1:]}
	u.counts(&w.Counts)
	for i := range w.shorts {
		w.shorts[i] = u.bytes()
	}
	w.shape = u.b
	return w, u.err
}

// day is one of the seven days in short; without calls it has no hours.
func (w *wholeWeek) day(at int) (s short, err error) { return s, s.unpack(w.shorts[at]) }

// days are the shapes of the seven days.
func (w *Week) days() (parts [daysPerWeek][]byte, err error) {
	return parts, splitInto(parts[:], w.Days)
}

// failed are the examples of the seven days, and behind them those of the week.
func (w *Week) failed() (parts [daysPerWeek + 1][]byte, err error) {
	return parts, splitInto(parts[:], w.Failed)
}

// replace puts the day as its row has it into the week, and says whether that changed anything.
func (w *Week) replace(r *Roll) (changed bool, err error) {
	whole, err := openWhole(w.Whole)
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
	at := dayOfWeek(r.Day)
	if bytes.Equal(whole.shorts[at], brief) && bytes.Equal(days[at], shape) && bytes.Equal(failed[at], examples) {
		return false, nil
	}
	whole.shorts[at], days[at], failed[at] = brief, shape, examples
	g := gather(everything)
	for i := daysPerWeek - 1; i >= 0; i-- {
		var day short
		if err := day.unpack(whole.shorts[i]); err != nil {
			return false, err
		}
		g.Add(&day.Counts)
		if err := errors.Join(g.shape(days[i]), g.failed(failed[i])); err != nil {
			return false, err
		}
	}
	b := g.take()
	p := packer{b: []byte{wholeVersion}}
	p.counts(&b.Counts)
	for _, s := range whole.shorts {
		p.bytes(s)
	}
	p.shape(&b.Shape)
	failed[daysPerWeek] = packLatest(b.Failed)
	w.Whole, w.Days, w.Failed = p.b, join(days[:]), join(failed[:])
	return true, nil
}

// empty reports whether no day of the week has a call.
func (w *Week) empty() bool {
	whole, err := openWhole(w.Whole)
	for _, s := range whole.shorts {
		if len(s) > 0 {
			return false
		}
	}
	return err == nil
}

// inShort is the day as a week keeps it; a day without calls is nothing.
func (r *Roll) inShort() (brief, shape, failed []byte, err error) {
	light, err := split(r.Light)
	if err != nil {
		return nil, nil, nil, err
	}
	var s short
	for i, packed := range light {
		if len(packed) > 0 {
			s.hours |= 1 << i
		}
	}
	if s.hours == 0 {
		return nil, nil, nil, nil
	}
	g := gather(everything)
	if err := g.hours(r, dayStart(r.Day), dayStart(r.Day+1)); err != nil {
		return nil, nil, nil, err
	}
	b := g.take()
	s.slot = slotOf(b)
	return s.pack(), b.pack(), packLatest(b.Failed), nil
}
