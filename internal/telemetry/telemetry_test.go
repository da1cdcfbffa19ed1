package telemetry_test

import (
	"context"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/pace"
	"github.com/ringtrue/ringtrue/internal/telemetry"
)

// served is a Telemetry that is asked over the network.
func served(t *testing.T, m *telemetry.Telemetry) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := m.Server()
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return "http://" + l.Addr().String()
}

func scrape(t *testing.T, address string) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+telemetry.Path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, string(body)
}

func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains("\n"+text, "\n"+line+"\n") {
			t.Errorf("there is no %q", line)
		}
	}
}

func everything() *telemetry.Telemetry {
	m := telemetry.New("1.2.3")
	m.Request("/api/rest/calls/{id}", "GET", 200, 20*time.Millisecond, false)
	m.Request("/api/rest/events", "GET", 200, time.Hour, true)
	m.Request("", "", 404, time.Millisecond, false)
	m.CallLogAccepted("custom", false)
	m.CallLogRefused("", "invalid_json")
	m.CallLogsStored(3)
	m.Attempt("sip", call.EndOf(call.EndBusy, "486 secret"), call.LineStats{Sent: 100, SendLate: 2, SendMissed: 1, Received: 90, Lost: 4, Late: 3, ReceiveDropped: 5})
	m.Attempt("sip", call.EndOf(call.EndBusy, "486 secret"), call.LineStats{Sent: 1, Lost: -1})
	m.Job("review", "done", time.Second)
	m.Commit(3 * time.Millisecond)
	m.DatabaseFailed(telemetry.DatabaseFull)
	m.Fetch(telemetry.FetchHad, 1000)
	var late pace.Lateness
	late[0], late[1], late[4], late[len(late)-1] = 10, 5, 2, 1
	m.Watch(telemetry.Sources{
		Lines: []telemetry.Line{{Name: "sip", See: func() telemetry.Seen {
			return telemetry.Seen{Placed: 3, Room: math.MaxInt, Held: true, Busy: 0.25, Late: late}
		}}},
		Backlog: func(context.Context) ([]telemetry.Waiting, error) {
			return []telemetry.Waiting{{Kind: "review", Due: 7, Later: 2, Oldest: 90 * time.Second}}, nil
		},
		Endpoint: func() telemetry.Asked {
			return telemetry.Asked{Requests: 9, Failed: 2, PromptTokens: 800, AnswerTokens: 70, SpokenCharacters: 60, HeardSeconds: 1.5}
		},
	})
	return m
}

func TestWhatIsToldIsScraped(t *testing.T) {
	t.Parallel()
	status, text := scrape(t, served(t, everything()))
	if status != http.StatusOK {
		t.Fatalf("%d %s", status, text)
	}
	has(t, text,
		`ringtrue_http_requests_total{method="GET",route="/api/rest/calls/{id}",status="2xx"} 1`,
		`ringtrue_http_request_duration_seconds_bucket{method="GET",route="/api/rest/calls/{id}",le="0.025"} 1`,
		`ringtrue_http_requests_total{method="GET",route="/api/rest/events",status="2xx"} 1`,
		`ringtrue_http_requests_total{method="other",route="none",status="4xx"} 1`,
		`ringtrue_call_logs_accepted_total{duplicate="false",source="custom"} 1`,
		`ringtrue_call_logs_refused_total{reason="invalid_json",source="unknown"} 1`,
		`ringtrue_call_attempts_ended_total{blame="agent",end_reason="busy",line="sip"} 2`,
		`ringtrue_frames_sent_total{line="sip"} 101`, `ringtrue_frames_missed_total{line="sip"} 1`, `ringtrue_frames_sent_late_total{line="sip"} 2`,
		`ringtrue_packets_lost_total{line="sip"} 4`, `ringtrue_packets_dropped_total{line="sip"} 5`,
		`ringtrue_jobs_total{kind="review",outcome="done"} 1`,
		`ringtrue_database_errors_total{kind="full"} 1`, `ringtrue_database_errors_total{kind="away"} 0`, `ringtrue_database_up 1`,
		`ringtrue_recording_fetched_bytes_total 1000`,
		`ringtrue_calls_placed{line="sip"} 3`, `ringtrue_calls_room{line="sip"} +Inf`, `ringtrue_calls_held_back{line="sip"} 1`,
		`ringtrue_media_busy_ratio{line="sip"} 0.25`,
		`ringtrue_frame_lateness_seconds_bucket{line="sip",le="0.0005"} 10`, `ringtrue_frame_lateness_seconds_bucket{line="sip",le="0.001"} 15`,
		`ringtrue_frame_lateness_seconds_bucket{line="sip",le="0.002"} 15`, `ringtrue_frame_lateness_seconds_bucket{line="sip",le="0.003"} 17`,
		`ringtrue_frame_lateness_seconds_bucket{line="sip",le="0.03"} 17`, `ringtrue_frame_lateness_seconds_count{line="sip"} 18`,
		`ringtrue_queue_jobs{kind="review",state="due"} 7`, `ringtrue_queue_jobs{kind="review",state="later"} 2`, `ringtrue_queue_oldest_age_seconds{kind="review"} 90`,
		`ringtrue_endpoint_requests_total 9`, `ringtrue_endpoint_failures_total 2`, `ringtrue_endpoint_tokens_total{kind="prompt"} 800`,
		`ringtrue_endpoint_tokens_total{kind="answer"} 70`, `ringtrue_endpoint_spoken_characters_total 60`, `ringtrue_endpoint_heard_seconds_total 1.5`,
	)
	for _, never := range []string{"secret", `ringtrue_http_request_duration_seconds_count{method="GET",route="/api/rest/events"}`, "livekit"} {
		if strings.Contains(text, never) {
			t.Errorf("there is %s", never)
		}
	}
	for _, name := range []string{"go_goroutines", "process_start_time_seconds", `ringtrue_build_info{goversion="go`} {
		if !strings.Contains(text, "\n"+name) {
			t.Errorf("there is no %s", name)
		}
	}
}

// The first call of a process can be one that it spoilt: an alert on the increase sees nothing of a
// series that begins with it.
func TestFramesAreCountedFromZero(t *testing.T) {
	t.Parallel()
	m := telemetry.New("")
	m.Watch(telemetry.Sources{
		Lines:   []telemetry.Line{{Name: "room", See: func() telemetry.Seen { return telemetry.Seen{} }}},
		Backlog: func(context.Context) ([]telemetry.Waiting, error) { return nil, nil },
	})
	_, text := scrape(t, served(t, m))
	has(t, text, `ringtrue_frames_missed_total{line="room"} 0`, `ringtrue_packets_dropped_total{line="room"} 0`)
}

func TestMetricsAreNamedByTheConventions(t *testing.T) {
	t.Parallel()
	_, text := scrape(t, served(t, everything()))
	faults, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Errorf("%s: %s", f.Metric, f.Text)
	}
}

// However many ask at once, the service is looked at once, and those who are too
// many are sent away instead of kept.
func TestManyScrapesAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	const many = 60
	m := telemetry.New("")
	var looks, most atomic.Int32
	began, goOn := make(chan struct{}, many), make(chan struct{})
	m.Watch(telemetry.Sources{Backlog: func(context.Context) ([]telemetry.Waiting, error) {
		most.Store(max(most.Load(), looks.Add(1)))
		defer looks.Add(-1)
		began <- struct{}{}
		<-goOn
		return nil, nil
	}})
	address := served(t, m)
	answers := make(chan int, many)
	var all sync.WaitGroup
	for range many {
		all.Go(func() { status, _ := scrape(t, address); answers <- status })
	}
	<-began
	for range many - 8 { // they are told at once
		if status := <-answers; status != http.StatusServiceUnavailable {
			t.Fatalf("one of too many: %d", status)
		}
	}
	close(goOn)
	all.Wait()
	for range 8 {
		if status := <-answers; status != http.StatusOK {
			t.Errorf("one of those that wait: %d", status)
		}
	}
	if most.Load() != 1 {
		t.Errorf("%d looks at a time", most.Load())
	}
}

func TestADatabaseThatIsAwayTakesNothingElseAlong(t *testing.T) {
	t.Parallel()
	m := telemetry.New("")
	m.Watch(telemetry.Sources{Backlog: func(context.Context) ([]telemetry.Waiting, error) { return nil, context.DeadlineExceeded }})
	status, text := scrape(t, served(t, m))
	if status != http.StatusOK {
		t.Errorf("%d", status)
	}
	has(t, text, "ringtrue_database_up 0", `ringtrue_build_info{goversion="`+goVersion(text)+`",version=""} 1`)
}

func goVersion(text string) string {
	_, after, _ := strings.Cut(text, `goversion="`)
	version, _, _ := strings.Cut(after, `"`)
	return version
}

func TestOnlyTheMetricsCanBeRead(t *testing.T) {
	t.Parallel()
	address := served(t, telemetry.New(""))
	for _, c := range []struct {
		method, path string
		want         int
	}{
		{http.MethodGet, "/", http.StatusNotFound},
		{http.MethodGet, "/debug/pprof/", http.StatusNotFound},
		{http.MethodPost, telemetry.Path, http.StatusMethodNotAllowed},
		{http.MethodHead, telemetry.Path, http.StatusOK},
	} {
		req, err := http.NewRequestWithContext(t.Context(), c.method, address+c.path, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.path, resp.StatusCode, c.want)
		}
	}
}
