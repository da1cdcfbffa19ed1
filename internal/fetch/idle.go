package fetch

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// idle cancels a request when no byte arrives for too long.
type idle struct {
	after  time.Duration
	timer  *time.Timer
	cancel context.CancelFunc
	ran    atomic.Bool
}

// watch returns a context that is cancelled when no byte was read for after.
// Until the body is read, twice as long is allowed, for connecting and waiting
// for the answer.
func watch(ctx context.Context, after time.Duration) (context.Context, *idle) {
	ctx, cancel := context.WithCancel(ctx)
	i := &idle{after: after, cancel: cancel}
	i.timer = time.AfterFunc(2*after, func() {
		i.ran.Store(true)
		cancel()
	})
	return ctx, i
}

func (i *idle) stop() {
	i.timer.Stop()
	i.cancel()
}

// pause stops the timer while we are the ones who do not read.
func (i *idle) pause() { i.timer.Stop() }

// goOn restarts the timer.
func (i *idle) goOn() { i.timer.Reset(i.after) }

// fired reports whether the timer cancelled the request.
func (i *idle) fired() bool { return i.ran.Load() }

// reader restarts the timer with every read that brings bytes.
func (i *idle) reader(r io.Reader) io.Reader {
	i.timer.Reset(i.after)
	return readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if n > 0 {
			i.timer.Reset(i.after)
		}
		return n, err
	})
}

type readerFunc func(p []byte) (int, error)

// Read implements io.Reader.
func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
