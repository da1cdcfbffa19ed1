package caller

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// maxParts is the largest number of parts of a spoken reply, its end included. Longer
	// replies are not cut: the last spoken part takes the rest.
	maxParts = 8
	// breath is the pause between two sentences of a reply.
	breath = 150 * time.Millisecond
	// thinkLimit bounds the work on one reply. thinkGiveUp is how long, on a live line, the
	// caller waits for an overdue reply.
	thinkLimit  = 30 * time.Second
	thinkGiveUp = 20 * time.Second
	// maxBlank is how many consecutive replies without speech or action are taken for a broken model.
	maxBlank = 3
	// defaultWait, minWait and maxWait are the default and the bounds of the wait tool, in seconds.
	defaultWait, minWait, maxWait = 5, 1, 60
)

// part is a piece of the model's reply: a sentence ready to be played, or the end of the reply
// with its tool calls.
type part struct {
	text  string
	sound take
	last  bool
	calls []chat.ToolCall
	err   error
}

// thinker is the mind of a caller with a goal: a language model that is given the agent's words
// and answers with speech and tool calls.
type thinker struct {
	c       *Caller
	history []chat.Message
	box     leg.Mailbox[part]
	stop    context.CancelFunc // of the reply in progress, nil if there is none
	// atWork is closed when the most recently started work is over. The model gets one request
	// at a time, even if a reply was dropped before it was complete.
	atWork chan struct{}
	// replyDue is when the first part of the reply is due, next the earliest time for the next
	// part; begun is true once the caller has begun to speak the reply.
	replyDue, next time.Duration
	begun          bool
	said           []string
	turns, blank   int
	// waitEnd is when the wait tool's time is over, 0 if it is not in use.
	waitEnd time.Duration
}

func newThinker(c *Caller) *thinker {
	return &thinker{c: c, history: []chat.Message{{Role: chat.System, Content: instructions(c.opts.Prompt, c.item)}}}
}

func (t *thinker) await(ctx context.Context, at time.Duration) error { return t.box.Await(ctx, at) }

// farHungUp implements mind. It does nothing, as only the model could tell whether the goal was reached.
func (t *thinker) farHungUp() {}

// due implements mind.
func (t *thinker) due() call.Blame {
	if t.stop != nil || t.c.agent.turnOver(t.c.at) {
		return call.BlameCaller
	}
	return call.BlameAgent
}

// step implements mind.
func (t *thinker) step() {
	if t.stop != nil {
		t.reply()
		return
	}
	c := t.c
	switch {
	case c.turnHeard():
		t.think(c.hears.text)
	case t.waitEnd != 0 && c.at >= t.waitEnd && !c.agent.speaking && !c.agent.answered:
		t.think("(The agent has said nothing.)")
	case t.waitEnd == 0 && !c.agent.turnOver(c.at):
		c.bear(c.silenceLimit())
	}
}

// think asks the model for a reply to the agent's words.
func (t *thinker) think(words string) {
	c := t.c
	if t.turns >= cmp.Or(c.item.Input.Limits.MaxTurns, defaultMaxTurns) {
		c.now(call.KindGaveUp, map[string]any{"why": "max_turns"})
		c.sayGoodbye(call.EndOf(call.EndCallerHungUp, "max_turns"))
		return
	}
	if words == "" {
		words = "(The agent said something that you could not understand.)"
	}
	t.hear(words)
	c.agent.answered, c.hears.text, t.waitEnd = false, "", 0
	t.replyDue, t.next, t.begun, t.said = c.at+c.opts.ThinkTime, 0, false, nil
	letters := make([]*leg.Letter[part], maxParts)
	for i := range letters {
		letters[i] = t.box.ExpectFrom(c.at, t.replyDue)
	}
	ctx, cancel := context.WithTimeout(c.ctx, thinkLimit)
	t.stop = cancel
	w := &worker{
		ctx: ctx, model: c.opts.Model, mouth: c.opts.Mouth, item: c.item, rate: c.rate, letters: letters,
		request: chat.Request{
			Messages: append([]chat.Message(nil), t.history...), Tools: tools(),
			Temperature: temperature, Seed: int64(c.opts.Seed >> 1), MaxTokens: maxTokens,
		},
	}
	before, done := t.atWork, make(chan struct{})
	t.atWork = done
	c.opts.Go(func() {
		defer close(done)
		defer cancel()
		if before != nil {
			<-before
		}
		w.run()
	})
}

// hear adds the agent's words to the history. Words that follow a dropped reply are appended to
// the previous message.
func (t *thinker) hear(words string) {
	if n := len(t.history); t.history[n-1].Role == chat.User {
		t.history[n-1].Content += " " + words
		return
	}
	t.history = append(t.history, chat.Message{Role: chat.User, Content: words})
}

// reply speaks the parts of the reply that have arrived. If the agent goes on talking before
// the caller has begun, its turn was not over: the reply is dropped and the caller listens on.
func (t *thinker) reply() {
	c := t.c
	if !t.begun && c.agent.speaking {
		t.late(t.box.Overdue(c.at))
		t.drop()
		return
	}
	if c.at < t.next {
		return
	}
	p, late, ok := t.box.Take(c.at)
	if !ok {
		if min(t.box.Overdue(c.at), c.at-t.next) > thinkGiveUp {
			t.fail(noAnswer())
		}
		return
	}
	if t.next > t.replyDue {
		late = c.at - t.next
	}
	if t.noticed(p) {
		t.late(late)
	}
	switch {
	case p.err != nil:
		t.fail(p.err)
	case p.last:
		t.conclude(p.calls)
	default:
		t.begun = true
		t.said = append(t.said, p.text)
		c.sayTake(p.sound, p.text, call.MannerPlain)
		t.next = c.at + c.voice.samples(len(p.sound.pcm)) + breath
	}
}

// noticed reports whether the agent could notice when a part came. It cannot at the end of a reply that was
// spoken and does nothing more, nor when the caller only goes on waiting; a failure is recorded as such.
func (t *thinker) noticed(p part) bool {
	if !p.last || p.err != nil {
		return !p.last
	}
	acts := func(tc chat.ToolCall) bool { return tc.Function.Name == toolHangUp || tc.Function.Name == toolPress }
	return !t.begun && len(p.calls) == 0 || slices.ContainsFunc(p.calls, acts)
}

// late records that a reply came late, or was late when it was dropped because the agent spoke
// again: the silence until then was ours.
func (t *thinker) late(by time.Duration) {
	if by > leg.FrameTime {
		t.c.now(call.KindLate, map[string]any{"what": "model", "late_ms": by.Milliseconds()})
	}
}

// drop discards the reply in progress.
func (t *thinker) drop() {
	t.stop()
	t.stop = nil
	t.box.Forget()
}

// fail ends the call because of a failure of our own.
func (t *thinker) fail(err error) {
	what, who := "model", "language model"
	var mute *mouthError
	if errors.As(err, &mute) {
		what, who = "mouth", "voice"
	}
	t.drop()
	t.c.fault(what, err)
	t.c.sayGoodbye(call.EndOf(call.EndRingtrueError, "the caller's "+who+" failed"))
}

// conclude carries out the tool calls of a reply once it has been spoken.
func (t *thinker) conclude(calls []chat.ToolCall) {
	t.drop()
	text := strings.Join(t.said, " ")
	if text == "" && len(calls) == 0 {
		t.nothing()
		return
	}
	t.history = append(t.history, chat.Message{Role: chat.Assistant, Content: text, ToolCalls: readable(calls)})
	did := text != ""
	for _, tc := range calls {
		told := t.use(tc.Function)
		did = did || told == toolDone
		t.history = append(t.history, chat.Message{Role: chat.ToolRole, ToolCallID: tc.ID, Content: told})
	}
	if !did {
		t.nothing()
		return
	}
	t.blank = 0
	if text != "" {
		t.turns++
	}
}

// nothing treats a reply without speech or action as a short wait. A model that keeps giving
// such replies is considered broken.
func (t *thinker) nothing() {
	if t.blank++; t.blank >= maxBlank {
		t.c.fault("model", problem.New(problem.Unavailable, "the language model gave empty answers"))
		t.c.sayGoodbye(call.EndOf(call.EndRingtrueError, "the caller's language model gave empty answers"))
		return
	}
	t.waitEnd = t.c.at + defaultWait*time.Second
}

// toolDone is the result that the model is given for a tool call that was carried out.
const toolDone = "done"

// use carries out one tool call and returns its result for the model.
func (t *thinker) use(f chat.Function) string {
	c := t.c
	if !isJSON(f.Arguments) {
		return "error: the arguments are not JSON"
	}
	args := argumentsOf(f.Arguments)
	switch f.Name {
	case toolHangUp:
		reason := call.EndOf(call.EndCallerHungUp, "")
		if args.goalReached {
			c.now(call.KindGoalReached, nil)
			reason = call.EndOf(call.EndCompleted, "")
		}
		c.leave(reason)
		return toolDone
	case toolPress:
		if !validKeys(args.keys) || c.digits != "" {
			return "error: keys must be 1 to 32 of 0-9, * and #, once in a reply"
		}
		c.press(args.keys)
		return toolDone
	case toolWait:
		seconds := args.seconds
		if !(seconds > 0) {
			seconds = defaultWait
		}
		t.waitEnd = c.at + time.Duration(min(max(seconds, minWait), maxWait)*float64(time.Second))
		return toolDone
	}
	return "error: there is no such tool"
}

func validKeys(keys string) bool {
	return keys != "" && len(keys) <= 32 && strings.Trim(keys, "0123456789*#") == ""
}
