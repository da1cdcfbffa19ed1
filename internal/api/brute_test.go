package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
)

// brute counts the calls that pass, one by one.
type brute struct {
	calls, judged, answered, errors, failed, passed, evaluated, void, dropped, felt, upset, negative int64
	valence, cost                                                                                    float64
	latencies                                                                                        []float64
	ends                                                                                             map[string]int64
	upsetIDs                                                                                         []string
}

func (w *watched) brute(pass func(*settledCall) bool) brute {
	b := brute{ends: map[string]int64{}}
	for id, s := range w.truth {
		if pass(s) {
			b.add(id, s)
		}
	}
	return b
}

func (b *brute) add(id string, s *settledCall) {
	b.calls++
	b.answered++
	b.ends[string(s.call.EndReason.Code)]++
	b.cost += float64(*s.told.Cost) / 1e6
	switch s.call.Verdict {
	case call.Void:
		b.void++
		return
	case call.Passed:
		b.passed++
		b.evaluated++
	case call.NotPassed:
		b.evaluated++
	case call.NotEvaluated:
	}
	b.judged++
	code := s.call.EndReason.Code
	if code == call.EndProviderError {
		b.errors++
	}
	if s.call.Verdict == call.NotPassed || code == call.EndProviderError || code == call.EndSilence {
		b.failed++
	}
	if code == call.EndCallerHungUp {
		b.dropped++
	}
	b.latencies = append(b.latencies, s.review.Metrics[0].Spread.Values...)
	if f := s.review.Feeling; f != nil {
		b.felt++
		b.valence += f.Valence
		if f.Sentiment == call.Negative {
			b.negative++
		}
		if f.Upset {
			b.upset++
			b.upsetIDs = append(b.upsetIDs, id)
		}
	}
}

// compare asks every page and counts the same by hand.
func (w *watched) compare(t *testing.T, what, filter string, pass func(*settledCall) bool) {
	t.Helper()
	window := fmt.Sprintf("from=%d&until=%d%s", w.now.Add(-22*24*time.Hour).UnixMilli(), w.now.UnixMilli(), filter)
	b := w.brute(pass)
	got := read[monitor.Trends](t, w.bundle, "trends?step=day&time_zone=America/New_York&metrics=calls&"+window)
	sum := int64(0)
	for _, p := range got.Series[0].Points {
		sum += p.N
	}
	if sum != b.calls || got.Pending != 0 {
		t.Errorf("%s: the days have %d calls of %d, %d hours pending", what, sum, b.calls, got.Pending)
	}
	w.compareSummary(t, what, got.Total, b)
	failures := read[monitor.Failures](t, w.bundle, "failures?limit=50&"+window)
	inGroups := failures.Other
	for _, g := range failures.Groups {
		inGroups += g.Calls.Count
		if len(g.Examples) != int(min(g.Calls.Count, 5)) {
			t.Errorf("%s: %d examples of %d calls", what, len(g.Examples), g.Calls.Count)
		}
		for i, id := range g.Examples {
			if s := w.truth[id]; s == nil || !pass(s) || string(s.call.EndReason.Code) != g.EndReason {
				t.Errorf("%s: %s is no example of %+v", what, id, g)
			} else if i > 0 && s.call.StartedAt.After(w.truth[g.Examples[i-1]].call.StartedAt) {
				t.Errorf("%s: %s is later than the example before it", what, id)
			}
		}
	}
	if failures.Failed.Count != b.failed || inGroups != b.failed || failures.Other != 0 {
		t.Errorf("%s: %d failed, %d in groups, want %d", what, failures.Failed.Count, inGroups, b.failed)
	}
	drop := read[monitor.DropOff](t, w.bundle, "drop-off?"+window)
	left, acts := int64(0), drop.OtherActs
	for _, p := range drop.Turns.Places {
		left += p.Left.Count
	}
	for _, a := range drop.Acts {
		acts += a.Left
	}
	if drop.Left.Count != b.dropped || left != b.dropped || acts != b.dropped {
		t.Errorf("%s: %d left, %d by turn, %d by act, want %d", what, drop.Left.Count, left, acts, b.dropped)
	}
	w.compareListed(t, what, window, drop, failures, b.calls)
	w.compareUpset(t, what, window, b)
}

// compareListed follows every place of the drop-off and every group of failing calls, and all calls, to the calls behind them.
func (w *watched) compareListed(t *testing.T, what, window string, drop monitor.DropOff, failures monitor.Failures, calls int64) {
	t.Helper()
	window += "&" + url.Values{"origin": {"production"}}.Encode()
	listed := func(name, value string) (ids []string) {
		limit := "1000"
		if name == "left_early" { // page by page
			limit = "7"
		}
		for cursor := ""; ; {
			answer := w.ask(t, "GET", "/api/rest/calls?limit="+limit+"&cursor="+url.QueryEscape(cursor)+"&"+url.Values{name: {value}}.Encode()+"&"+window, "")
			var page struct {
				Data       []struct{ ID string }
				NextCursor *string `json:"next_cursor"`
			}
			if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil || answer.Code != 200 {
				t.Fatalf("%s: %d %s", what, answer.Code, answer.Body)
			}
			for _, c := range page.Data {
				ids = append(ids, c.ID)
			}
			if page.NextCursor == nil {
				return ids
			}
			cursor = *page.NextCursor
		}
	}
	follow := func(name, value string, want int64) {
		t.Helper()
		ids := listed(name, value)
		if n := len(ids); int64(n) != want || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != n {
			t.Errorf("%s: %s=%s lists %d calls, monitoring counts %d", what, name, value, n, want)
		}
	}
	follow("left_early", "true", drop.Left.Count)
	for name, funnel := range map[string]monitor.Funnel{"left_turns": drop.Turns, "left_seconds": drop.Time, "left_stage": drop.Stages} {
		for _, p := range funnel.Places {
			follow(name, p.Place, p.Left.Count)
		}
	}
	if len(drop.Acts) == 0 && drop.Left.Count > 0 || len(drop.Stages.Places) == 0 {
		t.Errorf("%s: no acts or stages to follow", what)
	}
	for _, act := range drop.Acts {
		follow("left_words", listOf(act.Numbers), act.Left)
	}
	if strings.Contains(window, "dimension") { // by itself it lists what monitoring has not counted, too
		follow("search", "", calls)
	}
	follow("failing", "true", failures.Failed.Count)
	for _, g := range failures.Groups {
		follow("failing_alike", listOf(g.Numbers), g.Calls.Count)
	}
	follow("failing_alike", "699", 0)
}

// listOf writes numbers with commas between.
func listOf(numbers []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(numbers), " ", ","), "[]")
}

func (w *watched) compareSummary(t *testing.T, what string, got monitor.Summary, b brute) {
	t.Helper()
	counts := [][2]int64{
		{got.Calls, b.calls}, {got.Answered.Count, b.answered}, {got.Errors.Count, b.errors}, {got.Errors.Of, b.judged}, {got.Failed.Count, b.failed},
		{got.Passed.Count, b.passed}, {got.Passed.Of, b.evaluated}, {got.Void, b.void}, {got.DropOff.Count, b.dropped}, {got.Mood.N, b.felt},
		{got.Mood.Upset.Count, b.upset}, {got.Mood.Negative, b.negative}, {got.Latency.N, int64(len(b.latencies))}, {got.Cost.N, b.calls},
	}
	for i, c := range counts {
		if c[0] != c[1] {
			t.Errorf("%s: count %d is %d, want %d", what, i, c[0], c[1])
		}
	}
	if fmt.Sprint(got.EndReasons) != fmt.Sprint(b.ends) {
		t.Errorf("%s: ends %v, want %v", what, got.EndReasons, b.ends)
	}
	if math.Abs(got.Cost.TotalUSD-b.cost) > 1e-6 || b.felt > 0 && math.Abs(*got.Mood.Valence-b.valence/float64(b.felt)) > 1e-9 {
		t.Errorf("%s: cost %v, want %v; valence %v", what, got.Cost.TotalUSD, b.cost, got.Mood.Valence)
	}
	if b.calls >= 10 != (got.Answered.Rate != nil) {
		t.Errorf("%s: a rate of %d is %v", what, b.calls, got.Answered.Rate)
	}
	if len(b.latencies) == 0 {
		return
	}
	slices.Sort(b.latencies)
	for q, v := range map[float64]*float64{0.5: got.Latency.P50, 0.95: got.Latency.P95} {
		want := b.latencies[int(q*float64(len(b.latencies)-1))]
		if v == nil || math.Abs(*v-want) > 0.011*want {
			t.Errorf("%s: percentile %v is %v, want %v", what, q, v, want)
		}
	}
}

func (w *watched) compareUpset(t *testing.T, what, window string, b brute) {
	t.Helper()
	var ids []string
	for cursor := ""; ; {
		page := read[monitor.UpsetCallers](t, w.bundle, "upset?limit=7&cursor="+url.QueryEscape(cursor)+"&"+window)
		for _, u := range page.Data {
			ids = append(ids, u.CallID)
			if turns := w.truth[u.CallID].review.Heard.Turns; u.Quote != turns[u.Turn].Text {
				t.Errorf("%s: %s is quoted with %q", what, u.CallID, u.Quote)
			}
		}
		if page.NextCursor == nil {
			break
		}
		cursor = *page.NextCursor
	}
	slices.Sort(ids)
	slices.Sort(b.upsetIDs)
	if !slices.Equal(ids, b.upsetIDs) {
		t.Errorf("%s: %d upset callers, want %d", what, len(ids), len(b.upsetIDs))
	}
}

func (w *watched) compareAll(t *testing.T, when string) {
	t.Helper()
	w.refresh(t)
	w.compare(t, when+", all", "", func(*settledCall) bool { return true })
	w.compare(t, when+", an agent", "&agent_id=agt_a", func(s *settledCall) bool { return s.call.AgentID == "agt_a" })
	w.compare(t, when+", no agent", "&agent_id=-", func(s *settledCall) bool { return s.call.AgentID == "" })
	w.compare(t, when+", a version", "&dimension=agent_version&value=2", func(s *settledCall) bool { return s.told.AgentVersion == "2" })
	w.compare(t, when+", an agent's gold calls", "&agent_id=agt_b&dimension=metadata.tier&value=gold", func(s *settledCall) bool {
		return s.call.AgentID == "agt_b" && s.call.Metadata["tier"] == "gold"
	})
	window := fmt.Sprintf("&from=%d&until=%d", w.now.Add(-22*24*time.Hour).UnixMilli(), w.now.UnixMilli())
	parts := read[monitor.Breakdown](t, w.bundle, "breakdown?by=agent_version&metric=error_rate"+window)
	for _, p := range parts.Parts {
		b := w.brute(func(s *settledCall) bool { return s.told.AgentVersion == p.Value })
		if p.Summary.Calls != b.calls || p.Summary.Errors.Count != b.errors || p.Rest == nil {
			t.Errorf("%s: version %s has %d calls, want %d", when, p.Value, p.Summary.Calls, b.calls)
		}
	}
	if len(parts.Parts) != 3 || parts.Without != 0 {
		t.Errorf("%s: %d versions, %d calls without", when, len(parts.Parts), parts.Without)
	}
}
