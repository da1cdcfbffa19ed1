package pace

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestLagIsTheWorstOfTheLastMoments uses a synctest bubble, in which nobody is late until the clock
// says so.
func TestLagIsTheWorstOfTheLastMoments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var skew atomic.Int64
		l := &Lag{every: often, clock: func() int64 { return int64(time.Since(begun)) + skew.Load() }}
		l.Enter()
		l.Enter()
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if b := l.Behind(l.clock()); b > 0 {
			t.Errorf("on a free machine it is %v behind", time.Duration(b))
		}
		skew.Store(int64(30 * time.Millisecond))
		if b := time.Duration(l.Behind(l.clock())); b < 25*time.Millisecond || b > 30*time.Millisecond {
			t.Errorf("30 ms after the last beat it is %v behind", b)
		}
		time.Sleep(20 * time.Millisecond)
		synctest.Wait()
		if b := time.Duration(l.Behind(l.clock())); b != 30*time.Millisecond {
			t.Errorf("after a beat that was 30 ms late it is %v behind", b)
		}
		l.Leave()
		time.Sleep(100 * time.Millisecond)
		synctest.Wait()
		if b := l.Behind(l.clock()); b > 0 {
			t.Errorf("later on it is still %v behind", time.Duration(b))
		}
		l.Leave() // the bubble only ends when the goroutine has left
	})
}

func TestLagTellsTheWorstOfTheLastSecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		var skew atomic.Int64
		l := &Lag{every: Seldom, clock: func() int64 { return int64(time.Since(begun)) + skew.Load() }}
		load := func() time.Duration { return time.Duration(l.Load(l.clock())) }
		l.Enter()
		time.Sleep(1010 * time.Millisecond)
		synctest.Wait()
		if b := load(); b > 0 {
			t.Errorf("on a free machine the load is %v", b)
		}
		skew.Store(int64(70 * time.Millisecond))
		if b := load(); b < 50*time.Millisecond || b > 70*time.Millisecond {
			t.Errorf("70 ms after the last beat the load is %v", b)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if b := load(); b != 70*time.Millisecond {
			t.Errorf("a second after a beat that was 70 ms late the load is %v", b)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if b := load(); b > 0 {
			t.Errorf("two seconds later the load is still %v", b)
		}
		skew.Add(int64(70 * time.Millisecond))
		l.Leave()
		if b := load(); b != 0 {
			t.Errorf("without calls the load is %v", b)
		}
	})
}

// TestAPeakIsNotLostToALookFromTheFuture checks that a peak is kept although the reader read the
// clock after the writer but got the lock first.
func TestAPeakIsNotLostToALookFromTheFuture(t *testing.T) {
	t.Parallel()
	var p peak
	p.note(secondNS, 100)
	if got := p.read(2 * secondNS); got != 100 {
		t.Errorf("the worst of the second was %d", got)
	}
	p.note(2*secondNS-1, 7)
	if got := p.read(2*secondNS + 1); got != 100 {
		t.Errorf("a moment later it was %d", got)
	}
	if got := p.read(3 * secondNS); got != 7 {
		t.Errorf("the worst of the next second was %d", got)
	}
}
