package media

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// mostWaiting bounds the number of connections that have not joined a room: anybody can make one, and each takes a file
// descriptor and some memory. It allows twice as many agents to join at once as there may be rooms.
const mostWaiting = 1000

// waiting holds the connections to the proxy that are not WebSockets, which require a token; least recently active first.
type waiting struct {
	mu    sync.Mutex
	line  list.List // of net.Conn
	place map[net.Conn]*list.Element
}

// changed is the ConnState function of a server. When there are too many connections it closes the one that was inactive
// longest, not the new one: otherwise a client could hold the maximum and keep everybody else out.
func (w *waiting) changed(conn net.Conn, to http.ConnState) {
	w.mu.Lock()
	defer w.mu.Unlock()
	at, there := w.place[conn]
	if there {
		w.line.Remove(at)
		delete(w.place, conn)
	}
	if to == http.StateHijacked || to == http.StateClosed || !there && to != http.StateNew { // !there: it was closed to make room
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
		go func() { _ = over.Close() }() // closing a TLS connection may block for a while
	}
}
