package app

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Thousands of bad requests leave nothing open. It is not parallel to others: it
// counts what the whole process holds.
func TestBadRequestsLeaveNothingBehind(t *testing.T) {
	r := newRig(t)
	all := func() {
		everyBrokenBody(t, r)
		everyOddQuery(t, r)
		everyOddKey(t, r)
		for _, c := range httpCases() {
			_, _ = r.raw(t, c.request) // what it answers is another test
		}
		http.DefaultClient.CloseIdleConnections()
	}
	all()
	before := held(nil)
	all()
	compare(t, before)
}

// footprint is what a process holds.
type footprint struct{ goroutines, sockets, files, heap int }

func (f footprint) String() string {
	return fmt.Sprintf("%d goroutines, %d sockets, %d files, %d kB", f.goroutines, f.sockets, f.files, f.heap>>10)
}

// held counts once things have come to rest, half a minute at most, or as soon
// as no more is held than is allowed.
func held(allowed *footprint) footprint {
	var f footprint
	for range 150 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		f = footprint{goroutines: runtime.NumGoroutine(), heap: int(m.HeapAlloc)}
		entries, _ := os.ReadDir("/proc/self/fd")
		for _, e := range entries {
			if to, _ := os.Readlink("/proc/self/fd/" + e.Name()); strings.HasPrefix(to, "socket:") {
				f.sockets++
			} else {
				f.files++
			}
		}
		if allowed != nil && f.goroutines <= allowed.goroutines && f.sockets <= allowed.sockets && f.files <= allowed.files && f.heap <= allowed.heap {
			return f
		}
		if allowed == nil && f.goroutines == 0 {
			return f
		}
		time.Sleep(200 * time.Millisecond)
		if allowed == nil {
			break
		}
	}
	return f
}

// compare fails when more is held than before, beyond what pools may keep warm.
func compare(t *testing.T, before footprint) {
	t.Helper()
	allowed := before
	allowed.goroutines += 4 // connections to the database, which are kept
	allowed.files += 8
	allowed.heap += 4 << 20
	after := held(&allowed)
	t.Logf("before: %v; after: %v", before, after)
	if after.goroutines > allowed.goroutines || after.sockets > allowed.sockets || after.files > allowed.files || after.heap > allowed.heap {
		var stacks bytes.Buffer
		stacks.Grow(1 << 20)
		buf := make([]byte, 1<<20)
		stacks.Write(buf[:runtime.Stack(buf, true)])
		t.Errorf("before: %v; after: %v\n%.20000s", before, after, stacks.String())
	}
}
