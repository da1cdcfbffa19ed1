package caller

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const (
	second = time.Second
	ms     = time.Millisecond
	bye    = "Thank you, goodbye."
	hello  = "Hello? Are you still there?"
)

func TestCallerWaitsForAnAgentThatAnswersLate(t *testing.T) {
	t.Parallel()
	for _, late := range []time.Duration{300 * ms, 2 * second, 9 * second} {
		s := stage{
			item: script(waitAgent(), say("one two three"), waitAgent(), say("four five six"), waitAgent(), hangUp()),
			agent: &farAgent{lines: []utterance{
				{at: 500 * ms, long: 2 * second}, {after: late, long: 3 * second}, {after: late, long: second},
			}},
		}
		o := s.play(t)
		o.wantSaid(t, "one two three", "four five six")
		o.wantEnd(t, call.EndCompleted, call.BlameNobody)
		for i, e := range o.of(call.KindSaid) {
			wait := e.At - s.agent.ended[i]
			if wait < 700*ms || wait > 850*ms {
				t.Errorf("with an agent %s late, line %d came %s after the agent's turn, want 0.7 to 0.85 s", late, i, wait)
			}
		}
	}
}

func TestAgentInFrontOfOtherVoices(t *testing.T) {
	t.Parallel()
	for _, below := range []float64{20, 10} {
		s := stage{
			item: script(waitAgent(), say("one two three"), waitAgent(), say("four five six"), waitAgent(), hangUp()),
			agent: &farAgent{crowd: below, lines: []utterance{
				{at: 500 * ms, long: 3 * second}, {after: second, long: 3 * second}, {after: second, long: 2 * second},
			}},
		}
		o := s.play(t)
		o.wantSaid(t, "one two three", "four five six")
		o.wantEnd(t, call.EndCompleted, call.BlameNobody)
		for i, e := range o.of(call.KindSaid) {
			if wait := e.At - s.agent.ended[i]; wait < 400*ms || wait > 2*second {
				t.Errorf("with voices %g dB below the agent, line %d came %s after its turn", below, i, wait)
			}
		}
	}
}

func TestSaidIsExactToTheSample(t *testing.T) {
	t.Parallel()
	for _, rate := range []int{8000, 16000, 48000} {
		s := stage{item: script(scenario.Step{StaySilentMS: 130}, say("hello there"), hangUp()), rate: rate}
		o := s.play(t)
		said := o.of(call.KindSaid)[0]
		first, last, _ := audio.Clip{PCM: o.sent, Rate: rate}.Audible()
		if got := int(said.At * time.Duration(rate) / second); abs(got-first) > 1 {
			t.Errorf("at %d Hz the line is said to begin at sample %d, it began at %d", rate, got, first)
		}
		if got := int(said.End * time.Duration(rate) / second); abs(got-last) > 1 {
			t.Errorf("at %d Hz the line is said to end at sample %d, it ended at %d", rate, got, last)
		}
		if level := audio.Level(o.sent[first:last]); level < loudness-1 || level > loudness+1 {
			t.Errorf("at %d Hz the line has %.1f dBFS, want %.1f", rate, level, loudness)
		}
	}
}

func abs(n int) int { return max(n, -n) }

func TestSilentAgentIsAskedOnceAndGivenUp(t *testing.T) {
	t.Parallel()
	o := (&stage{item: script(waitAgent(), say("one"), hangUp())}).play(t)
	o.wantSaid(t, hello, bye)
	o.wantEnd(t, call.EndSilence, call.BlameAgent)
	o.wantCount(t, call.KindPrompted, 1)
	o.wantCount(t, call.KindGaveUp, 1)
	o.wantCount(t, call.KindScriptDone, 0)
	said := o.of(call.KindSaid)
	if at := said[0].At; at < 10*second || at > 10*second+40*ms {
		t.Errorf("asked at %s, want after 10 s", at)
	}
	if gap := said[1].At - said[0].End; gap < 10*second || gap > 10*second+100*ms {
		t.Errorf("gave up %s after asking, want 10 s", gap)
	}
}

func TestAgentThatAnswersThePromptGoesOn(t *testing.T) {
	t.Parallel()
	o := (&stage{
		item:  script(say("one"), waitAgent(), say("two"), waitAgent(), hangUp()),
		agent: &farAgent{lines: []utterance{{at: 15 * second, long: second}, {after: 11 * second, long: second}}},
	}).play(t)
	// The agent is slow twice, and asked twice: answering in between counts.
	o.wantSaid(t, "one", hello, "two", hello, bye)
	o.wantEnd(t, call.EndSilence, call.BlameAgent)
}

func TestInterruptComesExactlyOnTime(t *testing.T) {
	t.Parallel()
	for _, after := range []int{0, 200, 1010, 2500} {
		s := stage{
			item:  script(scenario.Step{Interrupt: &scenario.Interject{AfterMS: after, Say: "wait a moment"}}, hangUp()),
			agent: &farAgent{lines: []utterance{{at: 400 * ms, long: 5 * second}}},
		}
		o := s.play(t)
		began, said := o.of(call.KindAgentStarted)[0].At, o.of(call.KindSaid)[0]
		want := (time.Duration(after)*ms + leg.FrameTime - 1) / leg.FrameTime * leg.FrameTime
		if got := said.At - began; got < want || got > want+5*ms {
			t.Errorf("interrupted %s after the agent began, want %s", got, want)
		}
		if said.Manner != call.MannerInterrupt {
			t.Errorf("manner is %q", said.Manner)
		}
		if lag := began - s.agent.began[0]; lag > 60*ms {
			t.Errorf("the agent's speech was noticed after %s", lag)
		}
	}
}

func TestInterruptIntoSilenceIsAPlainLine(t *testing.T) {
	t.Parallel()
	o := (&stage{
		item:  script(scenario.Step{Interrupt: &scenario.Interject{AfterMS: 3000, Say: "wait"}}, hangUp()),
		agent: &farAgent{lines: []utterance{{at: 400 * ms, long: second}}},
	}).play(t)
	o.wantSaid(t, "wait")
	if m := o.of(call.KindSaid)[0].Manner; m != call.MannerPlain {
		t.Errorf("manner is %q, nobody was interrupted", m)
	}
}

func TestBackchannelAsksForNoAnswer(t *testing.T) {
	t.Parallel()
	s := stage{
		item:  script(scenario.Step{Backchannel: &scenario.Interject{AfterMS: 1000, Say: "mm-hm"}}, waitAgent(), say("fine"), hangUp()),
		agent: &farAgent{lines: []utterance{{at: 400 * ms, long: 2 * second}}},
	}
	o := s.play(t)
	o.wantSaid(t, "mm-hm", "fine")
	if m := o.of(call.KindSaid)[0].Manner; m != call.MannerBackchannel {
		t.Errorf("manner is %q", m)
	}
	if wait := o.of(call.KindSaid)[1].At - s.agent.ended[0]; wait > 850*ms {
		t.Errorf("waited %s for an answer to an mm-hm", wait)
	}
}

func TestTheRestOfAnInterruptedSentenceIsNoAnswer(t *testing.T) {
	t.Parallel()
	s := stage{
		item: script(scenario.Step{Interrupt: &scenario.Interject{AfterMS: 1000, Say: "wait a moment please"}}, waitAgent(), say("fine"), hangUp()),
		// The agent stops 0.5 s after the caller's line, then answers it.
		agent: &farAgent{lines: []utterance{{at: 400 * ms, long: 2900 * ms}, {at: 6 * second, long: second}}},
	}
	o := s.play(t)
	o.wantSaid(t, "wait a moment please", "fine")
	if wait := o.of(call.KindSaid)[1].At - s.agent.ended[1]; wait < 600*ms {
		t.Errorf("took what was left of the sentence for the answer\n%s", o.story())
	}
}

func TestCallerTalksOnWhenInterrupted(t *testing.T) {
	t.Parallel()
	line := "this is a long line that the agent will interrupt"
	o := (&stage{
		item:  script(say(line), waitAgent(), hangUp()),
		agent: &farAgent{lines: []utterance{{at: second, long: 5 * second}}},
	}).play(t)
	o.wantSaid(t, line)
	e := o.of(call.KindSaid)[0]
	if got, want := e.End-e.At, time.Duration(len(line))*60*ms; got < want-60*ms || got > want+60*ms {
		t.Errorf("spoke for %s, the line takes %s", got, want)
	}
	if over := o.of(call.KindAgentStarted)[0].Data["over_caller"]; over != true {
		t.Error("the timeline does not say that the agent talked over the caller")
	}
}

func TestPressKeys(t *testing.T) {
	t.Parallel()
	s := stage{item: script(scenario.Step{Press: "12#"}, scenario.Step{Press: "4"}, say("done"), hangUp())}
	o := s.play(t)
	if s.agent.digits != "12#4" {
		t.Errorf("the far end saw %q", s.agent.digits)
	}
	sent := o.of(call.KindDigitSent)
	if len(sent) != 2 || sent[0].Data["digits"] != "12#" {
		t.Fatalf("events %v", sent)
	}
	if gap := sent[1].At - sent[0].At; gap != 600*ms {
		t.Errorf("the next key came %s after three keys, want 600 ms", gap)
	}
}

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

func TestEndOfScriptSaysGoodbye(t *testing.T) {
	t.Parallel()
	o := (&stage{
		item:  script(waitAgent(), say("one")),
		agent: &farAgent{lines: []utterance{{at: 500 * ms, long: second}, {after: second, long: second}}},
	}).play(t)
	o.wantSaid(t, "one", bye)
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	o.wantCount(t, call.KindScriptDone, 1)
	last := o.of(call.KindSaid)[1]
	if after := o.length - last.End; after < tail {
		t.Errorf("hung up %s after the last word", after)
	}
}

func TestAgentHangsUp(t *testing.T) {
	t.Parallel()
	o := (&stage{
		item:   script(say("a line that is cut off in the middle by the agent"), waitAgent(), hangUp()),
		farEnd: second,
	}).play(t)
	if got := o.caller.Ending(); got != (call.EndReason{}) {
		t.Errorf("ended as %+v though the agent hung up", got)
	}
	said := o.of(call.KindSaid)[0]
	if said.Data["complete"] != false || said.End > o.length {
		t.Errorf("the line cut off is told as %+v", said)
	}
}

func TestMaxDurationBlamesWhoWasDue(t *testing.T) {
	t.Parallel()
	limits := scenario.Limits{MaxDurationMS: 3000}
	item := script(waitAgent(), hangUp())
	item.Input.Limits = limits
	o := (&stage{item: item}).play(t)
	o.wantEnd(t, call.EndMaxDuration, call.BlameAgent)
	if o.length != 3*second+leg.FrameTime {
		t.Errorf("the call lasted %s", o.length)
	}
	item = script(say("a line so long that it cannot be over by the end of the time that there is"), hangUp())
	item.Input.Limits = limits
	o = (&stage{item: item}).play(t)
	o.wantEnd(t, call.EndMaxDuration, call.BlameCaller)
	o.wantCount(t, call.KindCut, 1)
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

func TestSameSeedSameCall(t *testing.T) {
	t.Parallel()
	play := func() outcome {
		return (&stage{
			item: script(waitAgent(), say("one two"), scenario.Step{Interrupt: &scenario.Interject{AfterMS: 500, Say: "no"}}, waitAgent()),
			agent: &farAgent{lines: []utterance{
				{at: 500 * ms, long: second}, {after: second, long: 2 * second}, {after: 700 * ms, long: second},
			}},
		}).play(t)
	}
	a, b := play(), play()
	if a.story() != b.story() {
		t.Errorf("two timelines:\n%s\n%s", a.story(), b.story())
	}
	if len(a.sent) != len(b.sent) {
		t.Fatal("two lengths")
	}
	for i := range a.sent {
		if a.sent[i] != b.sent[i] {
			t.Fatalf("sample %d differs", i)
		}
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	s := stage{item: script(waitAgent(), scenario.Step{RepeatIfMisunderstood: &scenario.Repeat{}}, hangUp())}
	c := s.newCaller(t)
	c.Begin(8000)
	in, out := &leg.Frame{PCM: make([]int16, 160)}, &leg.Frame{PCM: make([]int16, 160)}
	noise := audio.NewNoise(1)
	step := func() {
		noise.White(in.PCM, -65)
		c.Step(in, out)
		in.At += leg.FrameTime
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(300, step); n != 0 {
		t.Errorf("%v allocations a frame while the caller waits", n)
	}
	c.say(hello, call.MannerPlain)
	if n := testing.AllocsPerRun(50, step); n != 0 {
		t.Errorf("%v allocations a frame while the caller speaks", n)
	}
}
