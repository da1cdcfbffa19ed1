package sip

import (
	"context"
	"net"
	"sync"

	msg "github.com/emiago/sipgo/sip"
)

// sending counts the requests that are being handed to the sockets and takes none any more
// once those close: sipgo would open a socket of its own for it, which nobody ever closes.
type sending struct {
	mu       sync.Mutex
	closed   bool
	underway sync.WaitGroup
}

// begin says whether a request may still leave; if so, underway.Done is to be called once it has.
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

// transact sends a request that is answered; net.ErrClosed once the endpoint is closed.
func (e *endpoint) transact(ctx context.Context, req *msg.Request) (*msg.ClientTx, error) {
	if !e.sending.begin() {
		return nil, net.ErrClosed
	}
	defer e.sending.underway.Done()
	return e.ua.TransactionLayer().Request(ctx, req)
}

// write sends an ACK, which nothing answers; net.ErrClosed once the endpoint is closed.
func (e *endpoint) write(ack *msg.Request) error {
	if !e.sending.begin() {
		return net.ErrClosed
	}
	defer e.sending.underway.Done()
	return e.ua.TransportLayer().WriteMsg(ack)
}
