package bucket

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringtrue/ringtrue/internal/pack"
)

// maxExamples is the number of calls kept for each failure group.
const maxExamples = 5

// Example is a call that illustrates others: when it began (microseconds since 1970) and its id.
type Example struct {
	At     int64
	CallID string
}

// after reports whether e began after o; of two at the same time, the greater id counts as later.
func (e Example) after(o Example) bool { return e.compare(o) < 0 }

// compare orders examples, the latest first.
func (e Example) compare(o Example) int {
	return cmp.Or(cmp.Compare(o.At, e.At), cmp.Compare(o.CallID, e.CallID))
}

// Latest maps a number to its latest calls, at most maxExamples.
type Latest map[int][]Example

// Add adds a call to those of the given number.
func (l *Latest) Add(of int, e Example) {
	kept := (*l)[of]
	if len(kept) == maxExamples && !e.after(kept[maxExamples-1]) {
		return
	}
	if *l == nil {
		*l = Latest{}
	}
	at, _ := slices.BinarySearchFunc(kept, e, Example.compare)
	kept = slices.Insert(kept, at, e)
	(*l)[of] = kept[:min(len(kept), maxExamples)]
}

// packLatest returns the stored form of examples, nil if there are none.
func packLatest(l Latest) []byte {
	if len(l) == 0 {
		return nil
	}
	var p pack.Writer
	p.Uint(len(l))
	last := 0
	for _, of := range slices.Sorted(maps.Keys(l)) {
		p.Uint(of - last)
		p.Uint(len(l[of]))
		last = of
		for _, e := range l[of] {
			p.Int(e.At)
			p.Text(e.CallID)
		}
	}
	return p.B
}

// addPacked adds packed examples. It is fastest if the latest are added first: examples that are
// too old then cost almost nothing.
func (l *Latest) addPacked(u *pack.Reader) {
	of := 0
	for range u.Count() {
		of += u.Uint()
		for range u.Count() {
			at, id := u.Int(), u.Bytes()
			if kept := (*l)[of]; len(kept) == maxExamples && at < kept[maxExamples-1].At {
				continue
			}
			l.Add(of, Example{at, string(id)})
		}
	}
}
