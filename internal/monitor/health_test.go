package monitor

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
	"github.com/ringtrue/ringtrue/internal/trend/departure"
)

// An agent whose calls have stayed away for three days has no rows in the last of them, and still
// needs attention; one that was removed a month ago does not.
func TestAnAgentThatNobodyReachesStays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	report := func(agent string, in ...departure.Incident) StoredReport {
		text, err := json.Marshal(found{Verdict: departure.OK, Incidents: in})
		if err != nil {
			t.Fatal(err)
		}
		return StoredReport{Series: bucket.Series{Dim: DimAgent, Value: agent}, Found: text}
	}
	outage := departure.Incident{
		Metric: "calls", Form: departure.Outage, Sign: trend.Down, Bad: true, Severity: departure.Critical, Open: true, Start: now.AddDate(0, 0, -3), End: now, Expected: 900,
	}
	over := outage
	over.Open, over.Start, over.End = false, now.AddDate(0, 0, -40), now.AddDate(0, 0, -33)
	busy := bucket.Counts{}
	busy[bucket.Calls] = 40
	all, err := agentHealth(map[string]*bucket.Counts{"agt_busy": &busy}, []StoredReport{report("agt_silent", outage), report("agt_gone", over), report("agt_busy")}, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].AgentID != "agt_silent" || all[0].Verdict != "bad" || all[0].Calls != 0 || len(all[0].Departures) != 1 || all[1].AgentID != "agt_busy" {
		t.Errorf("agents: %+v", all)
	}
}

// A version taken back because its calls failed ends in a departure that no call will ever close.
// It is reported for two weeks and then leaves the overview.
func TestADepartureEndsWithItsSeries(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 1, 5, 0, 0, 0, 0, time.UTC)
	last := start.AddDate(0, 0, 35)
	series := bucket.Series{Dim: DimVersion, Value: "2"}
	var history []watchedHour
	for at := start; at.Before(last); at = at.Add(time.Hour) {
		h := watchedHour{at: at}
		h.b.Counts[bucket.Calls], h.b.Counts[bucket.Answered] = 40, 40
		if h.b.Counts[bucket.Errors] = int64(at.Hour() % 2); last.Sub(at) <= 6*time.Hour {
			h.b.Counts[bucket.Errors] = 36
		}
		history = append(history, h)
	}
	end := last.Add(watchWindow) // the last time that such a series is looked at
	l := look{series: series, from: end.Add(-watchWindow - bucket.DayLength), at: end, hour: end, zone: time.UTC, history: history, beside: 1, all: 1}
	reports, _ := l.reports()
	f := l.find(reports, found{}, time.Time{})
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, dim := range []string{DimVersion, DimAgent} {
		stored := []StoredReport{{Series: bucket.Series{Dim: dim, Value: "2"}, Found: text}}
		for days, want := range map[int]int{2: 1, 13: 1, 16: 0, 300: 0} {
			at := last.AddDate(0, 0, days)
			values, err := valuesNotUsual(stored, at)
			if err != nil {
				t.Fatal(err)
			}
			agents, err := agentHealth(map[string]*bucket.Counts{}, stored, at)
			if err != nil {
				t.Fatal(err)
			}
			if len(values)+len(agents) != want {
				t.Errorf("%d days after the last call of the %s: %+v %+v", days, dim, values, agents)
			}
		}
	}
}

// An imported history is looked at in parts, and what is known of the present is kept meanwhile.
func TestAPartOfTheHistoryTellsNothingOfThePresent(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	series := bucket.Series{Dim: DimAgent, Value: "agt_1"}
	open := departure.Incident{
		Metric: "error_rate", Form: departure.Step, Sign: trend.Up, Bad: true, Severity: departure.Major, Open: true,
		Start: now.Add(-9 * time.Hour), Told: now.Add(-8 * time.Hour), End: now,
	}
	before := found{Incidents: []departure.Incident{open}, Verdict: departure.Bad, Last: now.Add(-time.Hour), Now: []MetricNow{{Metric: "calls"}}}
	l := lookAt(StoredReport{Series: series, Until: now, Redo: now.AddDate(0, 0, -200)}, now)
	if l.rest.IsZero() {
		t.Fatal("not looked at by parts")
	}
	past := open
	past.Metric, past.Start, past.Told, past.End = "drop_off_rate", l.at.Add(-5*time.Hour), l.at.Add(-4*time.Hour), l.at.Add(time.Hour)
	l.history = []watchedHour{{at: l.at.Add(-time.Hour)}}
	f := l.find([]departure.Report{{Incidents: []departure.Incident{past}}}, before, time.Time{})
	if len(f.Incidents) != 2 || f.Incidents[0] != open || !f.Incidents[1].End.Equal(l.at) {
		t.Errorf("departures: %+v", f.Incidents)
	}
	if f.Now != nil {
		t.Errorf("figures of %s as those of now: %+v", l.at, f.Now)
	}
	verdict, told := verdictAt(&f, &series, now.Add(time.Minute))
	if verdict != "bad" || len(told.departures) != 1 || told.departures[0].Metric != "error_rate" {
		t.Errorf("%s: %+v", verdict, told)
	}
}

// The first parts of an imported history may be long past: until the last part has been looked at,
// the present is unknown.
func TestNothingIsKnownUntilTheWholeHistoryHasBeenLookedAt(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	series := bucket.Series{Dim: DimAgent, Value: "agt_1"}
	l := lookAt(StoredReport{Series: series, Redo: now.AddDate(-2, 0, 0)}, now)
	f := l.find([]departure.Report{{Enough: true}}, found{}, time.Time{})
	if verdict, told := verdictAt(&f, &series, now); verdict != "unknown" || !slices.Equal(told.sentences, []string{"The history that came is still being looked through."}) {
		t.Errorf("after the first part: %s %+v", verdict, told)
	}
	l = lookAt(StoredReport{Series: series, Until: now.AddDate(0, 0, -100), Redo: now.AddDate(0, 0, -100)}, now)
	f = l.find([]departure.Report{{Enough: true}}, f, time.Time{})
	if verdict, _ := verdictAt(&f, &series, now); verdict != "ok" {
		t.Errorf("after the last part: %s", verdict)
	}
}
