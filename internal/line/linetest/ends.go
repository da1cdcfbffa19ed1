package linetest

import (
	"cmp"
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

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
		t.Errorf("that the other hung up is told to the agent: %v, to the caller: %v; after %v", agent.hungUpByFar(), caller.hungUpByFar(), a.Timeline)
	}
	near(t, "length of the call", a.EndedAt.Sub(a.AnsweredAt), 320*time.Millisecond, time.Millisecond)
}

func testAgentHangsUp(t *testing.T, open Make) {
	last := Burst{Hz: 700, From: 100 * time.Millisecond, To: 420 * time.Millisecond}
	var mine *leg.Tape
	var caller, agent *Voice
	done, wait := once(t)
	var chair seat
	line := open(t, chair.pick)
	try := 0
	fair := Fairly(t, func(*Machine) string {
		try++
		caller, agent = &Voice{}, &Voice{Bursts: []Burst{last}, HangUpAt: 400 * time.Millisecond}
		mine = tape()
		chair.take(leg.Answer{Party: agent, Done: done})
		a := line.Place(t.Context(), dial(fmt.Sprintf("call_agent_bye_%d", try)), caller, mine)
		if a.Rate == 0 {
			t.Fatalf("the call was not answered: %+v", a.EndReason)
		}
		wait()
		caller.kept(t, "caller")
		agent.kept(t, "agent")
		if a.EndReason.Code != call.EndAgentHungUp || a.EndReason.Blame != call.BlameAgent {
			t.Errorf("end reason %+v after %v, want %s", a.EndReason, a.Timeline, call.EndAgentHungUp)
		}
		if !caller.hungUpByFar() || agent.hungUpByFar() {
			t.Error("the wrong side is told that the other hung up")
		}
		return cmp.Or(starved(a), agent.stalled())
	})
	if !fair {
		return
	}
	// Its words are on the recording, up to the frame that hung up, whenever the other end began.
	what, words, rate := "the agent's last words", mine.Channel(leg.AgentChannel), mine.Rate()
	if apart(agent, caller) == "" {
		holdsNear(t, what, words, rate, last)
		return
	}
	first, end := extent(words)
	near(t, what+": length", at(end-first, rate), last.To-last.From, leg.FrameTime)
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
		t.Errorf("end reason %+v, want %s", a.EndReason, call.EndMaxDuration)
	}
	near(t, "length", a.EndedAt.Sub(a.AnsweredAt), 600*time.Millisecond, time.Millisecond)
}
