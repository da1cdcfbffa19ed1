package transport

import (
	"errors"
	"sync"
)

// ErrLost means that the connection used by a request is gone, and its response with it.
var ErrLost = errors.New("the connection to the trunk was closed before an answer came")

// alive tracks open connections by the far end's address. sipgo lets a request wait for its
// response even if the connection is gone. The response to an INVITE may come over another one
// (RFC 3261 section 18.2.2); for others the wait is pointless.
type alive struct {
	mu   sync.Mutex
	open map[string]chan struct{}
}

// add registers a connection. closed must be called when it is closed.
func (a *alive) add(addr string) (closed func()) {
	gone := make(chan struct{})
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.open == nil {
		a.open = map[string]chan struct{}{}
	}
	a.open[addr] = gone
	return func() {
		close(gone)
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.open[addr] == gone {
			delete(a.open, addr)
		}
	}
}

// lost returns a channel that is closed once the connection to an address is, nil if there is none.
func (a *alive) lost(addr string) <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open[addr]
}
