// Package live hands what running calls do to whoever watches: their state, the
// outline of both sides' sound, and what was said. Nothing is stored, and nobody
// sees a call that another process has on its line.
//
// Package experiment opens a Call for every call it dials and puts the tap
// (tap.go) between the line and the caller; package api lets people watch. The
// media loop pays an atomic load per frame while nobody does, never waits for
// anybody, and allocates nothing: what it notes lies in rings of fixed size that a
// goroutine of the Hub empties twice a second.
package live

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// tellEvery is how often watchers are told of each running call.
const tellEvery = 500 * time.Millisecond

// Step is how much sound one peak of an outline covers.
const Step = 100 * time.Millisecond

// Of names a call and where it belongs.
type Of struct{ WorkspaceID, ExperimentID, CallID string }

// Message is what a running call did since the message before. The first message
// of a call to a watcher holds everything that was said before, too.
type Message struct {
	Of
	// State is how far the call is: "dialing", "ringing", "answered" or "over".
	State string
	// At is the media time up to which the message tells, 0 before the answer.
	At time.Duration
	// From is where the peaks begin; each covers Step, from 0 to 1.
	From          time.Duration
	Caller, Agent []float64
	Said          []Said
}

// Said is something that was said, in order of its end.
type Said struct {
	Speaker    call.Speaker
	Text       string
	Start, End time.Duration
}

// Hub knows the running calls of this process and who watches them. The zero
// value is ready; a nil Hub has no calls and takes no watchers.
type Hub struct {
	mu       sync.Mutex
	calls    map[string]*Call
	watchers map[*Watcher]struct{}
	// stop ends the goroutine that collects, nil while none runs.
	stop chan struct{}
}

// Watcher takes messages of the calls of one workspace. Messages that it does not
// take in time are lost to it.
type Watcher struct {
	hub         *Hub
	workspaceID string
	messages    chan Message
	// met are the calls that it has been told of.
	met map[*Call]bool
}

// waiting is how many messages wait for a slow watcher.
const waiting = 256

// Watch begins to tell of the workspace's calls; Close ends it. A nil Hub never tells.
func (h *Hub) Watch(workspaceID string) *Watcher {
	w := &Watcher{hub: h, workspaceID: workspaceID, messages: make(chan Message, waiting), met: map[*Call]bool{}}
	if h == nil {
		return w
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watchers == nil {
		h.watchers = map[*Watcher]struct{}{}
	}
	h.watchers[w] = struct{}{}
	h.look()
	return w
}

// Messages are what it is told.
func (w *Watcher) Messages() <-chan Message { return w.messages }

// Close ends the watching. It may be called twice.
func (w *Watcher) Close() {
	if w.hub == nil {
		return
	}
	w.hub.mu.Lock()
	defer w.hub.mu.Unlock()
	delete(w.hub.watchers, w)
	w.hub.look()
}

// Open begins to follow a call that is about to be dialled.
func (h *Hub) Open(of Of) *Call {
	if h == nil {
		return nil
	}
	c := &Call{hub: h, of: of, state: "dialing", changed: true}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.calls == nil {
		h.calls = map[string]*Call{}
	}
	h.calls[of.CallID] = c
	h.look()
	return c
}

// look says which calls are watched, and has somebody collect while there are calls.
func (h *Hub) look() {
	for _, c := range h.calls {
		watched := false
		for w := range h.watchers {
			watched = watched || w.workspaceID == c.of.WorkspaceID
		}
		c.tap.watched.Store(watched)
	}
	switch busy := len(h.calls) > 0; {
	case busy && h.stop == nil:
		h.stop = make(chan struct{})
		go h.collect(h.stop)
	case !busy && h.stop != nil:
		close(h.stop)
		h.stop = nil
	}
}

// collect empties the rings of all calls until it is stopped.
func (h *Hub) collect(stop chan struct{}) {
	every := time.NewTicker(tellEvery)
	defer every.Stop()
	for {
		select {
		case <-stop:
			return
		case <-every.C:
		}
		h.mu.Lock()
		for _, c := range h.calls {
			h.tell(c)
		}
		h.mu.Unlock()
	}
}

// tell collects what a call did and hands it to its watchers.
func (h *Hub) tell(c *Call) {
	before := len(c.said)
	c.drain()
	m := Message{Of: c.of, State: c.state, At: c.tap.at()}
	m.From, m.Caller, m.Agent = c.tap.peaks()
	fresh := c.changed || len(m.Caller) > 0 || len(c.said) > before
	c.changed = false
	for w := range h.watchers {
		if w.workspaceID != c.of.WorkspaceID || !fresh && w.met[c] {
			continue
		}
		to := m
		to.Said = append([]Said(nil), c.said[before:]...)
		if !w.met[c] {
			to.Said = append([]Said(nil), c.said...)
			w.met[c] = true
		}
		select {
		case w.messages <- to:
		default: // it does not keep up
		}
		if c.state == over {
			delete(w.met, c)
		}
	}
}

const over = "over"

// Call is a running call. Its methods do nothing on nil.
type Call struct {
	hub *Hub
	of  Of
	tap tap
	// What follows belongs to the hub's lock.
	state   string
	changed bool
	said    []Said
}

// State says how far the call is. It is not called from the media loop.
func (c *Call) State(state string) {
	if c == nil {
		return
	}
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	c.state, c.changed = state, true
}

// Close tells the watchers that the call is over.
func (c *Call) Close() {
	if c == nil {
		return
	}
	c.hub.mu.Lock()
	defer c.hub.mu.Unlock()
	if c.hub.calls[c.of.CallID] != c {
		return
	}
	c.state, c.changed = over, true
	c.hub.tell(c)
	delete(c.hub.calls, c.of.CallID)
	c.hub.look()
}

// maxSaid is how much of what was said is kept for those who come late.
const maxSaid = 400

// drain takes what was said out of the ring.
func (c *Call) drain() {
	for {
		e, ok := c.tap.notes.take()
		if !ok {
			return
		}
		if s, ok := saidIn(e); ok && len(c.said) < maxSaid {
			c.said = append(c.said, s)
		}
	}
}

// saidIn is what an event tells of words.
func saidIn(e call.Event) (Said, bool) {
	s := Said{Text: e.Text, Start: e.At, End: e.End}
	switch e.Kind { //nolint:exhaustive // the others are no words
	case call.KindSaid:
		s.Speaker = call.Caller
	case call.KindWords:
		s.Speaker = call.Agent
	}
	return s, s.Speaker != "" && s.Text != ""
}

// Note hears of an event of the caller's timeline, from the media loop.
func (c *Call) Note(e call.Event) {
	if c == nil || e.Kind != call.KindSaid && e.Kind != call.KindWords {
		return
	}
	c.tap.notes.put(e)
}

// ring hands events from one thread to another. When nobody takes them out, what
// comes later is lost.
type ring struct {
	slots       [32]call.Event
	begun, done atomic.Uint64
}

func (r *ring) put(e call.Event) {
	at := r.begun.Load()
	if at-r.done.Load() == uint64(len(r.slots)) {
		return
	}
	r.slots[at%uint64(len(r.slots))] = e
	r.begun.Store(at + 1)
}

func (r *ring) take() (call.Event, bool) {
	at := r.done.Load()
	if at == r.begun.Load() {
		return call.Event{}, false
	}
	e := r.slots[at%uint64(len(r.slots))]
	r.done.Store(at + 1)
	return e, true
}
