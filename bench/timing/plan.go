package main

import (
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// plan is one call: the caller's script and what the agent does.
type plan struct {
	voice    string // of the agent
	item     scenario.Item
	lines    [][]int16 // of the caller
	greeting []int16
	greet    time.Duration
	turns    []practice.PlantedTurn
	// afters say, for each line, how long after the beginning of the agent's reply it interrupts
	// it, 0 if it waits for its end.
	afters []time.Duration
}

// answerDelays returns the planted delays of answers.
func answerDelays() []time.Duration {
	return []time.Duration{150 * time.Millisecond, 300 * time.Millisecond, 800 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second}
}

// drawing is a call being drawn.
type drawing struct {
	rng           *rand.Rand
	agent, caller voice
	plan          plan
	// after, unless 0, means that the next line interrupts the agent after so many ms of its
	// speech.
	after int
}

// drawPlan draws a call in which the agent answers after each of the planted delays (two of them if
// short), is silent once, talks over the caller once, and is interrupted once.
func drawPlan(rng *rand.Rand, agent, caller voice, short bool) plan {
	d := &drawing{rng: rng, agent: agent, caller: caller}
	d.plan.voice = agent.name
	d.plan.greeting, d.plan.greet = agent.line(rng, 0), d.between(300, 1500)
	delays := answerDelays()
	rng.Shuffle(len(delays), func(i, k int) { delays[i], delays[k] = delays[k], delays[i] })
	if short {
		delays = delays[:2]
	}
	acts := []act{{do: d.silence, interrupted: true}, {do: d.talkOver}}
	for _, delay := range delays {
		acts = append(acts, act{do: func() { d.answer(delay) }, interrupted: true, interrupts: true})
	}
	interruption := d.order(acts)
	for i, a := range acts {
		if i == interruption {
			d.interruptible()
		}
		a.do()
	}
	d.plan.item.Input.Script = append(d.plan.item.Input.Script,
		scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}, scenario.Step{HangUp: true})
	d.plan.item.Input.Limits.MaxDurationMS = 150_000
	return d.plan
}

// act is a turn of the caller and what the agent does about it.
type act struct {
	do func()
	// interrupted means that its reply may be interrupted, interrupts that its line may do so.
	interrupted, interrupts bool
}

// order shuffles the acts and draws the one whose line interrupts the previous reply.
func (d *drawing) order(acts []act) int {
	for {
		d.rng.Shuffle(len(acts), func(i, k int) { acts[i], acts[k] = acts[k], acts[i] })
		at := 1 + d.rng.IntN(len(acts)-1)
		if acts[at-1].interrupted && acts[at].interrupts {
			return at
		}
	}
}

func (d *drawing) between(low, high int) time.Duration {
	return time.Duration(low+d.rng.IntN(high-low+1)) * time.Millisecond
}

// says adds a line to the caller's script and returns how long it will last on the line, from its
// first audible sample to its last.
func (d *drawing) says(least time.Duration) time.Duration {
	pcm := d.caller.line(d.rng, samplesOf(least))
	d.plan.afters = append(d.plan.afters, time.Duration(d.after)*time.Millisecond)
	text := linePrefix + strconv.Itoa(len(d.plan.lines))
	d.plan.lines = append(d.plan.lines, pcm)
	script := &d.plan.item.Input.Script
	if d.after > 0 {
		*script = append(*script, scenario.Step{Interrupt: &scenario.Interject{AfterMS: d.after, Say: text}})
		d.after = 0
		// Whether the agent stops before or after the caller's end must not depend on a few ms.
		if y := &d.plan.turns[len(d.plan.turns)-1].YieldAfter; *y > 0 && (*y-durationOf(len(pcm))).Abs() < 300*time.Millisecond {
			*y = max(*y-600*time.Millisecond, 200*time.Millisecond)
		}
	} else {
		*script = append(*script, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}, scenario.Step{Say: text})
	}
	return durationOf(len(pcm))
}

// answer is a plain answer after a delay.
func (d *drawing) answer(delay time.Duration) {
	lasts := d.says(0)
	d.plan.turns = append(d.plan.turns, practice.PlantedTurn{Lasts: lasts, Reply: d.agent.line(d.rng, 0), Delay: delay})
}

// silence is an agent that leaves the caller waiting.
func (d *drawing) silence() { d.answer(d.between(2300, 6000)) }

// talkOver makes the agent begin before the caller's end and continue, or speak into the turn and
// answer later, by 200 to 1500 ms.
func (d *drawing) talkOver() {
	over := d.between(200, 1500)
	lasts := d.says(over + 1200*time.Millisecond)
	if d.rng.IntN(2) == 0 {
		d.plan.turns = append(d.plan.turns, practice.PlantedTurn{
			Lasts: lasts, Delay: -over, Reply: d.agent.line(d.rng, samplesOf(over+800*time.Millisecond))})
		return
	}
	d.plan.turns = append(d.plan.turns, practice.PlantedTurn{
		Lasts: lasts, Over: d.agent.piece(d.rng, samplesOf(over)), OverAfter: d.between(400, int((lasts-over).Milliseconds())-600),
		Delay: 900 * time.Millisecond, Reply: d.agent.line(d.rng, 0)})
}

// interruptible makes the last reply a long one into which the caller speaks: it continues for 200
// to 2000 ms, or (in one of four) does not yield at all.
func (d *drawing) interruptible() {
	last := &d.plan.turns[len(d.plan.turns)-1]
	d.after = 1000 + d.rng.IntN(1500)
	last.Reply = d.agent.line(d.rng, samplesOf(time.Duration(d.after)*time.Millisecond+8*time.Second))
	if d.rng.IntN(4) > 0 {
		last.YieldAfter = d.between(200, 2000)
	}
}

// byTheClock replaces the script with one that speaks at given times, whatever is heard, because
// live voice activity detection takes babble for speech that never ends. It follows what the agent
// is going to do, see practice.Planted.
func (p *plan) byTheClock(rng *rand.Rand) {
	var script []scenario.Step
	var now, replies time.Duration // the end of the last line; the beginning of the agent's reply
	quiet := p.greet + durationOf(len(p.greeting))
	for i, t := range p.turns {
		start := quiet + time.Duration(700+rng.IntN(500))*time.Millisecond
		if p.afters[i] > 0 {
			start = max(replies+p.afters[i], now+400*time.Millisecond)
			if y := p.turns[i-1].YieldAfter; y > 0 {
				quiet = min(quiet, start+y)
			}
		}
		script = append(script, scenario.Step{StaySilentMS: int((start - now).Milliseconds())}, scenario.Step{Say: linePrefix + strconv.Itoa(i)})
		now = start + t.Lasts + lineMargin
		if quiet > now+2*time.Second {
			continue // it talks on, and that is the answer
		}
		replies = max(now+t.Delay, quiet+time.Second)
		if len(t.Over) > 0 || t.Delay < 0 {
			replies = now + t.Delay
		}
		quiet = replies + durationOf(len(t.Reply))
	}
	wait := int((max(quiet-now, 0) + time.Second).Milliseconds())
	p.item.Input.Script = append(script, scenario.Step{StaySilentMS: wait}, scenario.Step{HangUp: true})
}

// lineMargin is the silence before and after a line of the caller.
const lineMargin = 50 * time.Millisecond

func samplesOf(d time.Duration) int { return int(d * telephone / time.Second) }

func durationOf(samples int) time.Duration { return time.Duration(samples) * time.Second / telephone }
