package caller

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

const (
	// pause is the longest silence within one stretch of talk.
	pause = 300 * time.Millisecond
	// residue is how long an agent that was already talking when the caller began a line may go
	// on after that line without its talk counting as an answer.
	residue = 1500 * time.Millisecond
	// bridged is the number of consecutive missing frames during which the previous state is
	// assumed to last.
	bridged = 3
	// ringsOut is how long ringing after the answer is no silence.
	ringsOut = time.Minute
	// echoReach is how long after a word of the caller's its echo may come back.
	echoReach = 800 * time.Millisecond
	// outstanding is what share of its usual energy a frame of the agent's has to have to be told from an echo: every word
	// has a vowel of that. An echo 15 dB fainter than the agent hears it has none.
	outstanding = 0.6
	// echoFrames is in how many frames something faint has to have been heard while the caller spoke for its line to send
	// back what it says. An agent that is softer than it was says nothing just then.
	echoFrames = 10
	// usualFrames is over how many frames of the agent's speech its usual energy is taken: a second.
	usualFrames = 50
	// offLag is the delay with which live voice activity detection reports the end of speech:
	// it needs two silent frames.
	offLag = leg.FrameTime
)

// agent tracks the far end's speech: when the agent spoke, and whether it is the caller's turn.
type agent struct {
	activity *activity.Detector
	patience time.Duration
	missing  int

	speaking bool
	// known is true once the agent has spoken at all, open during a stretch of talk. talk is the start
	// of the current or last stretch, short pauses included; ended is when the agent was last heard.
	known, open bool
	// answered is true if the agent has spoken since the caller last did.
	answered bool
	// residual is true if the agent was already talking when the caller began its line. Until
	// residualEnd, what it says does not count as an answer.
	residual    bool
	talk, ended time.Duration
	residualEnd time.Duration
	// usual is the mean energy of a frame of the agent's speech, 0 before it has spoken.
	usual float32
	// echoed counts the frames in which something faint was heard while the caller spoke; a new line halves it.
	echoed int
	// rings is true if the line has rung since the agent last spoke, and rang is when it began to.
	rings bool
	rang  time.Duration
}

func (a *agent) begin(rate int) { a.activity = activity.New(rate) }

// hear processes a frame and reports whether the agent speaks in it. A few missing frames leave
// the state unchanged; more count as silence.
func (a *agent) hear(in *leg.Frame) bool {
	if !in.Missing {
		a.missing = 0
	} else if a.missing++; a.missing <= bridged {
		a.activity.Miss()
		return a.speaking
	}
	return a.activity.Step(in.PCM)
}

// talking reports whether the agent is in the middle of a stretch of talk, short pauses included.
func (a *agent) talking(at time.Duration) bool {
	return a.speaking || a.open && at-a.ended < pause
}

// turnOver reports whether the agent has spoken since the caller last did and has then been
// silent for the caller's patience.
func (a *agent) turnOver(at time.Duration) bool {
	return a.answered && !a.speaking && at-a.ended >= a.patience
}

// spokenTo records that the caller starts speaking or pressing keys at at, so that what the
// agent has said so far does not count as an answer.
func (a *agent) spokenTo(at time.Duration) {
	a.answered = false
	a.residual = a.talking(at)
}

// listen processes an incoming frame: it tracks the agent's speech and collects words.
func (c *Caller) listen(in *leg.Frame) {
	a := &c.agent
	if c.hears.ears != nil {
		c.hears.ears.Hear(in.PCM)
	}
	speaking := a.hear(in)
	if speaking && !a.speaking && c.mayBeEcho(in) {
		speaking = false
	}
	if speaking && !a.open {
		c.agentStarts()
	}
	if !speaking && a.speaking {
		a.ended = max(a.talk, c.at-offLag)
	}
	a.speaking = speaking
	if a.activity.Tone() {
		c.lineRings()
	}
	if speaking {
		c.learnVoice(in)
		c.agentSpeaks()
	} else if a.open && c.at-a.ended >= pause {
		c.agentEnds()
	}
	c.followWords()
}

// mayBeEcho reports whether what the agent seems to begin to say may be what the caller has just said, coming back: an echo is fainter
// than the agent, none comes later than echoReach, and while the caller speaks it has been there before.
func (c *Caller) mayBeEcho(in *leg.Frame) bool {
	a := &c.agent
	if c.at >= c.voice.echoes || in.Missing || float32(audio.Energy(in.PCM)) >= outstanding*a.usual {
		return false
	}
	if c.voice.busy() {
		a.echoed++
		return true
	}
	return a.echoed >= echoFrames
}

// learnVoice follows how loud the agent usually is, while nothing can come back of the caller.
func (c *Caller) learnVoice(in *leg.Frame) {
	if in.Missing || c.at < c.voice.echoes {
		return
	}
	usual, now := &c.agent.usual, float32(audio.Energy(in.PCM))
	if *usual == 0 {
		*usual = now
	}
	*usual += (now - *usual) / usualFrames
}

func (c *Caller) agentStarts() {
	a := &c.agent
	a.known, a.open, a.talk = true, true, c.at
	a.residual = false
	var data map[string]any
	if c.voice.busy() {
		data = map[string]any{"over_caller": true}
	}
	c.now(call.KindAgentStarted, data)
}

// lineRings is called for every frame with a call progress tone. While it rings, nobody asks whether anybody is there.
func (c *Caller) lineRings() {
	a := &c.agent
	if !a.rings {
		a.rings, a.rang = true, c.at
	}
	if c.at-a.rang < ringsOut {
		c.lastSound = c.at + leg.FrameTime
	}
}

// agentEnds closes a stretch of talk. It is called once the agent has been silent for pause.
func (c *Caller) agentEnds() {
	c.agent.open, c.agent.residual = false, false
	c.note(call.Event{At: c.agent.ended, Kind: call.KindAgentEnded})
}

// agentSpeaks is called for every frame in which the agent speaks.
func (c *Caller) agentSpeaks() {
	a := &c.agent
	c.hears.asked = false
	c.agent.rings = false
	c.lastSound = c.at + leg.FrameTime
	if c.voice.counts() || a.residual && c.at < a.residualEnd {
		return
	}
	a.answered, a.residual, c.prompted = true, false, false
}
