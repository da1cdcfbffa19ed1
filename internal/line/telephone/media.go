package telephone

import (
	"fmt"
	"net/netip"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// MediaOptions say where and how media flows.
type MediaOptions struct {
	// Bind is the local address of the RTP sockets; the zero value is 127.0.0.1.
	Bind netip.Addr
	// Ports bounds the RTP ports (first, last); zero lets the system choose.
	Ports [2]uint16
	// Shards is the number of media threads; 0 chooses by the number of processors.
	Shards int
	// Portable uses ordinary goroutines and timers even where the fast loop works.
	Portable bool
	// Now is the wall clock; it must carry a monotonic reading.
	Now func() time.Time
}

// Media runs the streams of many calls.
type Media struct {
	opts   MediaOptions
	driver driver
	base   time.Time
	// turn counts the searches for a free port.
	turn atomic.Uint32
}

// driver steps streams in time: a few threads with a schedule, or a goroutine each.
type driver interface {
	// clock is the engine time in ns.
	clock() int64
	// open binds the sockets of a stream.
	open(port uint16) (socket, error)
	// add takes over a stream until it is over.
	add(*Stream)
	// load is how the last second went.
	load() pace.Load
	// lateness counts the frames that have left by how late they were.
	lateness() pace.Lateness
	// close ends all streams (ByOrder) and waits for them.
	close()
}

// socket is the pair of UDP ports of a stream. Sends are never waited for: what
// the kernel will not take is lost, as on any network.
type socket interface {
	Port() uint16
	Send(b []byte, to netip.AddrPort)
	SendControl(b []byte, to netip.AddrPort)
	// Settle says that RTP comes from peer and from nobody else, Loosen takes that back.
	Settle(peer netip.AddrPort)
	Loosen()
	// Dropped is how many packets of RTP this machine threw away because nobody took
	// them in time; 0 where the system does not tell.
	Dropped() int64
	Close()
}

// NewMedia starts the media threads. They sleep while there is no call.
func NewMedia(opts MediaOptions) *Media {
	if !opts.Bind.IsValid() {
		opts.Bind = netip.AddrFrom4([4]byte{127, 0, 0, 1})
	}
	if opts.Shards <= 0 {
		opts.Shards = max(1, runtime.NumCPU()/4)
	}
	m := &Media{opts: opts, base: opts.Now()}
	m.driver = newDriver(m)
	return m
}

// Open binds the ports of a stream, so that what comes from now on is kept.
func (m *Media) Open() (*Stream, error) {
	sock, err := m.openPair()
	if err != nil {
		return nil, fmt.Errorf("binding RTP ports: %w", err)
	}
	return &Stream{media: m, sock: sock, done: make(chan struct{})}, nil
}

// openPair looks for an even port whose successor is free too.
func (m *Media) openPair() (socket, error) {
	first, last := m.opts.Ports[0], m.opts.Ports[1]
	if first == 0 {
		return m.driver.open(0)
	}
	// Each call begins to look behind the one before: whoever spoke to the call that
	// had a port last may not have noticed its end yet.
	lowest, pairs := pairsOf(first, last)
	begin := m.turn.Add(1)
	var err error
	for i := range pairs {
		var s socket
		if s, err = m.driver.open(uint16(lowest + (begin+i)%pairs*2)); err == nil {
			return s, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("no even port between %d and %d", first, last)
	}
	return nil, err
}

// Pairs is how many calls have ports among those from the first to the last one, 0 for the zero value, which
// leaves the choice to the system.
func Pairs(ports [2]uint16) int {
	if ports[0] == 0 {
		return 0
	}
	_, pairs := pairsOf(ports[0], ports[1])
	return int(pairs)
}

// pairsOf are the lowest even port of a range, and how many pairs of ports begin with it.
func pairsOf(first, last uint16) (lowest, pairs uint32) {
	lowest = (uint32(first) + 1) &^ 1
	return lowest, (max(uint32(last)+1, lowest) - lowest) / 2
}

// Load is how hard the media loop worked during the last second, and how well it kept its schedule.
func (m *Media) Load() pace.Load { return m.driver.load() }

// Lateness is how late the frames were that have left since the beginning.
func (m *Media) Lateness() pace.Lateness { return m.driver.lateness() }

// Close ends every stream and stops the threads.
func (m *Media) Close() { m.driver.close() }

// wall is the wall time of an engine time.
func (m *Media) wall(ns int64) time.Time {
	return m.opts.Now().Add(time.Duration(ns - m.driver.clock()))
}
