package sketch_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ringtrue/ringtrue/internal/trend/sketch"
)

func TestSumIsWhatMergingGives(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var sum sketch.Sum
	for round := range 20 {
		var merged sketch.Sketch
		for range round {
			var one sketch.Sketch
			for range r.IntN(50) {
				if err := one.Add(float64(r.IntN(3)) * r.ExpFloat64()); err != nil {
					t.Fatal(err)
				}
			}
			for _, err := range []error{merged.MergeBytes(one.Bytes()), sum.MergeBytes(one.Bytes())} {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		got := sum.Take()
		if !bytes.Equal(got.Bytes(), merged.Bytes()) || got.Count() != merged.Count() {
			t.Errorf("round %d: %d values and not %d, or others", round, got.Count(), merged.Count())
		}
	}
}

// Adding and subtracting a Sum leaves nothing behind, and more than was added
// cannot be subtracted.
func TestSumGivesBackWhatItTook(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	sum := func(n int) (out sketch.Sum, bytes []byte) {
		var one sketch.Sketch
		for range n {
			if err := one.Add(float64(r.IntN(3)) * r.ExpFloat64()); err != nil {
				t.Fatal(err)
			}
		}
		if err := out.MergeBytes(one.Bytes()); err != nil {
			t.Fatal(err)
		}
		return out, one.Bytes()
	}
	for range 20 {
		a, want := sum(r.IntN(50))
		b, _ := sum(1 + r.IntN(50))
		if err := a.Add(&b); err != nil {
			t.Fatal(err)
		}
		if err := a.Sub(&b); err != nil {
			t.Fatal(err)
		}
		got := a.Take()
		if !bytes.Equal(got.Bytes(), want) {
			t.Fatalf("%x, and not %x", got.Bytes(), want)
		}
		if err := a.Sub(&b); err == nil {
			t.Fatal("an empty sum gave what it never had")
		}
	}
}

// A Sum accepts exactly what a Sketch accepts.
func FuzzSum(f *testing.F) {
	var s sketch.Sketch
	for _, v := range []float64{0, 0.5, 0.5, 7} {
		_ = s.Add(v)
	}
	for _, n := range []uint64{127, 128, 1<<14 - 1, 1 << 14, 1 << 40} { // counts of one byte and of more
		_ = s.AddTimes(float64(n), n)
	}
	for _, b := range [][]byte{nil, {1}, {1, 0}, {2, 0}, s.Bytes(), append(s.Bytes(), 0), append(s.Bytes(), 0x80), {1, 0, 5, 0x81, 0, 1, 1}, {1, 0, 5, 0x81, 0x81, 1, 1, 1}} {
		f.Add(b)
	}
	far := append([]byte{1, 0}, bytes.Repeat([]byte{127, 1}, 16)...)
	for _, b := range [][]byte{far, far[:26], {1, 0, 5, 1, 2, 0x81, 0, 1, 1}, {1, 0, 5, 1, 2, 0, 1, 1}, {1, 0, 5, 1, 2, 0x81, 0x81, 1, 1, 1}} { // after the first bin
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var sum sketch.Sum
		want, refused := sketch.Decode(b)
		err := sum.MergeBytes(b)
		if (err == nil) != (refused == nil) {
			t.Fatalf("%x: %v, and not %v", b, err, refused)
		}
		if err != nil {
			return
		}
		if got := sum.Take(); !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Fatalf("%x: %x, and not %x", b, got.Bytes(), want.Bytes())
		}
	})
}
