package caller

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

const (
	// pause is the longest silence inside one stretch of talk.
	pause = 300 * time.Millisecond
	// residue is how long an agent that was talking before the caller's line may go on after that
	// line without this counting as its answer.
	residue = 1500 * time.Millisecond
	// bridged is how many missing frames in a row count as more of the same.
	bridged = 3
	// offLag is how long after the end of speech live activity reports it: it waits for two silent
	// frames.
	offLag = leg.FrameTime
)

// agent is what the caller perceives of the far end: who spoke when, and whether it is the caller's
// turn.
type agent struct {
	activity *activity.Detector
	patience time.Duration
	missing  int

	speaking bool
	// known says that the agent has ever spoken, open that a stretch of talk is
	// going on; talk is when the present (or last) one began, short pauses
	// included; ended when the agent was last heard.
	known, open bool
	// answered says that the agent has spoken since the caller last did.
	answered bool
	// residual says that the agent was already talking when the caller began its
	// line; until residualEnd what it says is not taken for an answer.
	residual    bool
	talk, ended time.Duration
	residualEnd time.Duration
}

func (a *agent) begin(rate int) { a.activity = activity.New(rate) }

// hear takes a frame and reports whether the agent speaks in it. A few missing
// frames prove nothing; many are silence.
func (a *agent) hear(in *leg.Frame) bool {
	if !in.Missing {
		a.missing = 0
	} else if a.missing++; a.missing <= bridged {
		return a.speaking
	}
	return a.activity.Step(in.PCM)
}

// talking reports whether the agent is in the middle of a stretch of talk; it may be drawing
// breath.
func (a *agent) talking(at time.Duration) bool {
	return a.speaking || a.open && at-a.ended < pause
}

// turnOver reports whether the agent has spoken since the caller last did and
// has then been silent for the caller's patience.
func (a *agent) turnOver(at time.Duration) bool {
	return a.answered && !a.speaking && at-a.ended >= a.patience
}

// spokenTo notes that the caller begins to speak or to press keys, so that what the agent has said
// before is no answer to it.
func (a *agent) spokenTo(at time.Duration) {
	a.answered = false
	a.residual = a.talking(at)
}

// listen takes in a frame: it follows the agent's speech and collects its words.
func (c *Caller) listen(in *leg.Frame) {
	a := &c.agent
	if c.hears.ears != nil {
		c.hears.ears.Hear(in.PCM)
	}
	speaking := a.hear(in)
	if speaking && !a.open {
		c.agentStarts()
	}
	if !speaking && a.speaking {
		a.ended = max(a.talk, c.at-offLag)
	}
	a.speaking = speaking
	if speaking {
		c.agentSpeaks()
	} else if a.open && c.at-a.ended >= pause {
		c.agentEnds()
	}
	c.followWords()
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

// agentEnds closes a stretch of talk, a pause after its end.
func (c *Caller) agentEnds() {
	c.agent.open, c.agent.residual = false, false
	c.note(call.Event{At: c.agent.ended, Kind: call.KindAgentEnded})
}

// agentSpeaks is called in every frame in which the agent speaks.
func (c *Caller) agentSpeaks() {
	a := &c.agent
	c.hears.asked = false
	c.lastSound = c.at + leg.FrameTime
	if c.voice.counts() || a.residual && c.at < a.residualEnd {
		return
	}
	a.answered, a.residual, c.prompted = true, false, false
}
