package bucket

import (
	"bytes"
	"time"

	"github.com/ringtrue/ringtrue/internal/pack"
)

// Series identifies a sequence of buckets: all calls of an origin, those of an agent, those with a
// value of a dimension, or the latter two combined.
type Series struct {
	// Agent restricts Dim's values to the calls of one agent; "" means no restriction.
	Agent string
	// Dim is "" for all calls, "agent" for those of the agent Value, otherwise a dimension.
	Dim   string
	Value string
}

// NoAgent stands for the agent of calls that are linked to no agent.
const NoAgent = "-"

// Roll is the stored row of one series and one day (UTC).
type Roll struct {
	WorkspaceID string
	Origin      string
	Series
	// Day counts from 1970-01-01.
	Day int
	// Light holds 24 packed slots, Hours 24 packed shapes, and Failed the examples of 24 hours; the
	// latter two are nil if they were not requested.
	Light, Hours, Failed []byte
}

// Slot is the light part of an hour: its counts, and quantiles, for which no sketch has to be read.
type Slot struct {
	Counts
	// Quantiles are milliseconds: p50 and p95 of the measured latency, of the reported latency and
	// of the duration.
	Quantiles [6]int64
	// Tens are those of the bucket. Rows of earlier versions, and days, have none.
	Tens [TensPerHour]int64
}

func (s *Slot) pack() []byte {
	if s.Counts == (Counts{}) {
		return nil
	}
	var p pack.Writer
	s.put(&p)
	return p.B
}

func (s *Slot) put(p *pack.Writer) {
	s.Counts.put(p)
	for _, q := range s.Quantiles {
		p.Int(q)
	}
	if s.Tens == [TensPerHour]int64{} {
		return
	}
	for _, n := range s.Tens {
		p.Int(n)
	}
}

func (s *Slot) unpack(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	u := pack.Reader{B: b}
	s.take(&u)
	return u.Err
}

func (s *Slot) take(u *pack.Reader) {
	s.addPacked(u)
	for i := range s.Quantiles {
		s.Quantiles[i] = u.Int()
	}
	for i := range s.Tens {
		if len(u.Rest()) > 0 {
			s.Tens[i] = u.Int()
		}
	}
}

// slotOf returns the light part of a bucket.
func slotOf(b *Bucket) Slot {
	s := Slot{Counts: b.Counts, Tens: b.Tens}
	for i, sketch := range []interface {
		Quantile(q float64) (float64, bool)
	}{&b.Latency, &b.Reported, &b.Durations} {
		for j, q := range []float64{0.5, 0.95} {
			v, _ := sketch.Quantile(q)
			s.Quantiles[2*i+j] = pack.Thousandths(v)
		}
	}
	return s
}

// split separates 24 packed parts; no bytes mean 24 empty ones.
func split(b []byte) (parts [hoursPerDay][]byte, err error) {
	return parts, splitInto(parts[:], b)
}

func splitInto(parts [][]byte, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	u := pack.Reader{B: b}
	for i := range parts {
		parts[i] = u.Bytes()
	}
	return u.Err
}

func join(parts [][]byte) []byte {
	var p pack.Writer
	for _, part := range parts {
		p.Bytes(part)
	}
	return p.B
}

// Replace replaces hours of the row with fresh buckets, nil for an hour without calls, and reports
// whether anything changed.
func (r *Roll) Replace(fresh map[int]*Bucket) (changed bool, err error) {
	light, err := split(r.Light)
	if err != nil {
		return false, err
	}
	hours, err := split(r.Hours)
	if err != nil {
		return false, err
	}
	failed, err := split(r.Failed)
	if err != nil {
		return false, err
	}
	for hour, b := range fresh {
		var slot, shape, examples []byte
		if b != nil {
			s := slotOf(b)
			slot, shape, examples = s.pack(), b.pack(), packLatest(b.Failed)
		}
		if bytes.Equal(light[hour], slot) && bytes.Equal(hours[hour], shape) && bytes.Equal(failed[hour], examples) {
			continue
		}
		light[hour], hours[hour], failed[hour], changed = slot, shape, examples, true
	}
	if !changed {
		return false, nil
	}
	r.Light, r.Hours, r.Failed = join(light[:]), join(hours[:]), join(failed[:])
	return true, nil
}

// Empty reports whether no hour of the row has a call.
func (r *Roll) Empty() bool {
	light, err := split(r.Light)
	for _, part := range light {
		if len(part) > 0 {
			return false
		}
	}
	return err == nil
}

// Hour is one hour of a series.
type Hour struct {
	At time.Time
	Slot
}

// AppendHours appends the hours with calls that begin within [from, until).
func (r *Roll) AppendHours(out []Hour, from, until time.Time) ([]Hour, error) {
	slots, err := split(r.Light)
	if err != nil {
		return nil, err
	}
	day := DayStart(r.Day)
	for i, b := range slots {
		at := day.Add(time.Duration(i) * time.Hour)
		if len(b) == 0 || at.Before(from) || !at.Before(until) {
			continue
		}
		h := Hour{At: at}
		if err := h.unpack(b); err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}

// AppendTens appends the beginnings of the ten-minute parts that have calls; of an hour for which
// this is unknown, it appends all six.
func (r *Roll) AppendTens(out []time.Time) ([]time.Time, error) {
	slots, err := split(r.Light)
	if err != nil {
		return nil, err
	}
	for i, b := range slots {
		if len(b) == 0 {
			continue
		}
		var s Slot
		if err := s.unpack(b); err != nil {
			return nil, err
		}
		at := DayStart(r.Day).Add(time.Duration(i) * time.Hour)
		for ten, calls := range s.Tens {
			if calls > 0 || s.Tens == [TensPerHour]int64{} {
				out = append(out, at.Add(time.Duration(ten)*TenLength))
			}
		}
	}
	return out, nil
}

// EachHour calls give with each hour within [from, until) that has calls, including its sketches.
func (r *Roll) EachHour(from, until time.Time, give func(at time.Time, b *Bucket)) error {
	slots, err := split(r.Light)
	if err != nil {
		return err
	}
	day, g := DayStart(r.Day), Gather(WithSpreads)
	for h := range hoursPerDay {
		at := day.Add(time.Duration(h) * time.Hour)
		if at.Before(from) || !at.Before(until) {
			continue
		}
		if err := g.Hours(r, at, at.Add(time.Hour)); err != nil {
			return err
		}
		if g.Counts[Calls] == 0 {
			continue
		}
		var s Slot
		if err := s.unpack(slots[h]); err != nil {
			return err
		}
		b := g.Take()
		b.Tens = s.Tens
		give(at, b)
	}
	return nil
}
