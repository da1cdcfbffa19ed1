package bucket

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ringtrue/ringtrue/internal/pack"
)

// maxExamples is how many calls of a failure group are shown.
const maxExamples = 5

// Example is a call that stands for others: when it began (microseconds since 1970) and which it is.
type Example struct {
	At     int64
	CallID string
}

// after reports whether e began after o; of two at once the greater id is the later.
func (e Example) after(o Example) bool { return e.compare(o) < 0 }

// compare orders examples, the latest first.
func (e Example) compare(o Example) int {
	return cmp.Or(cmp.Compare(o.At, e.At), cmp.Compare(o.CallID, e.CallID))
}

// Latest are the latest calls, at most maxExamples, of things known by their number.
type Latest map[int][]Example

// Add puts a call among those of its thing.
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

// packLatest is the stored form of examples; of none it is nothing.
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

// addPacked adds packed examples. Whoever reads many does so from the latest on:
// what is too early then costs next to nothing.
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
