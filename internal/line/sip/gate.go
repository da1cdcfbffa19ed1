package sip

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// The limits of what strangers may ask of the sockets.
const (
	// maxSenders is after how many sending addresses sipgo's memory of them is
	// thrown away; it would else keep every one that ever sent a datagram.
	maxSenders = 4096
	// maxConnections is how many TCP connections others may hold open at a time.
	maxConnections = 1024
)

// errRotated ends a reading so that sipgo forgets whom it has heard.
var errRotated = net.ErrClosed

// datagrams is the UDP socket with the screen in front.
type datagrams struct {
	conn   net.PacketConn
	serve  func(*reading)
	porter *porter
}

// reading is the socket as sipgo sees it for some time. Only one reading reads.
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

// ReadFrom implements net.PacketConn: it gives what has passed the screen.
func (r *reading) ReadFrom(b []byte) (int, net.Addr, error) {
	r.once.Do(func() { close(r.ready) })
	for {
		if len(r.senders) >= maxSenders {
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

// connections is the listener that sipgo accepts TCP connections from: those of
// others and those that we have opened ourselves, all behind the screen.
type connections struct {
	net.Listener
	patience patience
	porter   *porter
	limit    chan struct{}
	opened   chan *conversation
	closed   chan struct{}
	once     sync.Once
	alive    alive
	known    *conversation // handed out and, by the next Accept, known to sipgo
}

func newConnections(l net.Listener, p patience, at *porter) *connections {
	return &connections{
		Listener: l, patience: p, porter: at, limit: make(chan struct{}, maxConnections),
		opened: make(chan *conversation), closed: make(chan struct{}),
	}
}

// listen accepts from outside until the listener is closed.
func (c *connections) listen() {
	defer c.once.Do(func() { close(c.closed) })
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			var temporary interface{ Timeout() bool }
			if errors.As(err, &temporary) && !errors.Is(err, net.ErrClosed) {
				// Out of file descriptors, say: what is open may yet be closed.
				select {
				case <-c.closed:
					return
				case <-time.After(20 * time.Millisecond):
					continue
				}
			}
			return
		}
		select {
		case c.limit <- struct{}{}:
		default:
			_ = conn.Close() // more than anybody needs
			continue
		}
		closed := c.alive.add(conn.RemoteAddr().String())
		if !c.hand(newConversation(conn, c.patience, c.porter, func() { closed(); <-c.limit })) {
			_ = conn.Close()
			return
		}
	}
}

// hand gives a connection to sipgo; false when the endpoint has been closed.
func (c *connections) hand(v *conversation) bool {
	select {
	case c.opened <- v:
		return true
	case <-c.closed:
		return false
	}
}

// Accept implements net.Listener.
func (c *connections) Accept() (net.Conn, error) {
	if c.known != nil {
		close(c.known.registered)
		c.known = nil
	}
	select {
	case v := <-c.opened:
		c.known = v
		return v, nil
	case <-c.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (c *connections) Close() error {
	c.once.Do(func() { close(c.closed) })
	return c.Listener.Close()
}

// connect opens a connection unless there is one.
func (e *endpoint) connect(addr string) error {
	if known := e.ua.TransportLayer().Pool("tcp").Get(addr); known != nil {
		_, _ = known.TryClose() // Get counts as a use
		return nil
	}
	unheard := e.times.unheard()
	dialer := net.Dialer{
		Timeout: e.times.noReply,
		// Many questions within the time, so that a lost one ends no connection.
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: unheard / 2, Interval: unheard / 16},
	}
	conn, err := dialer.DialContext(e.ctx, "tcp", addr)
	if err != nil {
		return err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		boundUnheard(tcp, unheard)
	}
	v := newConversation(conn, e.tcp.patience.ours(), e.tcp.porter, e.tcp.alive.add(conn.RemoteAddr().String()))
	if !e.tcp.hand(v) {
		return errors.Join(net.ErrClosed, v.Close())
	}
	select {
	case <-v.registered:
		return nil
	case <-e.tcp.closed:
		return net.ErrClosed
	}
}
