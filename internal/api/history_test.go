package api_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// TestAnImportedHistoryIsLookedAtFromItsBeginning has ten weeks of one agent's calls arrive at
// once: what was wrong in the middle of them is told, whether they end now or ended long ago.
func TestAnImportedHistoryIsLookedAtFromItsBeginning(t *testing.T) {
	t.Parallel()
	for name, ended := range map[string]int{"ends now": 0, "ended ten months ago": 300} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := setupWatched(t)
			begin := w.now.Truncate(24*time.Hour).AddDate(0, 0, -ended-70)
			fault := begin.AddDate(0, 0, 40).Add(9 * time.Hour)
			for day := range 70 {
				w.put(t, w.evenDay(begin.AddDate(0, 0, day), fault))
			}
			w.refreshOften(t)
			answer := read[monitor.Anomalies](t, w.bundle, fmt.Sprintf("anomalies?agent_id=agt_a&from=%d&until=%d",
				begin.UnixMilli(), begin.AddDate(0, 0, 70).UnixMilli()))
			told := slices.ContainsFunc(answer.Anomalies, func(a monitor.Anomaly) bool {
				return a.Metric == "error_rate" && a.Start == fault.UnixMilli() && a.End == fault.Add(6*time.Hour).UnixMilli() && !a.Open
			})
			if answer.CheckedUntil == nil || *answer.CheckedUntil < w.now.Add(-time.Hour).UnixMilli() {
				t.Errorf("looked at up to %v", answer.CheckedUntil)
			}
			if !told {
				t.Errorf("what was wrong in the middle is not told: %q, %+v", answer.Reason, answer.Anomalies)
			}
		})
	}
}

// TestWhatPlatformsSayOfTheMoodIsWatched has a platform call its callers negative where the
// words of the calls tell nothing: that is shown, and told.
func TestWhatPlatformsSayOfTheMoodIsWatched(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	begin := w.now.Truncate(24*time.Hour).AddDate(0, 0, -24)
	never := w.now.AddDate(1, 0, 0)
	for day := range 24 {
		facts := w.evenDay(begin.AddDate(0, 0, day), never)
		for i := range facts {
			facts[i].ReportedMood = []call.Sentiment{call.Positive, call.Neutral, call.Positive, call.Negative, ""}[i%5]
			if day == 20 && i%5 < 2 {
				facts[i].ReportedMood = call.Negative
			}
		}
		w.put(t, facts)
	}
	w.refreshOften(t)
	turned := begin.AddDate(0, 0, 20)
	told := read[monitor.Anomalies](t, w.bundle, fmt.Sprintf("anomalies?metric=reported_valence&agent_id=agt_a&from=%d", begin.UnixMilli())).Anomalies
	if len(told) != 1 || told[0].Start != turned.UnixMilli() || told[0].End != turned.AddDate(0, 0, 1).UnixMilli() {
		t.Errorf("told %+v", told)
	}
	day := read[monitor.Trends](t, w.bundle, fmt.Sprintf("trends?from=%d&until=%d", turned.UnixMilli(), turned.AddDate(0, 0, 1).UnixMilli()))
	if m := day.Total.ReportedMood; m.N != 154 || m.Negative != 116 || m.Positive != 38 || m.Neutral != 0 || day.Total.Mood.N != 0 {
		t.Errorf("mood %+v", m)
	}
}

// TestADepartureGoesWithItsCalls has a fault told of calls that no agent is known of; when
// all of them turn out to be an agent's it is told of the agent alone.
func TestADepartureGoesWithItsCalls(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	begin := w.now.Truncate(24*time.Hour).AddDate(0, 0, -24)
	fault := begin.AddDate(0, 0, 20).Add(9 * time.Hour)
	var all []monitor.Fact
	for day := range 24 {
		facts := w.evenDay(begin.AddDate(0, 0, day), fault)
		for i := range facts {
			facts[i].AgentID = ""
		}
		w.put(t, facts)
		all = append(all, facts...)
	}
	w.refreshOften(t)
	of := func(agent string) []monitor.Anomaly {
		return read[monitor.Anomalies](t, w.bundle, fmt.Sprintf("anomalies?metric=error_rate&agent_id=%s&from=%d", agent, begin.UnixMilli())).Anomalies
	}
	if len(of("-")) != 1 {
		t.Fatalf("the fault is not told: %+v", of("-"))
	}
	w.relink(t, all, "agt_a")
	w.refreshOften(t)
	if none, one := of("-"), of("agt_a"); len(none) != 0 || len(one) != 1 {
		t.Errorf("of no agent: %+v, of the agent: %+v", none, one)
	}
	// Nobody looks at the calls of no agent any more, of which there are none: that holds nothing back.
	w.now = w.now.Add(2 * time.Hour)
	w.refreshOften(t)
	if until := read[monitor.Anomalies](t, w.bundle, "anomalies").CheckedUntil; until == nil || *until < w.now.Add(-30*time.Minute).UnixMilli() {
		t.Errorf("looked at up to %v", until)
	}
}

// evenDay are 192 calls of a day, one of 24 of which fails, and from the fault on all for six hours.
func (w *watched) evenDay(day, fault time.Time) (out []monitor.Fact) {
	for i := range 192 {
		at := day.Add(time.Duration(i) * 450 * time.Second)
		f := monitor.Fact{
			CallID: fmt.Sprintf("call_%s_%03d", day.Format("060102"), i), WorkspaceID: w.first.Workspace.ID, Origin: call.Production, AgentID: "agt_a", At: at,
			Figures: monitor.Figures{
				Answered: true, Duration: time.Minute, End: call.EndCompleted, Blame: call.BlameNobody, Verdict: call.NotEvaluated, Turns: 6,
			},
		}
		if i%24 == 17 || !at.Before(fault) && at.Before(fault.Add(6*time.Hour)) {
			f.End, f.Blame, f.Failure = call.EndProviderError, call.BlamePlatform, "group"
		}
		out = append(out, f)
	}
	return out
}

// relink moves calls to an agent.
func (w *watched) relink(t *testing.T, facts []monitor.Fact, agent string) {
	t.Helper()
	err := w.store.Write(t.Context(), func(tx *store.Tx) error {
		for i := range facts {
			if err := w.monitor.Relinked(t.Context(), tx, facts[i].CallID, agent); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// refreshOften brings the figures up to date, and has every series looked at as often as it is due.
func (w *watched) refreshOften(t *testing.T) {
	t.Helper()
	for range 12 {
		w.refresh(t)
		w.now = w.now.Add(time.Minute)
	}
}
