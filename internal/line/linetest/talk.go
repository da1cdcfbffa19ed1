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
		// An end that was stalled for a second did not hear what was said before, although all
		// of it arrived.
		return cmp.Or(starved(a), hasty(a), agent.stalled(), caller.stalled(), apart(agent, caller))
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
	if t.Failed() {
		t.Logf("the line tells: %+v\nthe caller heard %s\nthe agent heard  %s", a.Stats, sketch(caller.sound(), rate), sketch(agent.sound(), rate))
	}
	// The skew between the two clocks shifts one recording forward and the other back by the
	// same amount, so the sum is independent of it.
	atCaller, _ := extent(mine.Channel(leg.AgentChannel))
	atAgent, _ := extent(theirs.Channel(leg.CallerChannel))
	// A line without kernel timestamps is off by the delay of its wake-up.
	near(t, "sum of what both recordings say", at(atCaller+atAgent, rate), agentSays.From+callerSays.From, timing+like.Codec+late)
	checkBoth(t, a, rate)
}

func checkBoth(t *testing.T, a call.Attempt, rate int) {
	t.Helper()
	if a.Rate != rate || a.Codec == "" || a.LineRef == "" {
		t.Errorf("rate %d, codec %q, line reference %q, want the rate %d and both others", a.Rate, a.Codec, a.LineRef, rate)
	}
	if a.Stats.Sent < 70 || a.Stats.Received < 60 || a.Stats.Lost != 0 {
		t.Errorf("sent %d, received %d, lost %d frames of a call of 1.5 s: %+v", a.Stats.Sent, a.Stats.Received, a.Stats.Lost, a.Stats)
	}
	if a.StartedAt.After(a.AnsweredAt) || a.AnsweredAt.After(a.EndedAt) {
		t.Errorf("started %v, answered %v, ended %v, want them in this order", a.StartedAt, a.AnsweredAt, a.EndedAt)
	}
}

// bothClocks is how far apart the media zeros of the two ends may be on a busy machine: the
// answer takes time from one to the other.
const bothClocks = 150 * time.Millisecond

// holdsNear is holds for the far end's channel, where the position depends on when each end's
// clock began, but the length does not.
func holdsNear(t testing.TB, what string, pcm []int16, rate int, b Burst) {
	t.Helper()
	holds(t, what, pcm, rate, b, bothClocks)
	first, last := extent(pcm)
	near(t, what+": length", at(last-first, rate), b.To-b.From, 3*leg.FrameTime)
}

func testDigits(t *testing.T, open Make) {
	done, wait := once(t)
	var chair seat
	line := open(t, chair.pick)
	var caller, agent *Voice
	var a call.Attempt
	// A press is a tenth of a second of packets; a machine that stops for that long loses it.
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

func (like Traits) testIdentity(t *testing.T, open Make) {
	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	got := make(chan leg.Incoming, 1)
	line := open(t, func(_ context.Context, in leg.Incoming) leg.Answer {
		got <- in
		if like.Patience > 0 {
			giveUp() // it would go on ringing, and the agent may have taken long to join
		}
		return leg.Answer{Refuse: leg.RefuseBusy}
	})
	d := dial("call_identity")
	a := line.Place(ctx, d, &Voice{}, tape())
	select {
	case in := <-got:
		if want := like.Arrives(d); in != want {
			t.Errorf("incoming %+v, want %+v", in, want)
		}
	default:
		t.Errorf("nobody was called: %+v", a.EndReason)
	}
	if a.CallID != d.CallID || a.ID != d.AttemptID {
		t.Errorf("attempt %q of call %q, want %q of %q", a.ID, a.CallID, d.AttemptID, d.CallID)
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
			if starved(a) != "" || agent.(*Voice).stalled() != "" || apart(agent.(*Voice), caller) != "" {
				unheard.Add(1) // the recording of a starved machine is no evidence of mixing
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
