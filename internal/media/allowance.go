package media

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// What may be said to the server in one room, over all its connections, at once and in every second (bytes). The
// server keeps much of it until the room is over, settings for tracks that there are not among them, and a byte of
// those costs it a hundred. An honest client says some ten thousand when it joins and a few with every change.
const (
	saidAtOnce    = 256 << 10
	saidPerSecond = 1 << 10
)

// allowances are what may still be said in each room that somebody is in, or was a while ago.
type allowances struct {
	mu    sync.Mutex
	rooms map[string]*allowance
}

// allowance is what may still be said in a room.
type allowance struct {
	*rate.Limiter

	users int // requests that draw on it
}

// allowed is the key of a context's value: the allowance that the connection draws on that a request becomes.
type allowed struct{}

// drawOn has what becomes of a request draw on its room's allowance, until it is over.
func (a *allowances) drawOn(r *http.Request, room string) (with *http.Request, over func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	// One that is whole again is as a new one, unless somebody draws on it.
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

// take draws so many bytes; false when there are not as many. Who has no allowance joins no room, and is refused.
func (l *allowance) take(n uint64) bool {
	return l == nil || n <= saidAtOnce && l.AllowN(time.Now(), int(n))
}
