package media

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// mostWaiting bounds how many connections there are that nobody has joined with: anybody can make one, and each costs a
// file and some memory. Twice as many agents as there are rooms may be about to join at a time.
const mostWaiting = 1000

// waiting are the connections to the front that are no WebSocket, which takes a token. Those of which nothing
// was heard for longest come first.
type waiting struct {
	mu    sync.Mutex
	line  list.List // of net.Conn
	place map[net.Conn]*list.Element
}

// changed follows a connection; it is the ConnState of a server. When there are too many, the one of which
// nothing was heard for longest is closed, and not the new one: whoever holds as many as there may be would keep everybody out.
func (w *waiting) changed(conn net.Conn, to http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, there := w.place[conn]
	if there {
		w.line.Remove(at)
		delete(w.place, conn)
	}
	if to == http.StateHijacked || to == http.StateClosed || !there && to != http.StateNew { // the last has been closed
		return
	}
	if w.place == nil {
		w.place = map[net.Conn]*list.Element{}
	}
	w.place[conn] = w.line.PushBack(conn)
	if first := w.line.Front(); w.line.Len() > mostWaiting {
		w.line.Remove(first)
		over := first.Value.(net.Conn)
		delete(w.place, over)
		go func() { _ = over.Close() }() // TLS says good-bye, which may take a while
	}
}
