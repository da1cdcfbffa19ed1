package telephone

import (
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

func newDriver(m *Media) driver {
	if m.opts.Portable {
		return newPortable(m)
	}
	d := &sharded{media: m, time: pace.NewKernelTime(m.opts.Now), stamps: udp.AskForStamps(), asked: make(chan leg.Ahead, mostAsked)}
	d.lag = pace.NewLag(d.clock, pace.Seldom, d.makeAhead)
	for range m.opts.Shards {
		s := newShard(d.time, d.lag.Leave)
		d.shards = append(d.shards, s)
		d.wg.Go(s.run)
	}
	d.room = len(d.shards) + spareRoom
	pace.MakeRoom(d.room)
	return d
}

// spareRoom is how many processors there are to schedule on beyond those that shards
// keep. Every few hundredths of a second the runtime takes a shard's thread off for a
// moment, as it does with everybody who never waits in a way it knows of, and then another
// thread has to find it again: that one should not have to wait until somebody's
// turn is over, but only for the kernel.
const spareRoom = 2

// sharded spreads streams over a few threads, each with a schedule of its own.
type sharded struct {
	media  *Media
	time   pace.KernelTime
	shards []*shard
	turn   atomic.Uint64
	wg     sync.WaitGroup
	// room is how many processors were added for the shards.
	room int
	// stamps is a socket that nobody uses, -1 for none: see udp.AskForStamps.
	stamps int
	lag    *pace.Lag
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

func (d *sharded) clock() int64 { return d.time.Mono() }

func (d *sharded) open(port uint16) (socket, error) { return udp.Open(d.media.opts.Bind, port) }

func (d *sharded) add(s *Stream) {
	d.lag.Enter()
	s.setup.Tape.Ask(d.asked)
	n := d.turn.Add(1)
	d.shards[n%uint64(len(d.shards))].hand(s)
}

func (d *sharded) load() pace.Load {
	var all pace.Load
	for _, s := range d.shards {
		all = all.With(s.gauge.Read(d.clock()))
	}
	all.Behind = time.Duration(d.lag.Load(d.clock()))
	return all
}

func (d *sharded) lateness() (all pace.Lateness) {
	for _, s := range d.shards {
		s.gauge.Lateness(d.clock(), &all)
	}
	return all
}

func (d *sharded) close() {
	for _, s := range d.shards {
		s.stop()
	}
	d.wg.Wait()
	d.over.Do(func() {
		pace.MakeRoom(-d.room)
		if d.stamps >= 0 {
			_ = unix.Close(d.stamps)
		}
	})
}
