package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/store"
)

const answeredAt = 1_700_000_000_000

// withCalls adds to ws_a a production call without anything and a simulated
// one with everything, and to ws_b one call. The audio of the second is returned.
func withCalls(t *testing.T) (*resources, []byte) {
	t.Helper()
	r := newResources(t)
	tape := leg.NewTape(time.Minute)
	tape.Begin(8000)
	ramp := make([]int16, 8000)
	for i := range ramp {
		ramp[i] = int16(i)
	}
	tape.Write(0, 0, ramp)
	tape.Write(1, 4000, ramp[:4000])
	rec, err := r.blobs.Keep(t.Context(), "ws_a/call_2.wav", tape)
	if err != nil {
		t.Fatal(err)
	}
	answered := time.UnixMilli(answeredAt)
	attempt := call.Attempt{ID: "att_1", CallID: "call_2", Number: 1, StartedAt: answered.Add(-time.Second)}
	ended := attempt
	ended.AnsweredAt, ended.EndedAt, ended.Codec, ended.EndReason = answered, answered.Add(30*time.Second), "PCMU", call.EndOf(call.EndCompleted, "BYE")
	ended.Stats = call.LineStats{Sent: 1500, Jitter: 1500 * time.Microsecond, RemoteLost: -1}
	ended.Timeline = []call.Event{{At: 0, Kind: call.KindAnswered}, {At: time.Second, End: 2 * time.Second, Kind: call.KindSaid, Text: "Hello"}}
	calls := []call.Call{
		{ID: "call_1", WorkspaceID: "ws_a", Origin: call.Production, Status: call.Ended, ScoringStatus: call.ScoringPending, CreatedAt: answered, ExternalID: "ext", Metadata: map[string]any{"plan": "gold", "age": 7}},
		{
			ID: "call_2", WorkspaceID: "ws_a", Origin: call.Simulated, ExperimentID: "ve_1", ItemID: "di_1", Repetition: 1, AgentID: "agt_1",
			Status: call.Ended, ScoringStatus: call.Scored, Verdict: call.NotPassed, VerdictReason: "too slow", EndReason: ended.EndReason,
			From: "+15550101", To: "+15550100", CreatedAt: answered.Add(-time.Hour), StartedAt: attempt.StartedAt, AnsweredAt: answered, EndedAt: ended.EndedAt,
			Recording: &rec, Metadata: map[string]any{"plan": "silver"},
		},
		{ID: "call_3", WorkspaceID: "ws_b", Origin: call.Production, Status: call.Ended, ScoringStatus: call.ScoringSkipped, CreatedAt: answered},
	}
	if err := r.store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.InsertExperiment(t.Context(), experiment.Experiment{ID: "ve_1", WorkspaceID: "ws_a", Status: experiment.Finished}); err != nil {
			return err
		}
		if err := tx.InsertCalls(t.Context(), calls, nil); err != nil {
			return err
		}
		if _, err := tx.Claim(t.Context(), attempt, experiment.Limits{}, answered); err != nil {
			return err
		}
		if ok, err := tx.EndAttempt(t.Context(), ended); err != nil || !ok {
			return fmt.Errorf("end attempt: %v, %w", ok, err)
		}
		return tx.SaveReview(t.Context(), review())
	}); err != nil {
		t.Fatal(err)
	}
	body, err := r.blobs.Open(t.Context(), rec.Key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = body.Close() }()
	return r, readAll(t, body)
}

func review() call.Review {
	latency, half := 1.001, 0.5
	return call.Review{
		CallID: "call_2",
		Heard: call.Heard{
			Engines: map[string]string{"stt": "pocketsphinx 5prealpha"}, SelfTestGrade: true,
			Turns: []call.Turn{
				{Index: 0, Speaker: call.Agent, Start: 500 * time.Millisecond, End: time.Second, Text: "Clinic, good morning"},
				{Index: 1, Speaker: call.Caller, Start: 2 * time.Second, End: 3 * time.Second, Text: "An appointment please", Manner: call.MannerInterrupt},
			},
		},
		Metrics: []call.Metric{
			{Name: "turn_latency", Version: 1, Unit: "s", Value: &latency, Spread: &call.Spread{N: 2, Mean: 1.25, P50: 1, P90: 1.5, P95: 1.5, P99: 1.5, Min: 1, Max: 1.5, Values: []float64{1, 1.5}}},
			{Name: "talk_ratio", Version: 1, Unit: "ratio", Value: &half},
			{Name: "wer", Version: 1, Reason: "there is no record of the agent's own"},
		},
		Scores: []call.Score{
			{ScorerID: "sc_1", Name: "latency", Version: 2, Verdict: call.NotPassed, Required: true, Value: &latency, Unit: "s", Reason: "over 1 s", Evidence: []call.Evidence{{Turn: 1, Start: 2 * time.Second, End: 3 * time.Second, Quote: "An appointment"}, {Turn: -1}}},
			{ScorerID: "sc_2", Name: "polite", Version: 1, Verdict: call.Passed, Reason: "it was"},
		},
		ToolCalls: []call.ToolCall{
			{ID: "t1", Name: "book", Arguments: json.RawMessage(`{"day":"monday"}`), Result: "done", At: 1500 * time.Millisecond},
			{ID: "t2", Name: "log", At: -1},
		},
		Feeling: &call.Feeling{
			Turns:     []call.TurnFeeling{{Turn: 1, Sentiment: call.Negative, Emotions: map[string]float64{"anger": 0.5}, Signs: []call.Sign{call.SignRepeats}}},
			Sentiment: call.Negative, Frustration: 0.81234, Upset: true, UpsetTurn: 1,
			Judged: &call.Feeling{Sentiment: call.Neutral, Turns: []call.TurnFeeling{{Turn: 1}}, UpsetTurn: -1},
		},
		Notes:   []string{"There is no usable recording: it is gone."},
		Verdict: call.NotPassed,
	}
}

func TestCallShowsEverything(t *testing.T) {
	t.Parallel()
	r, _ := withCalls(t)
	_, text := r.do(exchange{method: "GET", path: "/calls/call_2", status: 200, hasNot: []string{"ws_a"}})
	for _, name := range []string{
		"id", "voice_experiment_id", "dataset_item_id", "repetition", "status", "scoring_status", "verdict", "end_reason", "from_number", "to_number",
		"started_at", "answered_at", "ended_at", "duration_ms", "recording_url", "transcript", "scores", "metrics", "attempts", "engines", "feeling", "notes",
	} {
		if !slices.Contains(keys(t, text), name) {
			t.Errorf("%s is missing", name)
		}
	}
	var c api.CallDetail
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	if f := c.Feeling; f == nil || *f.Sentiment != "negative" || *f.Frustration != 0.812 || !f.Upset || *f.UpsetTurn != 1 || *f.Judged.Sentiment != "neutral" || len(c.Notes) != 1 {
		t.Errorf("the feeling is %+v, the notes %q", f, c.Notes)
	}
	if c.Feeling.Valence == nil || c.Turns[1].Feeling.Valence == nil || c.Turns[0].Feeling != nil || c.Turns[1].Feeling.Signs[0] != "repeats" || c.Turns[1].Feeling.Emotions["anger"] != 0.5 {
		t.Errorf("the turns are %+v", c.Turns)
	}
	if *c.EndReason.Code != "completed" || *c.EndReason.Blame != "nobody" || *c.EndReason.Detail != "BYE" || *c.DurationMS != 30_000 || *c.AnsweredAt != answeredAt || *c.Verdict != "failed" {
		t.Errorf("%s", text)
	}
	if !c.CallerUpset || *c.CallerSentiment != "negative" || *c.TurnLatencyMS != 1001 || c.Keeps != "everything" || c.Audio == nil || c.Audio.DurationMS == 0 {
		t.Errorf("%s", text)
	}
	if *c.RecordingURL != "https://ringtrue.example.org/api/rest/calls/call_2/recording" {
		t.Errorf("%s", *c.RecordingURL)
	}
	var said []string
	for _, m := range c.Transcript.Messages {
		var line strings.Builder
		line.WriteString(m.Role + " " + m.Content)
		for _, tool := range m.ToolCalls {
			line.WriteString(tool.Type + " " + tool.Function.Name + tool.Function.Arguments)
		}
		if m.Start != nil {
			line.WriteString(fmt.Sprintf(" @%d", *m.Start))
		}
		said = append(said, line.String())
	}
	want := []string{"assistant Clinic, good morning @500", `assistant function book{"day":"monday"} @1500`, "tool done @1500", "user An appointment please @2000", "assistant function log{}"}
	if c.Transcript.Kind != "chat_completion" || !reflect.DeepEqual(said, want) {
		t.Errorf("%q", said)
	}
	wantMetrics := map[string]any{
		"turn_latency": map[string]any{"n": 2.0, "mean": 1.25, "p50": 1.0, "p90": 1.5, "p95": 1.5, "p99": 1.5, "min": 1.0, "max": 1.5, "values": []any{1.0, 1.5}},
		"talk_ratio":   0.5, "wer": nil,
	}
	if !reflect.DeepEqual(c.Metrics, wantMetrics) || c.NotEvaluated["wer"] != "there is no record of the agent's own" || len(c.NotEvaluated) != 1 {
		t.Errorf("%v, %v", c.Metrics, c.NotEvaluated)
	}
	if s := c.Scores[0]; s.Verdict != "failed" || *s.Value != 1.001 || *s.Unit != "s" || *s.Evidence[0].Turn != 1 || s.Evidence[0].StartMS != 2000 || s.Evidence[1].Turn != nil || c.Scores[1].Value != nil {
		t.Errorf("%+v", c.Scores)
	}
	if len(c.Attempts) != 1 || c.Attempts[0].Stats.JitterMS != 1.5 || *c.Attempts[0].Codec != "PCMU" || !c.SelfTestGrade || c.Engines["stt"] == "" {
		t.Errorf("%+v", c.Attempts)
	}
	if len(c.Turns) != 2 || *c.Turns[1].Manner != "interrupt" || len(c.Timeline) != 2 || *c.Timeline[1].Text != "Hello" || *c.Timeline[1].EndMS != 2000 {
		t.Errorf("%+v %+v", c.Turns, c.Timeline)
	}
}

func TestCallThatHasNothingYet(t *testing.T) {
	t.Parallel()
	r, _ := withCalls(t)
	r.do(exchange{method: "GET", path: "/calls/call_1", status: 200, has: []string{
		`"voice_experiment_id":null`, `"verdict":null`, `"end_reason":{"code":null,"blame":null,"detail":null}`, `"started_at":null`, `"duration_ms":null`, `"recording_url":null`,
		`"transcript":{"kind":"chat_completion","messages":[]}`, `"scores":[]`, `"metrics":{}`, `"attempts":[]`, `"engines":{}`, `"turns":[]`, `"timeline":[]`, `"external_id":"ext"`,
	}})
}

func TestCallsAreListedAndFiltered(t *testing.T) {
	t.Parallel()
	r, _ := withCalls(t)
	for query, want := range map[string]string{
		"":                                       "call_1 call_2",
		"?origin=production":                     "call_1",
		"?agent_id=agt_1":                        "call_2",
		"?agent_id=agt_9":                        "",
		"?status=ENDED":                          "call_1 call_2",
		"?status=FAILED":                         "",
		"?scoring_status=SCORED":                 "call_2",
		"?verdict=failed":                        "call_2",
		"?verdict=passed":                        "",
		"?end_reason=completed":                  "call_2",
		"?voice_experiment_id=ve_1":              "call_2",
		"?metadata.plan=gold":                    "call_1",
		"?metadata.age=7":                        "call_1",
		"?metadata.plan=gold&metadata.age=8":     "",
		"?metadata.plan=silver&origin=simulated": "call_2",
		fmt.Sprintf("?from=%d", answeredAt):      "call_1",
		fmt.Sprintf("?until=%d", answeredAt):     "call_2",
	} {
		_, text := r.do(exchange{method: "GET", path: "/calls" + query, status: 200, hasNot: []string{"call_3", "transcript"}})
		var page rest.Page[api.CallSummary]
		if err := json.Unmarshal([]byte(text), &page); err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, c := range page.Data {
			ids = append(ids, c.ID)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
	r.all([]exchange{
		{method: "GET", path: "/calls?limit=1", status: 200, has: []string{"call_1", fmt.Sprintf(`"next_cursor":"%d000.call_1"`, answeredAt)}},
		{method: "GET", path: fmt.Sprintf("/calls?limit=1&cursor=%d000.call_1", answeredAt), status: 200, has: []string{"call_2", `"next_cursor":null`}},
		{method: "GET", path: "/calls?cursor=call_2", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{method: "GET", path: "/calls?cursor=agt_1", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{method: "GET", path: "/calls?origin=invented", status: 422, code: "invalid_fields"},
		{method: "GET", path: "/calls?end_reason=invented", status: 422, code: "invalid_fields", fields: []string{"query.end_reason"}},
		{method: "GET", path: "/calls?end_reason=agent_never_joined", status: 200},
		{method: "GET", path: "/calls?from=yesterday", status: 422, code: "invalid_fields"},
		{method: "GET", path: "/calls?until=1700000000000000000", status: 422, code: "invalid_fields", fields: []string{"query.until"}}, // ns
		{method: "GET", path: "/calls?from=1700000000000000", status: 422, code: "invalid_fields", fields: []string{"query.from"}},      // µs
		{method: "GET", path: "/calls?from=2000&until=1000", status: 422, code: "invalid_fields", fields: []string{"query.until"}},
		{method: "GET", path: "/calls?metadata.a=1&metadata.a=2", status: 422, code: "invalid_fields"},
		{method: "GET", path: "/calls?metadata.=1", status: 422, code: "invalid_fields"},
		{method: "GET", path: "/calls?metadata.a=1&colour=red", status: 422, code: "invalid_fields", fields: []string{"query.colour"}},
		{method: "GET", path: "/calls/call_2", key: "b", status: 404, code: "not_found", hasNot: []string{"Clinic"}},
		{method: "GET", path: "/calls/call_2/recording", key: "b", status: 404, code: "not_found"},
		{method: "GET", path: "/calls/call_2/peaks", key: "b", status: 404, code: "not_found"},
		{method: "GET", path: "/calls/call_9", status: 404, code: "not_found"},
		{method: "GET", path: "/calls/call_1/recording", status: 404, code: "not_found", has: []string{`"hint":`}},
		{method: "GET", path: "/calls/call_1/peaks", status: 404, code: "not_found"},
	})
}

func TestRecordingRanges(t *testing.T) {
	t.Parallel()
	r, audio := withCalls(t)
	size := len(audio)
	path := "/calls/call_2/recording"
	h, text := r.do(exchange{method: "GET", path: path, status: 200})
	etag := h.Get("ETag")
	if text != string(audio) || h.Get("Content-Type") != "audio/wav" || h.Get("Accept-Ranges") != "bytes" || len(etag) != 66 || h.Get("Content-Length") != fmt.Sprint(size) {
		t.Fatalf("%d bytes of %d, headers %v", len(text), size, h)
	}
	for asked, want := range map[string][2]int{
		"bytes=0-0": {0, 1}, "bytes=10-19": {10, 20}, "bytes=100-": {100, size}, "bytes=-7": {size - 7, size},
		fmt.Sprintf("bytes=5-%d", size*2): {5, size}, fmt.Sprintf("bytes=-%d", size*2): {0, size}, "bytes=3-99999999999999999999999": {3, size},
	} {
		h, text := r.do(exchange{name: asked, method: "GET", path: path, header: map[string]string{"Range": asked}, status: 206})
		if text != string(audio[want[0]:want[1]]) || h.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", want[0], want[1]-1, size) || h.Get("Content-Length") != fmt.Sprint(want[1]-want[0]) {
			t.Errorf("%s: %d bytes, %v", asked, len(text), h)
		}
	}
	for _, asked := range []string{"bytes=9-3", "bytes=a-b", "bytes=", "bytes=-", "bytes=0-1,5-6", "seconds=0-1", "bytes=+1-2", "bytes 0-1"} {
		if _, text := r.do(exchange{name: asked, method: "GET", path: path, header: map[string]string{"Range": asked}, status: 200}); text != string(audio) {
			t.Errorf("%s: %d bytes", asked, len(text))
		}
	}
	for _, asked := range []string{fmt.Sprintf("bytes=%d-", size), "bytes=-0", "bytes=99999999999999999999999-"} {
		h, _ := r.do(exchange{name: asked, method: "GET", path: path, header: map[string]string{"Range": asked}, status: 416, code: "range_not_satisfiable"})
		if h.Get("Content-Range") != fmt.Sprintf("bytes */%d", size) {
			t.Errorf("%s: %v", asked, h)
		}
	}
	if _, text := r.do(exchange{method: "GET", path: path, header: map[string]string{"Range": "bytes=0-3", "If-Range": etag}, status: 206}); text != "RIFF" {
		t.Errorf("%q", text)
	}
	if _, text := r.do(exchange{method: "GET", path: path, header: map[string]string{"Range": "bytes=0-3", "If-Range": `"another"`}, status: 200}); text != string(audio) {
		t.Error("a range of a recording that has changed")
	}
	if _, text := r.do(exchange{method: "GET", path: path, header: map[string]string{"If-None-Match": `"x", ` + etag}, status: 304}); text != "" {
		t.Errorf("%q", text)
	}
	h, text = r.do(exchange{method: "HEAD", path: path, status: 200})
	if text != "" || h.Get("Content-Length") != fmt.Sprint(size) {
		t.Errorf("%d bytes, %v", len(text), h)
	}
}

func TestPeaks(t *testing.T) {
	t.Parallel()
	r, audio := withCalls(t)
	if !bytes.HasPrefix(audio, []byte("RIFF")) {
		t.Fatal("not a WAV file")
	}
	var p api.CallPeaks
	r.make("GET", "/calls/call_2/peaks?n=4", "", &p)
	scaled := func(v ...float64) (out []float64) {
		for _, x := range v {
			out = append(out, math.Round(x/32768*1e4)/1e4)
		}
		return out
	}
	want := api.CallPeaks{
		CallID: "call_2", Rate: 8000, Samples: 8000, DurationMS: 1000, UntilMS: 1000, N: 4,
		Caller: scaled(0, 1999, 2000, 3999, 4000, 5999, 6000, 7999), Agent: scaled(0, 0, 0, 0, 0, 1999, 2000, 3999),
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("%+v", p)
	}
	r.make("GET", "/calls/call_2/peaks", "", &p)
	if p.N != 800 || len(p.Caller) != 1600 || len(p.Agent) != 1600 {
		t.Errorf("%d peaks", p.N)
	}
	r.make("GET", "/calls/call_2/peaks?n=2&from_ms=500&until_ms=750", "", &p)
	if want := scaled(4000, 4999, 5000, 5999); p.FromMS != 500 || p.UntilMS != 750 || p.DurationMS != 1000 || !reflect.DeepEqual(p.Caller, want) {
		t.Errorf("a part: %+v", p)
	}
	r.do(exchange{method: "GET", path: "/calls/call_2/peaks?from_ms=5&until_ms=5", status: 422, code: "invalid_fields", fields: []string{"query.until_ms"}})
	for _, n := range []string{"0", "4001", "-1", "many"} {
		r.do(exchange{method: "GET", path: "/calls/call_2/peaks?n=" + n, status: 422, code: "invalid_fields"})
	}
}

// What nobody measured is null, not neutral: the words of a call that is not English are not read.
func TestCallWhoseWordsWereNotReadHasNoValence(t *testing.T) {
	t.Parallel()
	r, _ := withCalls(t)
	unread := review()
	unread.Feeling = &call.Feeling{
		Turns: []call.TurnFeeling{{Turn: 1, Frustration: 0.8, Signs: []call.Sign{call.SignInterrupts}}}, Frustration: 0.8, Upset: true, UpsetTurn: 1,
	}
	if err := r.store.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveReview(t.Context(), unread) }); err != nil {
		t.Fatal(err)
	}
	_, text := r.do(exchange{method: "GET", path: "/calls/call_2", status: 200})
	var c api.CallDetail
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	if f := c.Feeling; f.Valence != nil || f.Worst != nil || f.Sentiment != nil || *f.Frustration != 0.8 {
		t.Errorf("the feeling is %+v", f)
	}
	if f := c.Turns[1].Feeling; f.Valence != nil || f.Frustration != 0.8 || len(f.Signs) != 1 {
		t.Errorf("that of the turn is %+v", f)
	}
}
