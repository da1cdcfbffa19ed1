package telephone

import (
	"fmt"
	"net/netip"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// MediaOptions configure Media.
type MediaOptions struct {
	// Bind is the local address of the RTP sockets. The zero value means 127.0.0.1.
	Bind netip.Addr
	// Ports is the range of RTP ports (first, last). Zero lets the system choose.
	Ports [2]uint16
	// Shards is the number of media threads. 0 chooses by the number of processors.
	Shards int
	// Portable uses ordinary goroutines and timers even where media threads are available.
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

// driver steps streams on time: with a few threads and a schedule, or a goroutine for each.
type driver interface {
	// clock returns the engine time in ns.
	clock() int64
	// open binds the sockets of a stream.
	open(port uint16) (socket, error)
	// add runs a stream until it is over.
	add(*Stream)
	// load returns the load of the last second.
	load() pace.Load
	// lateness returns the lateness of all frames sent.
	lateness() pace.Lateness
	// close ends all streams (ByOrder) and waits for them.
	close()
}

// socket is the pair of UDP ports of a stream. Sending never blocks: packets that the kernel
// does not accept are lost.
type socket interface {
	Port() uint16
	Send(b []byte, to netip.AddrPort)
	SendControl(b []byte, to netip.AddrPort)
	// Settle declares that RTP comes from peer and from nobody else. Loosen revokes that.
	Settle(peer netip.AddrPort)
	Loosen()
	// Dropped returns how many RTP packets this machine discarded because they were not read in
	// time, 0 where that is unknown.
	Dropped() int64
	Close()
}

// NewMedia starts the media threads. They sleep while there are no calls.
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

// Open binds the ports of a stream. Packets are received from then on.
func (m *Media) Open() (*Stream, error) {
	sock, err := m.openPair()
	if err != nil {
		return nil, fmt.Errorf("binding RTP ports: %w", err)
	}
	return &Stream{media: m, sock: sock, done: make(chan struct{})}, nil
}

// openPair finds an even port whose successor is free too.
func (m *Media) openPair() (socket, error) {
	first, last := m.opts.Ports[0], m.opts.Ports[1]
	if first == 0 {
		return m.driver.open(0)
	}
	// Each search begins after the port of the previous call, since whoever sent to a recently
	// used port may not have noticed the end of that call yet.
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

// Pairs returns the number of calls that can have ports in a range (first, last) at the same time, 0 for the
// zero value, which leaves the choice to the system.
func Pairs(ports [2]uint16) int {
	if ports[0] == 0 {
		return 0
	}
	_, pairs := pairsOf(ports[0], ports[1])
	return int(pairs)
}

// pairsOf returns the lowest even port of a range and the number of pairs of ports in it.
func pairsOf(first, last uint16) (lowest, pairs uint32) {
	lowest = (uint32(first) + 1) &^ 1
	return lowest, (max(uint32(last)+1, lowest) - lowest) / 2
}

// Load returns the load and punctuality of the media loop in the last second.
func (m *Media) Load() pace.Load { return m.driver.load() }

// Lateness returns the lateness of all frames sent so far.
func (m *Media) Lateness() pace.Lateness { return m.driver.lateness() }

// Close ends every stream and stops the threads.
func (m *Media) Close() { m.driver.close() }

// wall converts an engine time to wall time.
func (m *Media) wall(ns int64) time.Time {
	return m.opts.Now().Add(time.Duration(ns - m.driver.clock()))
}
