package practice

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// PlantedTurn is what a Planted does about one turn of the caller. All audio is clean, at the
// rate of the line, and begins and ends with an audible sample.
type PlantedTurn struct {
	// Lasts is the length of the caller's turn from its first to its last audible sample. It
	// has to be given, since an agent could not otherwise begin before the end.
	Lasts time.Duration
	// Over, unless empty, is spoken into the turn, OverAfter after its first audible sample.
	Over      []int16
	OverAfter time.Duration
	// Reply, unless empty, begins Delay after the turn's last audible sample, or before it if Delay is
	// negative. An agent that talks on through the turn and far beyond its end says nothing else.
	Reply []int16
	Delay time.Duration
	// YieldAfter is how long the reply goes on when the caller begins to speak into it; 0 means to its end.
	YieldAfter time.Duration
}

// PlantedOptions configure a Planted.
type PlantedOptions struct {
	// Greeting is spoken GreetAfter after the answer of the call.
	Greeting   []int16
	GreetAfter time.Duration
	// Turns are the reactions to the turns of the caller, in order; further turns get none.
	Turns []PlantedTurn
	// Noise, if not nil, fills a frame with noise that is added to everything sent, after the
	// clean audio was recorded in Sent.
	Noise func(pcm []int16)
	// Lose, if not nil, reports whether the next frame is lost.
	Lose func() bool
	// Clock, if not nil, returns the time at which a frame is sent; otherwise that is its media time.
	Clock func() time.Duration
}

// Utterance is something that a Planted has said: samples [From, To) of what it sent.
type Utterance struct {
	From, To int
	// Turn is the index of the caller's turn that it belongs to, −1 for the greeting. Over
	// means that it is not a reply but was spoken into the turn.
	Turn int
	Over bool
	// Cut means that it was cut off because the caller began its turn CutBy.
	Cut   bool
	CutBy int
}

// Planted is an agent with planted behaviour: it replies after given delays, talks over the
// caller, stays silent and yields as configured, and records what it really sent and when, for
// comparison with measurements. It implements leg.Party and needs a clean line.
type Planted struct {
	opts PlantedOptions
	rate int
	sent Sent
	hiss []int16

	pos    int // the first sample of the current frame
	turn   int // number of the caller's turns that have begun
	turnTo int // where the current turn is over, with a margin
	says   []speech
}

// speech is audio that is being sent or will be.
type speech struct {
	Utterance
	pcm   []int16
	yield time.Duration
}

const (
	// turnMargin is the silence after a turn of the caller during which sound still belongs to that turn.
	turnMargin = 200 * time.Millisecond
	// betweenLines is the minimum silence between two utterances of the agent.
	betweenLines = 700 * time.Millisecond
	// answersFrom is how much speech after the end of the turn that interrupted it makes an
	// agent's line its answer.
	answersFrom = 1700 * time.Millisecond
	// yieldFade is the length of the fade at the end of a line that is cut off.
	yieldFade = 10 * time.Millisecond
)

// NewPlanted returns an agent for one call.
func NewPlanted(o PlantedOptions) *Planted { return &Planted{opts: o} }

// Sent returns what the agent has sent, without the noise. It must be called after the call.
func (p *Planted) Sent() *Sent { return &p.sent }

// Utterances returns what the agent has said, in order. It must be called after the call.
func (p *Planted) Utterances() []Utterance {
	var out []Utterance
	for _, s := range p.says {
		if s.To = min(s.To, p.pos+leg.Samples(p.rate)); s.From < s.To {
			out = append(out, s.Utterance)
		}
	}
	return out
}

// Begin implements leg.Party.
func (p *Planted) Begin(rate int) {
	p.rate = rate
	p.sent.begin(rate)
	p.hiss = make([]int16, leg.Samples(rate))
	if len(p.opts.Greeting) > 0 {
		p.say(speech{pcm: p.opts.Greeting, Utterance: Utterance{Turn: -1}}, p.samples(p.opts.GreetAfter))
	}
}

// Step implements leg.Party.
func (p *Planted) Step(in, out *leg.Frame) {
	p.pos = int(in.At/leg.FrameTime) * len(in.PCM)
	if first, _, ok := (audio.Clip{PCM: in.PCM, Rate: p.rate}).Audible(); ok && p.pos+first >= p.turnTo {
		p.callerBegins(p.pos + first)
	}
	for i := range p.says {
		p.says[i].into(out.PCM, p.pos)
	}
	p.sent.note(leftAt(p.opts.Clock, out.At), out.PCM)
	if p.opts.Noise != nil {
		p.opts.Noise(p.hiss)
		audio.Mix(out.PCM, p.hiss)
	}
	if p.opts.Lose != nil && p.opts.Lose() {
		clear(out.PCM)
		out.Missing = true
	}
}

// End implements leg.Party.
func (p *Planted) End(time.Duration, bool) {}

// talksOn reports whether the agent, which has not yielded, goes on for so long after the end
// of the turn that its speech counts as the answer.
func (p *Planted) talksOn(end int) bool {
	for _, s := range p.says {
		if s.From < end && s.To > end+p.samples(answersFrom) {
			return true
		}
	}
	return false
}

// callerBegins handles the next turn of the caller, whose first audible sample has just been
// heard, and schedules everything that it causes.
func (p *Planted) callerBegins(onset int) {
	p.yield(onset)
	index := p.turn
	p.turn++
	p.turnTo = onset + p.samples(turnMargin)
	if index >= len(p.opts.Turns) {
		return
	}
	t := p.opts.Turns[index]
	end := onset + p.samples(t.Lasts)
	p.turnTo = end + p.samples(turnMargin)
	if len(t.Over) > 0 {
		p.say(speech{pcm: t.Over, Utterance: Utterance{Turn: index, Over: true}}, onset+p.samples(t.OverAfter))
	}
	if len(t.Reply) > 0 && !p.talksOn(end) {
		p.say(speech{pcm: t.Reply, yield: t.YieldAfter, Utterance: Utterance{Turn: index}}, end+p.samples(t.Delay))
	}
}

// yield cuts off what is being said, if it is meant to yield.
func (p *Planted) yield(onset int) {
	for i := range p.says {
		s := &p.says[i]
		to := onset + p.samples(s.yield)
		if s.yield <= 0 || s.Cut || s.From >= onset || s.To <= to {
			continue
		}
		s.Cut, s.CutBy = true, p.turn
		n := max(to, p.pos) - s.From
		s.pcm, s.To = faded(s.pcm[:n], p.samples(yieldFade)), s.From+n
	}
}

// faded returns a copy of the audio with its end faded out.
func faded(pcm []int16, fade int) []int16 {
	out := append([]int16(nil), pcm...)
	fade = min(fade, len(out))
	for i := range fade {
		at := len(out) - fade + i
		out[at] = int16(int(out[at]) * (fade - i) / (fade + 1))
	}
	return out
}

// say schedules speech at a sample position, or as soon as the agent is free.
func (p *Planted) say(s speech, at int) {
	at = max(at, p.pos)
	for _, other := range p.says {
		at = max(at, other.To+p.samples(betweenLines))
	}
	s.From, s.To = at, at+len(s.pcm)
	p.says = append(p.says, s)
}

// into copies the part of the speech that falls into the frame at position pos.
func (s *speech) into(frame []int16, pos int) {
	from, to := max(s.From, pos), min(s.To, pos+len(frame))
	if from < to {
		copy(frame[from-pos:to-pos], s.pcm[from-s.From:to-s.From])
	}
}

func (p *Planted) samples(d time.Duration) int {
	return int(d * time.Duration(p.rate) / time.Second)
}
