package practice

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Timing of the desk's turns.
const (
	// endSilence is the silence that ends the caller's turn.
	endSilence = 420 * time.Millisecond
	// impatientSilence is the same with the fault impatient.
	impatientSilence = 260 * time.Millisecond
	// thinking is the minimum time from the end of the turn to the reply; recognition and
	// synthesis take less.
	thinking = 120 * time.Millisecond
	// bargeIn is how much speech of the caller makes the desk stop; an "mm-hm" is shorter.
	bargeIn = 600 * time.Millisecond
	// runGap is the silence after which speech no longer belongs to the same interruption.
	runGap = 200 * time.Millisecond
	// backchannelStop replaces bargeIn with the fault stop_for_backchannel.
	backchannelStop = 60 * time.Millisecond
	// leastTurn is how much speech makes a turn; less is a cough.
	leastTurn = 80 * time.Millisecond
	// greetAfter is the silence before the greeting.
	greetAfter = 400 * time.Millisecond
	// stillThere is the silence after which the desk asks whether the caller is there, asks
	// again, and hangs up.
	stillThere = 9 * time.Second
	// lastWord is the silence between the farewell and the hang-up.
	lastWord = 400 * time.Millisecond
	// talkOverAfter is when, within a turn of the caller, the fault talk_over begins.
	talkOverAfter = 600 * time.Millisecond
)

// Party is the desk's side of one call. It implements leg.Party and leg.Awaiter.
type Party struct {
	desk     *Desk
	ears     leg.Ears // nil without recognition
	dialogue *dialogue
	rate     int
	chance   *rand.Rand
	noise    *audio.Noise
	activity *activity.Detector
	log      record

	words   leg.Mailbox[leg.Words]
	clips   leg.Mailbox[spokenLine]
	rubbish leg.Mailbox[leg.Words] // words nobody waits for
	hissing []int16
	toDo    plan

	ctx    context.Context
	cancel context.CancelFunc

	now      time.Duration
	caller   callerSide
	voice    voiceSide
	turns    int // of the desk
	asked    int // how often it asked whether the caller is still there
	silenced bool
	fixed    int // turns of the conversation without recognition
	hungUp   bool
}

// callerSide is what the desk knows about the caller's speech.
type callerSide struct {
	speaking bool
	began    time.Duration // of the current turn
	last     time.Duration // when speech was last going on
	speech   time.Duration // in the turn so far
	run      time.Duration // of speech while the desk speaks, small gaps included
	open     bool          // a turn is under way
	over     bool          // the fault talk_over has occurred in this turn
}

// voiceSide is the desk's own speech.
type voiceSide struct {
	pcm    []int16
	at     int
	ended  time.Duration // of the last speech
	cut    int           // samples after which talk_over stops
	stopAt time.Duration // when the fault slow_to_yield finally yields
}

func (v *voiceSide) speaking() bool { return v.at < len(v.pcm) }

// plan is the pending reply.
type plan struct {
	reply   reply
	waiting bool
	then    action
}

// action is what follows a reply.
type action int

const (
	thenListen action = iota
	thenHangUp
)

// spokenLine is a line ready to be sent.
type spokenLine struct {
	pcm []int16
	err error
}

// NewParty returns the desk's side of one call without Answer, for lines in memory and for
// tests. The caller of NewParty must call Close.
func (d *Desk) NewParty(ctx context.Context, in leg.Incoming, seed uint64) (*Party, error) {
	p := &Party{desk: d, chance: rand.New(rand.NewPCG(seed, 0x7261636b))}
	if d.opts.NewEars != nil {
		ears, err := d.opts.NewEars(ctx, Grammar())
		if err != nil {
			return nil, err
		}
		p.ears = ears
	}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	if d.opts.Faults.Noise != nil {
		p.noise = audio.NewNoise(seed)
	}
	p.log.incoming = in
	return p, nil
}

// Begin implements leg.Party.
func (p *Party) Begin(rate int) {
	p.rate = rate
	p.activity = activity.New(rate)
	now := p.desk.opts.Now()
	p.log.started = now
	p.dialogue = newDialogue(p.desk.opts.Faults, now)
	p.hissing = make([]int16, leg.Samples(rate))
	greeting, f := sayGreeting, p.desk.opts.Faults
	if f.NoGreeting {
		greeting = sayYes
	}
	p.speak(reply{text: greeting}, greetAfter+f.GreetLate)
}

// Step implements leg.Party.
func (p *Party) Step(in, out *leg.Frame) {
	p.now = in.At
	if p.hungUp {
		return
	}
	p.listen(in)
	if in.Early {
		return // the far end would not hear it
	}
	p.keys(in.Digits)
	p.takeWords()
	p.takeLine()
	p.talk(out)
	p.patience()
	p.spoil(out)
}

// End implements leg.Party.
func (p *Party) End(at time.Duration, hungUpByFar bool) {
	p.log.end(at, hungUpByFar && !p.hungUp)
	p.cancel()
}

// Await implements leg.Awaiter.
func (p *Party) Await(ctx context.Context, at time.Duration) error {
	if err := p.words.Await(ctx, at); err != nil {
		return err
	}
	return p.clips.Await(ctx, at)
}

// Close releases the ears. It is called after End, or instead of it.
func (p *Party) Close() {
	p.cancel()
	if p.ears != nil {
		p.ears.Close()
	}
}

// Record returns the desk's record of the call. It is complete after End.
func (p *Party) Record() Record { return p.log.record() }

// listen tracks the caller's speech.
func (p *Party) listen(in *leg.Frame) {
	if p.ears != nil {
		p.ears.Hear(in.PCM)
	}
	c := &p.caller
	c.speaking = p.activity.Step(in.PCM)
	if c.speaking {
		p.callerSpeaks()
		return
	}
	if p.now-c.last >= runGap {
		c.run = 0
	} else if c.run > 0 {
		c.run += leg.FrameTime
	}
	patience := endSilence
	if p.desk.opts.Faults.Impatient {
		patience = impatientSilence
	}
	if c.open && p.now-c.last >= patience {
		p.callerStopped()
	}
}

func (p *Party) callerSpeaks() {
	c := &p.caller
	c.last = p.now
	p.asked = 0
	if !c.open {
		*c = callerSide{speaking: true, open: true, began: p.now, last: p.now, run: c.run}
	}
	c.speech += leg.FrameTime
	if p.voice.speaking() {
		c.run += leg.FrameTime
		p.maybeYield()
		return
	}
	c.run = 0
	if f := p.desk.opts.Faults; f.TalkOver > 0 && !c.over && p.now-c.began >= talkOverAfter && !p.toDo.waiting {
		p.talkOver(f.TalkOver)
	}
}

// maybeYield stops the desk's speech if the caller interrupts it.
func (p *Party) maybeYield() {
	f := p.desk.opts.Faults
	limit := bargeIn
	if f.StopForBackchannel {
		limit = backchannelStop
	}
	if f.IgnoreInterruption || p.voice.cut > 0 || p.toDo.then == thenHangUp || p.caller.run < limit {
		return
	}
	if f.SlowToYield > 0 {
		if p.voice.stopAt == 0 {
			p.voice.stopAt = p.now + f.SlowToYield
		}
		return
	}
	p.stopTalking()
}

// stopTalking cuts off the line with a short fade.
func (p *Party) stopTalking() {
	fade := min(len(p.voice.pcm)-p.voice.at, p.rate/50)
	rest := make([]int16, fade)
	for i := range rest {
		rest[i] = int16(int(p.voice.pcm[p.voice.at+i]) * (fade - i) / fade)
	}
	p.voice.pcm, p.voice.at, p.voice.stopAt = rest, 0, 0
	p.log.cut()
}

// callerStopped handles the end of a turn of the caller.
func (p *Party) callerStopped() {
	c := p.caller
	during := p.voice.speaking() && p.voice.cut == 0
	p.caller = callerSide{last: c.last}
	switch {
	case c.speech < leastTurn, during, p.toDo.then == thenHangUp:
		// A cough, an "mm-hm" or a word during our own speech needs no answer.
		p.forget()
		return
	}
	p.log.callerSpoke(c.began)
	if p.ears == nil {
		p.answer(p.nextFixed())
		return
	}
	p.ears.Words(p.words.Expect(p.now + thinking/2))
}

// forget makes the ears discard what they have heard.
func (p *Party) forget() {
	if p.ears != nil {
		p.ears.Words(p.rubbish.Expect(0))
		p.rubbish.Forget()
	}
}

// keys handles telephone keys. Three in a row are a reference number.
func (p *Party) keys(digits string) {
	for i := range len(digits) {
		if p.toDo.then == thenHangUp || p.desk.opts.Faults.IgnoreKeys {
			return
		}
		p.asked = 0
		p.log.pressed(p.now, digits[i:i+1])
		if p.voice.speaking() {
			p.stopTalking()
		}
		if r, ok := p.dialogue.key(digits[i]); ok {
			p.answer(r)
		}
	}
}

func (p *Party) takeWords() {
	w, late, ok := p.words.Take(p.now)
	if !ok {
		return
	}
	p.log.late = max(p.log.late, late)
	if w.Err != nil {
		p.desk.opts.Log.Error("the practice agent's ears failed", "error", w.Err)
	}
	text := w.Text
	if f := p.desk.opts.Faults; f.Mishear > 0 && p.chance.Float64() < f.Mishear {
		text = ""
	}
	p.log.understood(text)
	p.answer(p.dialogue.hear(text))
}

// answer schedules a reply.
func (p *Party) answer(r reply) {
	if n := p.desk.opts.Faults.TransferEarly; n > 0 && p.turns >= n {
		r = p.dialogue.passOn()
	}
	p.log.called(p.now, r.tools)
	p.speak(r, p.now+thinking/2)
}
