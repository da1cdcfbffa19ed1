package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// trunkCase is a trunk that does something bad, and what a user must be told.
type trunkCase struct {
	name string
	// script plays each call at the far end; nil with a mute far end means that
	// nobody gets that far.
	script func(*farEndCall)
	// mute leaves even OPTIONS unanswered; closed has nobody listen at all.
	mute, closed bool
	transport    sip.Transport

	// refused is the detail of a run that does not even start.
	refused string
	// The calls of a run that starts end like this.
	status, code, blame, detail string
	verdict                     string
	// reason is what the reason of the verdict must hold.
	reason string
	// kinds must be on the timeline.
	kinds []string
	// byes is how many calls of ours must be hung up by us.
	hangsUp bool
	// flood says that it costs this machine so much that few may run at a time,
	// and one call of each.
	flood bool
}

// floods is how many floods run at a time: more would starve their own far ends.
const floods = 2

// trunkItem listens for the agent once; its limits let the line's own time-out
// for lost audio come first.
const trunkItem = `
- input:
    persona: {voice: slt}
    limits: {max_duration_ms: 30000, max_silence_ms: 35000}
    script: [wait_for_agent, {say: "Hello."}, wait_for_agent, hang_up]
`

// trunkRig is a service with one trunk per case.
type trunkRig struct {
	*rig
	cases []trunkCase
	ends  []*farEnd
	http  *http.Client
	api   *client.Client
}

func newTrunkRig(t *testing.T) *trunkRig {
	t.Helper()
	tr := &trunkRig{cases: slices.Concat(signallingCases(), mediaCases(t), stormCases()), http: &http.Client{Transport: &http.Transport{}}}
	var trunks []sip.Trunk
	for i := range tr.cases {
		c := &tr.cases[i]
		f := newFarEnd(t, c.script)
		f.mute = c.mute
		tr.ends = append(tr.ends, f)
		if c.closed {
			f.stop() // nobody else takes the port within the test: the system gives out others first
		}
		if c.transport == "" {
			c.transport = sip.UDP
		}
		trunks = append(trunks, sip.Trunk{Name: c.name, Host: f.addr(), Transport: c.transport, From: "+15550100", User: "me", Password: "trunk-password"})
	}
	tr.rig = newRig(t, func(o *Options) { o.Trunks = append(o.Trunks, trunks...); o.RecordWait = time.Millisecond })
	tr.api = client.New("http://"+tr.addr, tr.mine.key, client.WithRetries(0), client.WithHTTPClient(tr.http))
	return tr
}

func (tr *trunkRig) close(t *testing.T) {
	tr.stop(t)
	for _, f := range tr.ends {
		f.stop()
	}
	tr.http.CloseIdleConnections()
}

// all runs the cases with that many calls each: all at the same time, but few
// floods. (As parallel subtests only some would run at a time here.)
func (tr *trunkRig) all(t *testing.T, calls int, which func(trunkCase) bool) {
	t.Helper()
	plays := make([]trunkPlay, len(tr.cases))
	var done sync.WaitGroup
	places := make(chan struct{}, floods)
	for i, c := range tr.cases {
		if !which(c) {
			continue
		}
		p := &plays[i]
		p.rig, p.trunkCase, p.far, p.calls = tr, c, tr.ends[i], calls
		if c.flood {
			p.calls = 1
		}
		done.Go(func() {
			if c.flood {
				places <- struct{}{}
				defer func() { <-places }()
			}
			if err := p.play(t.Context()); err != nil {
				p.fault("%v", err)
			}
		})
	}
	done.Wait()
	for _, p := range plays {
		for _, f := range p.faults {
			t.Errorf("%s: %s", p.name, f)
		}
	}
}

// trunkPlay is one experiment on one trunk.
type trunkPlay struct {
	trunkCase
	rig    *trunkRig
	far    *farEnd
	calls  int
	faults []string
}

func (p *trunkPlay) fault(format string, args ...any) {
	p.faults = append(p.faults, fmt.Sprintf(format, args...))
}

// told puts the far end's address into what is expected.
func (p *trunkPlay) told(text string) string { return strings.ReplaceAll(text, "$HOST", p.far.addr()) }

func (p *trunkPlay) play(ctx context.Context) error {
	api, ring := p.rig.api, 1500
	agent, err := api.CreateAgent(ctx, client.NewAgent{Name: p.name, Defaults: &client.AgentDefaults{Trunk: &p.name, RingTimeoutMS: &ring}})
	if err != nil {
		return err
	}
	d, err := api.CreateDataset(ctx, client.NewDataset{Name: p.name})
	if err != nil {
		return err
	}
	if _, err = api.ImportItems(ctx, d.ID, client.Import{Format: "yaml", Data: []byte(strings.Repeat(trunkItem, p.calls))}); err != nil {
		return err
	}
	began := time.Now()
	run, err := api.Run(ctx, agent.ID, client.RunRequest{ToNumber: "+15550123", DatasetID: d.ID})
	if p.refused != "" {
		return p.checkRefusedRun(ctx, err, agent.ID, time.Since(began))
	}
	if err != nil {
		return err
	}
	waiting, stop := context.WithTimeout(ctx, 3*time.Minute)
	defer stop()
	e, err := api.WaitFinished(waiting, run.VoiceExperimentID, nil)
	if err != nil {
		list, _ := api.RunCalls(ctx, run.VoiceExperimentID)
		for _, c := range list {
			p.fault("%s is %s, %s, %s", c.ID, c.Status, c.ScoringStatus, word(c.EndReason.Code))
		}
		return err
	}
	if took := time.Since(began); e.Status != "FINISHED" || took > 3*time.Minute {
		p.fault("the experiment is %s after %v: %s", e.Status, took, e.Reason)
	}
	list, err := api.RunCalls(ctx, run.VoiceExperimentID)
	if err != nil || len(list) != p.calls {
		return fmt.Errorf("%d calls, want %d (%w)", len(list), p.calls, err)
	}
	for _, one := range list {
		full, err := api.Call(ctx, one.ID)
		if err != nil {
			return err
		}
		p.checkCall(full)
	}
	if n := p.far.count("BYE"); p.hangsUp && n < p.calls {
		p.fault("%d of %d calls were hung up", n, p.calls)
	}
	return nil
}

func (p *trunkPlay) checkRefusedRun(ctx context.Context, err error, agentID string, took time.Duration) error {
	var refused *client.Error
	if !errors.As(err, &refused) {
		return fmt.Errorf("the run was not refused: %w", err)
	}
	if refused.Status != 503 || refused.Code != "unavailable" || refused.Message != p.told(p.refused) ||
		refused.Hint != "check that host, port and transport are right and that nothing blocks them" || refused.RequestID == "" || took > 20*time.Second {
		p.fault("refused after %v: %d %+v", took, refused.Status, refused)
	}
	list, err := p.rig.api.Experiments(ctx, client.ExperimentFilter{AgentID: agentID}, client.PageOptions{})
	if len(list.Data) != 0 {
		p.fault("a run that was refused left %d experiments", len(list.Data))
	}
	return err
}

func (p *trunkPlay) checkCall(got client.Call) {
	end := got.EndReason
	if got.Status != p.status || word(end.Code) != p.code || word(end.Blame) != p.blame || word(end.Detail) != p.told(p.detail) {
		p.fault("the call is %s, %s, %s, %q; want %s, %s, %s, %q (%s)", got.Status, word(end.Code), word(end.Blame), word(end.Detail), p.status, p.code, p.blame, p.told(p.detail), got.VerdictReason)
	}
	if len(got.Attempts) != 1 {
		p.fault("%d attempts", len(got.Attempts))
	}
	// A machine that is too busy makes any answered call void; that is no fault here.
	busy := starved(got) || strings.Contains(got.VerdictReason, "of our side of the call") && *got.DurationMS > 500
	if p.verdict != "" && word(got.Verdict) != p.verdict && !busy {
		p.fault("the verdict is %s (%s), want %s", word(got.Verdict), got.VerdictReason, p.verdict)
	}
	if !strings.Contains(got.VerdictReason, p.reason) {
		p.fault("the reason is %q, want %q in it", got.VerdictReason, p.reason)
	}
	for _, kind := range p.kinds {
		if !slices.ContainsFunc(got.Timeline, func(e client.Happening) bool { return e.Kind == kind }) {
			p.fault("no %s on the timeline", kind)
		}
	}
	if n := len(got.Timeline); n > 2100 {
		p.fault("the timeline has %d entries", n)
	}
}

// It is not parallel to others: it counts what the whole process holds.
func TestBadTrunks(t *testing.T) {
	tr := newTrunkRig(t)
	warm := []string{"down-tcp", "busy", "no-description", "from-elsewhere", "hangs-up-twice", "sip-flood", "lying-headers"}
	tr.all(t, 1, func(c trunkCase) bool { return slices.Contains(warm, c.name) })
	tr.http.CloseIdleConnections()
	http.DefaultClient.CloseIdleConnections()
	before := held(nil)
	tr.all(t, 3, func(trunkCase) bool { return true })
	tr.http.CloseIdleConnections()
	compare(t, before)
	began := time.Now()
	tr.close(t)
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("the service took %v to stop", took)
	}
	tr.checkLog(t)
}
