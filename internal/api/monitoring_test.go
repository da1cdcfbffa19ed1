package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// watched is the interface with monitoring, and the truth about its calls.
type watched struct {
	*bundle
	monitor *monitor.Service
	now     time.Time
	truth   map[string]*settledCall
	r       *rand.Rand
}

// settledCall is what was planted of one call.
type settledCall struct {
	call   call.Call
	review call.Review
	told   call.Reported
}

func setupWatched(t *testing.T) *watched {
	t.Helper()
	w := &watched{now: time.Date(2026, 3, 30, 12, 20, 0, 0, time.UTC), truth: map[string]*settledCall{}, r: rand.New(rand.NewPCG(3, 4))}
	w.bundle = setup(t, func(o *api.Options) {
		kept, _ := o.Events.(*store.Store)
		w.monitor = monitor.New(monitor.Options{Store: store.As[monitor.Tx](kept), Now: func() time.Time { return w.now }})
		o.Monitoring, o.Dimensions = w.monitor, w.monitor
		o.Calls = archive.New(archive.Options{Store: store.As[archive.Tx](kept)})
	})
	return w
}

// submit sends n call logs and plants what their reviews find.
func (w *watched) submit(t *testing.T, n int) {
	t.Helper()
	for i := range n {
		at := w.now.Add(-time.Duration(w.r.Int64N(int64(20*24*time.Hour))) - time.Hour).UnixMilli()
		answer := w.ask(t, "POST", "/api/rest/v2/call-logs", fmt.Sprintf(`{"provider":"custom","metadata":{"tier":%q},"payload":{"call_id":"c%d",
			"recording_url":"https://example.org/a.wav","from_number":"+15550100","to_number":"+15550101","start_timestamp":%d,"end_timestamp":%d,"status":"ended"}}`,
			[]string{"free", "gold"}[w.r.IntN(2)], i, at, at+int64(w.r.IntN(400_000))))
		var accepted struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &accepted); err != nil || answer.Code != 202 {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
		w.truth[accepted.ID] = &settledCall{}
		w.settle(t, accepted.ID)
	}
}

// settle ends the review of a call with figures drawn anew.
func (w *watched) settle(t *testing.T, id string) {
	t.Helper()
	s := w.truth[id]
	err := w.store.Write(t.Context(), func(tx *store.Tx) (err error) {
		if s.call, err = tx.CallByID(t.Context(), "", id); err != nil {
			return err
		}
		w.plant(s)
		if err := tx.UpdateCall(t.Context(), s.call); err != nil {
			return err
		}
		return w.monitor.Settled(t.Context(), tx, s.call, s.review, s.told)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (w *watched) plant(s *settledCall) {
	r := w.r
	codes := []call.EndCode{call.EndCompleted, call.EndCompleted, call.EndCallerHungUp, call.EndProviderError, call.EndSilence, call.EndTransferred}
	s.call.AgentID = []string{"", "agt_a", "agt_b"}[r.IntN(3)]
	s.call.EndReason, s.call.ScoringStatus = call.EndOf(codes[r.IntN(len(codes))], "word"), call.Scored
	s.call.Verdict = []call.Verdict{call.Passed, call.NotPassed, call.NotEvaluated, call.Void}[r.IntN(4)]
	cost := r.Int64N(500_000)
	s.told = call.Reported{AgentVersion: fmt.Sprint(1 + r.IntN(3)), Cost: &cost, CallerChannel: -1}
	for _, name := range []string{"greeting", "identification", "booking"}[:r.IntN(4)] {
		s.told.Stages = append(s.told.Stages, call.Stage{Name: name})
	}
	s.review = call.Review{CallID: s.call.ID, Metrics: []call.Metric{{Name: "turn_latency", Spread: &call.Spread{}}}}
	spread := s.review.Metrics[0].Spread
	for i := range 2 + r.IntN(5) {
		s.review.Heard.Turns = append(s.review.Heard.Turns,
			call.Turn{Index: 2 * i, Speaker: call.Agent, Text: []string{"How can I help you?", "Your number is 1 2 3, right?"}[r.IntN(2)]},
			call.Turn{Index: 2*i + 1, Speaker: call.Caller, Text: fmt.Sprintf("words %d", i)})
		spread.Values = append(spread.Values, math.Round(1000*math.Exp(0.4*r.NormFloat64()))/1000)
	}
	if s.call.Verdict == call.NotPassed {
		s.review.Scores = []call.Score{{Name: []string{"polite", "books"}[r.IntN(2)], Required: true, Verdict: call.NotPassed}}
	}
	if r.IntN(4) > 0 {
		s.review.Feeling = &call.Feeling{
			Turns: []call.TurnFeeling{{Turn: 1}}, Valence: float64(r.IntN(2001)-1000) / 1000, Frustration: float64(r.IntN(1001)) / 1000,
			Sentiment: []call.Sentiment{call.Negative, call.Neutral, call.Positive}[r.IntN(3)], Upset: r.IntN(3) == 0, UpsetTurn: 1,
		}
	}
}

// refresh brings the figures up to date.
func (w *watched) refresh(t *testing.T) {
	t.Helper()
	for {
		more, err := w.monitor.Refresh(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !more {
			return
		}
	}
}

// read asks a question as the owner of the calls.
func read[T any](t *testing.T, b *bundle, path string, headers ...string) (out T) {
	t.Helper()
	answer := b.ask(t, "GET", "/api/rest/monitoring/"+path, "", headers...)
	if answer.Code != 200 {
		t.Fatalf("%s: %d %s", path, answer.Code, answer.Body)
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestMonitoringCountsWhatThereIs posts call logs and compares every page with a
// count of the calls one by one, again after calls were reviewed anew, moved to
// another agent and erased.
func TestMonitoringCountsWhatThereIs(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	w.submit(t, 240)
	if d := w.ask(t, "PUT", "/api/rest/monitoring/dimensions", `{"metadata_keys":["tier"]}`); d.Code != 200 || !strings.Contains(d.Body.String(), `"adopting":true`) {
		t.Fatalf("%d %s", d.Code, d.Body)
	}
	w.compareAll(t, "at first")
	ids := make([]string, 0, len(w.truth))
	for id := range w.truth {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids[:60] {
		w.settle(t, id)
	}
	w.compareAll(t, "after a replay")
	for _, id := range ids[40:100] {
		s := w.truth[id]
		s.call.AgentID = "agt_b"
		if err := w.store.Write(t.Context(), func(tx *store.Tx) error {
			c, err := tx.LockCall(t.Context(), id)
			if c.AgentID = "agt_b"; err == nil {
				err = tx.UpdateCall(t.Context(), c)
			}
			return errors.Join(err, w.monitor.Relinked(t.Context(), tx, id, "agt_b"))
		}); err != nil {
			t.Fatal(err)
		}
	}
	w.compareAll(t, "after new links")
	for _, id := range ids[90:140] {
		if err := w.store.Write(t.Context(), func(tx *store.Tx) error { return w.monitor.Forget(t.Context(), tx, id) }); err != nil {
			t.Fatal(err)
		}
		delete(w.truth, id)
	}
	w.compareAll(t, "after an erasure")
	for _, page := range []string{"trends", "failures", "drop-off", "upset", "breakdown", "overview", "anomalies"} {
		answer := w.ask(t, "GET", "/api/rest/monitoring/"+page, "", "Authorization", "Bearer "+w.other)
		if text := answer.Body.String(); answer.Code != 200 || strings.Contains(text, "call_") || strings.Contains(text, "agt_") || strings.Contains(text, `"calls":1`) {
			t.Errorf("another workspace sees %s: %d %s", page, answer.Code, text)
		}
	}
}

func TestMonitoringRefusesWhatItCannotAnswer(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	for query, path := range map[string]string{
		"trends?from=5&until=4":                                   "query.from",
		"trends?from=1000&until=99999999999":                      "query.from",
		"trends?metrics=calls,none":                               "query.metrics",
		"trends?time_zone=Local":                                  "query.time_zone",
		"trends?time_zone=../etc/passwd":                          "query.time_zone",
		"trends?dimension=metadata.tier&value=x":                  "query.dimension",
		"trends?dimension=model":                                  "query.value",
		"trends?value=x":                                          "query.value",
		"anomalies?agent_id=a&dimension=model&value=x":            "query.metric",
		"anomalies?metric=none":                                   "query.metric",
		"anomalies?origin=simulated":                              "query.origin",
		"upset?cursor=x":                                          "query.cursor",
		"upset?cursor=k0.call_1%20x":                              "query.cursor",
		"breakdown?by=colour":                                     "query.by",
		"breakdown?metric=none":                                   "query.metric",
		"breakdown?agent_id=agt_1":                                "query.agent_id",
		"breakdown?by=model&dimension=model&value=m":              "query.dimension",
		"failures?limit=51":                                       "query.limit",
		"overview?origin=both":                                    "query.origin",
		"drop-off?from=1690000000000&until=1700000000000&value=x": "query.value",
		"drop-off?from=0":                                         "query.from",
	} {
		wantProblem(t, w.ask(t, "GET", "/api/rest/monitoring/"+query, ""), 422, "invalid_fields", path)
	}
	for body, paths := range map[string][]string{
		`{"metadata_keys":["a","a"]}`:                             {"metadata_keys[1]"},
		`{"metadata_keys":["a","b","c","d","e","f","g","h","i"]}`: {"metadata_keys"},
		`{"metadata_keys":[" "]}`:                                 {"metadata_keys[0]"},
		`{"metadata_keys":["a","a"],"time_zone":"Mars"}`:          {"metadata_keys[1]", "time_zone"},
		`{"metadata_keys":[],"time_zone":"Local"}`:                {"time_zone"},
		`{}`: {"metadata_keys"},
	} {
		wantProblem(t, w.ask(t, "PUT", "/api/rest/monitoring/dimensions", body), 422, "invalid_fields", paths...)
	}
	empty := read[monitor.Overview](t, w.bundle, "overview")
	if empty.Verdict != "unknown" || empty.Now.Calls != 0 || len(empty.Sentences) != 1 || empty.Departures == nil || empty.Agents == nil {
		t.Errorf("without calls: %+v", empty)
	}
}

func TestPlacesOfTheDropOffThatAreNone(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	for query, at := range map[string]string{
		"left_turns=x": "left_turns", "left_turns=-1": "left_turns", "left_turns=1-": "left_turns", "left_turns=007": "left_turns", "left_turns=5-3": "left_turns", "left_turns=1-2%2B": "left_turns",
		"left_seconds=5": "left_seconds", "left_seconds=5-5": "left_seconds", "left_seconds=99999999999%2B": "left_seconds",
		"left_words=1,,2": "left_words", "left_words=a": "left_words", "left_early=true&dimension=model": "dimension", "value=x": "value", "left_early=no": "left_early",
		"dimension=metadata.tier&value=x": "dimension", "dimension=colour&value=x": "dimension", // monitoring refuses them, too
		"failing=no": "failing", "failing_alike=a": "failing_alike", "failing_alike=1,": "failing_alike",
	} {
		if answer := w.ask(t, "GET", "/api/rest/calls?"+query, ""); answer.Code != 422 || !strings.Contains(answer.Body.String(), `"query.`+at+`"`) {
			t.Errorf("%s: %d %s", query, answer.Code, answer.Body)
		}
	}
}

func TestBoundsAreToldWithoutExponents(t *testing.T) {
	t.Parallel()
	p := wantProblem(t, setupWatched(t).ask(t, "GET", "/api/rest/monitoring/trends?until=999999999999999", ""), 422, "invalid_fields", "query.until")
	if p.Errors[0].Message != "must be at most 253402300799999" {
		t.Errorf("%q", p.Errors[0].Message)
	}
	p = wantProblem(t, setup(t).ask(t, "POST", runPath, `{"to_number":"+15550100","dataset_id":"ds_1","pass_threshold":0}`), 422, "invalid_fields", "pass_threshold")
	if p.Errors[0].Message != "must be at least 0.000001" {
		t.Errorf("%q", p.Errors[0].Message)
	}
}

// logged has a call of an hour ago with one value in its metadata taken in and reviewed.
func (w *watched) logged(t *testing.T, key, value string, number int) {
	t.Helper()
	at := w.now.Add(-time.Hour).UnixMilli()
	answer := w.ask(t, "POST", "/api/rest/v2/call-logs", fmt.Sprintf(`{"provider":"custom","metadata":{%q:%q},"payload":{"call_id":"%s%d",
		"recording_url":"https://example.org/a.wav","from_number":"+15550100","to_number":"+15550101","start_timestamp":%d,"end_timestamp":%d,"status":"ended"}}`,
		key, value, key, number, at, at+1000))
	var accepted struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &accepted); err != nil || answer.Code != 202 {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	w.truth[accepted.ID] = &settledCall{}
	w.settle(t, accepted.ID)
}

// A value that a client itself calls "other" is one of its values, and says nothing of a limit.
func TestAValueMayBeCalledOther(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	w.ask(t, "PUT", "/api/rest/monitoring/dimensions", `{"metadata_keys":["region"]}`)
	next := 0
	add := func(region string) {
		t.Helper()
		w.logged(t, "region", region, next)
		next++
	}
	look := func() monitor.Breakdown {
		t.Helper()
		w.refresh(t)
		return read[monitor.Breakdown](t, w.bundle, "breakdown?by=metadata.region")
	}
	add("north")
	add("other")
	if d := look(); d.Bounded || len(d.Parts) != 2 {
		t.Errorf("two values: bounded %t, %d parts", d.Bounded, len(d.Parts))
	}
	for i := range 98 {
		add(fmt.Sprint("r", i))
	}
	add("late")
	if d := look(); !d.Bounded || len(d.Parts) != 100 {
		t.Errorf("more than there may be: bounded %t, %d parts", d.Bounded, len(d.Parts))
	}
}

// What is known of a series today says nothing of the time before its calls began, nor of its first two weeks.
func TestAnOverviewOfThePastKnowsNoMoreThanWasKnown(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	w.submit(t, 240)
	w.refresh(t)
	for days, want := range map[int]bool{0: true, 1: true, 8: false, 19: false, 300: false} {
		until := w.now.AddDate(0, 0, -days).UnixMilli()
		o := read[monitor.Overview](t, w.bundle, fmt.Sprintf("overview?until=%d", until))
		if known := o.Verdict != "unknown"; known != want || len(o.Sentences) == 0 || !want && !strings.Contains(o.Sentences[0], "too little history") {
			t.Errorf("%d days ago: %s %q", days, o.Verdict, o.Sentences)
		}
		for _, a := range o.Agents {
			if (a.Verdict != "unknown") != want {
				t.Errorf("%d days ago: agent %s is %s", days, a.AgentID, a.Verdict)
			}
		}
		if one := read[monitor.Overview](t, w.bundle, fmt.Sprintf("overview?agent_id=agt_a&until=%d", until)); (one.Verdict != "unknown") != want {
			t.Errorf("%d days ago: agt_a is %s", days, one.Verdict)
		}
	}
}

// That nothing departs now says nothing of a day that is yet to come.
func TestAnOverviewOfADayToComeKnowsNothing(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	w.submit(t, 240)
	w.refresh(t)
	for after, want := range map[time.Duration]bool{time.Hour: true, 20 * time.Hour: true, 26 * time.Hour: false, 700 * 24 * time.Hour: false} {
		for _, whose := range []string{"", "agent_id=agt_a&"} {
			o := read[monitor.Overview](t, w.bundle, fmt.Sprintf("overview?%suntil=%d", whose, w.now.Add(after).UnixMilli()))
			if known := o.Verdict != "unknown"; known != want || !want && !slices.Equal(o.Sentences, []string{"These 24 hours have not begun yet."}) {
				t.Errorf("%s%s from now: %s %q", whose, after, o.Verdict, o.Sentences)
			}
		}
	}
}
