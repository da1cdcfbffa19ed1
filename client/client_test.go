package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// scripted answers one request after the other and notes what came.
type scripted struct {
	t        *testing.T
	answers  []func(w http.ResponseWriter)
	requests []*http.Request
	bodies   []string
	waits    []time.Duration
}

func answer(status int, body string, headers ...string) func(w http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func breakOff(http.ResponseWriter) { panic(http.ErrAbortHandler) }

func script(t *testing.T, answers ...func(w http.ResponseWriter)) (*Client, *scripted) {
	t.Helper()
	s := &scripted{t: t, answers: answers}
	var next atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.requests, s.bodies = append(s.requests, r), append(s.bodies, string(body))
		i := int(next.Add(1)) - 1
		if i >= len(s.answers) {
			t.Errorf("one request too many: %s %s", r.Method, r.URL)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		s.answers[i](w)
	}))
	t.Cleanup(server.Close)
	c := New(server.URL+"/", "rt_key", WithHTTPClient(server.Client()), WithWait(func(ctx context.Context, d time.Duration) error {
		s.waits = append(s.waits, d)
		return ctx.Err()
	}))
	return c, s
}

const busy = `{"code":"unavailable","detail":"busy","request_id":"req_1"}`

func TestRequestsCarryKeyAndBody(t *testing.T) {
	t.Parallel()
	c, s := script(t, answer(200, `{"voice_experiment_id":"ve_1"}`))
	run, err := c.Run(t.Context(), "agt/1", RunRequest{ToNumber: "+1555", DatasetID: "ds_1"}, IdempotencyKey("k"))
	if err != nil || run.VoiceExperimentID != "ve_1" {
		t.Fatalf("%+v %v", run, err)
	}
	r := s.requests[0]
	if r.Method != http.MethodPost || r.URL.EscapedPath() != "/api/rest/voice-agent/agt%2F1/run" || r.Header.Get("Authorization") != "Bearer rt_key" ||
		r.Header.Get("Content-Type") != "application/json" || r.Header.Get("Idempotency-Key") != "k" || s.bodies[0] != `{"to_number":"+1555","dataset_id":"ds_1"}` {
		t.Errorf("%s %s %v %s", r.Method, r.URL, r.Header, s.bodies[0])
	}
}

func TestErrorsAreTyped(t *testing.T) {
	t.Parallel()
	c, s := script(t,
		answer(422, `{"code":"invalid_fields","detail":"some fields are not valid","errors":[{"path":"to_number","message":"is required","suggestion":"x"}],"hint":"look","request_id":"r"}`, "X-Request-Id", "req_7"),
		answer(502, "<html>bad gateway</html>"),
	)
	_, err := c.Run(t.Context(), "agt_1", RunRequest{})
	var e *Error
	if !errors.As(err, &e) || e.Status != 422 || !IsCode(err, "invalid_fields") || e.RequestID != "req_7" || e.Hint != "look" ||
		len(e.Fields) != 1 || e.Fields[0].Path != "to_number" || !strings.Contains(err.Error(), `to_number: is required (did you mean "x"?)`) {
		t.Errorf("%v", err)
	}
	if _, err = c.RunStatus(t.Context(), "ve_1"); !errors.As(err, &e) || e.Status != 502 || e.Code != "" {
		t.Errorf("%v", err)
	}
	if len(s.waits) != 0 {
		t.Error("an error that stays was tried again")
	}
}

func TestSafeRequestsAreTriedAgain(t *testing.T) {
	t.Parallel()
	c, s := script(t, answer(503, busy), answer(429, busy, "Retry-After", "7"), breakOff, answer(200, `{"id":"ve_1","status":"RUNNING"}`))
	got, err := c.RunStatus(t.Context(), "ve_1")
	if err != nil || got.Status != "RUNNING" {
		t.Fatalf("%+v %v", got, err)
	}
	// net/http itself may repeat a GET whose connection broke; our own waits are three.
	if len(s.waits) < 2 || s.waits[0] < 100*time.Millisecond || s.waits[0] > 200*time.Millisecond || s.waits[1] != 7*time.Second {
		t.Errorf("waited %v", s.waits)
	}
}

// A proxy may say until when, by a clock that is not ours.
func TestTheTimeToComeBackIsOfTheSendersClock(t *testing.T) {
	t.Parallel()
	const sent = "Sun, 06 Nov 1994 08:49:37 GMT"
	until := func(at string) func(http.ResponseWriter) {
		return answer(503, "", "Date", sent, "Retry-After", at)
	}
	c, s := script(t, until("Sun, 06 Nov 1994 08:49:44 GMT"), until("Sun, 06 Nov 1994 08:40:00 GMT"), until("soon"), answer(200, `{"status":"RUNNING"}`))
	if _, err := c.RunStatus(t.Context(), "ve_1"); err != nil {
		t.Fatal(err)
	}
	if len(s.waits) != 3 || s.waits[0] != 7*time.Second || s.waits[1] > time.Second || s.waits[2] > time.Second {
		t.Errorf("waited %v", s.waits)
	}
}

func TestCreationsAreTriedAgainOnlyWithAKey(t *testing.T) {
	t.Parallel()
	c, s := script(t, answer(503, busy))
	if _, err := c.Run(t.Context(), "agt_1", RunRequest{}); !IsCode(err, "unavailable") || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
	c, s = script(t, answer(503, busy), answer(200, `{"voice_experiment_id":"ve_1"}`))
	if _, err := c.Run(t.Context(), "agt_1", RunRequest{}, IdempotencyKey("k")); err != nil || s.requests[1].Header.Get("Idempotency-Key") != "k" || s.bodies[0] != s.bodies[1] {
		t.Errorf("%v %v", err, s.bodies)
	}
}

func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	c, s := script(t, answer(503, busy), answer(503, busy), answer(503, busy))
	c.retries = 2
	if _, err := c.RunStatus(t.Context(), "ve_1"); !IsCode(err, "unavailable") || len(s.requests) != 3 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

// Who asked for patience outlasts a restart behind a proxy with each request.
func TestPatience(t *testing.T) {
	t.Parallel()
	c, s := script(t, answer(502, ""), answer(503, busy), answer(504, ""), answer(200, `{"id":"ve_1"}`))
	WithPatience(time.Minute)(c)
	c.retries = 1
	if _, err := c.RunStatus(t.Context(), "ve_1"); err != nil || len(s.requests) != 4 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

func TestWaitFinished(t *testing.T) {
	t.Parallel()
	at := func(status string) func(http.ResponseWriter) {
		return answer(200, `{"id":"ve_1","status":"`+status+`"}`)
	}
	c, s := script(t, at("CREATED"), at("RUNNING"), answer(503, busy), at("SCORING"), at("FINISHED"))
	var seen []string
	e, err := c.WaitFinished(t.Context(), "ve_1", func(e Experiment) { seen = append(seen, e.Status) })
	if err != nil || e.Status != "FINISHED" || strings.Join(seen, " ") != "CREATED RUNNING SCORING FINISHED" || len(s.requests) != 5 {
		t.Errorf("%v %v %v", e.Status, seen, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	c, _ = script(t, at("RUNNING"))
	if _, err := c.WaitFinished(ctx, "ve_1", func(Experiment) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// Whoever gives up while a request is about to be sent again is told so, and what it had come to.
func TestGivingUpBetweenTries(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	c, _ := script(t, answer(503, busy), answer(200, `{"status":"FINISHED"}`))
	c.again = func(error) { cancel() }
	c.wait = sleep
	_, err := c.Experiment(ctx, "ve_1")
	if !errors.Is(err, context.Canceled) || !IsCode(err, "unavailable") {
		t.Errorf("%v", err)
	}
}

// A restart takes longer than the retries of a request do.
func TestAWaitOutlastsARestart(t *testing.T) {
	t.Parallel()
	starting := answer(503, busy, "Retry-After", "5")
	away := []func(http.ResponseWriter){answer(502, "bad gateway"), starting, starting, starting, starting, starting, starting, answer(504, "")}
	for name, wait := range map[string]func(c *Client) error{
		"experiment": func(c *Client) error { _, err := c.WaitFinished(t.Context(), "ve_1", nil); return err },
		"review":     func(c *Client) error { _, err := c.WaitReplay(t.Context(), "rev_1", nil); return err },
		"events": func(c *Client) error {
			for _, err := range c.Events(t.Context(), EventsFrom{}) {
				return err
			}
			return nil
		},
	} {
		end := answer(200, `{"status":"FINISHED"}`)
		if name == "events" {
			end = stream(message(1, "FINISHED"))
		}
		c, s := script(t, append(slices.Clone(away), end)...)
		if err := wait(c); err != nil || len(s.requests) != len(away)+1 {
			t.Errorf("%s: %v after %d requests", name, err, len(s.requests))
		}
	}
}

// What stays away is given up after minutes, and at once by those who want no retries.
func TestAWaitEnds(t *testing.T) {
	t.Parallel()
	var tries []func(http.ResponseWriter)
	for range 100 {
		tries = append(tries, answer(503, busy, "Retry-After", "60"))
	}
	c, s := script(t, tries...)
	told := 0
	c.again = func(error) { told++ }
	_, err := c.WaitFinished(t.Context(), "ve_1", nil)
	var waited time.Duration
	for _, w := range s.waits {
		waited += w
	}
	if !IsCode(err, "unavailable") || waited != outage || told != len(s.waits) {
		t.Errorf("%v after %v, told %d times", err, waited, told)
	}
	c, s = script(t, tries...)
	c.retries = 0
	if _, err := c.WaitFinished(t.Context(), "ve_1", nil); !IsCode(err, "unavailable") || len(s.requests) != 1 {
		t.Errorf("%v after %d requests", err, len(s.requests))
	}
}

func stream(messages string) func(w http.ResponseWriter) {
	return answer(200, messages, "Content-Type", "text/event-stream; charset=utf-8")
}

func message(id int, status string) string {
	return "id: " + strconv.Itoa(id) + "\nevent: experiment\ndata: {\"kind\":\"experiment\",\"status\":\"" + status + "\"}\n\n"
}

func TestEventsGoOnBehindTheLast(t *testing.T) {
	t.Parallel()
	c, s := script(t,
		stream("retry: 2000\nid: 4\n\n: alive\n\n"),
		stream(message(5, "RUNNING")+"id: 6\ndata: {\"half"),
		answer(503, busy),
		stream(message(6, "SCORING")+message(7, "FINISHED")),
	)
	var got []string
	for e, err := range c.Events(t.Context(), EventsFrom{VoiceExperimentID: "ve_1"}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strconv.FormatInt(e.ID, 10)+" "+e.Status)
		if e.Status == "FINISHED" {
			break
		}
	}
	if strings.Join(got, ", ") != "5 RUNNING, 6 SCORING, 7 FINISHED" {
		t.Errorf("got %v", got)
	}
	var queries []string
	for _, r := range s.requests {
		queries = append(queries, r.URL.RawQuery)
	}
	want := "live=false&voice_experiment_id=ve_1 after=4&live=false&voice_experiment_id=ve_1 after=5&live=false&voice_experiment_id=ve_1 after=5&live=false&voice_experiment_id=ve_1"
	if strings.Join(queries, " ") != want {
		t.Errorf("asked %v", queries)
	}
}

func TestEventsEndWithWhatStays(t *testing.T) {
	t.Parallel()
	for want, first := range map[string]func(http.ResponseWriter){
		"unauthenticated: no":  answer(401, `{"code":"unauthenticated","detail":"no"}`),
		"no stream of events":  answer(200, "<html>sign in</html>"),
		"an event is not JSON": stream("id: 5\ndata: {\"half\n\n"),
		"token too long":       stream("data: " + strings.Repeat("x", maxEventLine) + "\n\n"),
	} {
		c, _ := script(t, first)
		var last error
		n := 0
		for _, err := range c.Events(t.Context(), EventsFrom{}) {
			last = err
			n++
		}
		if n != 1 || last == nil || !strings.Contains(last.Error(), want) {
			t.Errorf("%d rounds, %v, want %s", n, last, want)
		}
	}
}

func FuzzReadEvents(f *testing.F) {
	f.Add([]byte(message(1, "RUNNING") + ": x\n\n"))
	f.Add([]byte("id: 9\n\ndata: {}\n\ndata: x\n\n"))
	f.Add([]byte("data:{\ndata:}\n\nid\n\x00:\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		n := 0
		_ = readEvents(strings.NewReader(string(text)), func() {}, func(int64, *Event) bool { n++; return n < 100 })
		if n > 100 {
			t.Error("went on after the end")
		}
	})
}

func TestSaveRecording(t *testing.T) {
	t.Parallel()
	c, s := script(t,
		answer(503, busy),
		answer(200, "RIFF1234", "Content-Type", "audio/wav"),
		answer(404, `{"code":"not_found","detail":"no recording"}`),
		func(w http.ResponseWriter) { answer(200, "RIFF", "Content-Length", "9")(w) },
	)
	var out strings.Builder
	if n, err := c.SaveRecording(t.Context(), "call_1", &out); n != 8 || err != nil || out.String() != "RIFF1234" {
		t.Errorf("%d %q %v", n, out.String(), err)
	}
	if s.requests[1].URL.Path != "/api/rest/calls/call_1/recording" {
		t.Errorf("asked for %s", s.requests[1].URL)
	}
	if _, err := c.SaveRecording(t.Context(), "call_1", &out); !IsCode(err, "not_found") {
		t.Errorf("%v", err)
	}
	if _, err := c.SaveRecording(t.Context(), "call_1", io.Discard); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a recording was taken for a whole one: %v", err)
	}
}
