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
	// The agent is slow twice, and is asked twice: an answer in between resets the count.
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
			t.Errorf("manner is %q, want %q", said.Manner, call.MannerInterrupt)
		}
		if lag := began - s.agent.began[0]; lag > 60*ms {
			t.Errorf("the agent's speech was noticed after %s, want at most 60ms", lag)
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
		t.Errorf("manner is %q, want %q", m, call.MannerBackchannel)
	}
	if wait := o.of(call.KindSaid)[1].At - s.agent.ended[0]; wait > 850*ms {
		t.Errorf("waited %s for an answer to an mm-hm, want at most 850ms", wait)
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
		t.Errorf("the far end saw %q, want 12#4", s.agent.digits)
	}
	sent := o.of(call.KindDigitSent)
	if len(sent) != 2 || sent[0].Data["digits"] != "12#" {
		t.Fatalf("events %v, want 12# and one more", sent)
	}
	if gap := sent[1].At - sent[0].At; gap != 600*ms {
		t.Errorf("the next key came %s after three keys, want 600 ms", gap)
	}
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
		t.Errorf("hung up %s after the last word, want at least %s", after, tail)
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
		t.Errorf("the line cut off is told as %+v, want it incomplete and over by %s", said, o.length)
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
		t.Errorf("the call lasted %s, want %s", o.length, 3*second+leg.FrameTime)
	}
	item = script(say("a line so long that it cannot be over by the end of the time that there is"), hangUp())
	item.Input.Limits = limits
	o = (&stage{item: item}).play(t)
	o.wantEnd(t, call.EndMaxDuration, call.BlameCaller)
	o.wantCount(t, call.KindCut, 1)
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
	play().wantSame(t, play())
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
