package pack

import (
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
	if got := read(&r); !reflect.DeepEqual(got, want) || r.Err != nil || len(r.B) > 0 {
		t.Errorf("read %v, want %v; %v, %d bytes are left", got, want, r.Err, len(r.B))
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
