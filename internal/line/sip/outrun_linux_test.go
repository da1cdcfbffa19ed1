package sip

import (
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestWordsThatOutrunTheAnswerAreRecorded checks that audio is recorded from its first packet on if
// half of it arrives before the 200. The kernel's timestamps say when it came.
func TestWordsThatOutrunTheAnswerAreRecorded(t *testing.T) {
	t.Parallel()
	for range 5 {
		p, party, tape := newPeer(t), &mute{}, leg.NewTape(time.Minute)
		l := lineTo(t, p, nil)
		done := make(chan struct{})
		go func() {
			defer close(done)
			l.Place(t.Context(), to(patient), party, tape)
		}()
		invite := p.next(msg.INVITE)
		begun := time.Now()
		p.speakFrom(invite, 0, 5)
		p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
		p.next(msg.ACK)
		outran := time.Since(begun)
		p.speakFrom(invite, 5, 5)
		p.endedBy(party)
		<-done
		if outran > outrun-leg.FrameTime {
			continue // this machine was too slow
		}
		loud := 0
		for _, v := range tape.Channel(leg.AgentChannel) {
			if v != 0 {
				loud++
			}
		}
		if loud != 10*160 {
			t.Errorf("%d samples of 1600 are on the recording, the first were said %v before the answer", loud, outran)
		}
		return
	}
	t.Log("this machine was starved: nothing can be said of words that outrun the answer")
}

// TestNobodyAnswersBeforeBeingCalled checks the order of times in an attempt however soon the far
// end speaks: right after the INVITE, with or without ringing.
func TestNobodyAnswersBeforeBeingCalled(t *testing.T) {
	t.Parallel()
	for _, rings := range []bool{false, true} {
		p, party := newPeer(t), &mute{}
		l := lineTo(t, p, nil)
		over := make(chan call.Attempt, 1)
		go func() { over <- l.Place(t.Context(), to(patient), party, leg.NewTape(time.Minute)) }()
		invite := p.next(msg.INVITE)
		if rings {
			p.reply(invite, 180, "Ringing", "")
		}
		p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
		p.next(msg.ACK)
		p.speakFrom(invite, 0, 5)
		p.endedBy(party)
		a := <-over
		if a.AnsweredAt.Before(a.StartedAt) || a.RingingAt.After(a.AnsweredAt) {
			t.Errorf("rings %v: answered %v after the call began, and rang %v after it was answered", rings, a.AnsweredAt.Sub(a.StartedAt), a.RingingAt.Sub(a.AnsweredAt))
		}
	}
}
