package fetch

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// idle ends a request when no byte comes for too long.
type idle struct {
	after  time.Duration
	timer  *time.Timer
	cancel context.CancelFunc
	ran    atomic.Bool
}

// watch returns a context that ends when no byte was read for so long. The time
// until the answer begins counts too, with what it takes to connect.
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

// pause stops counting the time of silence while it is us who do not read.
func (i *idle) pause() { i.timer.Stop() }

// goOn counts it again.
func (i *idle) goOn() { i.timer.Reset(i.after) }

// fired says whether it ended the request.
func (i *idle) fired() bool { return i.ran.Load() }

// reader puts the end off with every byte.
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
