package app

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// withMetrics has the service say how it fares.
func withMetrics(o *Options) { o.MetricsListen = "127.0.0.1:0" }

// metrics is what the service says of itself.
func (r *rig) metrics(t *testing.T) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.app.MetricsURL(), nil)
	must(t, err)
	a := r.send(t, req)
	if a.status != http.StatusOK {
		t.Fatalf("the metrics: %d %s", a.status, a.body)
	}
	return string(a.body)
}

// TestMetricsTellOfRealWork has a service do some of everything, and looks at what its
// operator sees of it. It needs real time, because calls are placed.
func TestMetricsTellOfRealWork(t *testing.T) {
	t.Parallel()
	for name, engine := range map[string][]func(*Options){"sqlite": nil, "postgres": {onPostgres(t)}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sound := plantedSound(t, true, false)
			far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(sound) }))
			t.Cleanup(far.Close)
			r := newRig(t, append(engine, withMetrics, func(o *Options) { o.FetchAllow = []string{"127.0.0.1"} })...)
			r.submitted(t, "heard", far.URL+"/"+planted)
			r.ask(t, r.mine, "POST", "/v2/call-logs", []byte(`{"provider":"`+planted+`","payload":{}}`))
			r.ask(t, r.mine, "GET", "/calls/"+planted, nil)
			r.ask(t, tenant{key: planted}, planted, "/"+planted, nil)
			text := r.metricsWith(t, `ringtrue_jobs_total{kind="review_past",outcome="done"}`)
			for _, want := range []string{
				`ringtrue_call_attempts_ended_total{blame="agent",end_reason="busy",line="sip"} 2`,
				`ringtrue_call_logs_accepted_total{duplicate="false",source="custom"} 1`,
				`ringtrue_call_logs_refused_total{reason="invalid_fields",source="unknown"} 1`,
				`ringtrue_call_logs_group_size_count 1`,
				`ringtrue_http_requests_total{method="GET",route="/api/rest/calls/{id}",status="4xx"} 1`,
				`ringtrue_http_requests_total{method="other",route="none",status="4xx"} 1`,
				`ringtrue_jobs_total{kind="place",outcome="done"} 2`,
				`ringtrue_recording_fetches_total{outcome="had"} 1`,
				`ringtrue_database_up 1`,
				`ringtrue_calls_placed{line="sip"} 0`, `ringtrue_calls_placed{line="room"} 0`,
				`ringtrue_queue_jobs{kind="place",state="due"} 0`,
			} {
				if !strings.Contains(text, "\n"+want+"\n") {
					t.Errorf("there is no %s", want)
				}
			}
			for _, zero := range []string{"ringtrue_database_commit_duration_seconds_count 0", "ringtrue_recording_fetched_bytes_total 0"} {
				if strings.Contains(text, "\n"+zero+"\n") {
					t.Errorf("%s, after all that", zero)
				}
			}
			r.saysNothingOfTenants(t, text)
			faults, err := promlint.New(strings.NewReader(text)).Lint()
			must(t, err)
			for _, f := range faults {
				t.Errorf("%s: %s", f.Metric, f.Text)
			}
		})
	}
}

// TestMetricsTellWhatCostsMoney has an endpoint asked, and looks at what its operator sees of that.
func TestMetricsTellWhatCostsMoney(t *testing.T) {
	t.Parallel()
	questions := 0
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			questions++
		}
		if questions == 2 {
			http.Error(w, "", http.StatusUnauthorized)
			return
		}
		_, _ = w.Write([]byte(`{"choices":[{"message":{"content":"` + planted + `"}}],"usage":{"prompt_tokens":800,"completion_tokens":70}}`)) // the test sees when it does not arrive
	}))
	t.Cleanup(far.Close)
	r := newRig(t, withMetrics, func(o *Options) {
		o.Speech.HTTP = speech.HTTPOptions{BaseURL: far.URL, Key: planted, ChatModel: planted}
	})
	for range 2 {
		_, _ = r.app.parts.speech.Model().Complete(t.Context(), chat.Request{}, nil) // the second is refused
	}
	text := r.metrics(t)
	for _, want := range []string{
		`ringtrue_endpoint_requests_total 2`, `ringtrue_endpoint_failures_total 1`,
		`ringtrue_endpoint_tokens_total{kind="prompt"} 800`, `ringtrue_endpoint_tokens_total{kind="answer"} 70`,
	} {
		if !strings.Contains(text, "\n"+want+"\n") {
			t.Errorf("there is no %s", want)
		}
	}
	r.saysNothingOfTenants(t, text)
}

// metricsWith are the metrics once there is one of them: what is told of a job
// follows its end.
func (r *rig) metricsWith(t *testing.T, name string) string {
	t.Helper()
	deadline := time.Now().Add(4 * time.Minute) // of reviews, which wait for everything else
	for {
		text := r.metrics(t)
		if strings.Contains(text, "\n"+name+" ") {
			return text
		}
		if time.Now().After(deadline) {
			t.Fatalf("there is no %s: %s", name, text)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (r *rig) saysNothingOfTenants(t *testing.T, text string) {
	t.Helper()
	for _, w := range []tenant{r.mine, r.theirs} {
		for _, never := range []string{w.id, w.key, w.agent, w.dataset, w.item, w.slug, w.run, w.call, w.source, w.person, w.keyID} {
			if strings.Contains(text, never) {
				t.Errorf("the metrics hold %s", never)
			}
		}
	}
	for _, never := range []string{planted, "+1555", "15550123", "ws_", "call_0", "invoice", r.far.addr()} {
		if strings.Contains(text, never) {
			t.Errorf("the metrics hold %s", never)
		}
	}
}

func TestThereAreNoMetricsUnlessAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	if url := r.app.MetricsURL(); url != "" || r.app.options.telemetry != nil {
		t.Errorf("they are at %q", url)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+r.addr+"/metrics", nil)
	must(t, err)
	if a := r.send(t, req); a.status != http.StatusNotFound || a.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("the public port answers %d %s %s", a.status, a.header.Get("Content-Type"), a.body)
	}
}

func TestMetricsAddressThatIsTaken(t *testing.T) {
	t.Parallel()
	taken := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(taken.Close)
	_, err := New(t.Context(), Options{
		Data: t.TempDir(), Listen: "127.0.0.1:0", MetricsListen: taken.Listener.Addr().String(), Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err == nil || !strings.Contains(err.Error(), "metrics") {
		t.Errorf("%v", err)
	}
}
