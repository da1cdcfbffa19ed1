package sip

import (

	//nolint:gosec // the protocol's choice

	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/call"
)

const (
	www   = "WWW-Authenticate: Digest "
	proxy = "Proxy-Authenticate: Digest "
)

// given are the credentials in a request.
func given(t *testing.T, req *msg.Request) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		for _, h := range req.GetHeaders(name) {
			c, err := digest.ParseCredentials(h.Value())
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, strings.Join([]string{name, c.Realm, c.Nonce, c.Algorithm}, " "))
		}
	}
	return out
}

func TestNoPasswordIsSaid(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, func(o *Options) { o.Trunks[0].User, o.Trunks[0].Password = "", "" }), to(patient), &mute{})
	p.reply(p.next(msg.INVITE), 407, "Proxy Authentication Required", "", proxy+`realm="r", nonce="n"`)
	if a := result(t, c); a.EndReason.Code != call.EndUnreachable || !strings.Contains(a.EndReason.Detail, "none are configured") {
		t.Errorf("end reason %+v", a.EndReason)
	}
}

// TestAByeIsAskedTwice: by a proxy and by the far end, and says why both times.
func TestAByeIsAskedTwice(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{})
	p.reply(p.next(msg.INVITE), 200, "OK", "v=0\r\nc=IN IP4 127.0.0.1\r\nm=audio 4000 RTP/AVP 18\r\n")
	first := p.next(msg.BYE)
	p.reply(first, 407, "Proxy", "", proxy+`realm="a", nonce="1"`)
	second := p.later(msg.BYE, first)
	p.reply(second, 401, "Unauthorized", "", www+`realm="b", nonce="2"`)
	third := p.later(msg.BYE, second)
	if got := given(t, third); strings.Join(got, ";") != "Authorization b 2 ;Proxy-Authorization a 1 " {
		t.Errorf("given %q", got)
	}
	if h := third.GetHeader("Reason"); h == nil || !strings.Contains(h.Value(), "488") {
		t.Errorf("the Reason is %v", h)
	}
	p.reply(third, 200, "OK", "")
	result(t, c)
}

// TestAnAcknowledgementBearsTheCredentials: nobody can ask for them, and a proxy that wants
// them lets nothing else pass.
func TestAnAcknowledgementBearsTheCredentials(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	first := p.next(msg.INVITE)
	p.reply(first, 407, "Proxy", "", proxy+`realm="a", nonce="1", qop="auth"`)
	second := p.later(msg.INVITE, first)
	p.reply(second, 401, "Unauthorized", "", www+`realm="b", nonce="2"`)
	third := p.later(msg.INVITE, second)
	p.reply(third, 200, "OK", p.sdp("0", "sendrecv"))
	ack := p.later(msg.ACK, second)
	if want, got := strings.Join(given(t, third), ";"), strings.Join(given(t, ack), ";"); got != want || want == "" {
		t.Errorf("the ACK bears %q, the INVITE bore %q", got, want)
	}
	party.hangUp()
	p.reply(p.next(msg.BYE), 200, "OK", "")
	result(t, c)
}
