package line

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

func newDriver(m *Media) driver {
	if m.opts.Portable {
		return newPortable(m)
	}
	d := &sharded{media: m, time: newKernelTime(m), stamps: udp.AskForStamps(), asked: make(chan leg.Ahead, mostAsked)}
	d.lag.clock, d.lag.every, d.lag.errand = d.clock, lagSeldom, d.makeAhead
	for range m.opts.Shards {
		s := newShard(d.time, d.lag.leave)
		d.shards = append(d.shards, s)
		d.wg.Go(s.run)
	}
	d.room = len(d.shards) + spareRoom
	makeRoom(d.room)
	return d
}

// spareRoom is how many processors there are to schedule on beyond those that shards
// keep. Every few hundredths of a second the runtime takes a shard's thread off for a
// moment, as it does with everybody who never waits in a way it knows of, and then another
// thread has to find it again: that one should not have to wait until somebody's
// turn is over, but only for the kernel.
const spareRoom = 2

// makeRoom gives the program n more processors to schedule on, because shards
// keep theirs while they sleep for a slot. Lines in one process add up.
func makeRoom(n int) { runtime.GOMAXPROCS(max(1, runtime.GOMAXPROCS(0)+n)) }

// sharded spreads streams over a few threads, each with a schedule of its own.
type sharded struct {
	media  *Media
	time   kernelTime
	shards []*shard
	turn   atomic.Uint64
	wg     sync.WaitGroup
	// room is how many processors were added for the shards.
	room int
	// stamps is a socket that nobody uses, -1 for none: see udp.AskForStamps.
	stamps int
	lag    lag
	// asked is what memory the tapes have asked for.
	asked chan leg.Ahead
	over  sync.Once
}

// mostAsked is for how many channels memory may be asked for from one beat to the next.
const mostAsked = 1024

// makeAhead makes the memory that the tapes have asked for.
func (d *sharded) makeAhead() {
	for {
		select {
		case next := <-d.asked:
			next.Make()
		default:
			return
		}
	}
}

func (d *sharded) clock() int64 { return d.time.mono() }

func (d *sharded) open(port uint16) (socket, error) { return udp.Open(d.media.opts.Bind, port) }

func (d *sharded) add(s *Stream) {
	d.lag.enter()
	s.setup.Tape.Ask(d.asked)
	n := d.turn.Add(1)
	d.shards[n%uint64(len(d.shards))].hand(s)
}

func (d *sharded) load() Load {
	var all Load
	for _, s := range d.shards {
		all = all.With(s.gauge.read(d.clock()))
	}
	all.Behind = time.Duration(d.lag.load(d.clock()))
	return all
}

func (d *sharded) lateness() (all Lateness) {
	for _, s := range d.shards {
		s.gauge.lateness(d.clock(), &all)
	}
	return all
}

func (d *sharded) close() {
	for _, s := range d.shards {
		s.stop()
	}
	d.wg.Wait()
	d.over.Do(func() {
		makeRoom(-d.room)
		if d.stamps >= 0 {
			_ = unix.Close(d.stamps)
		}
	})
}
