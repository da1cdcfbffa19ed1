package sip

import (
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestWordsThatOutrunTheAnswerAreRecorded from the first packet on, where the kernel tells when it came: half of
// them came before the 200.
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
		party.hangUp()
		p.reply(p.next(msg.BYE), 200, "OK", "")
		<-done
		if outran > outrun-leg.FrameTime {
			continue // this machine took too long about it
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
