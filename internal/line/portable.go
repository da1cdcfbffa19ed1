package line

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"
)

// portable drives each stream by a goroutine and its read deadline. It is for
// systems without the fast loop and keeps the same contract.
type portable struct {
	media *Media
	wg    sync.WaitGroup

	gauge gauge

	mu      sync.Mutex
	closed  bool
	streams map[*Stream]bool
}

func newPortable(m *Media) *portable {
	return &portable{media: m, streams: map[*Stream]bool{}}
}

func (d *portable) clock() int64 { return int64(d.media.opts.Now().Sub(d.media.base)) }

func (d *portable) open(port uint16) (socket, error) {
	if port != 0 {
		return d.openAt(port)
	}
	var err error
	for range 100 {
		var probe *net.UDPConn
		if probe, err = d.listen(0); err != nil {
			return nil, err
		}
		even := probe.LocalAddr().(*net.UDPAddr).AddrPort().Port() &^ 1
		_ = probe.Close()
		var s socket
		if s, err = d.openAt(even); err == nil {
			return s, nil
		}
	}
	return nil, err
}

func (d *portable) openAt(port uint16) (socket, error) {
	rtp, err := d.listen(port)
	if err != nil {
		return nil, err
	}
	control, err := d.listen(port + 1)
	if err != nil {
		_ = rtp.Close()
		return nil, err
	}
	return &connPair{rtp: rtp, control: control, own: port}, nil
}

func (d *portable) listen(port uint16) (*net.UDPConn, error) {
	return net.ListenUDP("udp", net.UDPAddrFromAddrPort(netip.AddrPortFrom(d.media.opts.Bind, port)))
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

func (d *portable) load() Load { return d.gauge.read(d.clock()) }

func (d *portable) lateness() (all Lateness) {
	d.gauge.lateness(d.clock(), &all)
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

// report is a datagram of RTCP on its way to the stream's own goroutine.
type controlPacket struct {
	b    [512]byte
	n    int
	from netip.AddrPort
	at   int64
}

func (d *portable) run(s *Stream) {
	defer d.wg.Done()
	pair := s.sock.(*connPair)
	reports := make(chan controlPacket, 4)
	d.wg.Go(func() { d.readControl(pair.control, reports) })
	var buf [maxPacket]byte
	d.clear(pair.rtp, buf[:])
	s.lend(&scratch{})
	s.begin(d.clock())
	for {
		d.read(s, pair.rtp, buf[:], s.zero+s.next*frameNS)
		select {
		case c := <-reports:
			s.receiveControl(c.b[:c.n], c.from, c.at)
		default:
		}
		due := s.zero + s.next*frameNS
		over := s.tick(d.clock())
		now := d.clock()
		d.gauge.note(now, now-due, 0, 1, d.running())
		if over {
			break
		}
	}
	d.read(s, pair.rtp, buf[:], d.clock()+int64(time.Millisecond))
	d.mu.Lock()
	delete(d.streams, s)
	d.mu.Unlock()
	s.finish()
}

// read takes in what arrives until engine time until, a bounded number of
// packets at most.
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

// clear throws away what came before the answer. Without kernel timestamps its
// last moment cannot be told from the rest.
func (d *portable) clear(conn *net.UDPConn, buf []byte) {
	_ = conn.SetReadDeadline(d.media.opts.Now().Add(time.Millisecond))
	for range 1024 {
		if _, _, err := conn.ReadFromUDPAddrPort(buf); err != nil {
			return
		}
	}
}

// rest waits without reading, after an error of the socket or under a flood.
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

// connPair is a pair of ordinary UDP sockets.
type connPair struct {
	rtp, control *net.UDPConn
	own          uint16
}

func (c *connPair) port() uint16 { return c.own }

func (c *connPair) dropped() int64 { return 0 }

func (c *connPair) send(b []byte, to netip.AddrPort) { _, _ = c.rtp.WriteToUDPAddrPort(b, to) }

func (c *connPair) sendControl(b []byte, to netip.AddrPort) {
	_, _ = c.control.WriteToUDPAddrPort(b, to)
}

func (c *connPair) settle(netip.AddrPort) {}

func (c *connPair) loosen() {}

func (c *connPair) close() {
	_ = c.rtp.Close()
	_ = c.control.Close()
}
