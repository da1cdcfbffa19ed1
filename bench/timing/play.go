package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/line/sip"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// job is one call to make.
type job struct {
	id   string
	cond condition
	plan plan
	seed uint64
}

// played is a call that was made.
type played struct {
	job
	line     string
	timeline []call.Event
	caller   *practice.Sent
	agent    *practice.Planted
	heard    call.Heard
	metrics  []call.Metric
}

// clock returns when frames are sent; nil means media time.
type clock func() time.Duration

// stage is one call in progress: both parties and the tape.
type stage struct {
	job     job
	caller  *caller.Caller
	witness *practice.Witness
	agent   *practice.Planted
	far     leg.Party // the agent at the end of its line
	tape    *leg.Tape
}

// spoilPurpose is the purpose of the random numbers for noise and losses.
const spoilPurpose = 0x686973

// newStage creates the parties of a call.
func (b *bench) newStage(ctx context.Context, j job, c clock) (*stage, error) {
	m := &mouth{stock: b.stock, call: j.id, lines: j.plan.lines}
	lines, err := caller.Prepare(ctx, m, b.cache, j.plan.item)
	if err != nil {
		return nil, err
	}
	party, err := caller.New(caller.Options{Item: j.plan.item, Seed: j.seed, Lines: lines, Mouth: m})
	if err != nil {
		return nil, err
	}
	rng := newRand(j.seed, spoilPurpose)
	agent := practice.NewPlanted(practice.PlantedOptions{
		Greeting: j.plan.greeting, GreetAfter: j.plan.greet, Turns: j.plan.turns,
		Noise: j.cond.hiss(b.stock, rng), Lose: j.cond.loser(rng), Clock: c,
	})
	return &stage{
		job: j, caller: party, witness: practice.NewWitness(party, c), agent: agent, far: j.cond.echoed(agent, rng), tape: leg.NewTape(5 * time.Minute),
	}, nil
}

func (s *stage) dial() leg.Dial {
	return leg.Dial{CallID: s.job.id, AttemptID: s.job.id, To: "+15550123", MaxDuration: 4 * time.Minute}
}

// finish transcribes and measures the recording, as a review does.
func (s *stage) finish(line string, a call.Attempt) (*played, error) {
	defer s.caller.Close()
	if a.AnsweredAt.IsZero() {
		return nil, fmt.Errorf("the call %s was not answered: %s", s.job.id, a.EndReason.Code)
	}
	p := &played{job: s.job, line: line, timeline: s.caller.Timeline(), caller: s.witness.Sent(), agent: s.agent}
	own := audio.Clip{PCM: s.tape.Channel(leg.CallerChannel), Rate: s.tape.Rate()}
	far := audio.Clip{PCM: s.tape.Channel(leg.AgentChannel), Rate: s.tape.Rate()}
	p.heard = timing.Hear(p.timeline, own, far)
	p.metrics = timing.Measure(timing.Input{Heard: p.heard, Stats: a.Stats, HasStats: line != lineLoop, Agent: far})
	return p, nil
}

// The lines.
const (
	lineLoop = "loop"
	lineSIP  = "sip"
	lineRoom = "room"
)

// onLoop makes a call in memory and virtual time.
func (b *bench) onLoop(ctx context.Context, j job) (*played, error) {
	s, err := b.newStage(ctx, j, nil)
	if err != nil {
		return nil, err
	}
	l := loop.New(loop.Options{Answerer: func(context.Context, leg.Incoming) leg.Answer {
		return leg.Answer{Party: &coded{Party: s.far, aLaw: j.cond.aLaw}}
	}})
	return s.finish(lineLoop, l.Place(ctx, s.dial(), s.witness, s.tape))
}

// coded is a Party whose voice passes through G.711, as on a telephone line.
type coded struct {
	leg.Party
	aLaw bool
	code [telephone / 50]byte
}

// Step implements leg.Party.
func (c *coded) Step(in, out *leg.Frame) {
	c.Party.Step(in, out)
	code := c.code[:len(out.PCM)]
	if c.aLaw {
		audio.EncodeALaw(code, out.PCM)
		audio.DecodeALaw(out.PCM, code)
		return
	}
	audio.EncodeMuLaw(code, out.PCM)
	audio.DecodeMuLaw(out.PCM, code)
}

// phone is a line over SIP and RTP on loopback with the planted agents at its far end.
type phone struct {
	line   *sip.Line
	server *sip.Server
	mu     sync.Mutex
	agents map[string]leg.Party
}

// The trunks of a phone, by codec.
const (
	trunkPCMU = "pcmu"
	trunkPCMA = "pcma"
)

func openPhone(now func() time.Time) (*phone, error) {
	p := &phone{agents: map[string]leg.Party{}}
	var err error
	if p.server, err = sip.Listen(sip.ServerOptions{Answerer: p.answer, Now: now}); err != nil {
		return nil, err
	}
	host := p.server.Addr().String()
	p.line, err = sip.New(sip.Options{Now: now, Trunks: []sip.Trunk{
		{Name: trunkPCMU, Host: host, Transport: sip.UDP, Codecs: []g711.Codec{g711.PCMU()}},
		{Name: trunkPCMA, Host: host, Transport: sip.UDP, Codecs: []g711.Codec{g711.PCMA()}},
	}})
	return p, err
}

func (p *phone) answer(_ context.Context, in leg.Incoming) leg.Answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	agent, ok := p.agents[in.CallID]
	if !ok {
		return leg.Answer{Refuse: leg.RefuseUnknown}
	}
	return leg.Answer{Party: agent}
}

func (p *phone) close() {
	p.line.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = p.server.Close(ctx) // the process ends soon after
}

// onSIP makes a call over the phone.
func (b *bench) onSIP(ctx context.Context, p *phone, s *stage) call.Attempt {
	p.mu.Lock()
	p.agents[s.job.id] = s.far
	p.mu.Unlock()
	d := s.dial()
	if d.Trunk = trunkPCMU; s.job.cond.aLaw {
		d.Trunk = trunkPCMA
	}
	return p.line.Place(ctx, d, s.witness, s.tape)
}
