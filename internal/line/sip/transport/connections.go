package transport

import (
	"errors"
	"net"
	"sync"
	"time"
)

// maxConnections is how many TCP connections others may hold open at a time.
const maxConnections = 1024

// connections is the listener from which sipgo accepts TCP connections: incoming ones and those
// that we have opened, all behind the screen.
type connections struct {
	net.Listener
	patience Patience
	porter   *porter
	limit    chan struct{}
	opened   chan *conversation
	closed   chan struct{}
	once     sync.Once
	alive    alive
	known    *conversation // handed out and, by the next Accept, known to sipgo
}

func newConnections(l net.Listener, p Patience, at *porter) *connections {
	return &connections{
		Listener: l, patience: p, porter: at, limit: make(chan struct{}, maxConnections),
		opened: make(chan *conversation), closed: make(chan struct{}),
	}
}

// listen accepts incoming connections until the listener is closed.
func (c *connections) listen() {
	defer c.once.Do(func() { close(c.closed) })
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			var temporary interface{ Timeout() bool }
			if errors.As(err, &temporary) && !errors.Is(err, net.ErrClosed) {
				// For example out of file descriptors: others may be closed soon.
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
			_ = conn.Close() // too many
			continue
		}
		closed := c.alive.add(conn.RemoteAddr().String())
		if !c.hand(newConversation(conn, c.patience, c.porter, func() { closed(); <-c.limit })) {
			_ = conn.Close()
			return
		}
	}
}

// hand passes a connection to sipgo. It returns false if the endpoint has been closed.
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
