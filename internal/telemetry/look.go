package telemetry

import (
	"context"
	"math"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// Sources are asked when somebody looks, and count for themselves until then.
type Sources struct {
	Lines []Line
	// Backlog tells how much waits in the queue, by kind of job. It bounds by itself
	// how often the database is asked, and for how long.
	Backlog func(ctx context.Context) ([]Waiting, error)
	// Endpoint tells what the endpoint that speaks, listens and thinks was asked for; nil without one.
	Endpoint func() Asked
}

// Asked is what an endpoint was asked for since the process began.
type Asked struct {
	// Requests counts every try, Failed those that came to nothing.
	Requests, Failed int64
	// PromptTokens and AnswerTokens are as the endpoint counts them.
	PromptTokens, AnswerTokens int64
	// SpokenCharacters were made sound, HeardSeconds of sound made words.
	SpokenCharacters int64
	HeardSeconds     float64
}

// Line is one way calls travel.
type Line struct {
	Name string
	See  func() Seen
}

// Seen is how a line fares at the moment.
type Seen struct {
	// Placed are the calls of this process on it, Room how many there may be.
	Placed, Room int
	// Held says that calls wait because the media loop can pace no more.
	Held bool
	// Busy is the share of its time that the busiest thread of the loop spent on calls.
	Busy float64
	// Late are the frames that have left by how late they were.
	Late pace.Lateness
}

// Waiting is how much of a kind of job waits.
type Waiting struct {
	Kind       string
	Due, Later int
	Oldest     time.Duration
}

// Watch has the sources asked from now on. It is called once.
func (t *Telemetry) Watch(s Sources) {
	for _, one := range s.Lines {
		t.beginLine(one.Name)
	}
	t.registry.MustRegister(newLook(s))
}

// look is the collector of what is asked.
type look struct {
	Sources
	placed, room, held, busy, late *prometheus.Desc
	up, waiting, oldest            *prometheus.Desc
	asked, failed, tokens          *prometheus.Desc
	spoken, heard                  *prometheus.Desc
}

func newLook(s Sources) *look {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(namespace+"_"+name, help, labels, nil)
	}
	return &look{
		Sources: s,
		placed:  describe("calls_placed", "Calls on the line of this process now.", labelLine),
		room:    describe("calls_room", "Calls that the media loop of this process has room for now.", labelLine),
		held:    describe("calls_held_back", "1 while calls wait because the media loop is at its limit, otherwise 0.", labelLine),
		busy:    describe("media_busy_ratio", "Share of the last second that the busiest thread of the media loop spent on calls.", labelLine),
		late:    describe("frame_lateness_seconds", "How late frames left the media loop; the sum is approximate, from buckets of half a millisecond.", labelLine),
		up:      describe("database_up", "1 if the database answered the last query for the queue, otherwise 0."),
		waiting: describe("queue_jobs", "Waiting jobs of all processes on the database, counted up to 10000: due now, or put off until later.", labelKind, labelState),
		oldest:  describe("queue_oldest_age_seconds", "How long the oldest due job has waited.", labelKind),
		asked:   describe("endpoint_requests_total", "Requests to the endpoint for speech and language; each try counts."),
		failed:  describe("endpoint_failures_total", "Requests to that endpoint that failed; each try counts."),
		tokens:  describe("endpoint_tokens_total", "Tokens of the language model, as counted by the endpoint.", labelKind),
		spoken:  describe("endpoint_spoken_characters_total", "Characters that the endpoint was asked to speak."),
		heard:   describe("endpoint_heard_seconds_total", "Seconds of sound that the endpoint was asked to transcribe."),
	}
}

// Describe implements prometheus.Collector.
func (l *look) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		l.placed, l.room, l.held, l.busy, l.late, l.up, l.waiting, l.oldest, l.asked, l.failed, l.tokens, l.spoken, l.heard,
	} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (l *look) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	for _, one := range l.Lines {
		seen := one.See()
		gauge(l.placed, float64(seen.Placed), one.Name)
		gauge(l.room, roomOf(seen.Room), one.Name)
		gauge(l.held, oneOrNone(seen.Held), one.Name)
		gauge(l.busy, seen.Busy, one.Name)
		count, sum, buckets := distribution(seen.Late)
		out <- prometheus.MustNewConstHistogram(l.late, count, sum, buckets, one.Name)
	}
	// It is not the request's: scrapes that come at once share one look.
	backlog, err := l.Backlog(context.Background())
	gauge(l.up, oneOrNone(err == nil))
	for _, w := range backlog {
		gauge(l.waiting, float64(w.Due), w.Kind, "due")
		gauge(l.waiting, float64(w.Later), w.Kind, "later")
		gauge(l.oldest, w.Oldest.Seconds(), w.Kind)
	}
	if l.Endpoint != nil {
		l.endpoint(out, l.Endpoint())
	}
}

// endpoint tells what costs money.
func (l *look) endpoint(out chan<- prometheus.Metric, a Asked) {
	total := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	total(l.asked, float64(a.Requests))
	total(l.failed, float64(a.Failed))
	total(l.tokens, float64(a.PromptTokens), "prompt")
	total(l.tokens, float64(a.AnswerTokens), "answer")
	total(l.spoken, float64(a.SpokenCharacters))
	total(l.heard, a.HeardSeconds)
}

// roomOf is how many calls there is room for, infinity where nothing bounds them.
func roomOf(n int) float64 {
	if n == math.MaxInt {
		return math.Inf(1)
	}
	return float64(n)
}

func oneOrNone(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// lateBounds are the buckets of lateness. All are whole numbers of pace.LatenessStep,
// and the last lies below what the loop counts as one.
func lateBounds() []time.Duration {
	return []time.Duration{
		500 * time.Microsecond, time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond, 5 * time.Millisecond,
		10 * time.Millisecond, 20 * time.Millisecond, 30 * time.Millisecond,
	}
}

// distribution is the lateness as Prometheus counts it.
func distribution(late pace.Lateness) (count uint64, sum float64, buckets map[float64]uint64) {
	bounds := lateBounds()
	buckets = make(map[float64]uint64, len(bounds))
	for step, n := range late {
		for len(bounds) > 0 && time.Duration(step)*pace.LatenessStep >= bounds[0] {
			buckets[bounds[0].Seconds()] = count
			bounds = bounds[1:]
		}
		count += uint64(max(0, n)) //nolint:gosec // it is not negative
		sum += float64(n) * (float64(step) + 0.5) * pace.LatenessStep.Seconds()
	}
	return count, sum, buckets
}
