package monitor

import (
	"maps"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// figuresVersion is the first byte of packed Figures.
const figuresVersion = 1

// Pack is the stored form of the figures.
func (f *Figures) Pack() []byte {
	p := packer{b: make([]byte, 1, 64)}
	p.b[0] = figuresVersion
	p.flag(f.Answered)
	p.int(f.Duration.Milliseconds())
	p.text(string(f.End))
	p.text(string(f.Blame))
	p.text(string(f.Verdict))
	p.uint(f.Turns)
	p.flag(f.Dropped)
	p.flag(f.Felt)
	if f.Felt {
		p.milli(f.Valence)
		p.milli(f.Frustration)
		p.text(string(f.Sentiment))
		p.uint(f.UpsetTurn)
	}
	p.values(f.Latencies)
	p.values(f.Reported)
	p.flag(f.Cost != nil)
	if f.Cost != nil {
		p.int(*f.Cost)
	}
	p.text(f.Because)
	p.uint(len(f.Stages))
	for _, s := range f.Stages {
		p.text(s)
	}
	p.uint(len(f.Dims))
	for _, dim := range slices.Sorted(maps.Keys(f.Dims)) {
		p.text(dim)
		p.text(f.Dims[dim])
	}
	return p.b
}

func (p *packer) values(values []float64) {
	p.uint(len(values))
	for _, v := range values {
		p.milli(v)
	}
}

// Unpack reads what Pack wrote.
func (f *Figures) Unpack(b []byte) error {
	if len(b) == 0 || b[0] != figuresVersion {
		return ErrPacked
	}
	u := unpacker{b: b[1:]}
	*f = Figures{Answered: u.flag(), Duration: time.Duration(u.int()) * time.Millisecond}
	f.End, f.Blame, f.Verdict = call.EndCode(u.text()), call.Blame(u.text()), call.Verdict(u.text())
	f.Turns, f.Dropped, f.Felt = u.uint(), u.flag(), u.flag()
	if f.Felt {
		f.Valence, f.Frustration = u.milli(), u.milli()
		f.Sentiment, f.UpsetTurn = call.Sentiment(u.text()), u.uint()
	}
	f.Latencies, f.Reported = u.values(), u.values()
	if u.flag() {
		cost := u.int()
		f.Cost = &cost
	}
	f.Because = u.text()
	for range u.count() {
		f.Stages = append(f.Stages, u.text())
	}
	for range u.count() {
		if f.Dims == nil {
			f.Dims = map[string]string{}
		}
		dim := u.text()
		f.Dims[dim] = u.text()
	}
	return u.err
}

func (u *unpacker) values() []float64 {
	n := u.count()
	if n == 0 {
		return nil
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = u.milli()
	}
	return out
}
