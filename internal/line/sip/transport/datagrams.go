package transport

import (
	"net"
	"net/netip"
	"sync"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// MaxSenders is the number of sender addresses after which sipgo's memory of them is discarded;
// it would otherwise keep every address that ever sent a datagram.
const MaxSenders = 4096

// errRotated ends a reading so that sipgo discards the addresses it has seen.
var errRotated = net.ErrClosed

// datagrams is the UDP socket behind the screen.
type datagrams struct {
	conn   net.PacketConn
	serve  func(*reading)
	porter *porter
}

// reading is the socket as presented to sipgo for some time. Only one reading reads at a time.
type reading struct {
	net.PacketConn
	d       *datagrams
	once    sync.Once
	ready   chan struct{} // closed by the first read: sipgo knows the socket and sends through it
	senders map[netip.AddrPort]struct{}
	buf     []byte
}

func (d *datagrams) reading() *reading {
	return &reading{
		PacketConn: d.conn, d: d, ready: make(chan struct{}),
		senders: map[netip.AddrPort]struct{}{}, buf: make([]byte, screen.MaxMessage),
	}
}

// ReadFrom implements net.PacketConn. It returns messages that passed the screen.
func (r *reading) ReadFrom(b []byte) (int, net.Addr, error) {
	r.once.Do(func() { close(r.ready) })
	for {
		if len(r.senders) >= MaxSenders {
			next := r.d.reading()
			r.d.serve(next)
			<-next.ready
			return 0, nil, errRotated
		}
		n, from, err := r.PacketConn.ReadFrom(r.buf)
		if err != nil {
			return 0, nil, err
		}
		udp, ok := from.(*net.UDPAddr)
		if !ok {
			continue
		}
		s := screen.Read(r.buf[:n], udp.AddrPort())
		if s.Reply != nil {
			_, _ = r.WriteTo(s.Reply, from)
		}
		r.d.porter.awaited.note(s, r.d.porter.now())
		if s.Pass == nil || len(s.Pass) > len(b) || !r.d.porter.admits(s.Wish) {
			continue
		}
		if r.d.porter.takesLate(s, udp.AddrPort()) {
			continue
		}
		r.senders[udp.AddrPort()] = struct{}{}
		return copy(b, s.Pass), from, nil
	}
}
