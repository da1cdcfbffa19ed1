package room

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// CallerIdentity is the identity of our caller in every room. It is the same for every attempt, so that
// it replaces the caller of a process that has died, and an agent that has stayed recognises it.
const CallerIdentity = "ringtrue-caller"

// Prefix is the prefix of the names of our rooms; the call's id follows.
const Prefix = "ringtrue-"

// Joiner is what the line needs from the media server (package media).
type Joiner interface {
	// Address returns the address at which our caller joins: ws:// or wss://.
	Address() string
	// CallerToken returns a token for the caller of one attempt to join one room.
	CallerToken(name, identity, attempt string) (string, error)
	// LostBy is how many of our caller's packets somebody in a room has lost in its present stay there, by its own count;
	// false when that is not known.
	LostBy(name, identity string) (lost int64, stay string, known bool)
}

// Options configure a Line.
type Options struct {
	// Server provides access to rooms. It must be set.
	Server Joiner
	// Threads is the number of threads that pace the media, 0 for one per processor.
	Threads int
	// MediaTimeout is how long an agent may publish a microphone and send nothing at all before the
	// call counts as lost; 0 means 30 s. After its first audio, an agent that sends nothing is silent.
	MediaTimeout time.Duration
	// Rejoin is how long an agent that has left may take to return; 0 means 1.5 s, and 5 s if
	// its connection was lost.
	Rejoin time.Duration
	// Loss drops outgoing packets. The zero value drops none.
	Loss loss.Model
	// Log receives log messages; nil discards them.
	Log *slog.Logger
	// Now is the wall clock with its monotonic reading. It must be set.
	Now func() time.Time
}

const (
	usualMediaTimeout = 30 * time.Second
	usualRing         = 60 * time.Second
	usualRejoin       = 1500 * time.Millisecond
	lostRejoin        = 5 * time.Second
)

// Line places calls in rooms. It is safe for concurrent use.
type Line struct {
	opts  Options
	pacer *pace.Pacer
	log   *slog.Logger
	ctx   context.Context
	stop  context.CancelFunc
	mu    sync.Mutex
	calls sync.WaitGroup
}

// New returns a line. It needs no server until a call is placed.
func New(o Options) *Line {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.MediaTimeout == 0 {
		o.MediaTimeout = usualMediaTimeout
	}
	ctx, stop := context.WithCancel(context.Background())
	return &Line{opts: o, pacer: pace.NewPacer(o.Now, o.Threads), log: o.Log, ctx: ctx, stop: stop}
}

// Load returns the load and punctuality of the media loop in the last second.
func (l *Line) Load() pace.Load { return l.pacer.Load() }

// Lateness returns the lateness of all frames sent so far.
func (l *Line) Lateness() pace.Lateness { return l.pacer.Lateness() }

// Close ends every call in progress (EndInterrupted) and waits for them until ctx ends.
func (l *Line) Close(ctx context.Context) error {
	l.mu.Lock()
	l.stop()
	l.mu.Unlock()
	over := make(chan struct{})
	go func() {
		l.calls.Wait()
		l.pacer.Close()
		close(over)
	}()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// enter registers a call. It returns false if the line is closed.
func (l *Line) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ctx.Err() != nil {
		return false
	}
	l.calls.Add(1)
	return true
}

// Place meets the agent in the room of the Dial and returns when the call is over. RingTimeout
// bounds the wait for the agent and its microphone. Failures are reported as end reasons. The
// reason is zero if our own Party hung up, since only the Party knows why. If ctx ends, the
// reason is EndInterrupted with the detail "canceled".
func (l *Line) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	c := &placing{line: l, dial: d, party: p, tape: t}
	c.attempt = call.Attempt{ID: d.AttemptID, CallID: d.CallID, StartedAt: l.opts.Now(), LineRef: d.Room}
	c.attempt.Stats.RemoteLost = -1
	c.state(leg.Dialing)
	if !l.enter() {
		c.attempt.EndReason = call.EndOf(call.EndInterrupted, "canceled")
	} else {
		defer l.calls.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(l.ctx, cancel)()
		c.attempt.EndReason = c.run(ctx)
	}
	if c.attempt.EndedAt.IsZero() {
		c.attempt.EndedAt = l.opts.Now()
	}
	l.log.Debug("call over", "call", d.CallID, "attempt", d.AttemptID, "room", d.Room,
		"end", c.attempt.EndReason.Code, "send_missed", c.attempt.Stats.SendMissed)
	return c.attempt
}
