// Package transport is what SIP messages travel on: a UDP socket and TCP connections at one port. The
// screen stands in front of both (package screen), strangers are bounded in what they may ask, and
// what comes for calls that wait for their answer is heard before anybody handles it.
//
// sipgo's transport layer reads from the sockets and writes to them; package sip opens connections
// through them and asks what has come.
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

// Options are what sockets are made from; all but Late are required.
type Options struct {
	// Bind is where to listen, port 0 for any that is free.
	Bind     netip.AddrPort
	Now      func() time.Time
	Patience Patience
	Bounds   Bounds
	// Known says whether a call goes on that a request belongs to, by its Call-ID and our tag. It is asked
	// in the order in which requests come, before each of them is handled on a goroutine of its own.
	Known func(screen.Wish) bool
	// Late takes an answer to a call that was refused before, and says whether it was one;
	// nil takes none.
	Late func(callID string, whole []byte, from netip.AddrPort) bool
}

// Sockets are a UDP socket and the TCP connections at the same port. They may be used from several goroutines.
type Sockets struct {
	ctx     context.Context
	at      netip.AddrPort
	udp     *datagrams
	tcp     *connections
	porter  *porter
	layer   *msg.TransportLayer
	opening singleflight.Group // one connection to a far end is enough
}

// Listen binds UDP and TCP to the same port, as a Contact promises. No connection is being made any more
// once ctx has ended.
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

// Serve hands what comes to sipgo's transport layer, by goroutines that end when the sockets are closed
// and that run starts.
func (s *Sockets) Serve(layer *msg.TransportLayer, run func(func())) {
	s.layer = layer
	s.udp.serve = func(r *reading) { run(func() { _ = layer.ServeUDP(r) }) }
	first := s.udp.reading()
	s.udp.serve(first)
	<-first.ready
	run(s.tcp.listen)
	run(func() { _ = layer.ServeTCP(s.tcp) })
}

// Addr is where the sockets are.
func (s *Sockets) Addr() netip.AddrPort { return s.at }

// Awaited are the calls of ours that wait for their answer.
func (s *Sockets) Awaited() *Awaited { return &s.porter.awaited }

// Lost is closed once the connection to an address is gone; nil where there is none.
func (s *Sockets) Lost(addr string) <-chan struct{} { return s.tcp.alive.lost(addr) }

// Close closes the sockets and all connections that wait to be served.
func (s *Sockets) Close() {
	_ = s.udp.conn.Close()
	_ = s.tcp.Close()
}

// Open makes the connection to an address unless there is one: sipgo would make it by itself, without
// the screen. When ctx ends before it is there, it goes on being made for whoever comes next.
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
		// Many questions within the time, so that a lost one ends no connection.
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
