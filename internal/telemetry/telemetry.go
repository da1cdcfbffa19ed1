// Package telemetry tells Prometheus how the service itself fares: requests, call
// logs, calls on the line, the queue, the database. It knows none of them. Package
// app has the packages api, calllog, experiment, review, store and queue tell it what
// has happened, asks lines, queue and endpoint for what they count anyway when somebody
// looks, and serves all of it at an address of its own. What it says is the
// operator's: nothing in it is of a tenant or of anybody on a call. Figures of calls
// are package monitor's.
package telemetry

import (
	"net/http"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Path is where the metrics are.
const Path = "/metrics"

const (
	namespace = "ringtrue"
	// scrapes is how many are answered at a time; they share one look at the service.
	scrapes = 8
)

// Telemetry collects what the service tells of itself. Its methods are safe for
// concurrent use and take no longer than a few counters do.
type Telemetry struct {
	registry *prometheus.Registry
	counts
}

// New returns a Telemetry with a registry of its own: the media server inside the
// process has put its metrics into the registry that all share, and those are not ours.
func New(version string) *Telemetry {
	t := &Telemetry{registry: prometheus.NewRegistry(), counts: newCounts()}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Namespace: namespace, Name: "build_info", Help: "The running version; always 1.",
		ConstLabels: prometheus.Labels{"version": version, "goversion": runtime.Version()},
	})
	build.Set(1)
	t.registry.MustRegister(
		build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	t.registry.MustRegister(t.all()...)
	return t
}

// Server answers at Path. Its listener is the caller's, and so is its end.
func (t *Telemetry) Server() *http.Server {
	metrics := promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{
		// What fails is counted and not logged: a scraper that hangs up would fill the log.
		Registry: t.registry, ErrorHandling: promhttp.ContinueOnError,
		MaxRequestsInFlight: scrapes, CoalesceGather: true,
	})
	mux := http.NewServeMux()
	mux.Handle("GET "+Path, metrics)
	return &http.Server{
		Handler:           mux,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second,
		WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
}
