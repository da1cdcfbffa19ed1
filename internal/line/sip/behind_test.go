package sip

import (
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// TestAHangUpRightBehindTheAnswer checks that a BYE that arrives before our dialog exists is the
// agent's hang-up: in one write over TCP, back to back over UDP.
func TestAHangUpRightBehindTheAnswer(t *testing.T) {
	t.Parallel()
	hungUp := func(t *testing.T, c <-chan call.Attempt) {
		t.Helper()
		if a := result(t, c); a.EndReason.Code != call.EndAgentHungUp || a.AnsweredAt.IsZero() {
			t.Errorf("answered %v, end %+v, want %s", a.AnsweredAt, a.EndReason, call.EndAgentHungUp)
		}
	}
	t.Run("udp", func(t *testing.T) {
		t.Parallel()
		for range 10 {
			p := newPeer(t)
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
			invite := p.next(msg.INVITE)
			p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
			p.send(invite, "BYE", 1, "")
			p.gets(1, 200)
			hungUp(t, c)
		}
	})
	t.Run("tcp", func(t *testing.T) {
		t.Parallel()
		for range 10 {
			s := newSwitchboard(t)
			c := placed(t, s.line(nil), to(patient), &mute{})
			w := s.accept()
			invite := w.next(msg.INVITE)
			res := answerOf(invite, siptest.Offered, "")
			if _, err := w.Write([]byte(res + within(invite, "TCP", w.LocalAddr(), "board", "BYE", 1, ""))); err != nil {
				t.Fatal(err)
			}
			hungUp(t, c)
		}
	})
}

// TestAByeThatAsksTooMuch checks that a BYE that requires an unknown extension still ends the call,
// because its sender has left.
func TestAByeThatAsksTooMuch(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	_, c, invite := answered(t, p, "0")
	p.send(invite, "INFO", 1, "", "Require: nobody-knows-this")
	p.gets(1, 420)
	p.send(invite, "BYE", 2, "", "Require: nobody-knows-this")
	p.gets(2, 200)
	begin := time.Now()
	if a := result(t, c); a.EndReason.Code != call.EndAgentHungUp {
		t.Errorf("end %+v after %v, want %s", a.EndReason, time.Since(begin), call.EndAgentHungUp)
	}
}
