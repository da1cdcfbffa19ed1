package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// TestACustomersCallsFailSinceNow has sixteen quiet days of two customers of one
// agent, and a fault of one of them that is 80 minutes old: the last 20 of them
// lie in an hour that is running.
func TestACustomersCallsFailSinceNow(t *testing.T) {
	t.Parallel()
	w := setupWatched(t)
	if d := w.ask(t, "PUT", "/api/rest/monitoring/dimensions", `{"metadata_keys":["customer"],"time_zone":"Atlantic/Reykjavik"}`); d.Code != 200 ||
		!strings.Contains(d.Body.String(), `"time_zone":"Atlantic/Reykjavik"`) {
		t.Fatalf("%d %s", d.Code, d.Body)
	}
	w.refresh(t) // there are no calls yet to bring up to date with it
	fault := w.now.Truncate(time.Hour).Add(-time.Hour)
	for day := fault.AddDate(0, 0, -16).Truncate(24 * time.Hour); day.Before(w.now); day = day.AddDate(0, 0, 1) {
		w.put(t, w.officeDay(day, fault))
	}
	w.refresh(t)
	answer := read[monitor.Anomalies](t, w.bundle, "anomalies")
	told := slices.ContainsFunc(answer.Anomalies, func(a monitor.Anomaly) bool {
		return a.Dimension != nil && *a.Dimension == "metadata.customer" && *a.Value == "acme" && a.Metric == "error_rate" && a.Open &&
			a.Start == fault.UnixMilli() && a.End <= w.now.UnixMilli() && a.ToldAt <= w.now.UnixMilli()
	})
	if !told {
		t.Errorf("the customer's errors are not told: %+v", answer.Anomalies)
	}
	for _, a := range answer.Anomalies {
		if a.Value != nil && *a.Value == "other customer" {
			t.Errorf("a false alarm: %+v", a)
		}
	}
	health := read[monitor.Overview](t, w.bundle, "overview")
	if health.Verdict != "bad" && health.Verdict != "watch" || len(health.Values) != 1 || health.Values[0].Value != "acme" || health.Values[0].Verdict != "bad" {
		t.Errorf("%s, %+v", health.Verdict, health.Values)
	}
	at := slices.IndexFunc(health.Sentences, func(s string) bool { return strings.HasPrefix(s, "Customer acme: ") })
	if at < 0 || len(health.Departures) != len(health.Sentences) {
		t.Fatalf("the sentences do not name the customer, or are not one for each departure: %q", health.Sentences)
	}
	if d := health.Departures[at]; d.Dimension == nil || *d.Dimension != "metadata.customer" || *d.Value != "acme" || !strings.HasSuffix(health.Sentences[at], d.Text) {
		t.Errorf("the departure is not what its sentence tells of: %q, %+v", health.Sentences[at], d)
	}
	narrow := read[monitor.Anomalies](t, w.bundle, "anomalies?dimension=metadata.customer&value=acme")
	if len(narrow.Anomalies) == 0 || narrow.Checked != 1 {
		t.Errorf("the customer alone: %+v", narrow)
	}
}

// officeDay are the calls of a day up to now: from eight to six, each hour ten of
// acme, which fail from the fault on, and thirty of another customer.
func (w *watched) officeDay(day, fault time.Time) (out []monitor.Fact) {
	for i := range 10 * 40 {
		at := day.Add(8*time.Hour + time.Duration(i)*90*time.Second)
		f := monitor.Fact{
			CallID: fmt.Sprintf("call_%s_%03d", day.Format("0102"), i), WorkspaceID: w.first.Workspace.ID, Origin: call.Production, AgentID: "agt_a", At: at,
			Figures: monitor.Figures{
				Answered: true, Duration: time.Minute, End: call.EndCompleted, Blame: call.BlameNobody, Verdict: call.NotEvaluated, Turns: 6,
				Dims: map[string]string{"metadata.customer": "other customer"},
			},
		}
		if i%4 == 0 {
			f.Dims["metadata.customer"] = "acme"
		}
		if i%40 == 17 || i%4 == 0 && !at.Before(fault) {
			f.End, f.Blame, f.Failure = call.EndProviderError, call.BlamePlatform, "group"
		}
		if at.Before(w.now) {
			out = append(out, f)
		}
	}
	return out
}

// put stores facts and marks their hours.
func (w *watched) put(t *testing.T, facts []monitor.Fact) {
	t.Helper()
	var marks []monitor.Mark
	for _, f := range facts {
		m := monitor.Mark{WorkspaceID: f.WorkspaceID, Origin: string(f.Origin), Hour: f.At.Truncate(time.Hour)}
		if !slices.Contains(marks, m) {
			marks = append(marks, m)
		}
	}
	err := w.store.Write(t.Context(), func(tx *store.Tx) error {
		if err := tx.PutFacts(t.Context(), facts); err != nil {
			return err
		}
		return tx.PutMarks(t.Context(), marks)
	})
	if err != nil {
		t.Fatal(err)
	}
}
