package sip

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
)

// TestWhereTheFarEndIsFound checks that our ACK and our BYE reach the far end whatever address it
// gives for itself.
func TestWhereTheFarEndIsFound(t *testing.T) {
	t.Parallel()
	for name, contact := range map[string]string{
		"a name that nobody knows":        "<sip:peer@no.such.invalid>",
		"another network's address":       "<sip:peer@[2001:db8::1]:5060>",
		"no machine at all":               "<tel:+15550100>",
		"a port that is none":             "<sip:peer@127.0.0.1:99999>",
		"one that swallows everything":    "<sip:peer@HOLE>",
		"the first of two":                "<sip:peer@HERE>, <sip:peer@HOLE>",
		"behind a name with a bracket":    `"a <b" <sip:peer@HERE>`,
		"a machine beside its host":       "<sip:peer@192.0.2.1:PORT;MAddr=127.0.0.1>",
		"a route whose words are capital": "<sip:peer@HOLE>;\r\nRecord-Route: <sip:HERE;LR>",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, hole := newPeer(t), udp(t)
			here := netip.MustParseAddrPort(p.conn.LocalAddr().String())
			contact := strings.NewReplacer("HERE", here.String(), "HOLE", hole.LocalAddr().String(), "PORT", fmt.Sprint(here.Port())).Replace(contact)
			contact, route, _ := strings.Cut(contact, ";\r\n")
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 200 * time.Millisecond})
			invite := p.next(msg.INVITE)
			res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(p.sdp("0", "sendrecv")))
			res.To().Params.Add("tag", p.tag)
			text := strings.Replace(res.String(), "\r\n", "\r\nContact: "+contact+"\r\n", 1)
			if route != "" {
				text = strings.Replace(text, "\r\n", "\r\n"+route+"\r\n", 1)
			}
			p.untilAcked(text, invite.Source())
			p.reply(p.next(msg.BYE), 200, "OK", "")
			if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
				t.Error("the call was not answered")
			}
		})
	}
}

// TestRefusalsSayWhatTheyWant checks that the end reason contains what the far end requires, so
// that an operator knows what to change.
func TestRefusalsSayWhatTheyWant(t *testing.T) {
	t.Parallel()
	for headers, want := range map[string]string{
		"Min-SE: 1800":                              "422 Own Word (Min-SE: 1800)",
		"Require: sec-agree":                        "421 Own Word (Require: sec-agree)",
		"Unsupported: foo":                          "420 Own Word (Unsupported: foo)",
		`Warning: 304 x "no"`:                       `606 Own Word (Warning: 304 x "no")`,
		"Contact: <sip:a@1.2.3.4>, <sip:b@1.2.3.5>": "300 Own Word to sip:a@1.2.3.4 (redirects are not followed)",
	} {
		t.Run(want[:3], func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
			var code int
			fmt.Sscanf(want, "%d", &code)
			invite := p.next(msg.INVITE)
			res := msg.NewResponseFromRequest(invite, code, "Own Word", nil)
			res.To().Params.Add("tag", p.tag)
			p.write(strings.Replace(res.String(), "\r\n", "\r\n"+headers+"\r\n", 1), invite.Source())
			if a := result(t, c); a.EndReason.Detail != want {
				t.Errorf("%q, want %q", a.EndReason.Detail, want)
			}
		})
	}
}

// TestLongDescriptionsAreRead checks that long descriptions, as from browsers and gateways with
// many candidates and codecs, are read to their end.
func TestLongDescriptionsAreRead(t *testing.T) {
	t.Parallel()
	var ways, codecs strings.Builder
	for i := range 300 {
		fmt.Fprintf(&ways, "a=candidate:%d 1 udp 2130706431 192.168.1.%d 5000 typ host generation 0\r\n", i, i%250)
	}
	for i := 20; i < 80; i++ {
		fmt.Fprintf(&codecs, " %d", i)
	}
	text := "v=0\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\n" + ways.String() + "m=audio 4000 RTP/AVP" + codecs.String() + " 0\r\n"
	s, err := sdp.Parse([]byte(text))
	if err != nil || s.Port != 4000 || s.Formats[len(s.Formats)-1].Name != "PCMU" {
		t.Errorf("%+v, %v, want the port 4000 and PCMU as the last format", s, err)
	}
}

// TestNoSoundGoesToMany checks that multicast and broadcast addresses are refused, because a
// description must not make us send audio to a whole network.
func TestNoSoundGoesToMany(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"IP4 224.2.1.1/127/3", "IP4 255.255.255.255", "IP6 ff02::1", "IP4 127.0.0.1\r\na=rtcp:4001 IN IP4 224.2.1.1"} {
		p := newPeer(t)
		c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
		invite := p.next(msg.INVITE)
		addr, reports, _ := strings.Cut(addr, "\r\n")
		p.reply(invite, 200, "OK", "v=0\r\nc=IN "+addr+"\r\nm=audio 4000 RTP/AVP 0\r\n"+reports+"\r\n")
		p.reply(p.next(msg.BYE), 200, "OK", "")
		if a := result(t, c); a.EndReason.Code != call.EndCodecMismatch || !strings.Contains(a.EndReason.Detail, "is not that of a single machine") {
			t.Errorf("%s: %+v, want %s and \"is not that of a single machine\"", addr, a.EndReason, call.EndCodecMismatch)
		}
	}
}
