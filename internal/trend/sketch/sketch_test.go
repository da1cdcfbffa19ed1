package sketch

import (
	"bytes"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func draw(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		switch rng.IntN(10) {
		case 0:
			out[i] = 0
		case 1:
			out[i] = rng.Float64() * 1e6
		default:
			out[i] = math.Exp(2 * rng.NormFloat64())
		}
	}
	return out
}

func sketchOf(t *testing.T, values ...float64) *Sketch {
	t.Helper()
	s := &Sketch{}
	for _, v := range values {
		if err := s.Add(v); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestQuantilesAreWithinOnePercent(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		values := draw(rng, 1+rng.IntN(3000))
		s := sketchOf(t, values...)
		slices.Sort(values)
		for _, q := range []float64{0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 1} {
			want := values[int(q*float64(len(values)-1))]
			got, ok := s.Quantile(q)
			if !ok || math.Abs(got-want) > Accuracy*want*1.0001 {
				t.Fatalf("quantile %v of %d values: %v, want %v", q, len(values), got, want)
			}
		}
		cut := values[len(values)/2] * 1.00001
		above := 0
		for _, v := range values {
			if v > cut {
				above++
			}
		}
		near(t, "above", s.Above(cut), float64(above), 0.03*float64(len(values))+1)
		if s.Count() != int64(len(values)) {
			t.Fatal("a value is missing")
		}
	}
}

// Merging gives the same bytes in any order and grouping.
func TestMergeOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 100 {
		values := draw(rng, rng.IntN(400))
		want := sketchOf(t, values...).Bytes()
		rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		parts := make([]*Sketch, 1+rng.IntN(9))
		for i := range parts {
			parts[i] = &Sketch{}
		}
		for _, v := range values {
			_ = parts[rng.IntN(len(parts))].Add(v)
		}
		for len(parts) > 1 {
			i := rng.IntN(len(parts) - 1)
			if rng.IntN(2) == 0 {
				_ = parts[i].MergeBytes(parts[i+1].Bytes())
			} else {
				_ = parts[i].Merge(parts[i+1])
			}
			parts = slices.Delete(parts, i+1, i+2)
		}
		if !bytes.Equal(parts[0].Bytes(), want) {
			t.Fatal("the same values came to other bytes")
		}
	}
}

// Merged sketches must not share memory.
func TestMergedSketchesAreApart(t *testing.T) {
	a, b := &Sketch{}, sketchOf(t, 1, 2, 3)
	before := b.Bytes()
	_ = a.Merge(b)
	_ = a.Add(2)
	if !bytes.Equal(b.Bytes(), before) {
		t.Fatal("adding to one changed the other")
	}
}

func TestSketchRefusesWhatIsNoValue(t *testing.T) {
	s := sketchOf(t, 1)
	before := s.Bytes()
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1e-9} {
		if err := s.Add(v); !errors.Is(err, ErrValue) {
			t.Errorf("%v was taken: %v", v, err)
		}
	}
	if err := s.AddTimes(1, math.MaxUint64); !errors.Is(err, ErrValue) {
		t.Errorf("too many values were taken: %v", err)
	}
	if !bytes.Equal(s.Bytes(), before) {
		t.Error("a refused value left something behind")
	}
	for v, want := range map[float64]float64{math.SmallestNonzeroFloat64: 0, 1e300: 1e9, 1e-6: 1e-6} {
		got, _ := sketchOf(t, v).Quantile(0.5)
		near(t, "the nearest that can be told", got, want, 0.011*want)
	}
	if _, ok := (&Sketch{}).Quantile(0.5); ok {
		t.Error("a quantile came out of nothing")
	}
	if _, ok := s.Quantile(math.NaN()); ok {
		t.Error("there is no quantile at NaN")
	}
}

// The bytes are stored, so their meaning must never change.
func TestEncodedSketchStaysAsItIs(t *testing.T) {
	got := sketchOf(t, 0, 0, 0.25, 0.25, 1.5, 3).Bytes()
	want := []byte{1, 2, 0xee, 0x04, 2, 0x59, 1, 0x21, 1}
	if !bytes.Equal(got, want) {
		t.Fatalf("%#v", got)
	}
}

func TestHourOfCallsFitsIntoFewBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	s := &Sketch{}
	for range 60 {
		_ = s.Add(math.Exp(0.5 * rng.NormFloat64()))
	}
	if n := len(s.Bytes()); n > 120 {
		t.Errorf("60 latencies take %d bytes", n)
	}
}

func FuzzDecodeSketch(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 0})
	f.Add((&Sketch{zero: 3, total: 5, bins: []bin{{17, 2}}}).Bytes())
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{1, 0, 0xff, 0xff, 0xff, 0x7f, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := Decode(b)
		if err != nil {
			if !errors.Is(err, ErrBytes) {
				t.Fatalf("an error of its own: %v", err)
			}
			return
		}
		if len(b) > 0 && !bytes.Equal(s.Bytes(), b) {
			t.Fatal("two encodings of one sketch")
		}
		if _, ok := s.Quantile(0.5); ok != (s.Count() > 0) {
			t.Fatal("a median of nothing, or none of something")
		}
		if a := s.Above(1); a < 0 || a > float64(s.Count()) {
			t.Fatalf("%v of %d values above 1", a, s.Count())
		}
		_ = s.MergeBytes(b)
	})
}

func BenchmarkMergeBytes(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 3))
	var encoded [64][]byte
	for i := range encoded {
		s := &Sketch{}
		for range 300 {
			_ = s.Add(math.Exp(0.5 * rng.NormFloat64()))
		}
		encoded[i] = s.Bytes()
	}
	var all Sketch
	for i := 0; b.Loop(); i++ {
		_ = all.MergeBytes(encoded[i%64])
	}
}

// What is left of the whole equals the other parts added up.
func TestWhatIsLeftOfASketchIsTheOthers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(2, 9))
	var left Sketch
	for range 200 {
		parts := make([]*Sketch, 1+rng.IntN(5))
		var whole Sketch
		for i := range parts {
			if rng.IntN(6) == 0 {
				continue
			}
			parts[i] = &Sketch{}
			for range rng.IntN(40) {
				_ = parts[i].AddTimes(float64(rng.IntN(3))*rng.ExpFloat64(), 1+rng.Uint64N(1<<20))
			}
			_ = whole.Merge(parts[i])
		}
		for i, part := range parts {
			var others Sketch
			for k := range parts {
				if k != i {
					_ = others.Merge(parts[k])
				}
			}
			left.Rest(&whole, part)
			if left.Count() != others.Count() || !bytes.Equal(left.Bytes(), others.Bytes()) {
				t.Fatalf("%x, and not %x", left.Bytes(), others.Bytes())
			}
		}
		left.Rest(&Sketch{}, &whole)
		if left.Count() != 0 || len(left.bins) != 0 {
			t.Fatal("more was taken off than there was")
		}
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
