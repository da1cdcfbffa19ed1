package fetch

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

const (
	// leastPace is the pace a download must keep to hold its place, in bytes per
	// second.
	leastPace = 64 << 10
	// mostAside is how many bytes of a body may arrive without a place.
	mostAside = 64 << 20
)

// lanes limits the number of simultaneous downloads. A download that makes no
// progress, because its host is dead, drips or asks for a later retry, gives up
// its place and continues aside, so that it does not block those behind it. When
// too many are aside, the one that has been for longest is cancelled.
type lanes struct {
	places   chan struct{}
	patience time.Duration
	aside    int

	mu      sync.Mutex
	waiting []*way // those aside, the longest first
}

func newLanes(places, aside int, patience time.Duration) *lanes {
	if places <= 0 {
		return nil
	}
	return &lanes{places: make(chan struct{}, places), aside: aside, patience: patience}
}

// way is the place of one download. The methods of a nil way do nothing: such a
// download needs no place.
type way struct {
	lanes  *lanes
	cancel context.CancelCauseFunc
	timer  *time.Timer

	mu    sync.Mutex
	held  bool
	over  bool
	moved int64 // bytes since the last look at the pace
	bytes int64 // bytes in total
}

// enter waits for a place. The caller must call leave.
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

// look checks the pace, once per patience.
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

// standAside gives up the place, if there is one. Whoever comes back or leaves meanwhile strikes it
// off the list once it stands there, and not before.
func (w *way) standAside() {
	if w == nil {
		return
	}
	l := w.lanes
	l.mu.Lock()
	defer l.mu.Unlock()
	if !w.release() {
		return
	}
	l.waiting = append(l.waiting, w)
	if len(l.waiting) > l.aside {
		l.waiting[0].cancel(fault("", Slow, "it was so slow that it had to make way for others"))
		l.waiting = l.waiting[1:]
	}
}

// release gives up the place and reports whether there was one.
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

// back waits for a place if the download is aside.
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
	w.held, w.moved = true, leastPace*int64(w.lanes.patience/time.Second+1) // enough to pass the next look, whose interval has already begun
	w.mu.Unlock()
	return nil
}

func (l *lanes) forget(w *way) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = slices.DeleteFunc(l.waiting, func(o *way) bool { return o == w })
}

// arrived ends the looks at the pace: the body is complete and keeps its place
// until leave.
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

// leave ends the download and frees its place.
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

// reader counts the bytes read. Beyond mostAside bytes, a download that is aside
// waits for a place.
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
