package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/queue"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/telemetry"
)

// listenForMetrics listens on the address of the service's own metrics and answers there from the
// first moment on, so that an upgrade of the database can be watched. Without an address nothing is
// counted.
func (a *App) listenForMetrics(ctx context.Context) error {
	address := a.options.MetricsListen
	if address == "" {
		return nil
	}
	var listen net.ListenConfig
	l, err := listen.Listen(ctx, "tcp", address)
	if err != nil {
		return problem.New(problem.Unavailable, "the metrics cannot be served on %s", address).
			WithHint("give a free address with --metrics-listen HOST:PORT, another than that of --listen").Because(err)
	}
	a.metrics, a.options.telemetry = l, telemetry.New(cmp.Or(a.options.Version, "unknown"))
	server := a.options.telemetry.Server()
	server.ErrorLog = a.complaints()
	go func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			a.broken <- fmt.Errorf("serve the metrics: %w", err)
		}
	}()
	a.cleanups.push("metrics", func(context.Context) error { return ignoreClosed(server.Close()) })
	return nil
}

// MetricsURL is the address of the service's own metrics, "" when they are not served.
func (a *App) MetricsURL() string {
	if a.metrics == nil {
		return ""
	}
	return "http://" + a.metrics.Addr().String() + telemetry.Path
}

// watch has lines, queue and endpoint read whenever the metrics are read.
func (p *parts) watch(t *telemetry.Telemetry, q *queue.Queue) {
	if t == nil {
		return
	}
	sources := telemetry.Sources{Backlog: backlogOf(q)}
	sources.Lines = append(sources.Lines, telemetry.Line{Name: experiment.LinePhone, See: func() telemetry.Seen {
		return seen(p.experiments.Occupancy(experiment.LinePhone), telemetry.Seen{Busy: p.line.Load().Busy, Late: p.line.Lateness()})
	}})
	if p.roomLine != nil {
		sources.Lines = append(sources.Lines, telemetry.Line{Name: experiment.LineRoom, See: func() telemetry.Seen {
			return seen(p.experiments.Occupancy(experiment.LineRoom), telemetry.Seen{Busy: p.roomLine.Load().Busy, Late: p.roomLine.Lateness()})
		}})
	}
	if _, ok := p.speech.Usage(); ok {
		sources.Endpoint = func() telemetry.Asked {
			u, _ := p.speech.Usage()
			return telemetry.Asked(u)
		}
	}
	t.Watch(sources)
}

func seen(o experiment.Occupancy, s telemetry.Seen) telemetry.Seen {
	s.Placed, s.Room, s.Held = o.Placed, o.Room, o.Held
	return s
}

func backlogOf(q *queue.Queue) func(context.Context) ([]telemetry.Waiting, error) {
	return func(ctx context.Context) ([]telemetry.Waiting, error) {
		all, err := q.Backlog(ctx)
		out := make([]telemetry.Waiting, len(all))
		for i, w := range all {
			out[i] = telemetry.Waiting(w)
		}
		return out, err
	}
}

// What follows tells the metrics of what has happened. Without metrics nobody is told.

func (o Options) requestAnswered() func(rest.Answered) {
	if o.telemetry == nil {
		return nil
	}
	return func(a rest.Answered) { o.telemetry.Request(a.Route, a.Method, a.Status, a.Took, a.Stream) }
}

func (o Options) callLogArrived() func(calllog.Arrival) {
	if o.telemetry == nil {
		return nil
	}
	return func(a calllog.Arrival) {
		if a.Refused == nil {
			o.telemetry.CallLogAccepted(a.Provider, a.Duplicate)
			return
		}
		o.telemetry.CallLogRefused(a.Provider, reasonOf(a.Refused))
	}
}

// reasonOf is the code of what a client is told.
func reasonOf(err error) string {
	if p := problem.As(err); p != nil {
		return string(p.Code)
	}
	if errors.Is(err, context.Canceled) {
		return "client_gone"
	}
	return string(problem.Internal)
}

func (o Options) callLogsStored() func(int) {
	if o.telemetry == nil {
		return nil
	}
	return o.telemetry.CallLogsStored
}

func (o Options) attemptEnded() func(string, call.Attempt) {
	if o.telemetry == nil {
		return nil
	}
	return func(line string, a call.Attempt) { o.telemetry.Attempt(line, a.EndReason, a.Stats) }
}

func (o Options) jobWorked() func(queue.Worked) {
	if o.telemetry == nil {
		return nil
	}
	return func(w queue.Worked) { o.telemetry.Job(w.Kind, string(w.Outcome), w.Took) }
}

func (o Options) recordingFetched() func(review.Fetched) {
	if o.telemetry == nil {
		return nil
	}
	return func(f review.Fetched) {
		outcome := telemetry.FetchMissed
		switch {
		case f.Had:
			outcome = telemetry.FetchHad
		case f.GivenUp:
			outcome = telemetry.FetchGivenUp
		}
		o.telemetry.Fetch(outcome, f.Bytes)
	}
}

func (o Options) databaseTold() store.Telling {
	if o.telemetry == nil {
		return store.Telling{}
	}
	return store.Telling{Committed: o.telemetry.Commit, Failed: func(f store.Failure) {
		switch f {
		case store.Transient:
			o.telemetry.DatabaseFailed(telemetry.DatabaseBusy)
		case store.Away, store.Hung:
			o.telemetry.DatabaseFailed(telemetry.DatabaseAway)
		case store.Full:
			o.telemetry.DatabaseFailed(telemetry.DatabaseFull)
		case store.Broken:
			o.telemetry.DatabaseFailed(telemetry.DatabaseBroken)
		case store.Uncertain:
			o.telemetry.DatabaseFailed(telemetry.DatabaseUncertain)
		case store.Final, store.Duplicate, store.Unfit:
		}
	}}
}
