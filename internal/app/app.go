package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// App is a whole service in one process: New, Start, Stop, in this order.
type App struct {
	options  Options
	parts    *parts
	door     *door
	handler  http.Handler
	server   *http.Server
	listener net.Listener
	// metrics is the listener for the service's own metrics, nil when they are not served.
	metrics  net.Listener
	queue    *queue.Queue
	firstKey string
	// setupToken lets the first person in.
	setupToken string
	// done ends the event streams, so that the server can shut down.
	done chan struct{}
	// breakOff ends the requests that are still under way, patience after the stop began.
	breakOff context.CancelCauseFunc
	patience time.Duration
	broken   chan error
	cleanups cleanups
}

// New opens the database, migrates it, and puts everything together. On an empty database it makes
// the first workspace and key. Nothing runs before Start; until then requests are told that the
// service is starting.
func New(ctx context.Context, o Options) (*App, error) {
	a := &App{options: o, door: newDoor(o), done: make(chan struct{}), patience: lastRequests, broken: make(chan error, 2)}
	if err := a.build(ctx); err != nil {
		return nil, errors.Join(explained(o.Data, err), a.cleanups.run(ctx))
	}
	return a, nil
}

func (a *App) build(ctx context.Context) (err error) {
	if a.options.Database == "" {
		if err := lockData(ctx, a.options.Data, &a.cleanups); err != nil {
			return err
		}
	}
	if err := a.listen(ctx); err != nil {
		return err
	}
	if err := a.listenForMetrics(ctx); err != nil {
		return err
	}
	a.options.tell = tellUpgrade(a.options.Log, a.door)
	if a.parts, err = build(ctx, a.options, &a.cleanups); err != nil {
		return err
	}
	if a.queue, err = a.parts.newQueue(a.options); err != nil {
		return err
	}
	a.parts.watch(a.options.telemetry, a.queue)
	if a.handler, err = a.parts.handler(a.options, a.URL(), a.done); err != nil {
		return err
	}
	if a.setupToken, err = a.parts.people.OfferSetup(ctx); err != nil {
		return fmt.Errorf("offer to set up: %w", err)
	}
	// Last, because its key is shown once: a start that fails must not use it up.
	first, made, err := a.parts.workspaces.EnsureFirst(ctx, workspace.FirstKey)
	if err != nil {
		return fmt.Errorf("make the first workspace: %w", err)
	}
	if made {
		a.firstKey = first.Secret
	}
	return nil
}

// listen takes the address, and lets the door answer there.
func (a *App) listen(ctx context.Context) (err error) {
	if a.listener = a.options.Listener; a.listener == nil {
		var listen net.ListenConfig
		if a.listener, err = listen.Listen(ctx, "tcp", cmp.Or(a.options.Listen, "127.0.0.1:8080")); err != nil {
			return problem.New(problem.Unavailable, "the REST interface cannot listen on %s", cmp.Or(a.options.Listen, "127.0.0.1:8080")).
				WithHint("give a free address with --listen HOST:PORT").Because(err)
		}
		a.cleanups.push("listener", func(context.Context) error { return ignoreClosed(a.listener.Close()) })
	}
	// What is asked outlives the start: only a stop ends it.
	requests, breakOff := context.WithCancelCause(context.WithoutCancel(ctx))
	a.breakOff = breakOff
	a.server = &http.Server{
		Handler:           a.door,
		BaseContext:       func(net.Listener) context.Context { return requests },
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          a.complaints(),
	}
	go func() {
		if err := a.server.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
			a.broken <- fmt.Errorf("serve the REST interface: %w", err)
		}
	}()
	a.cleanups.push("door", func(context.Context) error {
		breakOff(nil)
		return ignoreClosed(a.server.Close())
	})
	return nil
}

// complaints is the log that an HTTP server writes its own errors to, such as that it cannot open a
// file for another connection. Left alone, it prints lines of another form than the service's log.
func (a *App) complaints() *log.Logger {
	return slog.NewLogLogger(a.options.Log.Handler(), slog.LevelWarn)
}

// Start begins to serve and to work. Calls and reviews that a crash has left
// behind are taken up first.
func (a *App) Start(ctx context.Context) error {
	if a.options.Database == "" { // nobody else can be at work on a file of ours
		if err := a.parts.experiments.Recover(ctx); err != nil {
			return fmt.Errorf("take up what a crash left behind: %w", err)
		}
	}
	a.parts.rooms.begin(a.options, &a.cleanups)
	if err := a.queue.Start(ctx); err != nil {
		return err
	}
	a.cleanups.push("queue", a.queue.Stop)
	a.cleanups.push("waiting calls", func(context.Context) error { a.parts.experiments.Dismiss(); return nil })
	a.door.open(a.handler)
	a.cleanups.push("REST interface", a.stopServing)
	return nil
}

// lastRequests is how long requests may take once the service stops, and lastAnswers how long what
// is broken off then has for saying so. Calls on the line are waited for behind them: one client
// that reads slowly, or a voice platform that does not answer, must not use up their time.
const (
	lastRequests = 5 * time.Second
	lastAnswers  = time.Second
)

func (a *App) stopServing(ctx context.Context) error {
	close(a.done)
	if a.shutDown(ctx, a.patience) == nil {
		return nil
	}
	a.breakOff(problem.New(problem.Unavailable, "the service is stopping").WithHint("ask again when it has started"))
	if a.shutDown(ctx, lastAnswers) == nil {
		return nil
	}
	return ignoreClosed(a.server.Close()) // who does not read what is sent hears of nothing
}

// shutDown takes no more requests, and waits so long for those that are under way.
func (a *App) shutDown(ctx context.Context, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return a.server.Shutdown(ctx)
}

// Stop ends everything in the reverse order of its beginning: no new requests,
// then no new calls; calls and reviews under way are waited for until ctx ends
// and then broken off, to be taken up again at the next start.
func (a *App) Stop(ctx context.Context) error { return a.cleanups.run(ctx) }

// Broken delivers the error when the service stops working by itself.
func (a *App) Broken() <-chan error { return a.broken }

// URL is where the service is reached on this machine.
func (a *App) URL() string {
	if a.options.PublicURL != "" {
		return a.options.PublicURL
	}
	return "http://" + a.listener.Addr().String()
}

// FirstKey is the key made with the first workspace; "" when there was one already.
func (a *App) FirstKey() string { return a.firstKey }

// CreateKey makes another key for the first workspace and returns its secret.
func (a *App) CreateKey(ctx context.Context, name string) (string, error) {
	return createKey(ctx, a.parts.workspaces, "", name)
}

func ignoreClosed(err error) error {
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
