package app

import (
	"bytes"
	"context"
	"flag"
	"log/slog"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// sourceID is the id of the practice agent in its own system.
const sourceID = "desk"

// TestMain makes room for several services in one process: each has two media
// threads that keep a processor of the scheduler to themselves while they wait.
// Most tests wait for calls and time-outs, so that more of them than there are
// processors run at a time.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(runtime.NumCPU() + 12)
	flag.Parse()
	if err := flag.Set("test.parallel", "5"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// clinicBench is a whole service and a practice agent in this process, joined
// by a real SIP line over loopback.
type clinicBench struct {
	api   *client.Client
	agent client.Agent
}

func newBench(t *testing.T, engines speech.Options) *clinicBench {
	t.Helper()
	ctx, log := t.Context(), slog.New(slog.DiscardHandler)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	url := "http://" + listener.Addr().String()
	desk, err := NewPractice(ctx, PracticeOptions{
		Listen: "127.0.0.1:0", Seed: 1, Voice: "rms", ReportURL: url, SourceID: sourceID, Log: log, Now: time.Now,
	})
	must(t, err)
	a, err := New(ctx, Options{
		Data: t.TempDir(), Listener: listener, Speech: engines, RecordWait: 10 * time.Second, Log: log, Now: time.Now,
		Trunks: []sip.Trunk{{Name: "practice", Host: desk.Addr(), Transport: sip.UDP, From: "+15550100"}},
	})
	must(t, err)
	must(t, a.Start(ctx))
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
		defer cancel()
		if err := desk.Stop(ctx); err != nil {
			t.Errorf("stop the practice agent: %v", err)
		}
		if err := a.Stop(ctx); err != nil {
			t.Errorf("stop the service: %v", err)
		}
	})
	desk.SetReportKey(a.FirstKey())
	b := &clinicBench{api: client.New(a.URL(), a.FirstKey())}
	b.agent, err = b.api.CreateAgent(ctx, client.NewAgent{Name: "Front desk", SourceID: sourceID})
	must(t, err)
	return b
}

// maxRuns is how often an experiment is run when its calls come out void
// because other programs kept the processor to themselves: such a call is
// evidence of nothing, for tests as for anybody.
const maxRuns = 3

// longStall is for how long an agent in this process may be kept waiting, as our side of
// the call may, before what it said is nothing to be judged by.
const longStall = 60 * time.Millisecond

// heard is run, done again for as long as this machine kept the agent waiting and the call is
// not as it should be. It is false when that never changed: nothing can be said of the agent then.
func (b *clinicBench) heard(t *testing.T, item string, good func(client.Call) bool) (c client.Call, fair bool) {
	t.Helper()
	m := linetest.Watch(t)
	for n := 1; ; n++ {
		m.Stalled(0)
		c = b.run(t, item)
		late := m.Stalled(longStall)
		if late == "" || good(c) {
			return c, true
		}
		t.Logf("run %d: %s", n, late)
		if n == maxRuns {
			return c, false
		}
	}
}

// run runs one item and returns its call, whole.
func (b *clinicBench) run(t *testing.T, item string) client.Call {
	t.Helper()
	ctx, m := t.Context(), linetest.Watch(t)
	dataset, err := b.api.CreateDataset(ctx, client.NewDataset{Name: "test"})
	must(t, err)
	_, err = b.api.ImportItems(ctx, dataset.ID, client.Import{Format: "yaml", Data: []byte(item)})
	must(t, err)
	for n := 1; ; n++ {
		run, err := b.api.Run(ctx, b.agent.ID, client.RunRequest{ToNumber: "+15550123", DatasetID: dataset.ID})
		must(t, err)
		_, err = b.api.WaitFinished(ctx, run.VoiceExperimentID, nil)
		must(t, err)
		calls, err := b.api.RunCalls(ctx, run.VoiceExperimentID)
		must(t, err)
		if len(calls) != 1 {
			t.Fatalf("%d calls of one item", len(calls))
		}
		c, err := b.api.Call(ctx, calls[0].ID)
		must(t, err)
		if !starved(c) {
			return c
		}
		if n == maxRuns {
			if late := m.Late(); late > longStall {
				t.Skipf("this machine was too busy for calls in real time, %d times, late by up to %v: %s", n, late, c.VerdictReason)
			}
			t.Fatalf("%d calls are void though this machine was late by %v at most: %s", n, m.Late(), c.VerdictReason)
		}
		t.Logf("once more: %s", c.VerdictReason)
	}
}

// starved reports whether the call is void because our frames left late or not at all.
func starved(c client.Call) bool {
	return word(c.Verdict) == "void" && len(c.Attempts) > 0 &&
		(c.Attempts[0].Stats["send_missed"] > 0 || c.Attempts[0].Stats["send_late_max_ms"] > 60 || strings.Contains(c.VerdictReason, "ms late"))
}

// wav fetches the recording of a call.
func (b *clinicBench) wav(t *testing.T, id string) audio.WAV {
	t.Helper()
	var data bytes.Buffer
	_, err := b.api.SaveRecording(t.Context(), id, &data)
	must(t, err)
	w, err := audio.ReadWAV(&data, 100<<20)
	must(t, err)
	if len(w.Channels) != 2 || w.Rate != phoneRate {
		t.Fatalf("the recording has %d channels at %d Hz", len(w.Channels), w.Rate)
	}
	return w
}

func verdictOf(t *testing.T, c client.Call, name string) client.Score {
	t.Helper()
	i := slices.IndexFunc(c.Scores, func(s client.Score) bool { return strings.HasPrefix(s.Name, name) })
	if i < 0 {
		t.Fatalf("there is no score %s among %+v", name, c.Scores)
	}
	return c.Scores[i]
}

// checkPassed tells everything about a call that should have passed.
func checkPassed(t *testing.T, c client.Call) {
	t.Helper()
	if c.Status == "ENDED" && word(c.Verdict) == "passed" {
		return
	}
	t.Errorf("the call is %s, %s %s: %s", c.Status, word(c.EndReason.Code), word(c.Verdict), c.VerdictReason)
	for _, s := range c.Scores {
		t.Logf("%s: %s (%s)", s.Name, s.Verdict, s.Reason)
	}
	for _, turn := range c.Turns {
		t.Logf("%6d %s: %s", turn.StartMS, turn.Speaker, turn.Text)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func word(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
