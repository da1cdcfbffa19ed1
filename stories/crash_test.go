package stories

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// crashCalls is how many calls the experiments of this file have.
const crashCalls = 4

// crashItems are calls that are short, but long enough to be killed in the middle of.
const crashItems = `{"key": "a", "input": {"script": [{"stay_silent_ms": 8000}, {"say": "What are your opening hours?"}, "hang_up"]}}
{"key": "b", "input": {"script": [{"stay_silent_ms": 8000}, "hang_up"]}}
{"key": "c", "input": {"script": [{"stay_silent_ms": 8000}, "hang_up"]}}
{"key": "d", "input": {"script": [{"stay_silent_ms": 8000}, "hang_up"]}}
`

// TestCrashOnSQLite kills the service in the middle of an experiment and starts
// it again on the same folder: the experiment ends by itself. Two calls are on
// the line at that moment, two wait for their turn.
func TestCrashOnSQLite(t *testing.T) {
	t.Parallel()
	w := newCrashWorld(t, 2)
	data := t.TempDir()
	first := w.serve(t, "--data", data)
	first.await(t)
	w.begin(t, first)
	w.kill(t, first)
	w.serve(t, "--data", data, "--listen", first.address).await(t)
	w.checkEnd(t)
}

// TestCrashOnPostgres kills one of two services on a database while the other one
// comes up: that takes up the calls of the dead one. All are on the line at that
// moment: those in preparation would be free only after half a minute.
func TestCrashOnPostgres(t *testing.T) {
	t.Parallel()
	w := newCrashWorld(t, crashCalls)
	flags := []string{"--database", pgtest.Database(t), "--data", t.TempDir(), "--beat", "500ms", "--silent-after", "4s"}
	first := w.serve(t, flags...)
	first.await(t)
	w.begin(t, first)
	second := w.serve(t, append(flags, "--placing", "20")...)
	w.kill(t, first)
	second.await(t)
	w.api = client.New(second.url(), w.key)
	w.checkEnd(t)
}

// crashWorld is a practice agent and the services that phone it.
type crashWorld struct {
	binary, trunk, key, experiment string
	// onLine is how many calls are allowed on the line at a time.
	onLine int
	api    *client.Client
	// between is before and after the service was killed.
	between [2]time.Time
}

// kill kills the service.
func (w *crashWorld) kill(t *testing.T, p *process) {
	t.Helper()
	w.between[0] = time.Now()
	p.kill(t)
	w.between[1] = time.Now()
}

func newCrashWorld(t *testing.T, onLine int) *crashWorld {
	t.Helper()
	w := &crashWorld{binary: build(t), onLine: onLine}
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	agent := start(t, w.binary, "practice", "--listen", "127.0.0.1:"+port)
	if !accepts("127.0.0.1:" + port) {
		t.Fatalf("the practice agent takes no calls:\n%s", agent.log.String())
	}
	w.trunk = "practice=sip://127.0.0.1:" + port + "?calls_per_second=0&concurrent_calls=" + strconv.Itoa(onLine)
	return w
}

// serve starts a service; a --listen among the flags comes after ours and wins.
func (w *crashWorld) serve(t *testing.T, flags ...string) *process {
	t.Helper()
	address := ""
	for i, f := range flags {
		if f == "--listen" {
			address = flags[i+1]
		}
	}
	if address == "" {
		port, err := freePort()
		if err != nil {
			t.Fatal(err)
		}
		address = "127.0.0.1:" + port
		flags = append(flags[:len(flags):len(flags)], "--listen", address)
	}
	p := start(t, w.binary, append([]string{"--log-level=warn", "serve", "--record-wait=1s", "--trunk", w.trunk}, flags...)...)
	p.address = address
	return p
}

// begin starts the experiment and comes back when as many calls as may be are on the line.
func (w *crashWorld) begin(t *testing.T, p *process) {
	t.Helper()
	ctx := t.Context()
	w.key = p.firstKey(t)
	w.api = client.New(p.url(), w.key)
	agent, err := w.api.CreateAgent(ctx, client.NewAgent{Name: "Front desk"})
	must(t, err)
	dataset, err := w.api.CreateDataset(ctx, client.NewDataset{Name: "short"})
	must(t, err)
	_, err = w.api.ImportItems(ctx, dataset.ID, client.Import{Format: "jsonl", Data: []byte(crashItems)})
	must(t, err)
	run, err := w.api.Run(ctx, agent.ID, client.RunRequest{ToNumber: "+15550123", DatasetID: dataset.ID})
	must(t, err)
	w.experiment = run.VoiceExperimentID
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		calls, err := w.api.RunCalls(ctx, w.experiment)
		must(t, err)
		talking := 0
		for _, c := range calls {
			if c.Status == "IN_PROGRESS" {
				talking++
			}
		}
		if talking == w.onLine {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("no %d calls came onto the line", w.onLine)
}

// checkEnd waits for the end of the experiment and looks at what has become of its calls.
func (w *crashWorld) checkEnd(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), reviewPatience)
	defer cancel()
	e, err := w.api.WaitFinished(ctx, w.experiment, nil)
	must(t, err)
	if e.Status != "FINISHED" || e.Counts.Calls != crashCalls {
		t.Errorf("the experiment is %+v", e)
	}
	calls, err := w.api.RunCalls(ctx, w.experiment)
	must(t, err)
	twice, items := 0, map[string]bool{}
	for _, c := range calls {
		one, err := w.api.Call(ctx, c.ID)
		must(t, err)
		if one.Status != "ENDED" || one.ScoringStatus != "SCORED" || one.RecordingURL == nil || word(one.EndReason.Code) != "completed" {
			t.Errorf("call %s: %s, %s, %s %s", one.ID, one.Status, one.ScoringStatus, word(one.EndReason.Code), one.VerdictReason)
		}
		items[word(one.DatasetItemID)] = true
		twice += w.checkAttempts(t, one)
	}
	if len(calls) != crashCalls || len(items) != crashCalls {
		t.Errorf("%d calls of %d items, want %d of each", len(calls), len(items), crashCalls)
	}
	if twice == 0 || twice > w.onLine {
		t.Errorf("%d calls were tried twice, want those of %d that were on the line", twice, w.onLine)
	}
}

// checkAttempts returns 1 for a call that was interrupted once.
func (w *crashWorld) checkAttempts(t *testing.T, c client.Call) int {
	t.Helper()
	n := len(c.Attempts)
	if n < 1 || n > 2 {
		t.Errorf("call %s has %d attempts", c.ID, n)
		return 0
	}
	for i, a := range c.Attempts {
		want := "completed"
		if i < n-1 {
			want = "interrupted"
		}
		if a.Number != i+1 || word(a.EndReason.Code) != want || a.EndedAt == nil {
			t.Errorf("call %s: attempt %d of %d is number %d and ended as %q", c.ID, i+1, n, a.Number, word(a.EndReason.Code))
			continue
		}
		// What the kill cut short says so, and only that.
		began, over := time.UnixMilli(a.StartedAt), time.UnixMilli(*a.EndedAt)
		before, after := began.Before(w.between[1]), !over.Before(w.between[0].Add(-5*time.Millisecond))
		if want == "interrupted" && (!before || !after) || want == "completed" && before && over.After(w.between[1].Add(5*time.Millisecond)) {
			t.Errorf("call %s: attempt %d from %s to %s ended as %q; the service was killed from %s to %s", c.ID, i+1, began, over, want, w.between[0], w.between[1])
		}
	}
	return n - 1
}

// process is a running ringtrue.
type process struct {
	cmd     *exec.Cmd
	address string
	key     chan string
	log     *output
}

// start starts the binary; it is killed at the end of the test.
func start(t *testing.T, binary string, args ...string) *process {
	t.Helper()
	p := &process{cmd: exec.Command(binary, args...), key: make(chan string, 1), log: &output{}}
	p.cmd.Env, p.cmd.Stderr = bare(), p.log
	stdout, err := p.cmd.StdoutPipe()
	must(t, err)
	must(t, p.cmd.Start())
	read := make(chan struct{})
	go func() {
		defer close(read)
		p.read(stdout)
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-read
		_ = p.cmd.Wait()
		if t.Failed() {
			t.Logf("%s %s:\n%s", binary, strings.Join(args, " "), p.log.String())
		}
	})
	return p
}

// read keeps what the process prints and finds the key in it.
func (p *process) read(stdout io.Reader) {
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		_, _ = p.log.Write(append(lines.Bytes(), '\n'))
		if key := keyPattern().FindString(lines.Text()); key != "" {
			p.key <- key
		}
	}
}

func (p *process) url() string { return "http://" + p.address }

func (p *process) await(t *testing.T) {
	t.Helper()
	if !answers(p.url() + "/readyz") {
		t.Fatalf("the service does not come up:\n%s", p.log.String())
	}
}

func (p *process) firstKey(t *testing.T) string {
	t.Helper()
	select {
	case key := <-p.key:
		return key
	case <-time.After(patience):
		t.Fatal("no key was printed")
		return ""
	}
}

// kill ends the process as a crash would, with SIGKILL.
func (p *process) kill(t *testing.T) {
	t.Helper()
	must(t, p.cmd.Process.Kill())
	_, _ = p.cmd.Process.Wait()
}

// output collects what a process says.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

// String is everything so far.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
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
