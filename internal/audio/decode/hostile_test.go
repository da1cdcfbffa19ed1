package decode_test

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio/decode"
	"github.com/ringtrue/ringtrue/internal/audio/decode/decodetest"
)

// peak samples the size of the heap every millisecond until stop is called, which returns the
// largest.
func peak() (stop func() uint64) {
	var most atomic.Uint64
	over, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		ticks := time.NewTicker(time.Millisecond)
		defer ticks.Stop()
		var m runtime.MemStats
		for {
			runtime.ReadMemStats(&m)
			most.Store(max(most.Load(), m.HeapAlloc))
			select {
			case <-over:
				return
			case <-ticks.C:
			}
		}
	}()
	return func() uint64 {
		close(over)
		<-gone
		return most.Load()
	}
}

// TestHoursOfNothing checks that a few bytes whose positions jump cost nothing before they are
// refused, and that silence between two sounds of an accepted file keeps its length. It is not
// parallel, because it measures memory.
func TestHoursOfNothing(t *testing.T) { //nolint:paralleltest // see above
	file := jumps(300, 3500)
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	stop := peak()
	_, err := decode.Decode(t.Context(), bytes.NewReader(file), decode.Limits{Length: 2 * time.Hour})
	if cost := int64(stop()) - int64(before.HeapAlloc); !errors.Is(err, decode.ErrTooLong) || cost > 16<<20 {
		t.Errorf("%v; %d bytes cost %d MB", err, len(file), cost>>20)
	}
	got, err := decode.Decode(t.Context(), bytes.NewReader(jumps(20, 10)), decode.Limits{})
	if want := 190 * time.Second; err != nil || (got.Duration()-want).Abs() > time.Second || len(got.Channels) != 2 || len(got.Channels[0]) != len(got.Channels[1]) {
		t.Errorf("%s of %s, %v", got.Duration(), want, err)
	}
}

// jumps returns an Opus file whose pages hold one short packet each and are the given number of
// seconds apart.
func jumps(pages int, seconds int64) []byte {
	w := &oggWriter{serial: 1}
	w.heads(0)
	for i := range int64(pages) {
		w.page(0, (i+1)*seconds*48000, []byte{0xfc})
	}
	return w.out
}

// TestSoundThatNobodyHears checks that streams whose sound is all skipped at the beginning or cut
// at the end, of which any number can be concatenated, are not decoded for longer than a recording
// may last.
func TestSoundThatNobodyHears(t *testing.T) {
	t.Parallel()
	long := slices.Repeat([][]byte{{0x1b, 2}}, 11) // 120 ms each
	for name, one := range map[string]func(w *oggWriter){
		"skipped": func(w *oggWriter) { w.page(4, 11*5760, long...) },
		"cut":     func(w *oggWriter) { w.page(4, 0, long...) },
		"none":    func(*oggWriter) {},
	} {
		w := &oggWriter{}
		for range 50 {
			w.serial++
			w.heads(math.MaxUint16)
			one(w)
		}
		// A sound at the end shows how far the file was read.
		w.serial++
		w.heads(0)
		w.page(4, 960, []byte{0xfc})
		for length, fine := range map[time.Duration]bool{75 * time.Second: true, 4 * time.Second: false} {
			_, err := decode.Decode(t.Context(), bytes.NewReader(w.out), decode.Limits{Length: length})
			if fine != (err == nil) || !fine && !strings.Contains(err.Error(), "hardly anything") {
				t.Errorf("%s, of %s: %v", name, length, err)
			}
		}
	}
}

// TestFilesThatAreMadeToBreakReaders is not parallel, because it measures the memory and time that
// a file costs.
func TestFilesThatAreMadeToBreakReaders(t *testing.T) { //nolint:paralleltest // see above
	const quarter = 15 * time.Minute // at most 58 MB of samples
	longest := 5 * time.Second
	if raced {
		longest *= 5
	}
	for name, file := range decodetest.Broken() {
		runtime.GC()
		var before runtime.MemStats
		runtime.ReadMemStats(&before)
		stop, began := peak(), spent(t)
		got, err := decode.Decode(t.Context(), bytes.NewReader(file), decode.Limits{Length: quarter, Bytes: 8 << 20})
		took, most := spent(t)-began, stop()
		switch {
		case err == nil && (len(got.Channels) < 1 || len(got.Channels) > 2 || got.Rate < 4000 || got.Rate > 16000 || got.Duration() == 0 || got.Duration() > quarter+time.Second):
			t.Errorf("%s: %d channels at %d Hz, %s", name, len(got.Channels), got.Rate, got.Duration())
		case err != nil && !errors.Is(err, decode.ErrFormat) && !errors.Is(err, decode.ErrTooLong) && !errors.Is(err, decode.ErrTooLarge):
			t.Errorf("%s: %v", name, err)
		}
		if cost := int64(most) - int64(before.HeapAlloc); cost > 256<<20 || took > longest {
			t.Errorf("%s: %d bytes cost %d MB and %s", name, len(file), cost>>20, took)
		}
	}
}
