package sip

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/line/telephone"
)

// as answers as the phone with this tag.
func (p *peer) as(tag string, req *msg.Request, code int, body string, headers ...string) {
	p.t.Helper()
	p.tag = tag
	p.reply(req, code, "Own Word", body, headers...)
}

// hungUp waits until the phone with this tag has been hung up, and answers every BYE.
func (p *peer) hungUp(tag string) {
	p.t.Helper()
	for {
		bye := p.next(msg.BYE)
		p.reply(bye, 200, "OK", "")
		if got, _ := bye.To().Params.Get("tag"); got == tag {
			return
		}
	}
}

const unheard = "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 18\r\n"

// TestASecondPhoneIsHungUp checks that a second phone that answers is hung up, whatever has become
// of the call with the first.
func TestASecondPhoneIsHungUp(t *testing.T) {
	t.Parallel()
	t.Run("after the first could not be heard", func(t *testing.T) {
		t.Parallel()
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
		invite := p.next(msg.INVITE)
		p.as("first", invite, 200, unheard)
		p.hungUp("first")
		p.as("second", invite, 200, p.sdp("0", "sendrecv"))
		p.hungUp("second")
		ends(t, c, call.EndCodecMismatch)
	})
	t.Run("at the same moment as the first", func(t *testing.T) {
		t.Parallel()
		p := newPeer(t)
		party := &mute{}
		c := placed(t, lineTo(t, p, nil), to(patient), party)
		invite := p.next(msg.INVITE)
		for _, tag := range []string{"one", "two"} { // which of them counts as the first is not determined
			p.as(tag, invite, 200, p.sdp("0", "sendrecv"))
		}
		bye := p.next(msg.BYE)
		p.reply(bye, 200, "OK", "")
		hungUp, _ := bye.To().Params.Get("tag")
		party.hangUp()
		p.hungUp(map[string]string{"one": "two", "two": "one"}[hungUp])
		result(t, c)
	})
	t.Run("after the call", func(t *testing.T) {
		t.Parallel()
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 40 * time.Millisecond})
		invite := p.next(msg.INVITE)
		p.as("first", invite, 200, p.sdp("0", "sendrecv"))
		p.hungUp("first")
		result(t, c)
		p.as("second", invite, 200, p.sdp("0", "sendrecv"))
		p.hungUp("second")
	})
	t.Run("after we gave up", func(t *testing.T) {
		t.Parallel()
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(3*time.Second), &mute{})
		invite := p.next(msg.INVITE)
		p.as("first", invite, 180, "")
		p.reply(p.next(msg.CANCEL), 200, "OK", "")
		p.as("first", invite, 200, p.sdp("0", "sendrecv"))
		p.hungUp("first")
		p.as("second", invite, 200, p.sdp("0", "sendrecv"))
		p.hungUp("second")
		ends(t, c, call.EndNoAnswer)
	})
}

// TestWhereTheAnswerIsFound checks that the description is found in the answer or before it, in a
// multipart body or alone: the call must be answered, and our voice sent to where the description
// says.
func TestWhereTheAnswerIsFound(t *testing.T) {
	t.Parallel()
	parts := func(p *peer) string {
		return "--cut\r\nContent-Type: text/plain\r\n\r\nm=audio 9 RTP/AVP 18\r\n--cut\r\nContent-Type: application/sdp\r\n\r\n" +
			p.sdp("0", "sendrecv") + "\r\n--cut--\r\n"
	}
	for name, do := range map[string]func(*peer, *msg.Request){
		"among parts": func(p *peer, invite *msg.Request) {
			p.typed(invite, 200, "multipart/mixed; boundary=cut", parts(p))
		},
		"before an answer of another kind": func(p *peer, invite *msg.Request) {
			p.as("a", invite, 183, p.sdp("0", "sendrecv"))
			p.rings()
			p.typed(invite, 200, "application/isup", "\x01\x02")
		},
		"before something of another kind": func(p *peer, invite *msg.Request) {
			p.as("a", invite, 183, p.sdp("0", "sendrecv"))
			p.rings()
			p.typed(invite, 183, "text/plain", "still ringing")
			p.rings()
			p.as("a", invite, 200, "")
		},
		"before a blank line": func(p *peer, invite *msg.Request) {
			p.as("a", invite, 183, p.sdp("0", "sendrecv"))
			p.rings()
			p.typed(invite, 200, "application/sdp", "\r\n")
		},
		"under a wrong name": func(p *peer, invite *msg.Request) {
			p.typed(invite, 200, "text/plain", p.sdp("0", "sendrecv"))
		},
		"in the early media of the phone that answers": func(p *peer, invite *msg.Request) {
			p.as("a", invite, 183, p.sdp("0", "sendrecv"))
			p.rings()
			p.as("b", invite, 183, strings.Replace(p.sdp("0", "sendrecv"), "m=audio ", "m=audio 1", 1))
			p.rings()
			p.as("a", invite, 200, "")
		},
		"in an answer without a tag": func(p *peer, invite *msg.Request) {
			p.as("", invite, 200, p.sdp("0", "sendrecv"))
		},
		"for the feedback profile": func(p *peer, invite *msg.Request) {
			p.as("a", invite, 200, strings.Replace(p.sdp("0", "sendrecv"), "RTP/AVP", "rtp/avpf", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			party := &mute{}
			c := placed(t, lineTo(t, p, nil), to(patient), party)
			do(p, p.next(msg.INVITE))
			p.next(msg.ACK)
			_ = p.rtp.SetReadDeadline(time.Now().Add(patient))
			if _, _, err := p.rtp.ReadFrom(make([]byte, 2048)); err != nil {
				t.Errorf("no voice came: %v", err)
			}
			p.endedBy(party)
			ends(t, c, "")
		})
	}
}

// typed answers as phone a with a body of this content type.
func (p *peer) typed(invite *msg.Request, code int, kind, body string) {
	p.t.Helper()
	res := msg.NewResponseFromRequest(invite, code, "Own Word", []byte(body))
	res.To().Params.Remove("tag")
	res.To().Params.Add("tag", "a")
	res.AppendHeader(msg.NewHeader("Contact", "<sip:peer@"+p.conn.LocalAddr().String()+">"))
	res.AppendHeader(msg.NewHeader("Content-Type", kind))
	p.write(res.String(), invite.Source())
}

// rings spaces out provisional responses, because transactions do not keep the order of those that
// come at once.
func (p *peer) rings() { time.Sleep(150 * time.Millisecond) }

func TestOurOwnVoiceIsNoAnswer(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", string(invite.Body()))
	p.reply(p.next(msg.BYE), 200, "OK", "")
	ends(t, c, call.EndUnreachable, "our own audio")
}

// TestACallIsNotTurnedUponItself checks that a far end that gives our own address keeps its
// previous one, so that our voice is not taken for the agent's.
func TestACallIsNotTurnedUponItself(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l, party := lineTo(t, p, nil), &mute{}
	c := placed(t, l, to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	party.pass(t)
	tag, _ := invite.From().Params.Get("tag")
	d := l.e.dialog(invite.CallID().Value(), tag)
	before := d.talk.agreedSetup().Remote
	ours, kind := string(invite.Body()), "Content-Type: application/sdp"
	for i, one := range []struct {
		method, body string
		code         int
	}{{"INVITE", ours, 488}, {"UPDATE", ours, 488}, {"INVITE", "", 200}} {
		seq := i + 1
		p.send(invite, one.method, seq, one.body, kind)
		p.gets(uint32(seq), one.code)
	}
	p.send(invite, "ACK", 3, ours, kind)
	for end := time.Now().Add(patient); d.awaitsAnswer(3) && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
	}
	if now := d.talk.agreedSetup().Remote; now != before {
		t.Errorf("the sound goes to %s in place of %s", now, before)
	}
	p.endedBy(party)
	result(t, c)
}

// answering returns our answers to offers, one after the other; for "" the offer is left to us.
func answering(t *testing.T, offers ...string) []string {
	t.Helper()
	media := telephone.NewMedia(telephone.MediaOptions{Now: time.Now, Portable: true})
	t.Cleanup(media.Close)
	stream, err := media.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stream.Close)
	talk := newTalk(stream, netip.AddrFrom4([4]byte{127, 0, 0, 1}), []g711.Codec{g711.PCMU(), g711.PCMA()})
	out := make([]string, 0, len(offers))
	for _, text := range offers {
		if text == "" {
			out = append(out, string(talk.offer()))
			continue
		}
		offer, err := sdp.Parse([]byte("v=0\r\nc=IN IP4 127.0.0.1\r\n" + text))
		if err != nil {
			t.Fatal(err)
		}
		answer, ok := talk.answer(offer)
		if !ok {
			t.Fatalf("%q was refused", text)
		}
		out = append(out, string(answer))
	}
	return out
}

// TestAnswersFitTheirOffers checks that the profile is repeated, that refused media stay refused,
// and that a changed description has a new version (RFC 3264).
func TestAnswersFitTheirOffers(t *testing.T) {
	t.Parallel()
	got := answering(t, "m=audio 4000 RTP/AVPF 0\r\n", "m=audio 0 RTP/AVP 0\r\n", "m=audio 4000 RTP/AVP 0\r\na=sendonly\r\n", "", "")
	for i, want := range []string{" RTP/AVPF 0\r\n", "m=audio 0 RTP/AVP 0\r\n", "a=recvonly", "a=sendrecv", "a=sendrecv"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("answer %d has no %q:\n%s", i, want, got[i])
		}
	}
	version := func(text string) string { return strings.Fields(text[strings.Index(text, "o="):])[2] }
	for i := 1; i < len(got); i++ {
		if same := got[i] == got[i-1]; same != (version(got[i]) == version(got[i-1])) {
			t.Errorf("the same: %v, versions %s and %s", same, version(got[i-1]), version(got[i]))
		}
	}
}

// TestAnOfferWithinTheCallIsWhole checks that our offer within a call names all codecs, even if
// less was agreed on before.
func TestAnOfferWithinTheCallIsWhole(t *testing.T) {
	t.Parallel()
	for offer, events := range map[string]string{
		"m=audio 4000 RTP/AVP 8\r\n": "101", "m=audio 4000 RTP/AVP 101\r\na=rtpmap:101 PCMU/8000\r\n": "102",
		"m=audio 4000 RTP/AVP 0 96\r\na=rtpmap:96 telephone-event/8000\r\n": "96",
	} {
		got := answering(t, offer, "")[1]
		for _, want := range []string{" RTP/AVP 0 8 " + events + "\r\n", "a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000", "a=rtpmap:" + events + " telephone-event/8000"} {
			if !strings.Contains(got, want) {
				t.Errorf("after %q an offer has no %q:\n%s", offer, want, got)
			}
		}
	}
}

// TestAFaxDoesNotEndTheAudio checks that an offer that would leave the call without audio is
// refused.
func TestAFaxDoesNotEndTheAudio(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0")
	p.send(invite, "INVITE", 1, "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 0 RTP/AVP 0\r\nm=image 4000 udptl t38\r\n", "Content-Type: application/sdp")
	if r := p.gets(1, 488); !strings.Contains(value(r, "Warning"), "other media in place of the audio") {
		t.Errorf("Warning %q, want that other media are in the place of the audio", value(r, "Warning"))
	}
	p.endedBy(party)
	if a := result(t, c); has(a, call.KindReinvited) || has(a, call.KindHeld) {
		t.Errorf("timeline %+v, want neither a new offer nor a hold", a.Timeline)
	}
}
