package monitor

import (
	"maps"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/pack"
)

// figuresVersion is the first byte of packed Figures. The first version lacked ReportedMood; the
// second lacked an unknown number of turns, for which turns have been stored plus 1 since. Both can
// still be read.
const (
	figuresVersion = 3
	allToldVersion = 2
	noMoodVersion  = 1
)

// Pack encodes the figures for storage.
func (f *Figures) Pack() []byte {
	p := pack.Writer{B: make([]byte, 1, 64)}
	p.B[0] = figuresVersion
	p.Flag(f.Answered)
	p.Int(f.Duration.Milliseconds())
	p.Text(string(f.End))
	p.Text(string(f.Blame))
	p.Text(string(f.Verdict))
	p.Uint(f.Turns + 1)
	p.Flag(f.Dropped)
	p.Flag(f.Felt)
	if f.Felt {
		p.Milli(f.Valence)
		p.Milli(f.Frustration)
		p.Text(string(f.Sentiment))
		p.Uint(f.UpsetTurn)
	}
	p.Millis(f.Latencies)
	p.Millis(f.Reported)
	p.Flag(f.Cost != nil)
	if f.Cost != nil {
		p.Int(*f.Cost)
	}
	p.Text(f.Because)
	p.Uint(len(f.Stages))
	for _, s := range f.Stages {
		p.Text(s)
	}
	p.Uint(len(f.Dims))
	for _, dim := range slices.Sorted(maps.Keys(f.Dims)) {
		p.Text(dim)
		p.Text(f.Dims[dim])
	}
	p.Text(string(f.ReportedMood))
	return p.B
}

// Unpack decodes the result of Pack.
func (f *Figures) Unpack(b []byte) error {
	if len(b) == 0 || b[0] < noMoodVersion || b[0] > figuresVersion {
		return pack.ErrUnreadable
	}
	u := pack.Reader{B: b[1:]}
	*f = Figures{Answered: u.Flag(), Duration: time.Duration(u.Int()) * time.Millisecond}
	f.End, f.Blame, f.Verdict = call.EndCode(u.Text()), call.Blame(u.Text()), call.Verdict(u.Text())
	f.Turns, f.Dropped, f.Felt = u.Uint(), u.Flag(), u.Flag()
	if b[0] > allToldVersion {
		f.Turns--
	}
	if f.Felt {
		f.Valence, f.Frustration = u.Milli(), u.Milli()
		f.Sentiment, f.UpsetTurn = call.Sentiment(u.Text()), u.Uint()
	}
	f.Latencies, f.Reported = u.Millis(), u.Millis()
	if u.Flag() {
		cost := u.Int()
		f.Cost = &cost
	}
	f.Because = u.Text()
	for range u.Count() {
		f.Stages = append(f.Stages, u.Text())
	}
	for range u.Count() {
		if f.Dims == nil {
			f.Dims = map[string]string{}
		}
		dim := u.Text()
		f.Dims[dim] = u.Text()
	}
	if b[0] != noMoodVersion {
		f.ReportedMood = call.Sentiment(u.Text())
	}
	return u.Err
}
