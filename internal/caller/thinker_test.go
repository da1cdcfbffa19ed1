package caller

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// fakeModel answers with its replies in order, one word at a time.
type fakeModel struct {
	mu      sync.Mutex
	replies []chat.Message
	asked   []chat.Request
	fail    error
	mute    bool // give the text only at the end
	slow    int  // how many questions get no answer at all
	gate    chan struct{}
}

func (m *fakeModel) Name() string { return "fake" }

func (m *fakeModel) Complete(ctx context.Context, r chat.Request, onText func(string)) (chat.Message, error) {
	m.mu.Lock()
	m.asked = append(m.asked, r)
	if len(m.asked) <= m.slow {
		m.mu.Unlock()
		<-ctx.Done()
		return chat.Message{}, ctx.Err()
	}
	var reply chat.Message
	if len(m.replies) > 0 {
		reply, m.replies = m.replies[0], m.replies[1:]
	}
	m.mu.Unlock()
	if m.fail != nil {
		return chat.Message{}, m.fail
	}
	if !m.mute {
		for _, piece := range strings.SplitAfter(reply.Content, " ") {
			onText(piece)
		}
	}
	if m.gate != nil {
		select {
		case <-m.gate:
		case <-ctx.Done():
			return chat.Message{}, ctx.Err()
		}
	}
	return reply, nil
}

func text(s string) chat.Message { return chat.Message{Role: chat.Assistant, Content: s} }

func using(s, tool, arguments string) chat.Message {
	m := text(s)
	m.ToolCalls = []chat.ToolCall{{ID: "t1", Type: "function", Function: chat.Function{Name: tool, Arguments: arguments}}}
	return m
}

func goal() scenario.Item {
	return scenario.Item{Input: scenario.Input{
		Goal: "book an appointment", Persona: scenario.Persona{Name: "Ann Lee"}, Facts: map[string]string{"day": "Monday"},
	}}
}

func clinic(n int) *farAgent {
	a := &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: "Clinic, how can I help?"}}}
	for range n {
		a.lines = append(a.lines, utterance{after: 600 * ms, long: second, text: "Very well."})
	}
	return a
}

func TestModelPlaysAGoal(t *testing.T) {
	t.Parallel()
	model := &fakeModel{replies: []chat.Message{
		text("Hello there. I need an appointment on Monday with Dr. Smith. Is that possible?"),
		using("Thank you, goodbye.", toolHangUp, `{"goal_reached":true}`),
	}}
	s := stage{item: goal(), model: model, agent: clinic(1), seed: 42}
	o := s.play(t)
	o.wantSaid(t, "Hello there.", "I need an appointment on Monday with Dr. Smith.", "Is that possible?", "Thank you, goodbye.")
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	o.wantCount(t, call.KindGoalReached, 1)
	o.wantCount(t, call.KindLate, 0)
	said := o.of(call.KindSaid)
	want := s.agent.ended[0] + 700*ms // hearing and thinking take no time in this test
	if got := said[0].At; got < want-40*ms || got > want+60*ms {
		t.Errorf("the first sentence came at %s, want %s", got, want)
	}
	if gap := said[1].At - said[0].End; gap < breath || gap > breath+100*ms {
		t.Errorf("%s between two sentences, want %s", gap, breath)
	}
	first, second := model.asked[0], model.asked[1]
	for _, part := range []string{defaultPrompt, "book an appointment", "Ann Lee", "- day: Monday", "en-US"} {
		if !strings.Contains(first.Messages[0].Content, part) {
			t.Errorf("the instructions do not hold %q", part)
		}
	}
	if first.Messages[1].Content != "Clinic, how can I help?" || first.Seed != 21 || len(first.Tools) != 3 {
		t.Errorf("asked %+v, want the agent's words, the seed 21 and 3 tools", first)
	}
	if n := len(second.Messages); n != 4 || second.Messages[2].Role != chat.Assistant || second.Messages[3].Content != "Very well." {
		t.Errorf("the second question holds %+v, want the answer and the agent's next words at its end", second.Messages)
	}
}

func TestPromptIsUsed(t *testing.T) {
	t.Parallel()
	model := &fakeModel{replies: []chat.Message{using("Bye now.", toolHangUp, `{"goal_reached":false}`)}}
	o := (&stage{item: goal(), model: model, agent: clinic(0), prompt: "Be rude."}).play(t)
	if got := model.asked[0].Messages[0].Content; !strings.HasPrefix(got, "Be rude.") || strings.Contains(got, defaultPrompt) {
		t.Errorf("the instructions are %q, want the prompt given in place of the usual one", got)
	}
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
	o.wantCount(t, call.KindGoalReached, 0)
}

func TestModelWithoutStreaming(t *testing.T) {
	t.Parallel()
	model := &fakeModel{mute: true, replies: []chat.Message{using("One is here. Bye now.", toolHangUp, `{}`)}}
	o := (&stage{item: goal(), model: model, agent: clinic(0)}).play(t)
	o.wantSaid(t, "One is here.", "Bye now.")
}

func TestManySentencesFitIntoTheParts(t *testing.T) {
	t.Parallel()
	model := &fakeModel{replies: []chat.Message{
		using(strings.Repeat("This is it! ", 12), toolHangUp, `{"goal_reached":true}`),
	}}
	o := (&stage{item: goal(), model: model, agent: clinic(0)}).play(t)
	want := strings.TrimSpace(strings.Repeat("This is it! ", 12))
	if got := strings.Join(o.said(), " "); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
}

func TestModelPressesKeysAndWaits(t *testing.T) {
	t.Parallel()
	model := &fakeModel{replies: []chat.Message{
		using("", toolPress, `{"keys":"1#"}`),
		using("", toolWait, `{"seconds":4}`),
		using("Are you there?", toolPress, `{"keys":"call me"}`),
		using("Goodbye then.", toolHangUp, `{"goal_reached":false}`),
	}}
	s := stage{item: goal(), model: model, agent: &farAgent{lines: []utterance{
		{at: 500 * ms, long: second, text: "Press one."}, {after: 600 * ms, long: second, text: "Please hold."},
		{at: 16 * second, long: second, text: "Back again."},
	}}}
	o := s.play(t)
	if s.agent.digits != "1#" {
		t.Errorf("the far end saw %q, want 1#", s.agent.digits)
	}
	o.wantSaid(t, "Are you there?", "Goodbye then.")
	last := model.asked[3].Messages
	var told []string
	for _, m := range last {
		if m.Role == chat.ToolRole {
			told = append(told, m.Content)
		}
	}
	if len(told) != 3 || told[0] != "done" || !strings.HasPrefix(told[2], "error: keys") {
		t.Errorf("the model was told %q, want done first and an error third", told)
	}
}

// TestModelThatHardlyWaitsIsNotAskedWithoutEnd checks that the number of questions to a model, each of which
// costs, has a bound in time.
func TestModelThatHardlyWaitsIsNotAskedWithoutEnd(t *testing.T) {
	t.Parallel()
	model := &fakeModel{}
	for range 1000 {
		model.replies = append(model.replies, using("", toolWait, `{"seconds":0.001}`))
	}
	item := goal()
	item.Input.Limits.MaxDurationMS = 12_000
	(&stage{item: item, model: model, agent: clinic(0)}).play(t)
	if n := len(model.asked); n < 5 || n > 12 {
		t.Errorf("a model that waits was asked %d times in 12 s, want about one time a second", n)
	}
}

func TestAgentThatGoesOnIsListenedTo(t *testing.T) {
	t.Parallel()
	model := &fakeModel{slow: 1, replies: []chat.Message{using("Now then.", toolHangUp, `{"goal_reached":true}`)}}
	o := (&stage{item: goal(), model: model, slow: 4 * second, agent: &farAgent{lines: []utterance{
		{at: 500 * ms, long: second, text: "Welcome."}, {at: 3600 * ms, long: second, text: "How can I help?"},
	}}}).play(t)
	o.wantSaid(t, "Now then.")
	if got := model.asked[1].Messages; len(got) != 2 || got[1].Content != "Welcome. How can I help?" {
		t.Errorf("asked %+v, want both sentences of the agent in one message", got)
	}
}

func TestModelThatFailsIsOurFault(t *testing.T) {
	t.Parallel()
	o := (&stage{item: goal(), model: &fakeModel{fail: errBroken}, agent: clinic(0)}).play(t)
	o.wantSaid(t, bye)
	o.wantEnd(t, call.EndRingtrueError, call.BlameRingtrue)
	o.wantCount(t, call.KindOurFault, 1)

	o = (&stage{item: goal(), model: &fakeModel{}, agent: clinic(9)}).play(t)
	o.wantSaid(t, bye)
	o.wantEnd(t, call.EndRingtrueError, call.BlameRingtrue)
}

// TestNoHalfSentenceIsSpoken checks that of an answer that was cut off only whole sentences are said: an
// agent that does not understand the rest would be blamed for it.
func TestNoHalfSentenceIsSpoken(t *testing.T) {
	t.Parallel()
	for _, mute := range []bool{false, true} {
		cut := text("What are your opening hours? I would also like to")
		cut.Cut = true
		model := &fakeModel{mute: mute, replies: []chat.Message{cut, using("Goodbye then.", toolHangUp, `{"goal_reached":false}`)}}
		o := (&stage{item: goal(), model: model, agent: clinic(1)}).play(t)
		o.wantSaid(t, "What are your opening hours?", "Goodbye then.")

		cut.Content = "What are your opening"
		o = (&stage{item: goal(), model: &fakeModel{mute: mute, replies: []chat.Message{cut}}, agent: clinic(9)}).play(t)
		o.wantSaid(t, bye)
		o.wantEnd(t, call.EndRingtrueError, call.BlameRingtrue)
		o.wantCount(t, call.KindOurFault, 1)
	}
	for text, want := range map[string]string{
		"On Monday. At ni": "On Monday.", "On Monday.": "On Monday.", "Is it? Doctor. So": "Is it? Doctor.", "Mon": "", "": "",
		"你好。我想": "你好。", "Please go on.\nThen": "Please go on.\n",
	} {
		if got := complete(text); got != want {
			t.Errorf("%q is complete up to %q, want %q", text, got, want)
		}
	}
}

// TestModelThatDoesNothingOfUseIsOurFault checks that a call is void if the caller's model only
// calls tools that do not exist, which leaves the caller silent, whatever the agent does then.
func TestModelThatDoesNothingOfUseIsOurFault(t *testing.T) {
	t.Parallel()
	var replies []chat.Message
	for range 9 {
		replies = append(replies, using("", "look_up_weather", `{}`))
	}
	o := (&stage{item: goal(), model: &fakeModel{replies: replies}, agent: clinic(9)}).play(t)
	o.wantSaid(t, bye)
	o.wantEnd(t, call.EndRingtrueError, call.BlameRingtrue)
	o.wantCount(t, call.KindOurFault, 1)

	once := &fakeModel{replies: []chat.Message{replies[0], using("Goodbye then.", toolHangUp, `{"goal_reached":false}`)}}
	o = (&stage{item: goal(), model: once, agent: clinic(0)}).play(t)
	o.wantSaid(t, "Goodbye then.")
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
}

func TestModelThatHangsIsGivenUpOnALiveLine(t *testing.T) {
	t.Parallel()
	s := stage{item: goal(), model: &fakeModel{gate: make(chan struct{})}, agent: clinic(0), live: true}
	o := s.play(t)
	o.wantSaid(t, bye)
	o.wantEnd(t, call.EndRingtrueError, call.BlameRingtrue)
}

func TestMaxTurns(t *testing.T) {
	t.Parallel()
	item := goal()
	item.Input.Limits.MaxTurns = 2
	o := (&stage{item: item, model: &fakeModel{replies: []chat.Message{text("One more."), text("Two more."), text("Three more.")}}, agent: clinic(5)}).play(t)
	o.wantSaid(t, "One more.", "Two more.", bye)
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
	o.wantCount(t, call.KindGaveUp, 1)
}

func TestModelCallIsRepeatable(t *testing.T) {
	t.Parallel()
	play := func() outcome {
		model := &fakeModel{replies: []chat.Message{text("Hello there. I need help."), using("Bye now.", toolHangUp, `{}`)}}
		return (&stage{item: goal(), model: model, agent: clinic(1)}).play(t)
	}
	play().wantSame(t, play())
}

func TestFirstSentenceIsPlayedWhileTheRestComes(t *testing.T) {
	t.Parallel()
	gate := make(chan struct{})
	model := &fakeModel{gate: gate, replies: []chat.Message{using("Hello there. And the rest.", toolHangUp, `{}`)}}
	ran := make(chan struct{})
	s := stage{item: goal(), agent: clinic(0), model: model}
	c := s.newCaller(t)
	c.opts.Go = func(work func()) {
		go func() {
			work()
			close(ran)
		}()
	}
	c.Begin(8000)
	s.agent.Begin(8000)
	in, out := make([]int16, 160), make([]int16, 160)
	spoke := time.Duration(0)
	for at := time.Duration(0); at < 20*second; at += leg.FrameTime {
		fromAgent := leg.Frame{PCM: make([]int16, 160)}
		s.agent.Step(&leg.Frame{At: at, PCM: out}, &fromAgent)
		out = make([]int16, 160)
		c.Step(&leg.Frame{At: at, PCM: in}, &leg.Frame{At: at, PCM: out})
		in = fromAgent.PCM
		// Wait for the first sentence only: the rest is behind the gate.
		th := c.mind.(*thinker)
		for th.stop != nil && !th.begun && th.box.Overdue(at+10*second) > 0 {
			runtime.Gosched()
		}
		if spoke == 0 && audio.Level(out) > -40 {
			spoke = at
		}
		if at == 10*second {
			close(gate)
			<-ran
		}
	}
	o := outcome{caller: c, events: c.Timeline()}
	o.wantSaid(t, "Hello there.", "And the rest.")
	if spoke == 0 || spoke > 10*second {
		t.Errorf("the first sentence came at %s, want it before the rest, at 10 s", spoke)
	}
	o.wantCount(t, call.KindLate, 1)
}

// TestReplyThatTheAgentDidNotWaitForIsNotedAsLate checks that a reply is noted as late even if it
// was dropped because the agent asked again before the model had answered.
func TestReplyThatTheAgentDidNotWaitForIsNotedAsLate(t *testing.T) {
	t.Parallel()
	agent := &farAgent{lines: []utterance{{at: second, long: 2 * second, text: "How can I help?"}, {at: 10 * second, long: 2 * second, text: "Are you there?"}}}
	model := &fakeModel{mute: true, gate: make(chan struct{}), replies: []chat.Message{text("Hello."), text("Hello.")}}
	o := (&stage{item: goal(), agent: agent, model: model, live: true, limit: 13 * second}).play(t)
	late := o.of(call.KindLate)
	if len(late) != 1 || late[0].Data["what"] != "model" {
		t.Fatalf("noted as late: %v, want the model once", late)
	}
	if ms, _ := late[0].Data["late_ms"].(int64); ms < 3000 || ms > 7000 {
		t.Errorf("the reply was noted as %v ms late, want 3000 to 7000", late[0].Data["late_ms"])
	}
}

// TestNextSentenceIsWaitedForFromWhenItIsDue checks that the wait for the next sentence is measured
// from when it is due: a caller that speaks for longer than that limit has not been waiting all the
// time.
func TestNextSentenceIsWaitedForFromWhenItIsDue(t *testing.T) {
	t.Parallel()
	long := "I would like " + strings.Repeat("so very much ", 35) + "to know."
	gate := make(chan struct{})
	model := &fakeModel{gate: gate, replies: []chat.Message{using(long+" And the rest.", toolHangUp, `{}`)}}
	s := stage{item: goal(), agent: clinic(0), model: model}
	c := s.newCaller(t)
	c.Begin(8000)
	s.agent.Begin(8000)
	fromAgent, toAgent := make([]int16, 160), make([]int16, 160)
	opened := false
	for at := time.Duration(0); at < time.Minute; at += leg.FrameTime {
		th := c.mind.(*thinker)
		if silent := th.begun && !c.voice.playing; silent && at > th.next+100*ms && !opened {
			close(gate)
			opened = true
			<-th.atWork
		}
		in := leg.Frame{PCM: make([]int16, 160)}
		s.agent.Step(&leg.Frame{At: at, PCM: toAgent}, &in)
		toAgent = make([]int16, 160)
		c.Step(&leg.Frame{At: at, PCM: fromAgent}, &leg.Frame{At: at, PCM: toAgent})
		fromAgent = in.PCM
		for th.stop != nil && !th.begun && th.box.Overdue(at+10*second) > 0 {
			runtime.Gosched()
		}
	}
	o := outcome{caller: c, events: c.Timeline()}
	o.wantSaid(t, long, "And the rest.")
	o.wantCount(t, call.KindOurFault, 0)
}

// TestActionThatComesLateIsNotedAsLate checks that a late reply without speech is noted as late, too:
// until the caller presses the keys it is silent, which is not the agent's fault.
func TestActionThatComesLateIsNotedAsLate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reply chat.Message
		late  int
	}{
		{using("", toolPress, `{"keys":"1"}`), 1},
		{using("", toolHangUp, `{"goal_reached":true}`), 1},
		{text(""), 1},
		{using("", toolWait, `{"seconds":20}`), 0}, // the caller would have been silent anyway
	} {
		want := c.late
		model := &fakeModel{mute: true, gate: make(chan struct{}), replies: []chat.Message{c.reply}}
		s := stage{item: goal(), agent: clinic(0), model: model}
		c := s.newCaller(t)
		c.Begin(8000)
		s.agent.Begin(8000)
		fromAgent, toAgent := make([]int16, 160), make([]int16, 160)
		for at := time.Duration(0); at < 9*second; at += leg.FrameTime {
			if at == 8*second {
				close(model.gate)
				<-c.mind.(*thinker).atWork
			}
			in := leg.Frame{PCM: make([]int16, 160)}
			s.agent.Step(&leg.Frame{At: at, PCM: toAgent}, &in)
			toAgent = make([]int16, 160)
			c.Step(&leg.Frame{At: at, PCM: fromAgent}, &leg.Frame{At: at, PCM: toAgent})
			fromAgent = in.PCM
		}
		o := outcome{caller: c, events: c.Timeline()}
		o.wantCount(t, call.KindLate, want)
	}
}

// TestKeysAreOutBeforeTheCallerHangsUp checks that the keys of a reply that also hangs up are all pressed.
func TestKeysAreOutBeforeTheCallerHangsUp(t *testing.T) {
	t.Parallel()
	press := chat.ToolCall{ID: "t1", Type: "function", Function: chat.Function{Name: toolPress, Arguments: `{"keys":"12345#"}`}}
	leave := chat.ToolCall{ID: "t2", Type: "function", Function: chat.Function{Name: toolHangUp, Arguments: `{"goal_reached":true}`}}
	for _, calls := range [][]chat.ToolCall{{press, leave}, {leave, press}} {
		reply := chat.Message{Role: chat.Assistant, ToolCalls: calls}
		o := (&stage{item: goal(), agent: clinic(0), model: &fakeModel{replies: []chat.Message{reply}}}).play(t)
		o.wantEnd(t, call.EndCompleted, call.BlameNobody)
		if pressed := o.of(call.KindDigitSent); len(pressed) != 1 || o.length < pressed[0].End || o.length > pressed[0].End+second {
			t.Errorf("hung up at %s, want soon after all keys were pressed: %+v", o.length, pressed)
		}
	}
}
