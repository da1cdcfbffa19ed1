package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// tickers run periodic functions, each in a goroutine of its own, so that a
// slow one holds up nobody else.
type tickers struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

func (t *tickers) start(ctx context.Context, log *slog.Logger, all []Periodic) {
	ctx, t.cancel = context.WithCancel(ctx)
	for _, p := range all {
		t.done.Go(func() { p.loop(ctx, log) })
	}
}

// stop ends the functions that run and waits for them.
func (t *tickers) stop() {
	if t.cancel != nil {
		t.cancel()
	}
	t.done.Wait()
}

func (p Periodic) loop(ctx context.Context, log *slog.Logger) {
	ticker := time.NewTicker(p.Every)
	defer ticker.Stop()
	for {
		if err := p.Run(ctx); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "periodic work failed", "name", p.Name, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
