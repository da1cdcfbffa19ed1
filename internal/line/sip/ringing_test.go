package sip

import (
	"strconv"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestRingingRightBeforeTheAnswer checks that the ringing is on the timeline although it arrives
// together with the answer and their order of processing is not determined. The same goes for a
// description that the answer does not repeat.
func TestRingingRightBeforeTheAnswer(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	l := s.line(nil)
	description := (&peer{rtp: s.rtp}).sdp("0", "sendrecv")
	var w *wired
	for i := range 30 {
		party := &mute{}
		c := placed(t, l, to(patient), party)
		if w == nil {
			w = s.accept()
		}
		invite := w.next(msg.INVITE)
		bodies := [2]string{"", description}
		if i%2 == 1 {
			bodies = [2]string{description, ""}
		}
		ringing := msg.NewResponseFromRequest(invite, 183, "Session Progress", []byte(bodies[0]))
		ringing.To().Params.Add("tag", "board")
		if _, err := w.Write([]byte(ringing.String() + answerOf(invite, bodies[1], ""))); err != nil {
			t.Fatal(err)
		}
		w.next(msg.ACK)
		party.hangUp()
		w.reply(w.next(msg.BYE), "", "")
		a := result(t, c)
		if a.EndReason != (call.EndReason{}) || a.RingingAt.IsZero() || a.RingingAt.After(a.AnsweredAt) || !has(a, call.KindRinging) {
			t.Fatalf("end %+v, ringing at %v, timeline %v, want no reason, and that it rang before the answer", a.EndReason, a.RingingAt, a.Timeline)
		}
		if early := has(a, call.KindEarlyMedia); early != (i%2 == 1) {
			t.Fatalf("early media: %v, want %v", early, i%2 == 1)
		}
	}
}

// TestWhatIsNoRinging checks that queueing and forwarding do not count as ringing, and that the end
// reason mentions them if nobody answers.
func TestWhatIsNoRinging(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		says   []string
		rings  bool
		detail string
	}{
		"a queue":                  {[]string{"182 Queued", "182 Queued, place 3"}, false, "no answer within 1 s, and no sign that it rang; the last reply was 182 Queued, place 3"},
		"a queue behind a phone":   {[]string{"180 Ringing", "182 Queued"}, true, "rang without an answer within 1 s; the last reply was 182 Queued"},
		"passed on, and it rings":  {[]string{"181 Call Is Being Forwarded", "180 Ringing"}, true, "rang without an answer within 1 s"},
		"one of several is out":    {[]string{"180 Ringing", "199 Early Dialog Terminated"}, true, "rang without an answer within 1 s"},
		"a queue, and one is out":  {[]string{"182 Queued", "199 Early Dialog Terminated"}, false, "no answer within 1 s, and no sign that it rang; the last reply was 182 Queued"},
		"the only one there is is": {[]string{"199 Early Dialog Terminated"}, false, "no answer within 1 s, and no sign that it rang"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			out := placed(t, lineTo(t, p, nil), to(time.Second), &mute{})
			invite := p.next(msg.INVITE)
			for _, one := range c.says {
				status, reason, _ := strings.Cut(one, " ")
				code, _ := strconv.Atoi(status)
				p.reply(invite, code, reason, "")
				time.Sleep(50 * time.Millisecond) // otherwise they might be processed in another order
			}
			p.reply(p.next(msg.CANCEL), 200, "OK", "")
			p.reply(invite, 487, "Request Terminated", "")
			a := result(t, out)
			want := call.EndOf(call.EndNoAnswer, c.detail)
			if a.EndReason != want || a.RingingAt.IsZero() == c.rings || has(a, call.KindRinging) != c.rings {
				t.Errorf("end %+v, ringing at %v, want %+v, and that it rang: %v", a.EndReason, a.RingingAt, want, c.rings)
			}
		})
	}
}

// TestTheNewestDescriptionCounts checks that the newest description counts if the answer has none,
// although they arrive back to back.
func TestTheNewestDescriptionCounts(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		p := newPeer(t)
		party := &mute{}
		c := placed(t, lineTo(t, p, nil), to(patient), party)
		invite := p.next(msg.INVITE)
		for range 1 + 3*i {
			p.reply(invite, 183, "Session Progress", p.sdp("8", "sendrecv"))
		}
		p.reply(invite, 183, "Session Progress", p.sdp("0", "sendrecv"))
		p.reply(invite, 200, "OK", "")
		p.next(msg.ACK)
		p.endedBy(party)
		if a := result(t, c); a.Codec != "PCMU" {
			t.Errorf("after %d descriptions: spoken by %q, want PCMU; end %+v", 2+3*i, a.Codec, a.EndReason)
		}
	}
}
