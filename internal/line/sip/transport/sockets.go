// Package transport provides the sockets for SIP messages: a UDP socket and TCP connections on one port.
// All input passes the screen (package screen), requests of strangers are limited, and messages for calls
// that are waiting for their answer are recorded in order of arrival before they are handled.
//
// sipgo's transport layer reads from the sockets and writes to them; package sip opens connections
// through them and asks what has arrived.
package transport

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	msg "github.com/emiago/sipgo/sip"
	"golang.org/x/sync/singleflight"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// Options configure Sockets. All fields but Late are required.
type Options struct {
	// Bind is the address to listen on; port 0 picks a free one.
	Bind     netip.AddrPort
	Now      func() time.Time
	Patience Patience
	Bounds   Bounds
	// Known reports whether the call that a request belongs to, by its Call-ID and our tag, is in progress. It
	// is called in order of arrival, before the requests are handled on goroutines of their own.
	Known func(screen.Wish) bool
	// Late handles an answer to a call that was refused before, and reports whether it was one;
	// nil handles none.
	Late func(callID string, whole []byte, from netip.AddrPort) bool
}

// Sockets are a UDP socket and the TCP connections on the same port. They are safe for concurrent use.
type Sockets struct {
	ctx     context.Context
	at      netip.AddrPort
	udp     *datagrams
	tcp     *connections
	porter  *porter
	layer   *msg.TransportLayer
	opening singleflight.Group // at most one connection attempt per far end
}

// Listen binds UDP and TCP to the same port, as a Contact promises. No connection attempt outlasts ctx.
func Listen(ctx context.Context, o Options) (*Sockets, error) {
	s := &Sockets{ctx: ctx, porter: newPorter(&o)}
	var err error
	for range 50 {
		if err = s.listen(&o); err == nil || o.Bind.Port() != 0 {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Sockets) listen(o *Options) error {
	network := "4"
	if o.Bind.Addr().Is6() {
		network = "6"
	}
	conn, err := net.ListenUDP("udp"+network, net.UDPAddrFromAddrPort(o.Bind))
	if err != nil {
		return fmt.Errorf("listening for SIP over UDP: %w", err)
	}
	port := conn.LocalAddr().(*net.UDPAddr).AddrPort().Port()
	tcp, err := net.ListenTCP("tcp"+network, &net.TCPAddr{IP: o.Bind.Addr().AsSlice(), Port: int(port)})
	if err != nil {
		_ = conn.Close()
		return fmt.Errorf("listening for SIP over TCP: %w", err)
	}
	s.at = netip.AddrPortFrom(o.Bind.Addr(), port)
	s.udp = &datagrams{conn: conn, porter: s.porter}
	s.tcp = newConnections(tcp, o.Patience, s.porter)
	return nil
}

// Serve passes input to sipgo's transport layer, on goroutines started with run that end when the
// sockets are closed.
func (s *Sockets) Serve(layer *msg.TransportLayer, run func(func())) {
	s.layer = layer
	s.udp.serve = func(r *reading) { run(func() { _ = layer.ServeUDP(r) }) }
	first := s.udp.reading()
	s.udp.serve(first)
	<-first.ready
	run(s.tcp.listen)
	run(func() { _ = layer.ServeTCP(s.tcp) })
}

// Addr returns the address of the sockets.
func (s *Sockets) Addr() netip.AddrPort { return s.at }

// Awaited returns the record of our calls that are waiting for their answer.
func (s *Sockets) Awaited() *Awaited { return &s.porter.awaited }

// Lost returns a channel that is closed once the connection to an address is gone, nil if there is none.
func (s *Sockets) Lost(addr string) <-chan struct{} { return s.tcp.alive.lost(addr) }

// Close closes the sockets and all connections that are waiting to be served.
func (s *Sockets) Close() {
	_ = s.udp.conn.Close()
	_ = s.tcp.Close()
}

// Open connects to an address unless there is a connection: sipgo would open one by itself, without
// the screen. If ctx ends first, the attempt continues for the next caller.
func (s *Sockets) Open(ctx context.Context, addr string) error {
	select {
	case r := <-s.opening.DoChan(addr, func() (any, error) { return nil, s.connect(addr) }):
		return r.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Sockets) connect(addr string) error {
	if known := s.layer.Pool("tcp").Get(addr); known != nil {
		_, _ = known.TryClose() // Get counts as a use
		return nil
	}
	unheard := s.tcp.patience.Unheard
	dialer := net.Dialer{
		Timeout: s.tcp.patience.Connect,
		// Many probes within the time, so that losing one does not end a connection.
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: unheard / 2, Interval: unheard / 16},
	}
	conn, err := dialer.DialContext(s.ctx, "tcp", addr)
	if err != nil {
		return err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		boundUnheard(tcp, unheard)
	}
	v := newConversation(conn, s.tcp.patience.ours(), s.porter, s.tcp.alive.add(conn.RemoteAddr().String()))
	if !s.tcp.hand(v) {
		return errors.Join(net.ErrClosed, v.Close())
	}
	select {
	case <-v.registered:
		return nil
	case <-s.tcp.closed:
		return net.ErrClosed
	}
}
