package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/klauspost/compress/s2"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
)

// foundMark is the first byte of a Found in the packed form below. Older rows are JSON like all
// other payloads, and begin with 0x28. Reading ten thousand of those takes most of a second, and
// the packed form a small part of that.
const foundMark = 0x46

// packFound packs what was found out about a call: numbers as varints, texts after their length,
// everything in the order of the fields.
func packFound(f *experiment.Found) []byte {
	w := foundWriter{}
	w.text(f.CallID)
	w.count(len(f.Scores))
	for i := range f.Scores {
		s := &f.Scores[i]
		w.text(s.ScorerID)
		w.text(s.Name)
		w.number(int64(s.Version))
		w.text(string(s.Verdict))
		w.flag(s.Required)
		w.value(s.Value)
		w.text(s.Unit)
		w.text(s.Reason)
		w.count(len(s.Evidence))
		for _, e := range s.Evidence {
			w.number(int64(e.Start))
		}
	}
	w.count(len(f.Metrics))
	for i := range f.Metrics {
		m := &f.Metrics[i]
		w.text(m.Name)
		w.number(int64(m.Version))
		w.text(m.Unit)
		w.value(m.Value)
		w.flag(m.Spread != nil)
		if m.Spread != nil {
			w.count(len(m.Spread.Values))
			for _, v := range m.Spread.Values {
				w.float(v)
			}
		}
	}
	return append([]byte{foundMark}, s2.Encode(nil, w.out)...)
}

type foundWriter struct{ out []byte }

func (w *foundWriter) number(n int64) { w.out = binary.AppendVarint(w.out, n) }
func (w *foundWriter) count(n int)    { w.out = binary.AppendUvarint(w.out, uint64(n)) } //nolint:gosec // a length
func (w *foundWriter) float(v float64) {
	w.out = binary.LittleEndian.AppendUint64(w.out, math.Float64bits(v))
}

func (w *foundWriter) text(s string) {
	w.count(len(s))
	w.out = append(w.out, s...)
}

func (w *foundWriter) flag(on bool) {
	var b byte
	if on {
		b = 1
	}
	w.out = append(w.out, b)
}

func (w *foundWriter) value(v *float64) {
	w.flag(v != nil)
	if v != nil {
		w.float(*v)
	}
}

// foundScan reads a Found in either form. Texts that many calls have are kept once
// in texts, which those of one query share.
type foundScan struct {
	codec codec
	to    *experiment.Found
	texts map[string]string
}

// Scan implements sql.Scanner.
func (s foundScan) Scan(src any) error {
	body, ok := src.([]byte)
	if !ok || len(body) == 0 || body[0] != foundMark {
		return packed{s.codec, s.to}.Scan(src)
	}
	plain, err := unpackQuick(body[1:])
	if err != nil {
		return fmt.Errorf("unpack: %w", err)
	}
	r := foundReader{in: plain, texts: s.texts}
	r.found(s.to)
	return r.err
}

// foundReader reads what packFound wrote. After an error it gives zeros.
type foundReader struct {
	in    []byte
	texts map[string]string
	err   error
}

var errFoundCut = errors.New("what was found of a call is cut off")

func (r *foundReader) found(f *experiment.Found) {
	f.CallID = string(r.bytes(r.count()))
	f.Scores = make([]experiment.FoundScore, r.count())
	for i := range f.Scores {
		s := &f.Scores[i]
		s.ScorerID, s.Name, s.Version = r.text(), r.text(), int(r.number())
		s.Verdict, s.Required, s.Value = call.Verdict(r.text()), r.flag(), r.value()
		s.Unit, s.Reason = r.text(), r.text()
		s.Evidence = make([]experiment.FoundPlace, r.count())
		for j := range s.Evidence {
			s.Evidence[j].Start = time.Duration(r.number())
		}
	}
	f.Metrics = make([]experiment.FoundMetric, r.count())
	for i := range f.Metrics {
		m := &f.Metrics[i]
		m.Name, m.Version, m.Unit, m.Value = r.text(), int(r.number()), r.text(), r.value()
		if r.flag() {
			m.Spread = &experiment.FoundSpread{Values: make([]float64, r.count())}
			for j := range m.Spread.Values {
				m.Spread.Values[j] = r.float()
			}
		}
	}
}

func (r *foundReader) number() int64 {
	n, size := binary.Varint(r.in)
	r.skip(size)
	return n
}

// count is how many of something follow; each takes a byte at least.
func (r *foundReader) count() int {
	n, size := binary.Uvarint(r.in)
	r.skip(size)
	if r.err != nil || n > uint64(len(r.in)) {
		r.err = errFoundCut
		return 0
	}
	return int(n) //nolint:gosec // no more than there are bytes
}

func (r *foundReader) skip(size int) {
	if size <= 0 || size > len(r.in) {
		r.err, r.in = errFoundCut, nil
		return
	}
	r.in = r.in[size:]
}

func (r *foundReader) bytes(n int) []byte {
	if n > len(r.in) {
		r.err, r.in = errFoundCut, nil
		return nil
	}
	b := r.in[:n]
	r.in = r.in[n:]
	return b
}

func (r *foundReader) text() string {
	b := r.bytes(r.count())
	if known, ok := r.texts[string(b)]; ok {
		return known
	}
	s := string(b)
	r.texts[s] = s
	return s
}

func (r *foundReader) flag() bool {
	b := r.bytes(1)
	return len(b) == 1 && b[0] == 1
}

func (r *foundReader) float() float64 {
	b := r.bytes(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

func (r *foundReader) value() *float64 {
	if !r.flag() {
		return nil
	}
	v := r.float()
	return &v
}
