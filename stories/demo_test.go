package stories

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
)

// TestDemo runs the whole demo as a newcomer's CI would. It is not parallel:
// its ten calls at once are to have the machine to themselves.
func TestDemo(t *testing.T) { //nolint:paralleltest // see above
	var out, log bytes.Buffer
	cmd := exec.Command(build(t), "demo", "--once", "--json", "--fault", "none", "--data", t.TempDir())
	cmd.Env, cmd.Stdout, cmd.Stderr = bare(), &out, &log
	if err := cmd.Run(); err != nil {
		t.Fatalf("the demo: %v\n%s", err, log.String())
	}
	var report struct {
		client.Report
		Seconds    float64           `json:"seconds"`
		Recordings map[string]string `json:"recordings"`
	}
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("standard output is not one JSON report: %v\n%s", err, out.String())
	}
	if report.Experiment.Status != "FINISHED" || len(report.Calls) < 8 || report.Experiment.Counts.Calls != len(report.Calls) {
		t.Errorf("the experiment is %+v with %d calls", report.Experiment, len(report.Calls))
	}
	longest := int64(0)
	for _, c := range report.Calls {
		checkDemoCall(t, c, report.Recordings[c.Call.ID])
		if c.Call.DurationMS != nil {
			longest = max(longest, *c.Call.DurationMS)
		}
	}
	t.Logf("%d calls in %.1f s, the longest %.1f s", len(report.Calls), report.Seconds, float64(longest)/1000)
	if t.Failed() {
		t.Logf("what a person saw:\n%s", log.String())
	}
}

func checkDemoCall(t *testing.T, c client.ReportCall, recording string) {
	t.Helper()
	if c.Call.Status != "ENDED" || c.Call.Verdict == nil || c.Call.DurationMS == nil {
		t.Errorf("%s is %s, %+v", c.Item.Key, c.Call.Status, c.Call)
		return
	}
	if *c.Call.Verdict != "passed" {
		t.Errorf("%s: %s (%s), though the agent has no faults", c.Item.Key, *c.Call.Verdict, c.Call.VerdictReason)
		for _, s := range c.Call.Scores {
			t.Logf("  %s: %s (%s)", s.Name, s.Verdict, s.Reason)
		}
	}
	file, err := os.Open(recording)
	if err != nil {
		t.Errorf("%s: its recording: %v", c.Item.Key, err)
		return
	}
	defer file.Close()
	wav, err := audio.ReadWAV(file, 100<<20)
	if err != nil || len(wav.Channels) != 2 {
		t.Errorf("%s: its recording has %d channels (%v)", c.Item.Key, len(wav.Channels), err)
		return
	}
	length := int64(len(wav.Channels[0])) * 1000 / int64(wav.Rate)
	if off := length - *c.Call.DurationMS; off < -200 || off > 200 {
		t.Errorf("%s: the recording has %d ms, the call lasted %d ms", c.Item.Key, length, *c.Call.DurationMS)
	}
}
