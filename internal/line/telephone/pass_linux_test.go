package telephone

import (
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// leaver counts its steps and hangs up in one of them.
type leaver struct{ steps, last int }

func (*leaver) Begin(int)               {}
func (*leaver) End(time.Duration, bool) {}

func (p *leaver) Step(_, out *leg.Frame) {
	p.steps++
	out.HangUp = p.steps == p.last
}

// handShard is a shard whose time passes when the test says so.
type handShard struct {
	*shard
	passed *atomic.Int64
}

// byHand returns media with one shard that no thread runs.
func byHand() (*Media, handShard) {
	begun, passed := time.Unix(1700000000, 0), new(atomic.Int64) // an atomic, because other goroutines read the clock too
	m := &Media{opts: MediaOptions{Bind: netip.AddrFrom4([4]byte{127, 0, 0, 1}), Now: func() time.Time {
		return begun.Add(time.Duration(passed.Load()))
	}}}
	driver := &sharded{media: m, time: pace.NewKernelTime(m.opts.Now), stamps: -1}
	driver.lag = pace.NewLag(driver.clock, pace.Seldom, nil)
	h := newShard(driver.time, driver.lag.Leave)
	driver.shards, m.driver = []*shard{h}, driver
	return m, handShard{h, passed}
}

func (h handShard) slot() int64 { return (h.time.Mono() + slotNS - 1) / slotNS }

// frame lets the time of a frame pass.
func (h handShard) frame() {
	for range slots {
		slot := h.slot() + 1
		h.passed.Add(slot*slotNS - h.time.Mono())
		h.work(slot)
	}
}

// TestEverybodyHasOneTurnInEachFrame ends calls at all positions of their lanes, in virtual time:
// whoever moves up to the position of an ended call must have exactly one turn in that frame.
func TestEverybodyHasOneTurnInEachFrame(t *testing.T) {
	t.Parallel()
	m, h := byHand()
	const calls, frames = 50, 12
	var all []*leaver
	for i := range calls {
		s, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		p := &leaver{last: 1 + i*7%(2*frames)}
		all = append(all, p)
		s.Start(Setup{Codec: g711.PCMU(), Party: p, Remote: netip.MustParseAddrPort("127.0.0.1:9")})
	}
	h.takeIn(h.slot())
	for n := range frames {
		h.frame()
		staying := 0
		for i, p := range all {
			if want := min(n+1, p.last); p.steps != want {
				t.Fatalf("after %d frames call %d has had %d turns, not %d", n+1, i, p.steps, want)
			}
			if p.steps < p.last {
				staying++
			}
		}
		if h.count != staying {
			t.Fatalf("after %d frames %d calls are counted, not %d", n+1, h.count, staying)
		}
	}
	h.stop()
	if !h.takeIn(h.slot()) || h.count != 0 {
		t.Errorf("%d calls are left when the thread ends", h.count)
	}
}

// TestAMediaThreadWaitsForNobody checks that a media thread never waits for a lock, because it may
// have preempted the holder; it comes back later.
func TestAMediaThreadWaitsForNobody(t *testing.T) {
	t.Parallel()
	m, h := byHand()
	s, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	s.Start(Setup{Party: quietParty{}, Codec: g711.PCMU()})
	h.mu.Lock()
	if h.takeIn(h.slot()) || h.count != 0 || !h.some.Load() {
		t.Errorf("%d streams were taken in past a lock", h.count)
	}
	h.mu.Unlock()
	h.takeIn(h.slot())
	h.frame()
	s.Stop(ByFar)
	s.orders.mu.Lock()
	h.frame()
	if h.count != 1 {
		t.Error("an order was carried out past a lock")
	}
	s.orders.mu.Unlock()
	h.frame()
	select {
	case <-s.Done():
	default:
		t.Error("the order was forgotten")
	}
}
