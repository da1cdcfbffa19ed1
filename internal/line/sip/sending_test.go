package sip

import (
	"errors"
	"net"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"
)

// TestNothingLeavesOnceClosed sends requests of ended calls after the endpoint has been closed:
// each would open a socket that is never closed.
func TestNothingLeavesOnceClosed(t *testing.T) {
	t.Parallel()
	far, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { far.Close() })
	l, err := New(Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	e := l.e
	asking := func(method msg.RequestMethod) *msg.Request {
		to := far.LocalAddr().(*net.UDPAddr)
		req := msg.NewRequest(method, msg.Uri{Scheme: "sip", Host: to.IP.String(), Port: to.Port})
		req.AppendHeader(&msg.CSeqHeader{SeqNo: 1, MethodName: method})
		e.outgoing(req, e.bind.Addr(), UDP)
		return req
	}
	l.Close()
	if tx, err := e.transact(t.Context(), asking(msg.BYE)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a BYE leaves a closed endpoint: %v, %v", tx, err)
	}
	if err := e.write(asking(msg.ACK)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("an ACK leaves a closed endpoint: %v", err)
	}
	again, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(e.bind))
	if err != nil {
		t.Fatalf("the port is not given back: %v", err)
	}
	again.Close()
	_ = far.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
	if n, _, err := far.ReadFrom(make([]byte, 1500)); err == nil {
		t.Errorf("%d bytes came from a closed endpoint", n)
	}
}
