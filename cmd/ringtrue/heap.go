package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	// usualGrowth is by how many percent the heap may grow before it is collected, while it is
	// small: each collection can hold up the media loop.
	usualGrowth = 400
	// leastGrowth keeps the collector from doing nothing else.
	leastGrowth = 50
	// mostSpare is how much garbage may wait for a collection. A long recording takes a
	// quarter of a gigabyte, and must not come to several.
	mostSpare = 512 << 20
)

// growth is the percentage for a heap with live bytes in use.
func growth(live uint64) int {
	if live <= mostSpare*100/usualGrowth {
		return usualGrowth
	}
	return max(leastGrowth, int(mostSpare*100/live)) //nolint:gosec // below usualGrowth
}

// tendHeap sets how often the heap is collected, now and after each collection.
func tendHeap() {
	var set atomic.Int64
	set.Store(usualGrowth)
	debug.SetGCPercent(usualGrowth)
	afterEach(func() {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		now := int64(growth(live[0].Value.Uint64()))
		// Setting it stops the program for a moment, so small steps are not worth it.
		if was := set.Load(); now*10 < was*9 || now*9 > was*10 || now == usualGrowth && was != now {
			set.Store(now)
			debug.SetGCPercent(int(now))
		}
	})
}

// mark is an object that nobody holds, so that each collection finds it.
type mark struct{ _ [16]byte }

// afterEach has f called after each collection.
func afterEach(f func()) {
	runtime.SetFinalizer(&mark{}, func(*mark) {
		f()
		afterEach(f)
	})
}
