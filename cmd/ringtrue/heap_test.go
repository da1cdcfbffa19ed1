package main

import (
	"runtime"
	"testing"
	"time"
)

// What may lie about uncollected is four times what is in use while that is little, and
// no more than mostSpare beyond it until that is a great deal.
func TestGrowth(t *testing.T) {
	t.Parallel()
	for _, live := range []uint64{0, 1 << 20, 100 << 20, 128 << 20, 129 << 20, 300 << 20, 512 << 20, 1 << 30, 100 << 30} {
		spare := live * uint64(growth(live)) / 100
		switch {
		case live <= 128<<20 && growth(live) != 400:
			t.Errorf("of %d MiB in use the heap grows by %d %%", live>>20, growth(live))
		case live > 128<<20 && live <= 1<<30 && (spare > mostSpare || spare < mostSpare*9/10):
			t.Errorf("of %d MiB in use %d MiB may lie about", live>>20, spare>>20)
		case live > 1<<30 && growth(live) != leastGrowth:
			t.Errorf("of %d MiB in use the heap grows by %d %%", live>>20, growth(live))
		}
	}
}

func TestAfterEachCollection(t *testing.T) { //nolint:paralleltest // it collects
	collected := make(chan struct{}, 100)
	afterEach(func() { collected <- struct{}{} })
	for range 3 {
		runtime.GC()
		select {
		case <-collected:
		case <-time.After(30 * time.Second):
			t.Fatal("nobody heard of a collection")
		}
	}
}
