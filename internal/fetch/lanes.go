package fetch

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

const (
	// leastPace is how many bytes a second a body must bring to keep its place.
	leastPace = 64 << 10
	// mostAside is how much of a body may come without a place.
	mostAside = 64 << 20
)

// lanes shares out the places for bodies. Who does not move, because its host is
// dead, drips or wants to be asked later, stands aside and goes on there without a
// place, so that those who come after it need not wait. When too many stand aside
// the one that has for longest gives way.
type lanes struct {
	places   chan struct{}
	patience time.Duration
	aside    int

	mu      sync.Mutex
	waiting []*way // those that stand aside, the longest first
}

func newLanes(places, aside int, patience time.Duration) *lanes {
	if places <= 0 {
		return nil
	}
	return &lanes{places: make(chan struct{}, places), aside: aside, patience: patience}
}

// way is one body's. The methods of a nil way do nothing: it needs no place.
type way struct {
	lanes  *lanes
	cancel context.CancelCauseFunc
	timer  *time.Timer

	mu    sync.Mutex
	held  bool
	over  bool
	moved int64 // bytes since the pace was looked at
	bytes int64 // bytes in all
}

// enter waits for a place. leave must follow.
func (l *lanes) enter(ctx context.Context) (context.Context, *way, error) {
	if l == nil {
		return ctx, nil, nil
	}
	select {
	case l.places <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &way{lanes: l, cancel: cancel, held: true}
	w.timer = time.AfterFunc(l.patience, w.look)
	return ctx, w, nil
}

// look looks at the pace, again and again.
func (w *way) look() {
	w.mu.Lock()
	slow := float64(w.moved) < leastPace*w.lanes.patience.Seconds()
	w.moved = 0
	if !w.over {
		w.timer.Reset(w.lanes.patience)
	}
	w.mu.Unlock()
	if slow {
		w.standAside()
	}
}

// standAside gives the place up.
func (w *way) standAside() {
	if w == nil || !w.release() {
		return
	}
	l := w.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, w)
	if len(l.waiting) > l.aside {
		l.waiting[0].cancel(fault("", Slow, "it is so slow that it had to give way to others"))
		l.waiting = l.waiting[1:]
	}
}

// release says whether there was a place to give up.
func (w *way) release() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.held || w.over {
		return false
	}
	w.held = false
	<-w.lanes.places
	return true
}

// back waits for a place, for who stands aside.
func (w *way) back(ctx context.Context) error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	held := w.held
	w.mu.Unlock()
	if held {
		return nil
	}
	w.lanes.forget(w)
	select {
	case w.lanes.places <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	w.mu.Lock()
	w.held, w.moved = true, leastPace*int64(w.lanes.patience/time.Second+1) // it begins a span of its own
	w.mu.Unlock()
	return nil
}

func (l *lanes) forget(w *way) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(o *way) bool { return o == w })
}

// arrived ends the looking: the body is here and keeps its place until leave.
func (w *way) arrived(ctx context.Context) error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	w.over = true
	w.mu.Unlock()
	w.timer.Stop()
	return w.back(ctx)
}

// leave gives up what is held.
func (w *way) leave() {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.over = true
	held := w.held
	w.held = false
	w.mu.Unlock()
	w.timer.Stop()
	if held {
		<-w.lanes.places
	}
	w.lanes.forget(w)
	w.cancel(nil)
}

// reader counts what comes. Beyond what may come without a place it waits for one.
func (w *way) reader(ctx context.Context, r io.Reader, i *idle) io.Reader {
	if w == nil {
		return r
	}
	return readerFunc(func(p []byte) (int, error) {
		w.mu.Lock()
		wait := !w.held && w.bytes > mostAside
		w.mu.Unlock()
		if wait {
			i.pause()
			if err := w.back(ctx); err != nil {
				return 0, err
			}
			i.goOn()
		}
		n, err := r.Read(p)
		w.mu.Lock()
		w.moved += int64(n)
		w.bytes += int64(n)
		w.mu.Unlock()
		return n, err
	})
}
