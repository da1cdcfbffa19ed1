package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"testing"
)

func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	var w Writer
	w.Uint(300)
	w.Uint(-1)
	w.Int(math.MinInt64)
	w.Text("ü")
	w.Bytes(nil)
	w.Flag(true)
	w.Milli(-0.0125)
	w.Millis([]float64{1, 2.5})
	w.Millis(nil)
	read := func(r *Reader) []any {
		return []any{r.Uint(), r.Uint(), r.Int(), r.Text(), len(r.Bytes()), r.Flag(), r.Milli(), r.Millis(), r.Millis()}
	}
	r := Reader{B: w.B}
	want := []any{300, 0, int64(math.MinInt64), "ü", 0, true, -0.013, []float64{1, 2.5}, []float64(nil)}
	if got := read(&r); !reflect.DeepEqual(got, want) || r.Err != nil || len(r.Rest()) > 0 {
		t.Errorf("read %v, want %v; %v, %d bytes are left", got, want, r.Err, len(r.Rest()))
	}
	for n := range w.B {
		r := Reader{B: w.B[:n]}
		if read(&r); r.Err == nil {
			t.Errorf("%d of %d bytes are read without a fault", n, len(w.B))
		}
	}
}

// A number of things cannot be greater than the bytes that are left.
func TestNoRoomIsMadeForWhatIsNotThere(t *testing.T) {
	t.Parallel()
	var w Writer
	w.Uint(1 << 40)
	r := Reader{B: w.B}
	if got := r.Millis(); got != nil || r.Err == nil {
		t.Errorf("%d values, %v", len(got), r.Err)
	}
}

// What is read of any bytes is what the standard library's varints say of them, number by number.
func FuzzReader(f *testing.F) {
	var w Writer
	for _, v := range []int64{0, -1, 63, 64, -64, -65, 1 << 20, math.MaxInt64, math.MinInt64} {
		w.Int(v)
		w.Uint(int(v))
	}
	f.Add(w.B)
	f.Add([]byte{0x80, 0, 1, 0xff})
	f.Add(append(bytes.Repeat([]byte{0xff}, 9), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		signed, unsigned := Reader{B: b}, Reader{B: b}
		for rest := b; ; {
			v, n := binary.Varint(rest)
			got := signed.Int()
			if n <= 0 {
				if got != 0 || signed.Err == nil {
					t.Fatalf("%x: %d is read, where nothing can be", rest, got)
				}
				break
			}
			if rest = rest[n:]; got != v || signed.Err != nil || !bytes.Equal(signed.Rest(), rest) {
				t.Fatalf("%x: %d is read, and not %d", b, got, v)
			}
		}
		for rest := b; ; {
			v, n := binary.Uvarint(rest)
			got := unsigned.Uint()
			if n <= 0 || v > math.MaxInt64 {
				if got != 0 || unsigned.Err == nil {
					t.Fatalf("%x: %d is read, where nothing can be", rest, got)
				}
				break
			}
			if rest = rest[n:]; got != int(v) || unsigned.Err != nil || !bytes.Equal(unsigned.Rest(), rest) {
				t.Fatalf("%x: %d is read, and not %d", b, got, v)
			}
		}
	})
}

// Numbers that are added to places are those that are read one by one.
func FuzzAddInts(f *testing.F) {
	var w Writer
	for _, v := range []int64{0, -1, 63, 64, -64, -65, 8191, 8192, 1 << 20, math.MaxInt64, math.MinInt64, 5} {
		w.Int(v)
	}
	f.Add(w.B, uint64(0xfff))
	f.Add(w.B, uint64(0x80f0f0f0f0f))
	f.Add(w.B, uint64(1)<<40|3)
	f.Add(append(w.B, 0x80, 0, 1, 0x80), uint64(0xffff))
	f.Fuzz(func(t *testing.T, b []byte, places uint64) {
		var got, want [40]int64
		all, single := Reader{B: b}, Reader{B: b}
		all.AddInts(got[:], places)
		for i := 0; i < 64 && single.Err == nil; i++ {
			switch {
			case places>>i&1 == 0:
			case i >= len(want):
				single.Fail()
			default:
				want[i] += single.Int()
			}
		}
		if got != want || !errors.Is(all.Err, single.Err) || !bytes.Equal(all.Rest(), single.Rest()) {
			t.Fatalf("%x at %b: %v and not %v, %v and not %v", b, places, got, want, all.Err, single.Err)
		}
	})
}
