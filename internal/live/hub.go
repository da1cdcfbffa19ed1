// Package live passes what running calls do on to people who watch: their state, the outline of
// both sides' sound, and what was said. Nothing is stored, and a watcher sees only the calls of its
// own process.
//
// Package experiment opens a Call for every call it dials and puts the tap (tap.go) between the
// line and the caller; package api lets people watch. The media loop pays one atomic load per frame
// while nobody watches, never blocks, and allocates nothing: it writes into rings of fixed size,
// which a goroutine of the Hub empties twice a second.
package live

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// tellEvery is how often watchers get a message about each running call.
const tellEvery = 500 * time.Millisecond

// Step is the length of sound that one peak of an outline covers.
const Step = 100 * time.Millisecond

// Of identifies a call, its experiment and its workspace.
type Of struct{ WorkspaceID, ExperimentID, CallID string }

// Message is what a running call did since the previous message. A watcher's first message about a
// call also contains everything said before.
type Message struct {
	Of
	// State is the state of the call: "dialing", "ringing", "answered" or "over".
	State string
	// At is the media time that the message covers up to, 0 before the answer.
	At time.Duration
	// From is where the peaks begin; each covers Step and is between 0 and 1.
	From          time.Duration
	Caller, Agent []float64
	Said          []Said
}

// Said is something that was said. They are in the order of their ends.
type Said struct {
	Speaker    call.Speaker
	Text       string
	Start, End time.Duration
}

// Hub holds the running calls of this process and their watchers. The zero value is ready to use; a
// nil Hub has no calls and sends no messages.
type Hub struct {
	mu       sync.Mutex
	calls    map[string]*Call
	watchers map[*Watcher]struct{}
	// stop ends the collecting goroutine; nil while none runs.
	stop chan struct{}
}

// Watcher receives messages about the calls of one workspace. Messages are dropped if it does not
// receive them in time.
type Watcher struct {
	hub         *Hub
	workspaceID string
	messages    chan Message
	// met holds the calls that it has had messages about.
	met map[*Call]bool
}

// waiting is the number of messages buffered for a slow watcher.
const waiting = 256

// Watch begins to send messages about the workspace's calls until Close. A nil Hub never sends any.
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

// Messages returns the channel of messages.
func (w *Watcher) Messages() <-chan Message { return w.messages }

// Close stops the watcher. It may be called twice.
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

// look updates which calls are watched, and starts or stops collecting. The lock must be held.
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

// tell collects what a call did and sends it to its watchers.
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
		}
		select {
		case w.messages <- to:
			w.met[c] = true
		default: // the watcher is too slow
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
	// The fields below are guarded by the hub's lock.
	state   string
	changed bool
	said    []Said
}

// State sets the state of the call. It must not be called from the media loop.
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

// maxSaid bounds what is kept of what was said, for watchers who come later.
const maxSaid = 400

// drain moves what was said out of the ring.
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

// saidIn returns what an event says in words.
func saidIn(e call.Event) (Said, bool) {
	s := Said{Text: e.Text, Start: e.At, End: e.End}
	switch e.Kind { //nolint:exhaustive // all other kinds contain no words
	case call.KindSaid:
		s.Speaker = call.Caller
	case call.KindWords:
		s.Speaker = call.Agent
	}
	return s, s.Speaker != "" && s.Text != ""
}

// Note records an event of the caller's timeline. It is called from the media loop.
func (c *Call) Note(e call.Event) {
	if c == nil || e.Kind != call.KindSaid && e.Kind != call.KindWords {
		return
	}
	c.tap.notes.put(e)
}

// ring passes events from one thread to another. While it is full, new events are dropped.
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
