package stories

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// outage is a far end, the services that phone it, and what they were asked to do.
type outage struct {
	far     *farEnd
	machine *linetest.Machine
	binary  string
	trunk   string
	key     string
	api     *client.Client
	// services is how many were started.
	services int
	// experiments and the number of calls of each.
	experiments map[string]int
}

// newOutage makes a far end behind a trunk with the limits: "calls_per_second=4&concurrent_calls=5".
func newOutage(t *testing.T, limits string) *outage {
	t.Helper()
	far := newFarEnd(t)
	return &outage{far: far, machine: linetest.Watch(t), binary: build(t), trunk: far.trunk(limits), experiments: map[string]int{}}
}

// quickly makes services notice each other's death within seconds.
func quickly() []string { return []string{"--beat", "300ms", "--silent-after", "3s"} }

// serve starts a service; it comes back when that is ready.
func (o *outage) serve(t *testing.T, flags ...string) *process {
	t.Helper()
	p := o.begin(t, nil, flags...)
	p.await(t)
	return p
}

// begin starts a service, by way of the program in front of it if there is one.
func (o *outage) begin(t *testing.T, front []string, flags ...string) *process {
	t.Helper()
	port, err := freePort()
	must(t, err)
	line := append(front[:len(front):len(front)], o.binary, "--log-level=warn", "serve", "--record-wait=1s", "--trunk", o.trunk, "--listen", "127.0.0.1:"+port)
	line = append(line, flags...)
	p := start(t, line[0], line[1:]...)
	o.services++
	p.address = "127.0.0.1:" + port
	return p
}

// use makes p the service that is asked; the first one used prints the key.
func (o *outage) use(t *testing.T, p *process) {
	t.Helper()
	if o.key == "" {
		o.key = p.firstKey(t)
	}
	o.api = client.New(p.url(), o.key)
}

// run starts an experiment of n calls, each of which stays silent for ms.
func (o *outage) run(t *testing.T, to string, n, ms int, defaults *client.AgentDefaults) {
	t.Helper()
	agent, err := o.api.CreateAgent(t.Context(), client.NewAgent{Name: "Far end", Defaults: defaults})
	must(t, err)
	dataset, err := o.api.CreateDataset(t.Context(), client.NewDataset{Name: "silent"})
	must(t, err)
	var items strings.Builder
	for i := range n {
		fmt.Fprintf(&items, `{"key": "k%d", "input": {"script": [{"stay_silent_ms": %d}, "hang_up"]}}`+"\n", i, ms)
	}
	_, err = o.api.ImportItems(t.Context(), dataset.ID, client.Import{Format: "jsonl", Data: []byte(items.String())})
	must(t, err)
	run, err := o.api.Run(t.Context(), agent.ID, client.RunRequest{ToNumber: to, DatasetID: dataset.ID})
	must(t, err)
	o.experiments[run.VoiceExperimentID] = n
}

// ended waits until every experiment is over, without a hand, and returns all calls.
func (o *outage) ended(t *testing.T) []client.Call {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), reviewPatience)
	defer cancel()
	var all []client.Call
	for id, n := range o.experiments {
		e, err := o.api.WaitFinished(ctx, id, nil)
		if err != nil {
			for _, c := range o.calls(t, id) {
				t.Logf("call %s: %s %s, %d attempts", c.ID, c.Status, c.ScoringStatus, len(c.Attempts))
			}
			t.Fatalf("the experiment did not end: %v", err)
		}
		calls := o.calls(t, id)
		if e.Status != "FINISHED" || e.Counts.Calls != n || len(calls) != n {
			t.Errorf("the experiment is %s with %d calls (%d by its counts), want %d", e.Status, len(calls), e.Counts.Calls, n)
		}
		all = append(all, calls...)
	}
	return all
}

// awaitMiddle waits until the far end has n calls in their middle that the services know to be
// talking: of the others they would not know how to hang up. A slow machine places them
// seconds apart, so that the length should be several seconds.
func (o *outage) awaitMiddle(t *testing.T, n int, length time.Duration, from string) {
	t.Helper()
	eventually(t, patience, fmt.Sprintf("%d calls are in their middle", n), func() bool {
		up := o.far.inMiddle(n, length, from)
		if up == nil {
			return false
		}
		talking := map[string]bool{}
		for id := range o.experiments {
			for _, c := range o.calls(t, id) {
				talking[c.ID] = c.Status == "IN_PROGRESS"
			}
		}
		return !slices.ContainsFunc(up, func(a arrival) bool { return !talking[a.callID] })
	})
}

func (o *outage) calls(t *testing.T, experiment string) []client.Call {
	t.Helper()
	calls, err := o.api.RunCalls(t.Context(), experiment)
	must(t, err)
	return calls
}

// whole checks calls that must have come to a good end, with as many attempts as
// the far end has seen. It returns how many were tried twice.
func (o *outage) whole(t *testing.T, calls []client.Call) (twice int) {
	t.Helper()
	invites := map[string]int{}
	for _, a := range o.far.seen("") {
		invites[a.callID]++
	}
	for _, c := range calls {
		if c.Status != "ENDED" || c.ScoringStatus != "SCORED" || word(c.EndReason.Code) != "completed" || c.RecordingURL == nil {
			t.Errorf("call %s: %s %s, %s %s, %s", c.ID, c.Status, c.ScoringStatus, word(c.EndReason.Code), word(c.EndReason.Detail), c.VerdictReason)
		}
		if len(c.Attempts) != invites[c.ID] {
			t.Errorf("call %s has %d attempts; the far end saw %d", c.ID, len(c.Attempts), invites[c.ID])
		}
		for i, a := range c.Attempts {
			want := "completed"
			if i < len(c.Attempts)-1 {
				want = "interrupted"
			}
			if a.Number != i+1 || word(a.EndReason.Code) != want || a.EndedAt == nil {
				t.Errorf("call %s: attempt %d of %d ended as %q", c.ID, i+1, len(c.Attempts), word(a.EndReason.Code))
			}
		}
		twice += len(c.Attempts) - 1
	}
	return twice
}

// held checks the limits at the far end.
func (o *outage) held(t *testing.T, to string, perSecond float64, concurrent int) {
	t.Helper()
	// One service dials at the right distance. Of two, each may be kept from the
	// processor between the moment that is counted and the dialling.
	play := time.Millisecond
	if o.services != 1 {
		play = 60*time.Millisecond + o.machine.Late()
	}
	if n := o.far.most(to); n > concurrent {
		t.Errorf("%q: %d calls were up at a time, allowed are %d", to, n, concurrent)
	}
	least := time.Duration(float64(time.Second) / perSecond)
	if got := o.far.closest(to); got < least-play {
		t.Errorf("%q: two calls came within %s, allowed is one every %s", to, got, least)
	}
	t.Logf("%q: %d calls came, at most %d at a time, no two within %s", to, len(o.far.seen(to)), o.far.most(to), o.far.closest(to))
}

const (
	limitedNumber = "+15550123"
	otherNumber   = "+15550124"
)

// beginTwo starts two services on one database and gives them calls for both
// numbers: the far end's trunk takes 4 per second and 5 at a time, the limited
// number 2. It returns, with five calls in their middle, the service that placed the first.
// Both are up before there is a call: on a busy machine a service takes longer to start
// than the calls take.
func beginTwo(t *testing.T, ms int) (o *outage, busy *process) {
	t.Helper()
	o = newOutage(t, "calls_per_second=4&concurrent_calls=5")
	flags := append(quickly(), "--database", pgtest.Database(t), "--data", t.TempDir())
	const other = "127.0.0.2" // by which the far end tells them apart
	busy = o.serve(t, flags...)
	o.use(t, busy)
	idle := o.serve(t, append(flags, "--sip-bind", other)...)
	o.run(t, limitedNumber, 4, ms, &client.AgentDefaults{ConcurrentCalls: new(2)})
	o.run(t, otherNumber, 8, ms, nil)
	o.far.awaitUp(t, 1)
	from := o.far.seen("")[0].from
	if strings.HasPrefix(from, other+":") {
		busy, idle = idle, busy
	}
	o.use(t, idle)
	o.awaitMiddle(t, 5, time.Duration(ms)*time.Millisecond, from)
	return o, busy
}

// TestOneOfTwoIsKilled kills one of two services while it has calls on the line
// and the rest waiting in its memory: the other takes over all of them.
func TestOneOfTwoIsKilled(t *testing.T) {
	t.Parallel()
	o, first := beginTwo(t, 6000)
	first.kill(t)
	killed := time.Now()
	calls := o.ended(t)
	t.Logf("all over %s after the kill", time.Since(killed).Round(time.Second))
	if n := o.whole(t, calls); n == 0 || n > 5 {
		t.Errorf("%d calls were tried twice, want those that were on the line", n)
	}
	o.held(t, "", 4, 5)
	o.held(t, limitedNumber, 4, 2)
}

// TestOneOfTwoIsStopped stops one of two services for longer than its heartbeat
// may be missing and lets it go on: the other has taken its calls over, and it
// must not go on with them as if nothing had happened.
func TestOneOfTwoIsStopped(t *testing.T) {
	t.Parallel()
	o, first := beginTwo(t, 6000)
	must(t, first.cmd.Process.Signal(syscall.SIGSTOP))
	eventually(t, patience, "the other service takes a call over", func() bool { return o.far.again() > 0 })
	must(t, first.cmd.Process.Signal(syscall.SIGCONT))
	if n := o.whole(t, o.ended(t)); n == 0 || n > 5 {
		t.Errorf("%d calls were tried twice, want those that were on the line", n)
	}
	o.held(t, "", 4, 5)
	o.held(t, limitedNumber, 4, 2)
	if got := status(first.url() + "/healthz"); got != http.StatusOK {
		t.Errorf("the service that was stopped answers %d", got)
	}
}

// status asks an operation that needs no key.
func status(url string) int {
	resp, err := http.Get(url)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// ask sends a request as a client would and returns status, Retry-After and body.
func (o *outage) ask(method, url, body string) (status int, retry, text string) {
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err.Error()
	}
	req.Header.Set("Authorization", "Bearer "+o.key)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err.Error()
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Retry-After"), string(answer)
}
