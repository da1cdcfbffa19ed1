package sip

import (
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// TestNamesThatNoAddressHoldsAsTheyAre checks user names with characters such as
// TestNamesThatNoAddressHoldsAsTheyAre or a space, which are escaped in addresses (RFC 3261 section
// 25.1) but not in the credentials.
func TestNamesThatNoAddressHoldsAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"alice@example.org":  "alice%40example.org",
		"front desk":         "front%20desk",
		`a"<b>%`:             "a%22%3Cb%3E%25",
		"jürgen":             "j%C3%BCrgen",
		"+15550100":          "+15550100",
		"a-_.!~*'()&=+$,;?/": "a-_.!~*'()&=+$,;?/",
	} {
		p := newPeer(t)
		l := lineTo(t, p, func(o *Options) { o.Trunks[0].User = name })
		c := placed(t, l, to(patient), &mute{})
		first := p.next(msg.INVITE)
		if got := first.From().Address; got.User != want || got.Host != "127.0.0.1" {
			t.Errorf("%q calls as %s, want %s@127.0.0.1", name, &got, want)
		}
		p.reply(first, 407, "Proxy Authentication Required", "", siptest.Proxy+`realm="r", nonce="n"`)
		again := p.later(msg.INVITE, first)
		if again == nil {
			t.Fatalf("%q is not asked for again", name)
		}
		asked, err := digest.ParseCredentials(again.GetHeader("Proxy-Authorization").Value())
		if err != nil || asked.Username != name {
			t.Errorf("%q asks for itself as %+v, %v", name, asked, err)
		}
		p.reply(again, 486, "Busy Here", "")
		result(t, c)
	}
}

func TestNoPasswordIsSaid(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, func(o *Options) { o.Trunks[0].User, o.Trunks[0].Password = "", "" }), to(patient), &mute{})
	p.reply(p.next(msg.INVITE), 407, "Proxy Authentication Required", "", siptest.Proxy+`realm="r", nonce="n"`)
	ends(t, c, call.EndUnreachable, "none are configured")
}

// TestAByeIsAskedTwice checks a BYE that both a proxy and the far end challenge: it must carry both
// credentials, and its Reason each time.
func TestAByeIsAskedTwice(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
	p.reply(p.next(msg.INVITE), 200, "OK", "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 18\r\n")
	first := p.next(msg.BYE)
	p.reply(first, 407, "Proxy", "", siptest.Proxy+`realm="a", nonce="1"`)
	second := p.later(msg.BYE, first)
	p.reply(second, 401, "Unauthorized", "", siptest.WWW+`realm="b", nonce="2"`)
	third := p.later(msg.BYE, second)
	want := "Authorization b 2 ;Proxy-Authorization a 1 "
	if got := strings.Join(siptest.Credentials(t, third), ";"); got != want {
		t.Errorf("given %q, want %q", got, want)
	}
	if h := third.GetHeader("Reason"); h == nil || !strings.Contains(h.Value(), "488") {
		t.Errorf("the Reason is %v, want 488 in it", h)
	}
	p.reply(third, 200, "OK", "")
	result(t, c)
}

// TestAnAcknowledgementBearsTheCredentials checks that the ACK carries the credentials of the
// INVITE: an ACK cannot be challenged, and a proxy that requires credentials would drop it.
func TestAnAcknowledgementBearsTheCredentials(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	first := p.next(msg.INVITE)
	p.reply(first, 407, "Proxy", "", siptest.Proxy+`realm="a", nonce="1", qop="auth"`)
	second := p.later(msg.INVITE, first)
	p.reply(second, 401, "Unauthorized", "", siptest.WWW+`realm="b", nonce="2"`)
	third := p.later(msg.INVITE, second)
	p.reply(third, 200, "OK", p.sdp("0", "sendrecv"))
	ack := p.later(msg.ACK, second)
	if want, got := strings.Join(siptest.Credentials(t, third), ";"), strings.Join(siptest.Credentials(t, ack), ";"); got != want || want == "" {
		t.Errorf("the ACK bears %q, the INVITE bore %q", got, want)
	}
	p.endedBy(party)
	result(t, c)
}
