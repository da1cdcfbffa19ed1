package caller

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// voice plays one line at a time into the outgoing frames.
type voice struct {
	playing bool
	pos     int
	echoes  time.Duration // until when what is said may come back
	now     take
	from    time.Duration
	text    string
	manner  call.Manner

	rate  int
	takes map[string]take
}

// begin prepares every line at the rate of the call.
func (v *voice) begin(rate int, lines *Lines) {
	v.rate = rate
	v.takes = make(map[string]take, len(lines.byText))
	for text, l := range lines.byText {
		v.takes[text] = l.at(rate)
	}
}

// busy reports whether a line is being spoken.
func (v *voice) busy() bool { return v.playing }

// counts reports whether a line that expects an answer is being spoken; an "mm-hm" does not.
func (v *voice) counts() bool { return v.playing && v.manner != call.MannerBackchannel }

// say starts a prepared line in this frame.
func (c *Caller) say(text string, manner call.Manner) {
	t, ok := c.voice.takes[text]
	if !ok {
		c.fault("mouth", problem.New(problem.Internal, "a line was not prepared"))
		return
	}
	c.sayTake(t, text, manner)
}

func (c *Caller) sayTake(t take, text string, manner call.Manner) {
	if manner != call.MannerBackchannel {
		c.takeTurn()
	}
	v := &c.voice
	c.agent.echoed /= 2
	v.now, v.playing, v.pos, v.from, v.text, v.manner = t, true, 0, c.at, text, manner
}

// utter fills the outgoing frame with the line being spoken.
func (c *Caller) utter(out *leg.Frame) {
	v := &c.voice
	if !v.playing {
		return
	}
	v.pos += copy(out.PCM, v.now.pcm[v.pos:])
	c.lastSound = c.at + leg.FrameTime
	v.echoes = c.lastSound + echoReach
	if v.pos == len(v.now.pcm) {
		c.finishLine()
	}
}

// stopTalking cuts off the line being spoken, if any.
func (c *Caller) stopTalking() {
	if c.voice.playing {
		c.finishLine()
	}
}

// finishLine records what was said, from the first to the last audible sample sent.
func (c *Caller) finishLine() {
	v := &c.voice
	v.playing = false
	if v.manner != call.MannerBackchannel {
		c.agent.residualEnd = c.at + leg.FrameTime + residue
	}
	if c.leaving {
		c.leaveAt = c.at + leg.FrameTime + tail
	}
	if v.pos <= v.now.first {
		return
	}
	said := call.Event{
		At: v.from + v.samples(v.now.first), End: v.from + v.samples(min(v.now.last, v.pos)),
		Kind: call.KindSaid, Text: v.text, Manner: v.manner,
	}
	if v.pos < v.now.last {
		said.Data = map[string]any{"complete": false}
	}
	c.note(said)
}

// samples returns the duration of n samples.
func (v *voice) samples(n int) time.Duration {
	return time.Duration(n) * time.Second / time.Duration(v.rate)
}

// press starts pressing telephone keys in this frame.
func (c *Caller) press(keys string) {
	c.takeTurn()
	c.digits = keys
	c.pressing = c.at + time.Duration(len(keys))*keyTime
	c.lastSound = c.pressing
	c.leaveAt = c.pressing + tail // should the caller hang up
	c.agent.residualEnd = c.pressing + residue
	c.note(call.Event{At: c.at, End: c.pressing, Kind: call.KindDigitSent, Data: map[string]any{"digits": keys}})
}
