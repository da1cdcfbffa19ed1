package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/live"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/savedview"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/score"
	"github.com/ringtrue/ringtrue/internal/store"
)

// found has results of experiments ve_1 (every second call failed) and ve_2 (all
// passed) of 30 scenarios in the workspace ws_a, and says what it is asked.
type found struct {
	asked []experiment.StartRequest
	tried []score.Config
	drawn []catalog.FromCalls
}

func (f *found) Results(_ context.Context, workspaceID, id string) (experiment.Results, error) {
	if workspaceID != "ws_a" || id != "ve_1" && id != "ve_2" {
		return experiment.Results{}, problem.Missing("experiment", id)
	}
	r := experiment.Results{Experiment: experiment.Experiment{ID: id, WorkspaceID: "ws_a", Status: experiment.Finished, Line: experiment.LinePhone}}
	for i := range 30 {
		v := call.Passed
		if id == "ve_1" && i%2 == 1 {
			v = call.NotPassed
		}
		c := call.Call{ID: fmt.Sprintf("call_%s_%d", id, i), Repetition: 1, Verdict: v, Status: call.Ended, ScoringStatus: call.Scored}
		r.Calls = append(r.Calls, experiment.Result{Call: c, Item: scenario.Item{ID: fmt.Sprintf("di_%02d", i), Input: scenario.Input{Goal: "g"}},
			Found: &experiment.Found{Scores: []experiment.FoundScore{{Name: "say:1", Verdict: v, Required: true}}}})
	}
	// The last scenario is asked more than the others, which have null in that place.
	last := r.Calls[29].Found
	last.Scores = append(last.Scores, experiment.FoundScore{Name: "say:2", Verdict: call.Passed, Required: true})
	return r, nil
}

func (f *found) Estimate(_ context.Context, workspaceID string, r experiment.StartRequest) (experiment.Estimate, error) {
	if workspaceID != "ws_a" {
		return experiment.Estimate{}, problem.Missing("agent", r.AgentID)
	}
	f.asked = append(f.asked, r)
	var cost experiment.Cost
	if cost.Currency = "EUR"; r.To == "+15550199" {
		cost.Low.Missing = []string{"trunk main", "speech"}
	} else {
		cost.Low.Line, cost.High.Line = 0.1, 0.25
	}
	return experiment.Estimate{Cost: cost, Calls: 12, Talk: experiment.Span{Low: 10 * time.Minute, High: 125 * time.Second * 6}, Until: experiment.Span{Low: 61600 * time.Millisecond, High: time.Hour}, Notes: []string{"Rests on nothing."}}, nil
}

func (f *found) Preview(_ context.Context, workspaceID, callID string, c score.Config) (call.Score, error) {
	if workspaceID != "ws_a" || callID != "call_1" {
		return call.Score{}, problem.Missing("call", callID)
	}
	if _, bad := score.Build(c, score.Deps{}); bad != nil {
		return call.Score{}, bad
	}
	f.tried = append(f.tried, c)
	return score.MarkOf(c).Score(call.NotEvaluated, "Nothing is known."), nil
}

func (f *found) FromCalls(_ context.Context, workspaceID, datasetID string, d catalog.FromCalls) (catalog.Drafted, error) {
	if workspaceID != "ws_a" || datasetID != "ds_1" {
		return catalog.Drafted{}, problem.Missing("dataset", datasetID)
	}
	f.drawn = append(f.drawn, d)
	return catalog.Drafted{Dataset: scenario.Dataset{Version: 2}, Items: []scenario.Item{{Key: "call_1"}}, Notes: []catalog.DraftNote{{CallID: "call_1", Note: "Short."}}}, nil
}

// withResults is the interface over found results and a real database.
func withResults(t *testing.T) (*resources, *found) {
	t.Helper()
	r, f := newResources(t), &found{}
	kept := catalog.New(catalog.Options{
		Store: store.As[catalog.Tx](r.store), NewID: newID, Now: time.Now, CheckScorer: func(score.Config) *problem.Error { return nil },
	})
	views := savedview.New(savedview.Options{Store: store.As[savedview.Tx](r.store), NewID: newID, Now: time.Now})
	// The clock of the store's: keys that were used years ago are forgotten.
	now := func() time.Time { return time.UnixMilli(1_700_000_100_000) }
	r.handler = conforming(t, api.New(api.Options{
		HTTP:        rest.Options{Keys: twoKeys{}, Idempotency: r.store, Now: now, NewID: newID, Version: "test"},
		Experiments: &played{},
		Services:    api.Services{Results: f, Previews: f, Drafts: f, Scorers: kept, Datasets: kept, Items: kept, Views: views},
	}))
	return r, f
}

func TestResultsAndComparison(t *testing.T) {
	t.Parallel()
	r, _ := withResults(t)
	var sum api.ExperimentResults
	r.make("GET", "/voice-experiments/ve_1/results?limit=20", "", &sum)
	if sum.PassRate.Passed != 15 || sum.PassRate.Evaluated != 30 || sum.Steady.Passed != 15 || sum.Steady.Evaluated != 30 || *sum.PassRate.Low < 0.3 || len(sum.Scenarios) != 20 || sum.ScenarioCount != 30 || sum.NextCursor == nil {
		t.Fatalf("%+v", sum)
	}
	if c := sum.Scenarios[1].Calls[0]; c.ID != "call_ve_1_1" || c.Scores[0].Verdict != "failed" || sum.Scorers[0].Name != "say:1" {
		t.Errorf("%+v", c)
	}
	r.make("GET", "/voice-experiments/ve_1/results?limit=20&cursor="+*sum.NextCursor, "", &sum)
	if len(sum.Scenarios) != 10 || sum.Scenarios[0].DatasetItemID != "di_20" || sum.NextCursor != nil {
		t.Errorf("the second page: %+v", sum)
	}
	var c api.ExperimentComparison
	r.make("GET", "/voice-experiments/compare?base=ve_1&with=ve_2", "", &c)
	if c.Base.ID != "ve_1" || c.With.ID != "ve_2" || *c.PassRate.Difference.Value != 0.5 || c.PassRate.Change != "better" || c.ChangedCount != 15 || len(c.Changed) != 15 || c.Scenarios[0].Change != "better" || c.ScenarioCount != 30 {
		t.Errorf("%+v", c)
	}
	_, text := r.do(exchange{method: "GET", path: "/voice-experiments/compare?base=ve_1&with=ve_1&limit=1", status: 200, has: []string{`"changed_calls":[]`, `"change":"same"`, `"next_cursor":"1"`, `"notes":[]`}})
	if strings.Contains(text, "null,null") {
		t.Error(text)
	}
	for _, e := range []exchange{
		{path: "/voice-experiments/ve_1/results", key: "b", status: 404, code: "not_found"},
		{path: "/voice-experiments/ve_9/results", status: 404, code: "not_found"},
		{path: "/voice-experiments/ve_1/results?cursor=x", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{path: "/voice-experiments/ve_1/results?cursor=01", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{path: "/voice-experiments/ve_1/results?cursor=999999", status: 200, has: []string{`"scenarios":[]`}},
		{path: "/voice-experiments/ve_1/results?limit=10001", status: 422, code: "invalid_fields", fields: []string{"query.limit"}},
		{path: "/voice-experiments/compare", status: 422, code: "invalid_fields", fields: []string{"query.base", "query.with"}},
		{path: "/voice-experiments/compare?base=&with=ve_1", status: 422, code: "invalid_fields", fields: []string{"query.base"}, has: []string{`"is missing"`}},
		{path: "/voice-experiments/compare?base=ve_1", status: 422, code: "invalid_fields", fields: []string{"query.with"}},
		{path: "/voice-experiments/compare?base=ve_1&with=ve_9", status: 404, code: "not_found", fields: []string{"query.with"}},
		{path: "/voice-experiments/compare?base=ve_1&with=ve_2", key: "b", status: 404, code: "not_found", fields: []string{"query.base"}},
	} {
		e.method = "GET"
		r.do(e)
	}
}

func TestEstimate(t *testing.T) {
	t.Parallel()
	r, f := withResults(t)
	const body = `{"to_number":"+15550100","dataset_id":"ds_1"}`
	_, text := r.do(exchange{method: "POST", path: "/voice-agent/agt_1/estimate", body: body, status: 200})
	want := `{"calls":12,"minutes":{"low":10,"high":12.5},"seconds_until_done":{"low":62,"high":3600},"cost":{"currency":"EUR","low":0.1,"high":0.25},"notes":["Rests on nothing."]}`
	if strings.TrimSpace(text) != want {
		t.Errorf("%s", text)
	}
	_, text = r.do(exchange{method: "POST", path: "/voice-agent/agt_1/estimate", body: strings.Replace(body, "100", "199", 1), status: 200})
	if !strings.Contains(text, `"cost":null,"notes":["Rests on nothing.","No price is set for trunk main, speech, so the cost is not known.`) {
		t.Errorf("%s", text)
	}
	if len(f.asked) != 2 || f.asked[0].AgentID != "agt_1" || f.asked[0].DatasetID != "ds_1" || f.asked[0].To != "+15550100" {
		t.Errorf("%+v", f.asked)
	}
	r.do(exchange{method: "POST", path: "/voice-agent/agt_1/estimate", body: `{}`, status: 422, code: "invalid_fields"})
	r.do(exchange{method: "POST", path: "/voice-agent/agt_1/estimate", body: body, key: "b", status: 404, code: "not_found"})
}

func TestPreviews(t *testing.T) {
	t.Parallel()
	r, f := withResults(t)
	const trial = `{"kind":"say","params":{"phrase":"hello"},"call_id":"call_1"}`
	r.do(exchange{method: "POST", path: "/scorers/preview", body: trial, status: 200, has: []string{`"call_id":"call_1"`, `"verdict":"not_evaluated"`, `"reason":"Nothing is known."`, `"name":"say"`, `"evidence":[]`}})
	r.do(exchange{method: "POST", path: "/scorers/preview", body: strings.Replace(trial, `"kind"`, `"name":"greets","kind"`, 1), status: 200, has: []string{`"name":"greets"`}})
	r.do(exchange{method: "POST", path: "/scorers", body: `{"slug":"greets","kind":"say","params":{"phrase":"one"}}`, status: 201})
	r.do(exchange{method: "POST", path: "/scorers", body: `{"slug":"greets","kind":"say","params":{"phrase":"two"}}`, status: 201})
	r.do(exchange{method: "POST", path: "/scorers/greets/preview", body: `{"call_id":"call_1"}`, status: 200, has: []string{`"version":2`}})
	r.do(exchange{method: "POST", path: "/scorers/greets/preview", body: `{"call_id":"call_1","version":1}`, status: 200, has: []string{`"version":1`}})
	if len(f.tried) != 4 || string(f.tried[3].Params) != `{"phrase":"one"}` || f.tried[0].ID != "" {
		t.Errorf("%+v", f.tried)
	}
	for _, e := range []exchange{
		{path: "/scorers/preview", body: `{"kind":"sey","params":{},"call_id":"call_1"}`, status: 422, code: "invalid_fields", fields: []string{"kind"}},
		{path: "/scorers/preview", body: `{"kind":"say","params":{"phrase":""},"call_id":"call_1"}`, status: 422, code: "invalid_fields", fields: []string{"params.phrase"}},
		{path: "/scorers/preview", body: strings.Replace(trial, "call_1", "call_2", 1), status: 422, code: "invalid_fields", fields: []string{"call_id"}},
		{path: "/scorers/preview", body: trial, key: "b", status: 422, code: "invalid_fields", fields: []string{"call_id"}},
		{path: "/scorers/preview", body: `{"kind":"say"}`, status: 422, code: "invalid_fields", fields: []string{"call_id"}},
		{path: "/scorers/greets/preview", body: `{"call_id":"call_1","version":9}`, status: 422, code: "invalid_fields", fields: []string{"version"}},
		{path: "/scorers/greets/preview", body: `{"call_id":"call_1","version":9}`, key: "b", status: 404, code: "not_found"},
		{path: "/scorers/greets/preview", body: `{"call_id":"call_1","version":0}`, status: 422, code: "invalid_fields", fields: []string{"version"}},
		{path: "/scorers/greets/preview", body: `{"call_id":"call_1"}`, key: "b", status: 404, code: "not_found"},
		{path: "/scorers/none/preview", body: `{"call_id":"call_1"}`, status: 404, code: "not_found"},
	} {
		e.method = "POST"
		r.do(e)
	}
	r.do(exchange{method: "GET", path: "/scorers/greets/versions", status: 200, hasNot: []string{`"version":3`}})
}

func TestFromCalls(t *testing.T) {
	t.Parallel()
	r, f := withResults(t)
	r.do(exchange{method: "POST", path: "/datasets/ds_1/from-calls", body: `{"call_ids":["call_1"],"dry_run":true}`, status: 200, has: []string{`"dataset_version":null`, `"note":"Short."`, `"key":"call_1"`}})
	r.do(exchange{method: "POST", path: "/datasets/ds_1/from-calls", body: `{"call_ids":["call_1"],"redact_numbers":true}`, status: 200, has: []string{`"dataset_version":2`}})
	if len(f.drawn) != 2 || !f.drawn[0].DryRun || f.drawn[1].DryRun || !f.drawn[1].RedactNumbers {
		t.Errorf("%+v", f.drawn)
	}
	for _, e := range []exchange{
		{path: "/datasets/ds_1/from-calls", body: `{"call_ids":[]}`, status: 422, code: "invalid_fields", fields: []string{"call_ids"}},
		{path: "/datasets/ds_1/from-calls", body: `{"call_ids":["` + strings.Repeat(`a","`, 100) + `b"]}`, status: 422, code: "invalid_fields", fields: []string{"call_ids"}},
		{path: "/datasets/ds_1/from-calls", body: `{"call_ids":["call_1"]}`, key: "b", status: 404, code: "not_found"},
		{path: "/datasets/ds_2/from-calls", body: `{"call_ids":["call_1"]}`, status: 404, code: "not_found"},
	} {
		e.method = "POST"
		r.do(e)
	}
}

func TestSavedViews(t *testing.T) {
	t.Parallel()
	r, _ := withResults(t)
	var v api.SavedView
	_, text := r.do(exchange{method: "POST", path: "/saved-views", body: `{"page":"calls","name":"Upset","query":"upset=true"}`, status: 201, has: []string{`"shared":true`, `"mine":false`}})
	if err := json.Unmarshal([]byte(text), &v); err != nil || !strings.HasPrefix(v.ID, "view_") {
		t.Fatalf("%s", text)
	}
	for range 2 {
		r.do(exchange{
			method: "POST", path: "/saved-views", body: `{"page":"monitor/trends","name":"Week","query":""}`, header: map[string]string{"Idempotency-Key": "k"},
			status: 201, has: []string{`"name":"Week"`},
		})
	}
	r.do(exchange{method: "GET", path: "/saved-views?limit=1", status: 200, has: []string{`"name":"Week"`, `"next_cursor":"view_`}, hasNot: []string{"Upset"}})
	r.do(exchange{method: "GET", path: "/saved-views?page=calls", status: 200, has: []string{"Upset"}, hasNot: []string{"Week"}})
	r.do(exchange{method: "PATCH", path: "/saved-views/" + v.ID, body: `{"name":"Angry"}`, status: 200, has: []string{`"name":"Angry"`, `"query":"upset=true"`}})
	for _, e := range []exchange{
		{method: "GET", path: "/saved-views", key: "b", status: 200, has: []string{`"data":[]`}},
		{method: "PATCH", path: "/saved-views/" + v.ID, body: `{"name":"taken"}`, key: "b", status: 404, code: "not_found"},
		{method: "DELETE", path: "/saved-views/" + v.ID, key: "b", status: 404, code: "not_found"},
		{method: "PATCH", path: "/saved-views/" + v.ID, body: `{"shared":false}`, status: 422, code: "invalid_fields", fields: []string{"shared"}},
		{method: "POST", path: "/saved-views", body: `{"page":"X","name":"","query":"a\nb"}`, status: 422, code: "invalid_fields", fields: []string{"page", "name", "query"}},
		{method: "GET", path: "/saved-views?cursor=call_1", status: 422, code: "invalid_fields", fields: []string{"query.cursor"}},
		{method: "DELETE", path: "/saved-views/" + v.ID, status: 204},
		{method: "DELETE", path: "/saved-views/" + v.ID, status: 404, code: "not_found"},
	} {
		r.do(e)
	}
}

// The public client and the interface mean the same.
func TestClientSpeaksOfResults(t *testing.T) {
	t.Parallel()
	r, f := withResults(t)
	server := httptest.NewServer(r.handler)
	t.Cleanup(server.Close)
	c, ctx := client.New(server.URL, "a"), t.Context()
	if got, err := c.Compare(ctx, "ve_1", "ve_2", client.PageOptions{Limit: 2}); err != nil || got.ChangedCount != 15 || len(got.Scenarios) != 2 || got.PassRate.Change != "better" || *got.PassRate.With.Value != 1 {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := c.Results(ctx, "ve_2", client.PageOptions{}); err != nil || got.ScenarioCount != 30 || got.Scenarios[3].Calls[0].ID != "call_ve_2_3" {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := c.Estimate(ctx, "agt_1", client.RunRequest{ToNumber: "+15550100", DatasetID: "ds_1"}); err != nil || got.Calls != 12 || got.Minutes.High != 12.5 || len(got.Notes) != 1 || got.Cost == nil || got.Cost.High != 0.25 {
		t.Errorf("%+v %v", got, err)
	}
	settings := client.RunRequest{ToNumber: "+15550100", DatasetID: "ds_1", DatasetItemIDs: []string{"di_1"}, Repetitions: 3, Scorers: &[]string{}, PassThreshold: 0.9}
	if _, err := c.Estimate(ctx, "agt_1", settings); err != nil {
		t.Error(err)
	}
	if asked := f.asked[len(f.asked)-1]; asked.Settings.Repetitions != 3 || asked.Settings.Scorers == nil || asked.Settings.CallerPrompt != nil || asked.Settings.PassThreshold != 0.9 || len(asked.ItemIDs) != 1 {
		t.Errorf("%+v", asked)
	}
	if got, err := c.TryScorer(ctx, client.ScorerTrial{Kind: "say", Params: json.RawMessage(`{"phrase":"x"}`), CallID: "call_1"}); err != nil || got.Verdict != "not_evaluated" {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := c.CreateScorer(ctx, client.NewScorer{Slug: "s", Kind: "say", Params: map[string]string{"phrase": "x"}}); err != nil {
		t.Fatal(err)
	}
	if got, err := c.PreviewScorer(ctx, "s", "call_1", 1); err != nil || got.Version != 1 {
		t.Errorf("%+v %v", got, err)
	}
	if got, err := c.ItemsFromCalls(ctx, "ds_1", client.FromCalls{CallIDs: []string{"call_1"}, RedactNumbers: true}); err != nil || *got.DatasetVersion != 2 || got.Items[0].Key != "call_1" || !f.drawn[0].RedactNumbers {
		t.Errorf("%+v %v", got, err)
	}
	v, err := c.CreateSavedView(ctx, client.NewSavedView{Page: "calls", Name: "n", Query: "a=b"})
	if err != nil || !v.Shared {
		t.Fatalf("%+v %v", v, err)
	}
	if got, err := c.SavedViews(ctx, "calls", client.PageOptions{}); err != nil || len(got.Data) != 1 || got.Data[0].Query != "a=b" {
		t.Errorf("%+v %v", got, err)
	}
	name := "other"
	if got, err := c.UpdateSavedView(ctx, v.ID, client.SavedViewChange{Name: &name}); err != nil || got.Name != name || got.Query != "a=b" {
		t.Errorf("%+v %v", got, err)
	}
	if err := c.DeleteSavedView(ctx, v.ID); err != nil {
		t.Error(err)
	}
}

// hums sounds on the line.
type hums struct{}

func (hums) Begin(int) {}
func (hums) Step(_, out *leg.Frame) {
	out.PCM[0] = 16_384
}
func (hums) End(time.Duration, bool) {}

func TestRunningCallsAreTold(t *testing.T) {
	t.Parallel()
	hub := &live.Hub{}
	b := setup(t, func(o *api.Options) { o.Live = hub })
	server := httptest.NewServer(b.handler)
	t.Cleanup(server.Close)
	watching, deaf := b.follow(t, server, "?voice_experiment_id=ve_1"), b.follow(t, server, "?live=false")
	watching.lines.Scan() // the headers came; the stream stands at its beginning
	foreign := hub.Open(live.Of{WorkspaceID: "ws_other", ExperimentID: "ve_1", CallID: "call_foreign"})
	another := hub.Open(live.Of{WorkspaceID: b.first.Workspace.ID, ExperimentID: "ve_2", CallID: "call_another"})
	mine := hub.Open(live.Of{WorkspaceID: b.first.Workspace.ID, ExperimentID: "ve_1", CallID: "call_1"})
	mine.State("answered")
	mine.Note(call.Event{Kind: call.KindSaid, Text: "Hello <b>there</b>.", At: time.Second, End: 2 * time.Second})
	p := mine.Listen(hums{})
	for i := range 12 {
		p.Step(&leg.Frame{At: time.Duration(i) * leg.FrameTime, PCM: make([]int16, 160)}, &leg.Frame{PCM: make([]int16, 160)})
	}
	for _, c := range []*live.Call{foreign, another, mine} {
		c.Close()
	}
	var got api.LiveCall
	for watching.lines.Scan() {
		line := watching.lines.Text()
		if strings.Contains(line, "foreign") || strings.Contains(line, "another") {
			t.Fatalf("told of somebody else's call: %s", line)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(data), &got); err != nil {
				t.Fatal(err)
			}
			if got.State == "over" {
				break
			}
		}
	}
	if got.Kind != "live" || got.CallID != "call_1" || got.VoiceExperimentID != "ve_1" || got.Outline.StepMS != 100 {
		t.Errorf("%+v", got)
	}
	watching.cancel()
	b.announce(t, b.first.Workspace.ID, "ve_1", "RUNNING")
	for deaf.lines.Scan() {
		line := deaf.lines.Text()
		if strings.Contains(line, "live") && strings.HasPrefix(line, "event:") {
			t.Fatal("told although it was not wanted")
		}
		if strings.Contains(line, "RUNNING") {
			break
		}
	}
	deaf.cancel()
}
