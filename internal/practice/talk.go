package practice

import (
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// speechLevel is the level (dBFS) of the desk's speech relative to which noise is specified.
const speechLevel = -23.0

// speak schedules a reply for the given time. The line is synthesised elsewhere unless it has
// been said before.
func (p *Party) speak(r reply, due time.Duration) {
	f := p.desk.opts.Faults
	if f.GoSilent > 0 && p.turns >= f.GoSilent {
		p.silenced = true
	}
	if p.silenced {
		return
	}
	if p.turns > 0 {
		due += f.Late
	}
	p.turns++
	if f.HangUpEarly > 0 && p.turns >= f.HangUpEarly {
		r.hangUp = true
	}
	p.toDo = plan{reply: r, waiting: true}
	p.clips.Forget()
	letter := p.clips.Expect(due)
	text := f.phrase(r.text, p.turns == 1)
	text += strings.Repeat(" "+text, f.RepeatItself)
	p.toDo.reply.text = text
	if pcm, ok := p.desk.voices.ready(text, p.rate); ok {
		letter.Deliver(spokenLine{pcm: pcm})
		return
	}
	ctx, rate, voices := p.ctx, p.rate, p.desk.voices
	go func() {
		pcm, err := voices.say(ctx, text, rate)
		letter.Deliver(spokenLine{pcm: pcm, err: err})
	}()
}

// phrase returns what the desk says in place of a text, given its faults.
func (f Faults) phrase(text string, greeting bool) string {
	if greeting {
		return text
	}
	if f.Promise {
		text = sayPromise + " " + text
	}
	return strings.Repeat(sayRamble+" ", f.Ramble) + text
}

// takeLine starts speaking a line that is ready and due.
func (p *Party) takeLine() {
	p.log.late = max(p.log.late, p.clips.Overdue(p.now))
	if p.caller.open && p.caller.speech >= bargeIn && p.toDo.waiting && p.turns > 1 && p.desk.opts.Faults.TalkOver == 0 {
		return // the caller went on speaking: let it finish
	}
	line, _, ok := p.clips.Take(p.now)
	if !ok {
		return
	}
	p.toDo.waiting = false
	if line.err != nil {
		p.desk.opts.Log.Error("the practice agent cannot speak", "error", line.err)
	}
	r := p.toDo.reply
	if r.hangUp {
		p.toDo.then = thenHangUp
	}
	p.log.spoke(p.now, r.text)
	p.log.transferred = p.log.transferred || r.transferred
	p.voice = voiceSide{pcm: line.pcm, ended: p.now}
	p.caller.run = 0
}

// talkOver speaks into the caller's turn for the given time.
func (p *Party) talkOver(length time.Duration) {
	p.caller.over = true
	pcm, ok := p.desk.voices.ready(sayTalkOver, p.rate)
	if !ok {
		return
	}
	n := min(int(length*time.Duration(p.rate)/time.Second), len(pcm))
	p.log.spoke(p.now, sayTalkOver)
	p.voice = voiceSide{pcm: pcm[:n], ended: p.now, cut: n}
}

// talk fills the outgoing frame, and hangs up when the last word has been said.
func (p *Party) talk(out *leg.Frame) {
	v := &p.voice
	if v.stopAt > 0 && p.now >= v.stopAt && v.speaking() {
		p.stopTalking()
	}
	if v.speaking() {
		v.at += copy(out.PCM, v.pcm[v.at:])
		v.ended = p.now + leg.FrameTime
		if !v.speaking() {
			v.cut = 0
		}
		return
	}
	if p.toDo.then == thenHangUp && !p.toDo.waiting && p.now-v.ended >= lastWord {
		out.HangUp = true
		p.hungUp = true
		p.log.hungUp = true
	}
}

// patience asks a silent caller whether it is still there, and finally gives up.
func (p *Party) patience() {
	quiet := p.now - max(p.voice.ended, p.caller.last)
	busy := p.voice.speaking() || p.caller.open || p.toDo.waiting || p.toDo.then == thenHangUp || p.words.Waiting() > 0
	if busy || p.silenced || quiet < stillThere {
		return
	}
	p.asked++
	if p.asked > 2 {
		p.speak(reply{text: sayFarewell, hangUp: true}, p.now)
		return
	}
	p.speak(reply{text: sayStill}, p.now)
}

// spoil applies the faults of the line to the frame.
func (p *Party) spoil(out *leg.Frame) {
	f := p.desk.opts.Faults
	if gain := f.Overdrive - f.Quiet; gain != 0 {
		audio.Gain(out.PCM, gain)
	}
	if p.noise != nil {
		p.noise.Pink(p.hissing, speechLevel-*f.Noise)
		audio.Mix(out.PCM, p.hissing)
	}
	if f.LosePackets > 0 && p.chance.Float64() < f.LosePackets {
		clear(out.PCM)
		out.Missing = true
	}
}

// nextFixed returns the next reply of the conversation without recognition: a booking in four turns.
func (p *Party) nextFixed() reply {
	says := []string{"book an appointment", "a cleaning", "on tuesday at ten thirty", "my name is anna miller", "yes", "no"}
	text := says[min(p.fixed, len(says)-1)]
	p.fixed++
	p.log.understood(text)
	return p.dialogue.hear(text)
}
