package telemetry

import (
	"cmp"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringtrue/ringtrue/internal/call"
)

// The names of labels.
const (
	labelRoute, labelMethod, labelStatus = "route", "method", "status"
	labelSource, labelReason, labelAgain = "source", "reason", "duplicate"
	labelLine, labelEnd, labelBlame      = "line", "end_reason", "blame"
	labelKind, labelOutcome, labelState  = "kind", "outcome", "state"
)

// counts is what is counted as it happens. All its labels are of bounded sets: words
// of the program's own, never a client's.
type counts struct {
	requests    *prometheus.CounterVec
	requestTime *prometheus.HistogramVec

	accepted, refused *prometheus.CounterVec
	groups            prometheus.Histogram

	attempts *prometheus.CounterVec
	frames   []frameCount

	jobs    *prometheus.CounterVec
	jobTime *prometheus.HistogramVec

	commits  prometheus.Histogram
	failures *prometheus.CounterVec

	fetches      *prometheus.CounterVec
	fetchedBytes prometheus.Counter
}

// frameCount adds up one figure of the statistics of calls that are over.
type frameCount struct {
	*prometheus.CounterVec
	of func(call.LineStats) int64
}

func newCounts() counts {
	c := counts{
		requests: counter("http_requests_total", "REST requests that were answered.", labelRoute, labelMethod, labelStatus),
		requestTime: histogram("http_request_duration_seconds", "How long REST requests took, without event streams.",
			[]float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}, labelRoute, labelMethod),
		accepted: counter("call_logs_accepted_total", "Call logs that were stored.", labelSource, labelAgain),
		refused:  counter("call_logs_refused_total", "Call logs that were read but not stored.", labelSource, labelReason),
		groups: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "call_logs_group_size", Help: "Call logs stored per transaction.",
			Buckets: []float64{1, 2, 4, 8, 16, 32, 64, 128},
		}),
		attempts: counter("call_attempts_ended_total", "Call attempts that this process placed and stored, by how they ended.", labelLine, labelEnd, labelBlame),
		frames:   frameCounts(),
		jobs:     counter("jobs_total", "Jobs that were run, by outcome.", labelKind, labelOutcome),
		jobTime: histogram("job_duration_seconds", "How long each try of a job took.",
			[]float64{.01, .05, .25, 1, 5, 30, 120, 600}, labelKind),
		commits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "database_commit_duration_seconds", Help: "How long commits took that changed something.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5},
		}),
		failures: counter("database_errors_total", "Transactions that failed because of the database; each try counts.", labelKind),
		fetches:  counter("recording_fetches_total", "Tries to fetch recordings of production calls.", labelOutcome),
		fetchedBytes: prometheus.NewCounter(prometheus.CounterOpts{
			Namespace: namespace, Name: "recording_fetched_bytes_total", Help: "Bytes kept of fetched recordings.",
		}),
	}
	c.begin()
	return c
}

// begin has those be there with zero whose first event an alert must not miss.
func (c *counts) begin() {
	for _, outcome := range []string{FetchHad, FetchMissed, FetchGivenUp} {
		c.fetches.WithLabelValues(outcome)
	}
	for _, kind := range []string{DatabaseBusy, DatabaseAway, DatabaseFull, DatabaseBroken, DatabaseUncertain} {
		c.failures.WithLabelValues(kind)
	}
}

// beginLine is begin for what is counted of calls on a line.
func (c *counts) beginLine(line string) {
	for _, f := range c.frames {
		f.WithLabelValues(line)
	}
}

func frameCounts() []frameCount {
	count := func(name, help string, of func(call.LineStats) int64) frameCount {
		return frameCount{counter(name, help+" Counted when the call is over.", labelLine), of}
	}
	return []frameCount{
		count("frames_sent_total", "Audio frames that were sent.", func(s call.LineStats) int64 { return s.Sent }),
		count("frames_sent_late_total", "Audio frames that were sent more than 5 ms late.", func(s call.LineStats) int64 { return s.SendLate }),
		count("frames_missed_total", "Audio frames with something audible that were never sent.", func(s call.LineStats) int64 { return s.SendMissed }),
		count("packets_received_total", "Packets that arrived from far ends.", func(s call.LineStats) int64 { return s.Received }),
		count("packets_lost_total", "Packets from far ends that never arrived.", func(s call.LineStats) int64 { return s.Lost }),
		count("packets_late_total", "Packets from far ends that arrived too late to be heard.", func(s call.LineStats) int64 { return s.Late }),
		count("packets_dropped_total", "Packets that reached this machine but were not read in time.", func(s call.LineStats) int64 { return s.ReceiveDropped }),
	}
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
}

func histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
}

func (c *counts) all() []prometheus.Collector {
	all := []prometheus.Collector{
		c.requests, c.requestTime, c.accepted, c.refused, c.groups, c.attempts, c.jobs, c.jobTime, c.commits, c.failures, c.fetches, c.fetchedBytes,
	}
	for _, f := range c.frames {
		all = append(all, f)
	}
	return all
}

// Request is one that was answered. route and method are "" where the client asked
// for what there is not; the time of a stream says nothing of the service.
func (c *counts) Request(route, method string, status int, took time.Duration, stream bool) {
	route, method = cmp.Or(route, "none"), cmp.Or(method, "other")
	c.requests.WithLabelValues(route, method, strconv.Itoa(status/100)+"xx").Inc()
	if !stream {
		c.requestTime.WithLabelValues(route, method).Observe(took.Seconds())
	}
}

// CallLogAccepted is a call log that is stored; duplicate says that its call was there.
func (c *counts) CallLogAccepted(source string, duplicate bool) {
	c.accepted.WithLabelValues(source, strconv.FormatBool(duplicate)).Inc()
}

// CallLogRefused is one that is not; source is "" when it names none that can be read.
func (c *counts) CallLogRefused(source, reason string) {
	c.refused.WithLabelValues(cmp.Or(source, "unknown"), reason).Inc()
}

// CallLogsStored is a transaction with so many of them.
func (c *counts) CallLogsStored(n int) { c.groups.Observe(float64(n)) }

// Attempt is one that is over.
func (c *counts) Attempt(line string, end call.EndReason, stats call.LineStats) {
	c.attempts.WithLabelValues(line, string(end.Code), string(end.Blame)).Inc()
	for _, f := range c.frames {
		f.WithLabelValues(line).Add(float64(max(0, f.of(stats))))
	}
}

// Job is one that has been worked.
func (c *counts) Job(kind, outcome string, took time.Duration) {
	c.jobs.WithLabelValues(kind, outcome).Inc()
	c.jobTime.WithLabelValues(kind).Observe(took.Seconds())
}

// Commit is a transaction that is on disk.
func (c *counts) Commit(took time.Duration) { c.commits.Observe(took.Seconds()) }

// The kinds of failures of a database.
const (
	DatabaseBusy      = "busy"
	DatabaseAway      = "away"
	DatabaseFull      = "full"
	DatabaseBroken    = "broken"
	DatabaseUncertain = "uncertain"
)

// DatabaseFailed is a transaction that did not come through.
func (c *counts) DatabaseFailed(kind string) { c.failures.WithLabelValues(kind).Inc() }

// What becomes of a try to get a recording.
const (
	FetchHad     = "had"
	FetchMissed  = "missed"
	FetchGivenUp = "given_up"
)

// Fetch is a try to get a recording, of which so many bytes are kept.
func (c *counts) Fetch(outcome string, bytes int64) {
	c.fetches.WithLabelValues(outcome).Inc()
	c.fetchedBytes.Add(float64(max(0, bytes)))
}
