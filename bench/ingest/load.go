package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/bench/meter"
)

// result is what one server did with bodies of one size.
type result struct {
	server, size string
	// ours means that the server is the one under test, not a peer.
	ours         bool
	took         time.Duration
	latencies    []time.Duration
	refused      int
	acknowledged int
	lost         int
	// rssBefore and rssAfter are the resident memory, in MB, at the beginning and at the end; peak
	// is its maximum.
	rssBefore, rssAfter, peak float64
	// cpu is the processor time that the server used, in seconds; others is the percentage of the
	// machine that neither it nor this program used: a database server, and any disturbance.
	cpu, others float64
}

// cpuEach returns what one call cost the server, in microseconds of processor time.
func (r *result) cpuEach() float64 { return 1e6 * r.cpu / float64(max(1, len(r.latencies))) }

func (r *result) perSecond() float64 { return float64(len(r.latencies)) / r.took.Seconds() }

// ms returns a quantile of the latencies.
func (r *result) ms(q float64) float64 {
	if len(r.latencies) == 0 {
		return 0
	}
	return float64(r.latencies[int(q*float64(len(r.latencies)-1))]) / float64(time.Millisecond)
}

func (r *result) line() string {
	return fmt.Sprintf("%-10s %-6s %9.0f %8.2f %8.2f %8.2f %8d %8.0f %4.0f→%-4.0f %9.0f %8.0f", r.server, r.size, r.perSecond(), r.ms(0.5), r.ms(0.99), r.ms(1),
		r.refused, r.cpuEach(), r.rssBefore, r.rssAfter, r.peak, r.others)
}

// warmth is how long a server is used before it is measured.
const warmth = time.Second

// measure starts a server, loads it, and reads back what it acknowledged.
func measure(ctx context.Context, o options, t target, s size) (result, error) {
	server, err := t.start(ctx, s)
	if err != nil {
		return result{}, err
	}
	defer server.stop()
	l := &load{server: server, bodies: newBodies(o.seed, s.bytes, o.over), prefix: s.name + "-" + strconv.FormatUint(o.seed, 10) + "-"}
	if _, err := l.run(ctx, o.connections, warmth); err != nil {
		return result{}, err
	}
	r := result{server: t.name, size: s.name, ours: t.ours}
	r.rssBefore, _ = memory(server.pid)
	begun, used, machine := time.Now(), consumed(server), meter.Now()
	if r.latencies, err = l.run(ctx, o.connections, o.seconds); err != nil {
		return result{}, err
	}
	after := consumed(server)
	r.took, r.cpu, r.others = time.Since(begun), after.server-used.server, meter.Now().Since(machine).Others(after.all-used.all)
	r.rssAfter, r.peak = memory(server.pid)
	slices.Sort(r.latencies)
	r.refused, r.acknowledged = int(l.refused.Load()), len(l.known)
	if t.ours {
		r.lost, err = missing(ctx, server, l.known)
	}
	return r, err
}

// consumption is processor time in seconds.
type consumption struct{ server, all float64 }

// consumed returns what the server has used so far, and what it and this program have used
// together.
func consumed(s *server) consumption {
	own := meter.CPU(s.pid)
	return consumption{own, own + meter.CPU(os.Getpid())}
}

// load is 32 clients that send one call after the other. They use a minimal HTTP client, because
// they share the machine with the server.
type load struct {
	server  *server
	bodies  bodies
	prefix  string
	next    atomic.Int64
	refused atomic.Int64

	mu    sync.Mutex
	known []string
}

func (l *load) run(ctx context.Context, connections int, d time.Duration) ([]time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	until := time.Now().Add(d)
	var wg sync.WaitGroup
	var all []time.Duration
	var first error
	for range connections {
		wg.Go(func() {
			took, known, err := l.client(ctx, until)
			l.mu.Lock()
			defer l.mu.Unlock()
			all, l.known = append(all, took...), append(l.known, known...)
			if err != nil && first == nil {
				first = err
				cancel()
			}
		})
	}
	wg.Wait()
	return all, first
}

func (l *load) client(ctx context.Context, until time.Time) (took []time.Duration, known []string, err error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", l.server.address)
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close() //nolint:errcheck // nothing is lost
	in := bufio.NewReader(conn)
	head := "POST " + l.server.path + " HTTP/1.1\r\nHost: " + l.server.address + "\r\nContent-Type: application/json\r\n" + l.server.header + "Content-Length: "
	for ctx.Err() == nil && time.Now().Before(until) {
		i := l.next.Add(1)
		id := l.prefix + strconv.FormatInt(i, 10)
		body := l.server.wrap(l.bodies.of(i, id, time.Now()))
		begun := time.Now()
		buffers := net.Buffers{[]byte(head + strconv.Itoa(len(body)) + "\r\n\r\n"), body}
		if _, err := buffers.WriteTo(conn); err != nil {
			return took, known, err
		}
		status, text, err := answer(in)
		switch {
		case err != nil:
			return took, known, err
		case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests:
			l.refused.Add(1)
			continue
		case status/100 != 2:
			return took, known, fmt.Errorf("answered %d: %s", status, text)
		}
		took, known = append(took, time.Since(begun)), append(known, id)
	}
	return took, known, nil
}

func answer(in *bufio.Reader) (int, string, error) {
	resp, err := http.ReadResponse(in, nil)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close() //nolint:errcheck // it has been read to its end
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// watch loads a server for a long time and records its resident memory, in MB, at every step.
func watch(ctx context.Context, o options, t target, s size) (samples []float64, lost int, err error) {
	server, err := t.start(ctx, s)
	if err != nil {
		return nil, 0, err
	}
	defer server.stop()
	l := &load{server: server, bodies: newBodies(o.seed, s.bytes, o.over), prefix: "long-" + strconv.FormatUint(o.seed, 10) + "-"}
	for begun := time.Now(); time.Since(begun) < o.long; {
		if _, err := l.run(ctx, o.connections, min(longStep, o.long)); err != nil {
			return nil, 0, err
		}
		now, _ := memory(server.pid)
		samples = append(samples, now)
	}
	lost, err = missing(ctx, server, l.known)
	return samples, lost, err
}

// longStep is the time between two readings of the memory.
const longStep = 10 * time.Second

// memory returns the resident memory of a process in MB, current and maximum.
func memory(pid int) (now, peak float64) {
	now, peak = meter.Memory(pid)
	return now / 1024, peak / 1024
}
