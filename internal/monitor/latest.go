package monitor

import (
	"cmp"
	"maps"
	"slices"
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

func (l *Latest) add(of int, e Example) {
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
	var p packer
	p.uint(len(l))
	last := 0
	for _, of := range slices.Sorted(maps.Keys(l)) {
		p.uint(of - last)
		p.uint(len(l[of]))
		last = of
		for _, e := range l[of] {
			p.int(e.At)
			p.text(e.CallID)
		}
	}
	return p.b
}

// latest adds packed examples. Whoever reads many does so from the latest on:
// what is too early then costs next to nothing.
func (u *unpacker) latest(l *Latest) {
	of := 0
	for range u.count() {
		of += u.uint()
		for range u.count() {
			at, id := u.int(), u.bytes()
			if kept := (*l)[of]; len(kept) == maxExamples && at < kept[maxExamples-1].At {
				continue
			}
			l.add(of, Example{at, string(id)})
		}
	}
}
