// Package linetest is the suite that every line passes: package line/loop,
// package line/sip over each transport and each way to drive media. It talks to
// a line through the same method as package experiment does, and to the far end
// through a leg.Answerer. Beside it stands what other tests of real time need to
// tell a busy machine from a bad line.
package linetest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Line is what is tested.
type Line interface {
	Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt
}

// Make opens a line whose calls all arrive at the Answerer. It cleans up through t.
type Make func(t testing.TB, a leg.Answerer) Line

// Traits are what a line is like where lines differ by nature.
type Traits struct {
	// Refused is what each way not to answer looks like from the caller's side, Rang
	// what an agent that never answers does.
	Refused map[leg.Refusal]call.EndCode
	Rang    call.EndCode
	// Patience is how long a call that is refused may ring, where a refusal cannot be
	// told from an agent that does not come; 0 where refusals end the ringing.
	Patience time.Duration
	// Arrives is what the far end learns of a Dial.
	Arrives func(d leg.Dial) leg.Incoming
	// Rings is how long before the answer, at least, ringing is told of an agent that
	// rings for a while; 0 where the line hears of an agent only when it answers.
	Rings time.Duration
	// Codec is how much of the beginning and the end of a sound the line's codec smears.
	Codec time.Duration
}

// telephone is what a line is like on which numbers are dialled.
func telephone() Traits {
	return Traits{
		Refused: map[leg.Refusal]call.EndCode{
			leg.RefuseBusy: call.EndBusy, leg.RefuseDecline: call.EndDeclined,
			leg.RefuseUnknown: call.EndUnreachable, leg.RefuseOverload: call.EndUnreachable,
		},
		Rang:    call.EndNoAnswer,
		Rings:   200 * time.Millisecond,
		Arrives: func(d leg.Dial) leg.Incoming { return leg.Incoming{CallID: d.CallID, From: d.From, To: d.To} },
	}
}

// timing is how far a planted moment may be off on a recording.
const timing = 5 * time.Millisecond

// Run runs the suite over a line on which numbers are dialled; its tests run in parallel.
func Run(t *testing.T, open Make) {
	t.Helper()
	RunAs(t, telephone(), open)
}

// RunAs runs the suite over a line that says itself what it is like.
func RunAs(t *testing.T, like Traits, open Make) {
	t.Helper()
	tests := []struct {
		name string
		run  func(*testing.T, Make)
	}{
		{"both directions are heard and recorded", like.testBothWays},
		{"the caller hangs up", testCallerHangsUp},
		{"the agent hangs up", testAgentHangsUp},
		{"refusals have their reasons", like.testRefusals},
		{"nobody answers", like.testRingTimeout},
		{"ringing before the answer", like.testRinging},
		{"the longest duration", testMaxDuration},
		{"keys both ways", testDigits},
		{"cancelled while ringing", testCancelRinging},
		{"cancelled while talking", testCancelTalking},
		{"the call's id arrives", like.testIdentity},
		{"many calls do not mix", testMany},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, open)
		})
	}
}

// dial is a call with bounds that suit a test.
func dial(id string) leg.Dial {
	return leg.Dial{
		CallID: id, AttemptID: "att_" + id, From: "+15550001111", To: "+15552223333",
		RingTimeout: 5 * time.Second, MaxDuration: 20 * time.Second,
	}
}

// pick answers every call with the given Party.
func pick(p leg.Party, tape *leg.Tape, done func()) leg.Answerer {
	return func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: p, Tape: tape, Done: done}
	}
}

// seat is where the agent of the next call sits.
type seat struct {
	mu     sync.Mutex
	answer leg.Answer
}

func (s *seat) take(a leg.Answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = a
}

func (s *seat) pick(context.Context, leg.Incoming) leg.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answer
}

func tape() *leg.Tape { return leg.NewTape(time.Minute) }

// once is a Done that can be waited for.
func once(t testing.TB) (done func(), wait func()) {
	c := make(chan struct{}, 8)
	return func() { c <- struct{}{} }, func() {
		t.Helper()
		select {
		case <-c:
		case <-time.After(time.Minute):
			t.Fatal("the agent's end was never told that the call is over")
		}
	}
}

// starved says why this machine did not give the line its time, so that the call
// proves nothing about the line; "" when it did.
func starved(a call.Attempt) string {
	switch {
	case a.Stats.SendMissed > 0:
		return fmt.Sprintf("%d frames were not sent", a.Stats.SendMissed)
	case a.Stats.ReceiveLateMax > 60*time.Millisecond:
		return fmt.Sprintf("packets were taken in up to %v late", a.Stats.ReceiveLateMax)
	case a.Stats.LongestGap > 60*time.Millisecond:
		return fmt.Sprintf("nothing came for %v", a.Stats.LongestGap)
	}
	return ""
}

// apart says that the two ends' clocks began too far apart for a moment of the
// one to be found at the other; "" when they did not.
func apart(heard []int16, rate int, said Burst) string {
	first, _ := extent(heard)
	if off := at(first, rate) - said.From; first >= 0 && (off > bothClocks || off < -bothClocks) {
		return fmt.Sprintf("the clocks of both ends are %v apart", off)
	}
	return ""
}

func (like Traits) testBothWays(t *testing.T, open Make) {
	callerSays := Burst{Hz: 440, From: 200 * time.Millisecond, To: 700 * time.Millisecond}
	agentSays := Burst{Hz: 1000, From: 800 * time.Millisecond, To: 1300 * time.Millisecond}
	var agent *Voice
	var theirs *leg.Tape
	done, wait := once(t)
	var chair seat
	line := open(t, chair.pick)
	var caller *Voice
	var mine *leg.Tape
	var a call.Attempt
	try := 0
	var late time.Duration
	fair := Fairly(t, func(m *Machine) string {
		try++
		caller = &Voice{Bursts: []Burst{callerSays}, HangUpAt: 1500 * time.Millisecond}
		agent = &Voice{Bursts: []Burst{agentSays}}
		mine, theirs = tape(), tape()
		chair.take(leg.Answer{Party: agent, Tape: theirs, Done: done})
		a = line.Place(t.Context(), dial(fmt.Sprintf("call_both_%d", try)), caller, mine)
		if a.Rate == 0 {
			t.Fatalf("the call was not answered: %+v", a.EndReason)
		}
		wait()
		caller.kept(t, "caller")
		agent.kept(t, "agent")
		late = m.Late()
		// Who stood still for a second did not hear what was said before, though all of it came.
		return cmp.Or(starved(a), agent.stalled(), caller.stalled(), apart(mine.Channel(leg.AgentChannel), mine.Rate(), agentSays))
	})
	rate := mine.Rate()
	if !fair {
		return
	}
	holds(t, "caller's channel of the recording", mine.Channel(leg.CallerChannel), rate, callerSays, time.Millisecond)
	holdsNear(t, "agent's channel of the recording", mine.Channel(leg.AgentChannel), rate, agentSays)
	holds(t, "agent's channel at the agent", theirs.Channel(leg.AgentChannel), rate, agentSays, time.Millisecond)
	holdsNear(t, "caller's channel at the agent", theirs.Channel(leg.CallerChannel), rate, callerSays)
	holds(t, "what the agent heard", agent.sound(), rate, callerSays, bothClocks+200*time.Millisecond)
	holds(t, "what the caller heard", caller.sound(), rate, agentSays, bothClocks+200*time.Millisecond)
	// The skew between the two clocks shifts one recording forward and the other
	// back by the same, so their sum shows whether the places are true.
	atCaller, _ := extent(mine.Channel(leg.AgentChannel))
	atAgent, _ := extent(theirs.Channel(leg.CallerChannel))
	// A line that does not hear from the kernel when packets came is off by how late it woke up.
	near(t, "sum of what both recordings say", at(atCaller+atAgent, rate), agentSays.From+callerSays.From, timing+like.Codec+late)
	checkBoth(t, a, rate)
}

func checkBoth(t *testing.T, a call.Attempt, rate int) {
	t.Helper()
	if a.Rate != rate || a.Codec == "" || a.LineRef == "" {
		t.Errorf("rate %d, codec %q, line reference %q", a.Rate, a.Codec, a.LineRef)
	}
	if a.Stats.Sent < 70 || a.Stats.Received < 60 || a.Stats.Lost != 0 {
		t.Errorf("sent %d, received %d, lost %d frames of a call of 1.5 s", a.Stats.Sent, a.Stats.Received, a.Stats.Lost)
	}
	if a.StartedAt.After(a.AnsweredAt) || a.AnsweredAt.After(a.EndedAt) {
		t.Errorf("started %v, answered %v, ended %v", a.StartedAt, a.AnsweredAt, a.EndedAt)
	}
}

// bothClocks is how far apart the two ends' media zero may be on a busy machine:
// one has the answer on its way while the other already knows.
const bothClocks = 150 * time.Millisecond

// holdsNear is holds for the far end's channel: the place of the first sample
// depends on when each end's clock began, the length does not.
func holdsNear(t testing.TB, what string, pcm []int16, rate int, b Burst) {
	t.Helper()
	holds(t, what, pcm, rate, b, bothClocks)
	first, last := extent(pcm)
	near(t, what+": length", at(last-first, rate), b.To-b.From, 3*leg.FrameTime)
}

func testCallerHangsUp(t *testing.T, open Make) {
	caller, agent := &Voice{HangUpAt: 300 * time.Millisecond}, &Voice{}
	done, wait := once(t)
	a := open(t, pick(agent, nil, done)).Place(t.Context(), dial("call_bye"), caller, tape())
	wait()
	caller.kept(t, "caller")
	agent.kept(t, "agent")
	if a.EndReason != (call.EndReason{}) {
		t.Errorf("end reason %+v, want none: only the caller knows why it hung up", a.EndReason)
	}
	if !agent.hungUpByFar() || caller.hungUpByFar() {
		t.Error("the wrong side is told that the other hung up")
	}
	near(t, "length of the call", a.EndedAt.Sub(a.AnsweredAt), 320*time.Millisecond, time.Millisecond)
}

func testAgentHangsUp(t *testing.T, open Make) {
	last := Burst{Hz: 700, From: 100 * time.Millisecond, To: 420 * time.Millisecond}
	var mine *leg.Tape
	done, wait := once(t)
	var chair seat
	line := open(t, chair.pick)
	fair := Fairly(t, func(*Machine) string {
		caller, agent := &Voice{}, &Voice{Bursts: []Burst{last}, HangUpAt: 400 * time.Millisecond}
		mine = tape()
		chair.take(leg.Answer{Party: agent, Done: done})
		a := line.Place(t.Context(), dial("call_agent_bye"), caller, mine)
		if a.Rate == 0 {
			t.Fatalf("the call was not answered: %+v", a.EndReason)
		}
		wait()
		caller.kept(t, "caller")
		agent.kept(t, "agent")
		if a.EndReason.Code != call.EndAgentHungUp || a.EndReason.Blame != call.BlameAgent {
			t.Errorf("end reason %+v after %v", a.EndReason, a.Timeline)
		}
		if !caller.hungUpByFar() || agent.hungUpByFar() {
			t.Error("the wrong side is told that the other hung up")
		}
		return cmp.Or(starved(a), agent.stalled(), apart(mine.Channel(leg.AgentChannel), mine.Rate(), last))
	})
	if fair {
		// Its last words, up to the frame that hung up, are on the recording.
		holdsNear(t, "the agent's last words", mine.Channel(leg.AgentChannel), mine.Rate(), last)
	}
}

func (like Traits) testRefusals(t *testing.T, open Make) {
	for refusal, want := range like.Refused {
		t.Run(string(refusal), func(t *testing.T) {
			t.Parallel()
			caller := &Voice{}
			line := open(t, func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Refuse: refusal} })
			d := dial("call_" + string(refusal))
			if like.Patience > 0 {
				d.RingTimeout = like.Patience
			}
			a := line.Place(t.Context(), d, caller, tape())
			if a.EndReason.Code != want || a.EndReason.Detail == "" {
				t.Errorf("end reason %+v, want %s with the line's own word", a.EndReason, want)
			}
			if !a.AnsweredAt.IsZero() || a.EndedAt.IsZero() || a.Rate != 0 {
				t.Errorf("answered %v, ended %v, rate %d", a.AnsweredAt, a.EndedAt, a.Rate)
			}
			caller.untouched(t, "the caller")
		})
	}
}

func (like Traits) testRingTimeout(t *testing.T, open Make) {
	caller := &Voice{}
	line := open(t, func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Refuse: leg.RefuseRing} })
	d := dial("call_ring")
	d.RingTimeout = 1500 * time.Millisecond
	a := line.Place(t.Context(), d, caller, tape())
	if a.EndReason.Code != like.Rang {
		t.Errorf("end reason %+v", a.EndReason)
	}
	if rang := a.EndedAt.Sub(a.StartedAt); rang < d.RingTimeout || rang > d.RingTimeout+5*time.Second {
		t.Errorf("it rang for %v, want %v and what giving up takes", rang, d.RingTimeout)
	}
	caller.untouched(t, "the caller")
}

func (like Traits) testRinging(t *testing.T, open Make) {
	var mu sync.Mutex
	var states []leg.State
	d := dial("call_states")
	d.OnState = func(s leg.State) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, s)
	}
	caller := &Voice{HangUpAt: 100 * time.Millisecond}
	a := open(t, func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: &Voice{}, RingFor: time.Second}
	}).Place(t.Context(), d, caller, tape())
	mu.Lock()
	defer mu.Unlock()
	if got, want := fmt.Sprint(states), fmt.Sprint([]leg.State{leg.Dialing, leg.Ringing, leg.Answered}); got != want {
		t.Errorf("states %s, want %s", got, want)
	}
	if a.RingingAt.IsZero() {
		t.Error("ringing left no time")
	}
	if like.Rings > 0 {
		// The word of either may have come late.
		near(t, "answer", a.AnsweredAt.Sub(a.RingingAt), 3*time.Second, 2500*time.Millisecond)
	}
	for i, e := range a.Timeline {
		if i > 0 && e.At < a.Timeline[i-1].At {
			t.Errorf("the timeline is not in order: %v after %v", e.At, a.Timeline[i-1].At)
		}
		if e.Kind == call.KindRinging && e.At > -like.Rings {
			t.Errorf("ringing at %v, want well before the answer", e.At)
		}
	}
}

func testMaxDuration(t *testing.T, open Make) {
	caller, agent := &Voice{}, &Voice{}
	done, wait := once(t)
	d := dial("call_max")
	d.MaxDuration = 600 * time.Millisecond
	a := open(t, pick(agent, nil, done)).Place(t.Context(), d, caller, tape())
	wait()
	caller.kept(t, "caller")
	if a.EndReason.Code != call.EndMaxDuration {
		t.Errorf("end reason %+v", a.EndReason)
	}
	near(t, "length", a.EndedAt.Sub(a.AnsweredAt), 600*time.Millisecond, time.Millisecond)
}

func testDigits(t *testing.T, open Make) {
	done, wait := once(t)
	var chair seat
	line := open(t, chair.pick)
	var caller, agent *Voice
	var a call.Attempt
	// A press is a tenth of a second of packets: a machine that stops for so long loses it.
	try := 0
	fair := Fairly(t, func(*Machine) string {
		try++
		caller = &Voice{Press: "12#", PressAt: 100 * time.Millisecond, HangUpAt: 1400 * time.Millisecond}
		agent = &Voice{Press: "9*", PressAt: 200 * time.Millisecond}
		chair.take(leg.Answer{Party: agent, Done: done})
		a = line.Place(t.Context(), dial(fmt.Sprintf("call_keys_%d", try)), caller, tape())
		wait()
		return cmp.Or(starved(a), agent.stalled())
	})
	var sent, received string
	for _, e := range a.Timeline {
		switch e.Kind {
		case call.KindDigitSent:
			sent += fmt.Sprint(e.Data["digit"])
		case call.KindDigitReceived:
			received += fmt.Sprint(e.Data["digit"])
		}
	}
	if sent != "12#" || received != caller.keys() {
		t.Errorf("the timeline says sent %q, received %q; the caller got %q", sent, received, caller.keys())
	}
	if !fair {
		return
	}
	if got := agent.keys(); got != "12#" {
		t.Errorf("the agent got the keys %q, want 12#", got)
	}
	if got := caller.keys(); got != "9*" {
		t.Errorf("the caller got the keys %q, want 9*", got)
	}
}

func testCancelRinging(t *testing.T, open Make) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	d := dial("call_cancel")
	d.OnState = func(s leg.State) {
		if s == leg.Dialing {
			cancel()
		}
	}
	caller := &Voice{}
	a := open(t, func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Refuse: leg.RefuseRing}
	}).Place(ctx, d, caller, tape())
	if a.EndReason.Code != call.EndInterrupted {
		t.Errorf("end reason %+v", a.EndReason)
	}
	caller.untouched(t, "the caller")
}

// canceler is a Voice that cancels its own call from within.
type canceler struct {
	Voice
	cancel func()
}

func (c *canceler) Step(in, out *leg.Frame) {
	if in.At == 200*time.Millisecond {
		c.cancel()
	}
	c.Voice.Step(in, out)
}

func testCancelTalking(t *testing.T, open Make) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	caller, agent := &canceler{cancel: cancel}, &Voice{}
	done, wait := once(t)
	a := open(t, pick(agent, nil, done)).Place(ctx, dial("call_cancel_talk"), caller, tape())
	wait()
	caller.kept(t, "caller")
	agent.kept(t, "agent")
	if a.EndReason.Code != call.EndInterrupted {
		t.Errorf("end reason %+v", a.EndReason)
	}
	if l := a.EndedAt.Sub(a.AnsweredAt); l < 200*time.Millisecond || l > 3*time.Second {
		t.Errorf("the call lasted %v", l)
	}
}

func (like Traits) testIdentity(t *testing.T, open Make) {
	got := make(chan leg.Incoming, 1)
	line := open(t, func(_ context.Context, in leg.Incoming) leg.Answer {
		got <- in
		return leg.Answer{Refuse: leg.RefuseBusy}
	})
	d := dial("call_identity")
	if like.Patience > 0 {
		d.RingTimeout = like.Patience
	}
	a := line.Place(t.Context(), d, &Voice{}, tape())
	if in, want := <-got, like.Arrives(d); in != want {
		t.Errorf("incoming %+v, want %+v", in, want)
	}
	if a.CallID != d.CallID || a.ID != d.AttemptID {
		t.Errorf("attempt %q of call %q", a.ID, a.CallID)
	}
}

func testMany(t *testing.T, open Make) {
	const calls = 12
	span := func(hz float64) Burst { return Burst{Hz: hz, From: 200 * time.Millisecond, To: 800 * time.Millisecond} }
	pitch := func(id string) float64 {
		var n int
		_, _ = fmt.Sscanf(id, "call_many_%d", &n)
		return 400 + 100*float64(n)
	}
	var agents sync.Map // by the id of their calls
	line := open(t, func(_ context.Context, in leg.Incoming) leg.Answer {
		agent := &Voice{Bursts: []Burst{span(pitch(in.CallID) + 50)}}
		agents.Store(in.CallID, agent)
		return leg.Answer{Party: agent}
	})
	m := Watch(t)
	var unheard atomic.Int64
	var wg sync.WaitGroup
	for n := range calls {
		wg.Go(func() {
			id := fmt.Sprintf("call_many_%d", n)
			mine := tape()
			caller := &Voice{Bursts: []Burst{span(pitch(id))}, HangUpAt: time.Second}
			a := line.Place(t.Context(), dial(id), caller, mine)
			if a.Rate == 0 {
				t.Errorf("%s was not answered: %+v", id, a.EndReason)
				return
			}
			caller.kept(t, id)
			back, said := mine.Channel(leg.AgentChannel), span(math.Round(pitch(id)+50))
			agent, _ := agents.Load(id)
			if starved(a) != "" || agent.(*Voice).stalled() != "" || apart(back, mine.Rate(), said) != "" {
				unheard.Add(1) // what a starved machine recorded is no evidence of mixing
				return
			}
			holdsNear(t, id, back, mine.Rate(), said)
		})
	}
	wg.Wait()
	if n := unheard.Load(); n > 0 && m.Late() < busy {
		t.Errorf("%d calls were starved, but this machine was late by %v at most", n, m.Late())
	}
}
