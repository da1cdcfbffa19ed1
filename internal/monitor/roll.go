package monitor

import (
	"bytes"
	"time"
)

// Series names one line of buckets: all calls of an origin, those of an agent,
// those with a dimension's value, or both.
type Series struct {
	// Agent narrows Dim's values to one agent's calls, "" to none.
	Agent string
	// Dim is "" for all calls, DimAgent for those of the agent Value, else a dimension.
	Dim   string
	Value string
}

// NoAgent is the value of DimAgent of the calls that no agent is linked to.
const NoAgent = "-"

// seriesOf are the series a call belongs to.
func seriesOf(f *Fact, admit func(dim, value string) string) []Series {
	agent := f.AgentID
	if agent == "" {
		agent = NoAgent
	}
	out := make([]Series, 0, 2+2*len(f.Dims))
	out = append(out, Series{}, Series{Dim: DimAgent, Value: agent})
	for dim, value := range f.Dims {
		value = admit(dim, value)
		out = append(out, Series{Dim: dim, Value: value}, Series{Agent: agent, Dim: dim, Value: value})
	}
	return out
}

const (
	hoursPerDay = 24
	dayLength   = hoursPerDay * time.Hour
)

// Roll is the stored row of one series and one day (UTC).
type Roll struct {
	WorkspaceID string
	Origin      string
	Series
	// Day counts from 1970-01-01.
	Day int
	// Light holds 24 packed slots, Hours 24 packed shapes, Failed the examples of 24
	// hours; the latter are nil where they were not asked for.
	Light, Hours, Failed []byte
}

// slot is the light part of an hour: its counts, and quantiles that need no sketch.
type slot struct {
	Counts
	// Quantiles are milliseconds: p50 and p95 of the measured latency, of the reported one, and of the duration.
	Quantiles [6]int64
	// Tens are those of the bucket. Rows of earlier versions, and days, have none.
	Tens [tensPerHour]int64
}

func (s *slot) pack() []byte {
	if s.Counts == (Counts{}) {
		return nil
	}
	var p packer
	p.slot(s)
	return p.b
}

func (p *packer) slot(s *slot) {
	p.counts(&s.Counts)
	for _, q := range s.Quantiles {
		p.int(q)
	}
	if s.Tens == [tensPerHour]int64{} {
		return
	}
	for _, n := range s.Tens {
		p.int(n)
	}
}

func (s *slot) unpack(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	u := unpacker{b: b}
	u.slot(s)
	return u.err
}

func (u *unpacker) slot(s *slot) {
	u.counts(&s.Counts)
	for i := range s.Quantiles {
		s.Quantiles[i] = u.int()
	}
	for i := range s.Tens {
		if len(u.b) > 0 {
			s.Tens[i] = u.int()
		}
	}
}

// slotOf is the light part of a bucket.
func slotOf(b *Bucket) slot {
	s := slot{Counts: b.Counts, Tens: b.Tens}
	for i, sketch := range []interface {
		Quantile(q float64) (float64, bool)
	}{&b.Latency, &b.Reported, &b.Durations} {
		for j, q := range []float64{0.5, 0.95} {
			v, _ := sketch.Quantile(q)
			s.Quantiles[2*i+j] = whole(v)
		}
	}
	return s
}

// split takes 24 packed parts apart; no bytes are 24 empty ones.
func split(b []byte) (parts [hoursPerDay][]byte, err error) {
	return parts, splitInto(parts[:], b)
}

func splitInto(parts [][]byte, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	u := unpacker{b: b}
	for i := range parts {
		parts[i] = u.bytes()
	}
	return u.err
}

func join(parts [][]byte) []byte {
	var p packer
	for _, part := range parts {
		p.bytes(part)
	}
	return p.b
}

// replace puts fresh buckets into the hours of the row, nil for an hour without
// calls, and says whether that changed anything.
func (r *Roll) replace(fresh map[int]*Bucket) (changed bool, err error) {
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

// empty reports whether no hour of the row has a call.
func (r *Roll) empty() bool {
	light, err := split(r.Light)
	for _, part := range light {
		if len(part) > 0 {
			return false
		}
	}
	return err == nil
}

// dayOf is the day (UTC) of a time, hourOf its hour within the day.
func dayOf(t time.Time) int  { return int(floorDiv(t.Unix(), int64(dayLength/time.Second))) }
func hourOf(t time.Time) int { return t.UTC().Hour() }

func dayStart(day int) time.Time {
	return time.Unix(int64(day)*int64(dayLength/time.Second), 0).UTC()
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
