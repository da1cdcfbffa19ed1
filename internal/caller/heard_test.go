package caller

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func words(any ...string) *scenario.WaitForWords { return &scenario.WaitForWords{Any: any} }

func TestWaitForWords(t *testing.T) {
	t.Parallel()
	item := script(scenario.Step{WaitForWords: words("date of birth", "born")}, say("first of May"), hangUp())
	o := (&stage{item: item, agent: &farAgent{lines: []utterance{
		{at: 500 * ms, long: second, text: "Welcome, please hold."},
		{at: 4 * second, long: second, text: "What is your DATE OF BIRTH?"},
	}}}).play(t)
	o.wantSaid(t, "first of May")
	o.wantCount(t, call.KindWords, 2)
	if at := o.of(call.KindSaid)[0].At; at < 6500*ms || at > 6700*ms {
		t.Errorf("answered at %s, want patience and hearing time after 5 s", at)
	}
}

func TestWordsThatNeverCome(t *testing.T) {
	t.Parallel()
	w := words("price")
	w.TimeoutMS = 5000
	agent := func() *farAgent {
		return &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: "Hello."}}}
	}
	o := (&stage{item: script(scenario.Step{WaitForWords: w}, say("never"), hangUp()), agent: agent()}).play(t)
	o.wantSaid(t, bye)
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
	o.wantCount(t, call.KindWordsMissed, 1)
	o.wantCount(t, call.KindScriptDone, 0)

	silent := &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: "Hello."}}}
	o = (&stage{item: script(scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}, say("how much"), scenario.Step{WaitForWords: w}, hangUp()), agent: silent}).play(t)
	o.wantEnd(t, call.EndSilence, call.BlameAgent)
	o.wantCount(t, call.KindWordsMissed, 1)

	w.Otherwise = []scenario.Step{say("what about the price"), hangUp()}
	o = (&stage{item: script(scenario.Step{WaitForWords: w}, say("never"), hangUp()), agent: agent()}).play(t)
	o.wantSaid(t, "what about the price")
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
	o.wantCount(t, call.KindScriptDone, 0)

	w.Otherwise = []scenario.Step{say("anyway")}
	o = (&stage{item: script(scenario.Step{WaitForWords: w}, say("on we go"), hangUp()), agent: agent()}).play(t)
	o.wantSaid(t, "anyway", "on we go")
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	o.wantCount(t, call.KindScriptDone, 1)
}

func TestAgentInTheMiddleOfItsTurnIsHeardOut(t *testing.T) {
	t.Parallel()
	play := func(long time.Duration) outcome {
		w := words("price")
		w.TimeoutMS = 4000
		item := script(scenario.Step{WaitForWords: w}, say("thanks"), hangUp())
		return (&stage{item: item, agent: &farAgent{lines: []utterance{{at: second, long: long, text: "The price is forty."}}}}).play(t)
	}
	play(4*second).wantSaid(t, "thanks")
	play(30*second).wantSaid(t, bye)
}

func TestRepeatIfMisunderstood(t *testing.T) {
	t.Parallel()
	play := func(r scenario.Repeat, answers ...string) outcome {
		a := &farAgent{}
		for _, text := range answers {
			a.lines = append(a.lines, utterance{after: 500 * ms, long: second, text: text})
		}
		item := script(say("next Tuesday"), scenario.Step{RepeatIfMisunderstood: &r}, say("thanks"), hangUp())
		return (&stage{item: item, agent: a}).play(t)
	}
	o := play(scenario.Repeat{}, "Very well.")
	o.wantSaid(t, "next Tuesday", "thanks")
	o = play(scenario.Repeat{}, "Sorry, I didn't catch that.", "Very well.")
	o.wantSaid(t, "next Tuesday", "next Tuesday", "thanks")
	o.wantCount(t, call.KindRepeated, 1)
	for _, apology := range []string{
		"I am sorry, Tuesday is fully booked.", "Sorry for the wait. Tuesday is free.", "I'm sorry, we are closed on that day.",
	} {
		play(scenario.Repeat{}, apology).wantSaid(t, "next Tuesday", "thanks")
	}
	for _, question := range []string{"Sorry, I missed that.", "Sorry, what was that?", "Sorry, what did you say?", "Sorry?", "I’m sorry?"} {
		play(scenario.Repeat{}, question, "Very well.").wantSaid(t, "next Tuesday", "next Tuesday", "thanks")
	}
	o = play(scenario.Repeat{}, "Pardon?", "Pardon?", "Pardon?")
	o.wantSaid(t, "next Tuesday", "next Tuesday", "next Tuesday", "thanks")
	o = play(scenario.Repeat{Times: 1}, "Pardon?", "Pardon?")
	o.wantSaid(t, "next Tuesday", "next Tuesday", "thanks")
	o = play(scenario.Repeat{Words: []string{"which week"}}, "Which week?", "Pardon?")
	o.wantSaid(t, "next Tuesday", "next Tuesday", "thanks")
}

func TestBranch(t *testing.T) {
	t.Parallel()
	play := func(answer string) outcome {
		b := scenario.Branch{
			Cases: []scenario.Case{
				{Any: []string{"10", "morning"}, Then: []scenario.Step{say("ten is fine")}},
				{Any: []string{"afternoon"}, Then: []scenario.Step{say("too late"), hangUp()}},
			},
			Otherwise: []scenario.Step{say("pardon")},
		}
		return (&stage{
			item:  script(say("when"), scenario.Step{Branch: &b}, say("bye"), hangUp()),
			agent: &farAgent{lines: []utterance{{after: 500 * ms, long: second, text: answer}}},
		}).play(t)
	}
	play("At ten o'clock.").wantSaid(t, "when", "ten is fine", "bye")
	o := play("In the afternoon.")
	o.wantSaid(t, "when", "too late")
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	o.wantCount(t, call.KindScriptDone, 1)
	play("At tenderloin time.").wantSaid(t, "when", "pardon", "bye")
}

func TestBranchUsesTheTurnJustHeard(t *testing.T) {
	t.Parallel()
	b := scenario.Branch{Cases: []scenario.Case{{Any: []string{"yes"}, Then: []scenario.Step{say("good")}}}}
	o := (&stage{
		item: script(say("one"), waitAgent(), say("two"), waitAgent(), scenario.Step{Branch: &b}, hangUp()),
		agent: &farAgent{lines: []utterance{
			{after: 500 * ms, long: second, text: "Yes."}, {after: 500 * ms, long: second, text: "No."},
		}},
	}).play(t)
	// The yes belongs to the turn before.
	o.wantSaid(t, "one", "two")
}

func TestEarsThatFailAreOurFault(t *testing.T) {
	t.Parallel()
	b := scenario.Branch{Cases: []scenario.Case{{Any: []string{"yes"}, Then: []scenario.Step{say("good")}}}}
	lines := func() *farAgent {
		return &farAgent{lines: []utterance{{after: 500 * ms, long: second, text: "Yes."}}}
	}
	item := script(say("one"), scenario.Step{Branch: &b}, hangUp())
	o := (&stage{item: item, agent: lines(), ears: &fakeEars{err: errBroken}}).play(t)
	o.wantSaid(t, "one")
	o.wantCount(t, call.KindOurFault, 1)
	o = (&stage{item: item, agent: lines(), ears: &fakeEars{never: true}, live: true}).play(t)
	o.wantSaid(t, "one")
	o.wantCount(t, call.KindOurFault, 1)
}

func TestLateWordsAreNoted(t *testing.T) {
	t.Parallel()
	ears := &fakeEars{never: true}
	s := stage{
		item:  script(say("one"), scenario.Step{RepeatIfMisunderstood: &scenario.Repeat{}}, hangUp()),
		agent: &farAgent{lines: []utterance{{after: 100 * ms, long: second, text: "Yes."}}}, ears: ears,
	}
	c := s.newCaller(t)
	c.Begin(8000)
	s.agent.Begin(8000)
	in, out := make([]int16, 160), make([]int16, 160)
	for at := time.Duration(0); at < 8*second; at += leg.FrameTime {
		fromAgent := leg.Frame{PCM: make([]int16, 160)}
		s.agent.Step(&leg.Frame{At: at, PCM: out}, &fromAgent)
		out = make([]int16, 160)
		c.Step(&leg.Frame{At: at, PCM: in}, &leg.Frame{At: at, PCM: out})
		in = fromAgent.PCM
		if len(ears.held) > 0 && at == 4*second {
			ears.held[0].Deliver(leg.Words{Text: "yes"})
		}
	}
	o := outcome{caller: c, events: c.Timeline()}
	o.wantCount(t, call.KindLate, 1)
	o.wantCount(t, call.KindScriptDone, 1)
}

// TestWaitingForWordsReadsATurnOnce checks that the words that are waited for are searched for once
// per turn of the agent, and not again in every frame until its next turn.
//
//nolint:paralleltest // it counts what is allocated
func TestWaitingForWordsReadsATurnOnce(t *testing.T) {
	w := words("price")
	w.TimeoutMS = 60_000
	s := &stage{item: script(scenario.Step{WaitForWords: w}, hangUp()), agent: &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: "Hello. How can I help?"}}}}
	c := s.newCaller(t)
	c.Begin(s.rate)
	s.agent.Begin(s.rate)
	n := leg.Samples(s.rate)
	in, out := leg.Frame{PCM: make([]int16, n)}, leg.Frame{PCM: make([]int16, n)}
	step := func() {
		c.Step(&in, &out)
		in.At += leg.FrameTime
		out.At = in.At
	}
	for in.At < 4*second {
		if err := c.Await(t.Context(), in.At); err != nil {
			t.Fatal(err)
		}
		said := leg.Frame{At: in.At, PCM: make([]int16, n)}
		s.agent.Step(&leg.Frame{At: in.At, PCM: out.PCM}, &said)
		copy(in.PCM, said.PCM)
		step()
	}
	if c.hears.text == "" {
		t.Fatal("nothing was heard")
	}
	if got := testing.AllocsPerRun(50, step); got > 0 {
		t.Errorf("%.0f allocations a frame", got)
	}
}
