package api_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

const runPath = "/api/rest/voice-agent/agt_1/run"

func TestRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wantJSON(t, b.ask(t, "POST", runPath, `{"to_number":"+15550100","dataset_id":"ds_1"}`), 200, `{"voice_experiment_id":"ve_1"}`)
	got := b.experiments.started[0]
	if got.AgentID != "agt_1" || got.DatasetID != "ds_1" || got.To != "+15550100" || len(got.ItemIDs) != 0 {
		t.Errorf("asked for %+v", got)
	}
	faults := map[string][]string{
		`{}`: {"dataset_id", "to_number"},
		`{"to_number":"15550100","dataset_id":"ds_1"}`:                   {"to_number"},
		`{"to_number":"+0155","dataset_id":"ds_1"}`:                      {"to_number"},
		`{"to_number":"+15550100 ","dataset_id":"ds_1"}`:                 {"to_number"},
		`{"to_number":"+15550100","dataset_id":""}`:                      {"dataset_id"},
		`{"to_number":15550100,"dataset_id":null}`:                       {"dataset_id", "to_number"},
		`{"to_number":"+15550100","dataset_id":"ds_1","datasetId":"ds"}`: {"datasetId"},
	}
	for body, paths := range faults {
		p := wantProblem(t, b.ask(t, "POST", runPath, body), 422, "invalid_fields", paths...)
		if paths[0] == "datasetId" && p.Errors[0].Suggestion != "dataset_id" {
			t.Errorf("suggestion %+v", p.Errors)
		}
	}
	for _, body := range []string{"", "{", `{"to_number":"+15550100",}`, "\xff\xfe"} {
		wantStatus(t, b.ask(t, "POST", runPath, body).Code, 400, body)
	}
	p := wantProblem(t, b.ask(t, "POST", runPath, "{\n \"to_number\": }"), 400, "invalid_json", "body")
	if !strings.Contains(p.Errors[0].Message, "line 2, column 15") {
		t.Errorf("the place is missing: %q", p.Errors[0].Message)
	}
	wantProblem(t, b.ask(t, "POST", runPath, `{"to_number":"+15550100","dataset_id":"ds_1"}`, "Authorization", "Bearer "+b.other), 404, "not_found")
	if len(b.experiments.started) != 1 {
		t.Errorf("%d runs were started, want 1", len(b.experiments.started))
	}
}

func wantStatus(t *testing.T, got, want int, about string) {
	t.Helper()
	if got != want {
		t.Errorf("%q: got %d, want %d", about, got, want)
	}
}

func TestRunStatusAndCalls(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.experiments.calls = []experiment.CallResult{{Call: call.Call{ID: "call_1", Origin: call.Simulated, Status: call.Ended, ScoringStatus: call.Scored}}}
	wantJSON(t, b.ask(t, "GET", "/api/rest/voice-experiment/ve_1", ""), 200, `{"id":"ve_1","status":"FINISHED"}`)
	w := b.ask(t, "GET", "/api/rest/voice-experiment/ve_1/calls", "")
	var out struct{ Calls []map[string]any }
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil || w.Code != 200 || len(out.Calls) != 1 ||
		out.Calls[0]["id"] != "call_1" || out.Calls[0]["scoring_status"] != "SCORED" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	b.experiments.calls = nil
	wantJSON(t, b.ask(t, "GET", "/api/rest/voice-experiment/ve_1/calls", ""), 200, `{"calls":[]}`)
	for _, path := range []string{"/api/rest/voice-experiment/ve_1", "/api/rest/voice-experiment/ve_1/calls", "/api/rest/voice-experiments/ve_1", "/api/rest/voice-experiments/ve_1/report"} {
		wantProblem(t, b.ask(t, "GET", path, "", "Authorization", "Bearer "+b.other), 404, "not_found")
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const body = `{"to_number":"+15550100","dataset_id":"ds_1"}`
	for range 3 {
		wantJSON(t, b.ask(t, "POST", runPath, body, "Idempotency-Key", "k1"), 200, `{"voice_experiment_id":"ve_1"}`)
	}
	wantJSON(t, b.ask(t, "POST", runPath, `{ "dataset_id":"ds_1", "to_number":"+15550100" }`, "Idempotency-Key", "k1"), 200, `{"voice_experiment_id":"ve_1"}`)
	wantProblem(t, b.ask(t, "POST", runPath, `{"to_number":"+15550101","dataset_id":"ds_1"}`, "Idempotency-Key", "k1"), 409, "conflict")
	wantProblem(t, b.ask(t, "POST", "/api/rest/voice-agent/agt_2/run", body, "Idempotency-Key", "k1"), 409, "conflict")
	wantProblem(t, b.ask(t, "POST", "/api/rest/voice-experiments/ve_1/rerun", "", "Idempotency-Key", "k1"), 409, "conflict")
	// Whichever of two keys were taken, somebody would have meant the other.
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, runPath, strings.NewReader(body))
	r.Header = http.Header{"Authorization": {"Bearer " + b.first.Secret}, "Content-Type": {"application/json"}, "Idempotency-Key": {"k1", "k9"}}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	wantProblem(t, w, 422, "invalid_fields", "header.Idempotency-Key")
	// A request that created nothing gives its key free.
	b.experiments.err = problem.New(problem.Unavailable, "no trunk")
	wantProblem(t, b.ask(t, "POST", runPath, body, "Idempotency-Key", "k2"), 503, "unavailable")
	b.experiments.err = nil
	wantJSON(t, b.ask(t, "POST", runPath, body, "Idempotency-Key", "k2"), 200, `{"voice_experiment_id":"ve_2"}`)
	if len(b.experiments.started) != 2 {
		t.Errorf("%d runs were started, want 2", len(b.experiments.started))
	}
	// Another workspace's keys are its own.
	wantProblem(t, b.ask(t, "POST", runPath, body, "Idempotency-Key", "k1", "Authorization", "Bearer "+b.other), 404, "not_found")
	wantProblem(t, b.ask(t, "POST", runPath, body, "Idempotency-Key", strings.Repeat("k", 256)), 422, "invalid_fields", "header.Idempotency-Key")
}

func TestSameKeyAtTheSameTimeCreatesOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	codes := make(chan int, 8)
	for range cap(codes) {
		go func() {
			codes <- b.ask(t, "POST", runPath, `{"to_number":"+15550100","dataset_id":"ds_1"}`, "Idempotency-Key", "k").Code
		}()
	}
	for range cap(codes) {
		if code := <-codes; code != 200 && code != 409 {
			t.Errorf("answered %d", code)
		}
	}
	if len(b.experiments.started) != 1 {
		t.Errorf("%d runs were started, want 1", len(b.experiments.started))
	}
}

func TestVoiceExperiments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.ask(t, "GET", "/api/rest/voice-experiments?limit=1&agent_id=agt_1&status=FINISHED", "")
	var page struct {
		Data       []api.Experiment `json:"data"`
		NextCursor *string          `json:"next_cursor"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil || len(page.Data) != 1 || page.NextCursor == nil || *page.NextCursor != "ve_2" {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	e := page.Data[0]
	if e.ID != "ve_2" || *e.Verdict != "failed" || e.Counts.Failed != 1 || e.CreatedAt != 1_760_000_000_000 || e.FinishedAt != nil || e.RerunOf != nil || e.Repetitions != 1 {
		t.Errorf("%+v", e)
	}
	if b.experiments.limit != 1 || b.experiments.filter.AgentID != "agt_1" || b.experiments.filter.Status != experiment.Finished {
		t.Errorf("asked for %+v, limit %d", b.experiments.filter, b.experiments.limit)
	}
	if last := b.ask(t, "GET", "/api/rest/voice-experiments?cursor=ve_2", ""); !strings.Contains(last.Body.String(), `"next_cursor":null`) || b.experiments.limit != 50 {
		t.Errorf("limit %d, %s", b.experiments.limit, last.Body)
	}
	wantJSON(t, b.ask(t, "GET", "/api/rest/voice-experiments", "", "Authorization", "Bearer "+b.other), 200, `{"data":[],"next_cursor":null}`)
	for query, path := range map[string]string{"limit=0": "query.limit", "limit=1001": "query.limit", "limit=x": "query.limit", "status=OVER": "query.status", "stat=1": "query.stat"} {
		wantProblem(t, b.ask(t, "GET", "/api/rest/voice-experiments?"+query, ""), 422, "invalid_fields", path)
	}
	wantStatus(t, b.ask(t, "GET", "/api/rest/voice-experiments/ve_1", "").Code, 200, "get")
	wantStatus(t, b.ask(t, "POST", "/api/rest/voice-experiments/ve_1/cancel", "").Code, 200, "cancel")
	for _, body := range []string{"", "{}", `{"only":"all"}`, `{"only":"failed"}`} {
		w := b.ask(t, "POST", "/api/rest/voice-experiments/ve_1/rerun", body)
		if w.Code != 201 || !strings.Contains(w.Body.String(), `"id":"ve_new"`) || !strings.Contains(w.Body.String(), `"rerun_of":"ve_1"`) {
			t.Errorf("rerun %s: %d %s", body, w.Code, w.Body)
		}
	}
	if len(b.experiments.reruns) != 4 || !b.experiments.reruns[3] || b.experiments.reruns[2] {
		t.Errorf("reruns %v", b.experiments.reruns)
	}
	wantProblem(t, b.ask(t, "POST", "/api/rest/voice-experiments/ve_1/rerun", `{"only":"some"}`), 422, "invalid_fields", "only")
}

func TestReport(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.experiments.calls = []experiment.CallResult{
		{Call: call.Call{ID: "call_1", Origin: call.Simulated, Status: call.Ended, ScoringStatus: call.Scored, Verdict: call.Passed}, Item: scenario.Item{ID: "di_1", Key: "books"}},
		{
			Call: call.Call{ID: "call_2", Origin: call.Simulated, Status: call.Ended, ScoringStatus: call.Scored, Verdict: call.NotPassed, VerdictReason: "price is wrong & late"}, Item: scenario.Item{ID: "di_2"},
			Review: &call.Review{Scores: []call.Score{{Name: "price", Verdict: call.NotPassed, Reason: "said <80>", Evidence: []call.Evidence{{Start: 1500 * time.Millisecond, Quote: "eighty"}}}, {Name: "fine", Verdict: call.Passed}}},
		},
		{Call: call.Call{ID: "call_3", Origin: call.Simulated, Status: call.Ended, ScoringStatus: call.Scored, Verdict: call.Void}, Item: scenario.Item{ID: "di_3"}},
		{Call: call.Call{ID: "call_4", Origin: call.Simulated, ScoringStatus: call.ScoringPending, Status: call.Queued}, Item: scenario.Item{ID: "di_4"}},
		{Call: call.Call{ID: "call_5", Origin: call.Simulated, ScoringStatus: call.ScoringSkipped, Status: call.Canceled, EndReason: call.EndOf(call.EndUnknown, "")}, Item: scenario.Item{ID: "di_5"}},
	}
	const path = "/api/rest/voice-experiments/ve_1/report"
	w := b.ask(t, "GET", path, "")
	var report api.Report
	if err := json.Unmarshal(w.Body.Bytes(), &report); err != nil || len(report.Calls) != 5 || report.Calls[0].Item.Key != "books" || report.Experiment.ID != "ve_1" {
		t.Fatalf("%v %s", err, w.Body)
	}
	for _, w := range []*http.Response{b.ask(t, "GET", path+"?format=junit", "").Result(), b.ask(t, "GET", path, "", "Accept", "application/xml, */*;q=0.1").Result()} {
		var suites struct {
			Failures int        `xml:"failures,attr"`
			Errors   int        `xml:"errors,attr"`
			Others   []xml.Attr `xml:",any,attr"`
			Suite    struct {
				Failures int `xml:"failures,attr"`
				Errors   int `xml:"errors,attr"`
				Skipped  int `xml:"skipped,attr"`
				Cases    []struct {
					Name    string `xml:"name,attr"`
					Failure *struct {
						Message string `xml:"message,attr"`
						Text    string `xml:",chardata"`
					} `xml:"failure"`
					Skipped struct {
						Message string `xml:"message,attr"`
					} `xml:"skipped"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.NewDecoder(w.Body).Decode(&suites); err != nil || !strings.HasPrefix(w.Header.Get("Content-Type"), "application/xml") {
			t.Fatalf("%v %q", err, w.Header)
		}
		if own := suites.Suite; own.Failures != 1 || own.Errors != 1 || own.Skipped != 2 {
			t.Errorf("%+v", own)
		}
		if len(suites.Others) != 1 || suites.Others[0].Name.Local != "tests" {
			t.Errorf("attributes that no schema knows of all suites: %+v", suites.Others)
		}
		if suites.Failures != 1 || suites.Errors != 1 || len(suites.Suite.Cases) != 5 || suites.Suite.Cases[0].Failure != nil {
			t.Fatalf("%+v", suites)
		}
		if why := suites.Suite.Cases[4].Skipped.Message; why != "CANCELED" {
			t.Errorf("a canceled call was skipped because of %q", why)
		}
		f := suites.Suite.Cases[1].Failure
		if f.Message != "price is wrong & late" || !strings.Contains(f.Text, "price: said <80>") || !strings.Contains(f.Text, "1.500 s: eighty") || strings.Contains(f.Text, "fine") {
			t.Errorf("%+v", f)
		}
	}
	w = b.ask(t, "GET", path+"?format=json", "", "Accept", "application/xml")
	if h := w.Header(); h.Get("Content-Type") != "application/json" || h.Get("Content-Disposition") != `attachment; filename="ve_1.json"` {
		t.Errorf("the query must win over the header, and the file have a name: %v", h)
	}
	if h := b.ask(t, "GET", path+"?format=junit", "").Header(); h.Get("Content-Disposition") != `attachment; filename="ve_1.junit.xml"` {
		t.Errorf("%v", h)
	}
}

const callLog = `{"provider":"custom","payload":{"call_id":"c-1","recording_url":"https://example.org/a.wav","from_number":"+1","to_number":"+2",` +
	`"start_timestamp":1760000000000,"end_timestamp":1760000060000,"status":"ended"}}`

func TestCallLog(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const path = "/api/rest/v2/call-logs"
	w := b.ask(t, "POST", path, callLog)
	var first, second api.CallLogAccepted
	if err := json.Unmarshal(w.Body.Bytes(), &first); err != nil || w.Code != 202 || !strings.HasPrefix(first.ID, "call_") || first.Duplicate {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if want := `{"id":"` + first.ID + `","status":"accepted","agent_id":null,"duplicate":false}`; strings.TrimSpace(w.Body.String()) != want {
		t.Errorf("got %s", w.Body)
	}
	w = b.ask(t, "POST", path, callLog)
	if err := json.Unmarshal(w.Body.Bytes(), &second); err != nil || second.ID != first.ID || !second.Duplicate || w.Code != 202 {
		t.Errorf("again: %d %s", w.Code, w.Body)
	}
	wantProblem(t, b.ask(t, "POST", path, `{"provider":"custom"}`), 422, "invalid_fields", "payload")
	wantProblem(t, b.ask(t, "POST", path, `{"provider":"platform_a","payload":{}}`), 422, "invalid_fields", "provider")
	wantProblem(t, b.ask(t, "POST", path, `{"provider":`), 400, "invalid_json", "body")
	wantProblem(t, b.ask(t, "POST", path, ""), 400, "invalid_json")
	wantProblem(t, b.ask(t, "POST", path, callLog, "Content-Type", "text/plain"), 415, "unsupported_media_type")
	for _, charset := range []string{"utf-8", "UTF8", `"utf8"`, "us-ascii"} {
		wantStatus(t, b.ask(t, "POST", path, callLog, "Content-Type", "application/json; charset="+charset).Code, 202, charset)
	}
	for _, kind := range []string{"Application/JSON", "APPLICATION/JSON; Charset=UTF-8"} {
		wantStatus(t, b.ask(t, "POST", path, callLog, "Content-Type", kind).Code, 202, kind)
	}
	wantProblem(t, b.ask(t, "POST", path, callLog, "Content-Type", "application/json; charset=utf-16"), 415, "unsupported_media_type")
	if got := b.jobs.list; len(got) != 1 || got[0] != "review_past "+first.ID {
		t.Errorf("jobs %v", got)
	}
}

func TestCallLogJoinsATestCall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	test := call.Call{ID: newID("call"), WorkspaceID: b.first.Workspace.ID, Origin: call.Simulated, Status: call.Ended, CreatedAt: time.Now()}
	if err := b.store.Write(t.Context(), func(tx *store.Tx) error {
		return tx.InsertCalls(t.Context(), []call.Call{test}, []scenario.Item{{ID: "di_1"}})
	}); err != nil {
		t.Fatal(err)
	}
	linked := strings.Replace(callLog, `"provider"`, `"metadata":{"ringtrue_call":"`+test.ID+`"},"provider"`, 1)
	w := b.ask(t, "POST", "/api/rest/v2/call-logs", linked)
	if w.Code != 202 || !strings.Contains(w.Body.String(), test.ID) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if len(b.jobs.list) != 1 || b.jobs.list[0] != "review "+test.ID {
		t.Errorf("jobs %v", b.jobs.list)
	}
	wantProblem(t, b.ask(t, "POST", "/api/rest/v2/call-logs", linked, "Authorization", "Bearer "+b.other), 422, "invalid_fields", "metadata.ringtrue_call")
}

func TestOurOwnFailuresShowNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const body = `{"to_number":"+15550100","dataset_id":"ds_1"}`
	b.experiments.err = errors.New("table secrets is locked")
	p := wantProblem(t, b.ask(t, "POST", runPath, body), 500, "internal")
	if strings.Contains(p.Detail+p.Hint, "secrets") || !strings.Contains(b.log.String(), "table secrets is locked") {
		t.Errorf("shown %q; the log must hold the cause and the answer must not", p.Detail)
	}
	b.experiments.panics = true
	p = wantProblem(t, b.ask(t, "POST", runPath, body), 500, "internal")
	if strings.Contains(p.Detail+p.Hint, "12345") {
		t.Errorf("a panic was shown: %+v", p)
	}
	b.experiments.panics = false
	b.experiments.err = &problem.Error{Code: problem.RateLimited, Message: "too many", RetryAfter: 1500 * time.Millisecond, Hint: "wait"}
	w := b.ask(t, "POST", runPath, body)
	if p := wantProblem(t, w, 429, "rate_limited"); w.Header().Get("Retry-After") != "2" || p.Hint != "wait" {
		t.Errorf("%v %+v", w.Header(), p)
	}
}
