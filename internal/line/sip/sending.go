package sip

import (
	"context"
	"net"
	"sync"

	msg "github.com/emiago/sipgo/sip"
)

// sending counts the requests that are being passed to the sockets, and accepts none once those
// are closing: sipgo would open a socket of its own for it, which would never be closed.
type sending struct {
	mu       sync.Mutex
	closed   bool
	underway sync.WaitGroup
}

// begin reports whether a request may still be sent; if so, underway.Done must be called when that is done.
func (s *sending) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed {
		s.underway.Add(1)
	}
	return !s.closed
}

func (s *sending) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// transact sends a request that gets a response. It returns net.ErrClosed once the endpoint is closed.
func (e *endpoint) transact(ctx context.Context, req *msg.Request) (*msg.ClientTx, error) {
	if !e.sending.begin() {
		return nil, net.ErrClosed
	}
	defer e.sending.underway.Done()
	return e.ua.TransactionLayer().Request(ctx, req)
}

// write sends an ACK, which gets no response. It returns net.ErrClosed once the endpoint is closed.
func (e *endpoint) write(ack *msg.Request) error {
	if !e.sending.begin() {
		return net.ErrClosed
	}
	defer e.sending.underway.Done()
	return e.ua.TransportLayer().WriteMsg(ack)
}
