package stories

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
)

// demoReport is what the demo prints.
type demoReport struct {
	client.Report
	Seconds    float64           `json:"seconds"`
	Recordings map[string]string `json:"recordings"`
}

// longStall is for how long the agent, a program like others, may have to wait
// before what it says is nothing to be judged by.
const longStall = 100 * time.Millisecond

// maxDemos is how often the demo is run when calls come out void because other
// programs kept the processor to themselves. Such calls are evidence of nothing.
const maxDemos = 4

// demoTime is after how long no further one is begun.
const demoTime = 3 * time.Minute

// TestTried tells how the product is tried with its own agent, over the telephone and in
// rooms. It is not parallel: its calls keep real time, and are to have the machine to
// themselves; together they do not take half of it.
func TestTried(t *testing.T) { //nolint:paralleltest // see above
	t.Run("demo", func(t *testing.T) {
		t.Parallel()
		demo(t)
	})
	t.Run("rooms", func(t *testing.T) {
		t.Parallel()
		practiceInRooms(t)
	})
}

// TestDemoInRooms runs the calls of the demo in rooms. It takes minutes on a busy machine,
// so `make test-long` runs it; the other stories of rooms always run.
func TestDemoInRooms(t *testing.T) { //nolint:paralleltest // like TestTried
	if os.Getenv("RINGTRUE_LONG") == "" {
		t.Skip("make test-long runs it")
	}
	demo(t, "--rooms")
}

// demo runs the whole demo as a newcomer's CI would, again for as long as this machine
// had no time for one of its calls: in the end each has passed in one of them.
func demo(t *testing.T, flags ...string) {
	t.Helper()
	machine, began := linetest.Watch(t), time.Now()
	passed := map[string]bool{}
	for n := 1; ; n++ {
		report := runDemo(t, flags...)
		checkDemo(t, report)
		busy, wrong := 0, []string(nil)
		for _, c := range report.Calls {
			passed[c.Item.Key] = passed[c.Item.Key] || word(c.Call.Verdict) == "passed"
			switch {
			case starved(c.Call):
				busy++
				t.Logf("run %d: %s: %s", n, c.Item.Key, c.Call.VerdictReason)
			case word(c.Call.Verdict) != "passed":
				wrong = append(wrong, explained(c))
			}
		}
		all := !slices.Contains(slices.Collect(maps.Values(passed)), false)
		switch late := machine.Late(); {
		case t.Failed(), busy == 0 && len(wrong) == 0, all && len(wrong) == 0:
			return
		case (busy > 0 || late > longStall) && n < maxDemos && time.Since(began) < demoTime: // the agent of such a run had no time either
			continue
		case busy == 0, late < 20*time.Millisecond:
			t.Errorf("%d calls were void because of a busy machine, which was late by %s at most; though the agent has no faults:\n%s",
				busy, late, strings.Join(wrong, "\n"))
		default:
			t.Logf("this machine was too busy %d times, late by up to %s; passed: %v", n, late, passed)
		}
		return
	}
}

// explained is a call with its verdict and what each scorer says.
func explained(c client.ReportCall) string {
	lines := []string{fmt.Sprintf("%s: %s (%s)", c.Item.Key, word(c.Call.Verdict), c.Call.VerdictReason)}
	for _, s := range c.Call.Scores {
		lines = append(lines, fmt.Sprintf("  %s: %s (%s)", s.Name, s.Verdict, s.Reason))
	}
	return strings.Join(lines, "\n")
}

// starved reports whether a call is void because our frames left late or not at all.
func starved(c client.Call) bool {
	return word(c.Verdict) == "void" && saysStarved(c.VerdictReason)
}

// saysStarved reports whether the service says that this machine did not let it
// keep time.
func saysStarved(text string) bool {
	return strings.Contains(text, "too busy") || strings.Contains(text, "ms late")
}

func runDemo(t *testing.T, flags ...string) demoReport {
	t.Helper()
	var out, log bytes.Buffer
	cmd := exec.Command(build(t), append([]string{"demo", "--once", "--json", "--data", t.TempDir()}, flags...)...)
	cmd.Env, cmd.Stdout, cmd.Stderr = append(bare(), "RINGTRUE_FAULT=none"), &out, &log // as --fault=none
	if err := cmd.Run(); err != nil {
		t.Fatalf("the demo: %v\n%s", err, log.String())
	}
	var report demoReport
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("standard output is not one JSON report: %v\n%s", err, out.String())
	}
	t.Logf("%d calls in %.1f s", len(report.Calls), report.Seconds)
	return report
}

func checkDemo(t *testing.T, r demoReport) {
	t.Helper()
	if r.Experiment.Status != "FINISHED" || len(r.Calls) < 8 || r.Experiment.Counts.Calls != len(r.Calls) {
		t.Errorf("the experiment is %+v with %d calls", r.Experiment, len(r.Calls))
	}
	for _, c := range r.Calls {
		checkDemoCall(t, c, r.Recordings[c.Call.ID])
	}
}

func checkDemoCall(t *testing.T, c client.ReportCall, recording string) {
	t.Helper()
	if c.Call.Status != "ENDED" || c.Call.Verdict == nil || c.Call.DurationMS == nil {
		t.Errorf("%s is %s, %+v", c.Item.Key, c.Call.Status, c.Call)
		return
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
