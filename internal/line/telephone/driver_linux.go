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

// spareRoom is the number of scheduler processors (GOMAXPROCS) beyond those kept by shards.
// Every few hundredths of a second the runtime retakes a shard's processor, as it does from any
// thread that blocks without the runtime's knowledge, and another thread then has to resume the
// shard. That thread must not have to wait for a processor first.
const spareRoom = 2

// sharded distributes streams over a few threads, each with a schedule of its own.
type sharded struct {
	media  *Media
	time   pace.KernelTime
	shards []*shard
	turn   atomic.Uint64
	wg     sync.WaitGroup
	// room is the number of processors added for the shards.
	room int
	// stamps is an otherwise unused socket, -1 for none: see udp.AskForStamps.
	stamps int
	lag    *pace.Lag
	// asked receives the memory requests of tapes.
	asked chan leg.Ahead
	over  sync.Once
}

// mostAsked is the maximum of memory requests between two beats.
const mostAsked = 1024

// makeAhead allocates the memory requested by tapes.
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
