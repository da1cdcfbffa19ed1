package media

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// saidAtOnce and saidPerSecond limit what clients may send to the server in one room, over all connections: a burst and a
// rate, in bytes. The server keeps much of it until the room closes, including settings for tracks that do not exist, of which
// a byte costs it a hundred. An agent sends some 5 KiB when it joins and a few bytes with every change.
const (
	saidAtOnce    = 256 << 10
	saidPerSecond = 1 << 10
)

// allowances holds the allowance of each room with current or recent connections.
type allowances struct {
	mu    sync.Mutex
	rooms map[string]*allowance
}

// allowance limits what may still be sent in one room.
type allowance struct {
	*rate.Limiter

	users int // requests that use it
}

// allowed is a context key. Its value is the allowance used by the connection that the request becomes.
type allowed struct{}

// drawOn charges what is sent over r's connection to the allowance of room. The caller must
// call over when the connection has ended.
func (a *allowances) drawOn(r *http.Request, room string) (with *http.Request, over func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	// A full allowance nobody uses is the same as a new one.
	maps.DeleteFunc(a.rooms, func(_ string, l *allowance) bool { return l.users == 0 && l.Tokens() >= saidAtOnce })
	l := a.rooms[room]
	if l == nil {
		l = &allowance{Limiter: rate.NewLimiter(saidPerSecond, saidAtOnce)}
		if a.rooms == nil {
			a.rooms = map[string]*allowance{}
		}
		a.rooms[room] = l
	}
	l.users++
	return r.WithContext(context.WithValue(r.Context(), allowed{}, l)), func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		l.users--
	}
}

// take uses up n bytes and reports whether that many were left. A nil allowance belongs to a connection that
// joins no room, which the server will refuse; it is not limited.
func (l *allowance) take(n uint64) bool {
	return l == nil || n <= saidAtOnce && l.AllowN(time.Now(), int(n))
}
