package transport

import (
	"errors"
	"sync"
)

// ErrLost says that the connection over which a request went is gone, and its
// answer with it.
var ErrLost = errors.New("the connection to the trunk was closed before an answer came")

// alive knows the connections that are open, by the address of the far end. sipgo has a
// request wait for its answer when its connection is gone: that of an INVITE may yet come
// over another one (RFC 3261 section 18.2.2), for all others it is lost time.
type alive struct {
	mu   sync.Mutex
	open map[string]chan struct{}
}

// add notes a connection; whoever closes it says so by closed.
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

// lost is closed once the connection to an address is; nil where there is none.
func (a *alive) lost(addr string) <-chan struct{} {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.open[addr]
}
