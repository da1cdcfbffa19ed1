package telephone

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/line/udp"
)

// portable runs each stream with a goroutine and read deadlines. It is for systems without
// media threads and has the same behaviour.
type portable struct {
	media *Media
	wg    sync.WaitGroup

	noting sync.Mutex
	gauge  pace.Gauge

	mu      sync.Mutex
	closed  bool
	streams map[*Stream]bool
}

func newPortable(m *Media) *portable {
	return &portable{media: m, streams: map[*Stream]bool{}}
}

func (d *portable) clock() int64 { return int64(d.media.opts.Now().Sub(d.media.base)) }

func (d *portable) open(port uint16) (socket, error) {
	return udp.OpenConns(d.media.opts.Bind, port)
}

func (d *portable) add(s *Stream) {
	d.mu.Lock()
	closed := d.closed
	if !closed {
		d.streams[s] = true
		d.wg.Add(1)
	}
	d.mu.Unlock()
	if closed {
		s.lend(&scratch{})
		s.begin(d.clock())
		s.end(ByOrder)
		s.finish()
		return
	}
	go d.run(s)
}

// note locks the gauge, which is meant for a single thread.
func (d *portable) note(now, late int64) {
	streams := d.running()
	d.noting.Lock()
	defer d.noting.Unlock()
	d.gauge.Note(now, late, 0, 1, streams)
}

func (d *portable) load() pace.Load { return d.gauge.Read(d.clock()) }

func (d *portable) lateness() (all pace.Lateness) {
	d.gauge.Lateness(d.clock(), &all)
	return all
}

func (d *portable) running() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.streams)
}

func (d *portable) close() {
	d.mu.Lock()
	d.closed = true
	for s := range d.streams {
		s.Stop(ByOrder)
	}
	d.mu.Unlock()
	d.wg.Wait()
}

// controlPacket is an RTCP datagram on its way to the stream's own goroutine.
type controlPacket struct {
	b    [512]byte
	n    int
	from netip.AddrPort
	at   int64
}

func (d *portable) run(s *Stream) {
	defer d.wg.Done()
	pair := s.sock.(*udp.Conns)
	reports := make(chan controlPacket, 4)
	d.wg.Go(func() { d.readControl(pair.Control, reports) })
	var buf [udp.MostBytes]byte
	d.clear(pair.RTP, buf[:])
	s.lend(&scratch{})
	s.begin(d.clock())
	for {
		d.read(s, pair.RTP, buf[:], s.zero+s.next*frameNS)
		select {
		case c := <-reports:
			s.receiveControl(c.b[:c.n], c.from, c.at)
		default:
		}
		due := s.zero + s.next*frameNS
		over := s.tick(d.clock())
		now := d.clock()
		d.note(now, now-due)
		if over {
			break
		}
	}
	d.read(s, pair.RTP, buf[:], d.clock()+int64(time.Millisecond))
	d.mu.Lock()
	delete(d.streams, s)
	d.mu.Unlock()
	s.finish()
}

// read processes what arrives until engine time until, with a limit on the number of packets.
func (d *portable) read(s *Stream, conn *net.UDPConn, buf []byte, until int64) {
	_ = conn.SetReadDeadline(d.media.base.Add(time.Duration(until)))
	for range floodBound {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				d.rest(until)
			}
			return
		}
		s.receive(buf[:n], netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), d.clock())
	}
	d.rest(until)
}

// clear discards what arrived before the answer. Without kernel timestamps its last moment
// cannot be distinguished from the rest.
func (d *portable) clear(conn *net.UDPConn, buf []byte) {
	_ = conn.SetReadDeadline(d.media.opts.Now().Add(time.Millisecond))
	for range 1024 {
		if _, _, err := conn.ReadFromUDPAddrPort(buf); err != nil {
			return
		}
	}
}

// rest waits without reading, after a socket error or during a flood.
func (d *portable) rest(until int64) {
	if wait := until - d.clock(); wait > 0 {
		t := time.NewTimer(time.Duration(wait))
		<-t.C
	}
}

func (d *portable) readControl(conn *net.UDPConn, out chan<- controlPacket) {
	for {
		var c controlPacket
		n, from, err := conn.ReadFromUDPAddrPort(c.b[:])
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		c.n, c.from, c.at = n, netip.AddrPortFrom(from.Addr().Unmap(), from.Port()), d.clock()
		select {
		case out <- c:
		default:
		}
	}
}
