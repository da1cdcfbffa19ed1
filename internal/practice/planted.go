package practice

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// PlantedTurn is what a Planted does with one turn of the caller's. All sound
// is clean, at the rate of the line, and begins and ends with an audible sample.
type PlantedTurn struct {
	// Lasts is how long the caller's turn is from its first audible sample to its
	// last: the agent is told it, since nobody can otherwise begin before an end.
	Lasts time.Duration
	// Over, unless empty, is spoken into the turn, OverAfter after its first
	// audible sample.
	Over      []int16
	OverAfter time.Duration
	// Reply, unless empty, begins Delay after the turn's last audible sample;
	// negative before it. An agent that talks on through the turn and far beyond
	// its end says nothing else.
	Reply []int16
	Delay time.Duration
	// YieldAfter is how long the reply goes on when the caller begins to speak
	// into it; 0 is to its end.
	YieldAfter time.Duration
}

// PlantedOptions build a Planted.
type PlantedOptions struct {
	// Greeting is spoken GreetAfter the answer of the call.
	Greeting   []int16
	GreetAfter time.Duration
	// Turns say what is done with each turn of the caller's, in order; further ones get no answer.
	Turns []PlantedTurn
	// Noise, unless nil, fills a frame with the noise that is added to everything
	// sent, after the truth has been written down.
	Noise func(pcm []int16)
	// Lose, unless nil, says whether the next frame is lost on its way.
	Lose func() bool
	// Clock, unless nil, is asked when a frame leaves; otherwise that is its media time.
	Clock func() time.Duration
}

// Utterance is something a Planted has said: samples [From, To) of what it sent.
type Utterance struct {
	From, To int
	// Turn is the caller's turn that it belongs to, −1 for the greeting; Over
	// says that it is no answer but was spoken into the turn.
	Turn int
	Over bool
	// Cut says that it was broken off, because the caller began its turn CutBy.
	Cut   bool
	CutBy int
}

// Planted is an agent whose behaviour is planted: it answers after given
// delays, talks over the caller, stays silent and yields as it is told, and
// writes down what it really sent and when. Measurements are compared with
// that. It implements leg.Party and hears a clean line.
type Planted struct {
	opts PlantedOptions
	rate int
	sent Sent
	hiss []int16

	pos    int // the first sample of the present frame
	turn   int // of the caller's, those that have begun
	turnTo int // where the present turn is over, with a margin
	says   []speech
}

// speech is something that is being said or will be.
type speech struct {
	Utterance
	pcm   []int16
	yield time.Duration
}

const (
	// turnMargin is the silence after a turn of the caller's within which a sound still belongs to it.
	turnMargin = 200 * time.Millisecond
	// betweenLines is the least silence between two utterances of the agent's.
	betweenLines = 700 * time.Millisecond
	// answersFrom is how much talk after the end of the turn in which it was
	// interrupted is an agent's answer.
	answersFrom = 1700 * time.Millisecond
	// yieldFade is how a broken-off line ends.
	yieldFade = 10 * time.Millisecond
)

// NewPlanted makes an agent for one call.
func NewPlanted(o PlantedOptions) *Planted { return &Planted{opts: o} }

// Sent is what the agent has sent, without the noise. Ask for it when the call is over.
func (p *Planted) Sent() *Sent { return &p.sent }

// Utterances are what the agent has said, in order. Ask for them when the call is over.
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

// talksOn reports whether the agent, which has not yielded, goes on for so
// long after the end of the turn that this is what it has to say to it.
func (p *Planted) talksOn(end int) bool {
	for _, s := range p.says {
		if s.From < end && s.To > end+p.samples(answersFrom) {
			return true
		}
	}
	return false
}

// callerBegins takes the next turn of the caller's, whose first audible sample
// has just been heard, and decides about everything that it brings about.
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

// yield breaks off what is being said, as far as it is meant to yield.
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

// faded is the sound with its end faded out; the original is not touched.
func faded(pcm []int16, fade int) []int16 {
	out := append([]int16(nil), pcm...)
	fade = min(fade, len(out))
	for i := range fade {
		at := len(out) - fade + i
		out[at] = int16(int(out[at]) * (fade - i) / (fade + 1))
	}
	return out
}

// say has something said from sample position at on, or as soon as the agent is
// free to say it.
func (p *Planted) say(s speech, at int) {
	at = max(at, p.pos)
	for _, other := range p.says {
		at = max(at, other.To+p.samples(betweenLines))
	}
	s.From, s.To = at, at+len(s.pcm)
	p.says = append(p.says, s)
}

// into lays the part of the speech that falls into the frame at position pos.
func (s *speech) into(frame []int16, pos int) {
	from, to := max(s.From, pos), min(s.To, pos+len(frame))
	if from < to {
		copy(frame[from-pos:to-pos], s.pcm[from-s.From:to-s.From])
	}
}

func (p *Planted) samples(d time.Duration) int {
	return int(d * time.Duration(p.rate) / time.Second)
}
