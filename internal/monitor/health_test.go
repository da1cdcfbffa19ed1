package monitor

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// An agent whose calls have stayed away for three days has no row any more in the last of them,
// and is the one to be looked at; one that was let go a month ago is not.
func TestAnAgentThatNobodyReachesStays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)
	report := func(agent string, in ...trend.Incident) StoredReport {
		text, err := json.Marshal(found{Verdict: trend.OK, Incidents: in})
		if err != nil {
			t.Fatal(err)
		}
		return StoredReport{Series: bucket.Series{Dim: DimAgent, Value: agent}, Found: text}
	}
	outage := trend.Incident{
		Metric: "calls", Form: trend.Outage, Sign: trend.Down, Bad: true, Severity: trend.Critical, Open: true, Start: now.AddDate(0, 0, -3), End: now, Expected: 900,
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
