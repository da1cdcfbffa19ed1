package sip

import (
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestTheAnswerChoosesTheTransport checks that requests of a call go over TCP if the answer's
// Contact or first route says so, although the call was placed over UDP.
func TestTheAnswerChoosesTheTransport(t *testing.T) {
	t.Parallel()
	for name, headers := range map[string]func(tcp string) (contact, route string){
		"the contact": func(tcp string) (string, string) { return "<sip:peer@" + tcp + ";transport=tcp>", "" },
		"the route": func(tcp string) (string, string) {
			return "<sip:peer@127.0.0.1:9;transport=udp>", "<sip:" + tcp + ";transport=TCP;lr>"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			listener, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { listener.Close() })
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 40 * time.Millisecond})
			invite := p.next(msg.INVITE)
			res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(p.sdp("0", "sendrecv")))
			res.To().Params.Add("tag", "peer-tag")
			contact, route := headers(listener.Addr().String())
			res.AppendHeader(msg.NewHeader("Contact", contact))
			if route != "" {
				res.AppendHeader(msg.NewHeader("Record-Route", route))
			}
			p.write(res.String(), invite.Source())
			conn, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			seen, b := "", make([]byte, 4096)
			_ = conn.SetReadDeadline(time.Now().Add(patient))
			for !strings.Contains(seen, "BYE sip:") {
				n, err := conn.Read(b)
				if seen += string(b[:n]); err != nil {
					t.Fatalf("after %q: %v", seen, err)
				}
			}
			if !strings.HasPrefix(seen, "ACK sip:") || strings.Contains(seen, "SIP/2.0/UDP") {
				t.Errorf("over TCP came %q", seen)
			}
			_, bye, _ := strings.Cut(seen, "BYE sip:")
			m, err := msg.ParseMessage([]byte("BYE sip:" + bye))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = conn.Write([]byte(msg.NewResponseFromRequest(m.(*msg.Request), 200, "OK", nil).String()))
			result(t, c)
		})
	}
}

// TestWhatMayNotStandInAnAddress checks that parts of the far end's address that a request must not
// contain are omitted.
func TestWhatMayNotStandInAnAddress(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 40 * time.Millisecond})
	invite := p.next(msg.INVITE)
	res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(p.sdp("0", "sendrecv")))
	res.To().Params.Add("tag", "peer-tag")
	res.AppendHeader(msg.NewHeader("Contact", "<sip:peer@"+p.conn.LocalAddr().String()+";x=1;Method=INVITE;transport=udp?Subject=a&Route=b>"))
	p.write(res.String(), invite.Source())
	want := "sip:peer@" + p.conn.LocalAddr().String() + ";x=1;transport=udp"
	for _, method := range []msg.RequestMethod{msg.ACK, msg.BYE} {
		req := p.next(method)
		if got := req.Recipient.String(); got != want {
			t.Errorf("the %s is for %s, not for %s", method, got, want)
		}
		if method == msg.BYE {
			p.reply(req, 200, "OK", "")
		}
	}
	result(t, c)
}

// TestKeysByOurNumber checks that keys are received under our number for telephone-event, which a
// far end with a number of its own must use, and also under its own, which some use instead.
func TestKeysByOurNumber(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &mute{}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 200, "OK", strings.ReplaceAll(p.sdp("0 101", "sendrecv"), "101", "96"))
	p.next(msg.ACK)
	offer, err := sdp.Parse(invite.Body())
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range []uint8{101, 96} {
		b := make([]byte, rtp.HeaderSize+4)
		rtp.WriteHeader(b, rtp.Packet{Type: kind, Sequence: uint16(i), Timestamp: uint32(8000 * i), SSRC: 7})
		rtp.KeyEvent{Code: uint8(i + 1), End: true, Duration: 800}.Write(b[rtp.HeaderSize:])
		for range 2 { // a single one would do from an agreed address
			_, _ = p.rtp.WriteTo(b, net.UDPAddrFromAddrPort(netip.AddrPortFrom(offer.Addr, offer.Port)))
		}
		party.pass(t)
	}
	p.endedBy(party)
	if result(t, c); party.keys != "12" {
		t.Errorf("the keys arrived as %q", party.keys)
	}
}

// TestKeysByOurNumberThatTheAnswerDoesNotExplain has an answer name our number for keys without saying what it is, or
// not at all. Keys that come by it are heard either way, and ours are sent as events if it is named.
func TestKeysByOurNumberThatTheAnswerDoesNotExplain(t *testing.T) {
	t.Parallel()
	for formats, events := range map[string]bool{"0 101": true, "0": false} {
		t.Run(formats, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			party := &presser{press: "5"}
			c := placed(t, lineTo(t, p, nil), to(patient), party)
			invite := p.next(msg.INVITE)
			p.reply(invite, 200, "OK", strings.Replace(p.sdp(formats, "sendrecv"), "a=rtpmap:101 telephone-event/8000\r\n", "", 1))
			p.next(msg.ACK)
			offer, err := sdp.Parse(invite.Body())
			if err != nil {
				t.Fatal(err)
			}
			b := make([]byte, rtp.HeaderSize+4)
			rtp.WriteHeader(b, rtp.Packet{Type: 101, SSRC: 7})
			rtp.KeyEvent{Code: 1, End: true, Duration: 800}.Write(b[rtp.HeaderSize:])
			_, _ = p.rtp.WriteTo(b, net.UDPAddrFromAddrPort(netip.AddrPortFrom(offer.Addr, offer.Port)))
			for party.frames.Load() < 12 {
				party.pass(t)
			}
			p.endedBy(&party.mute)
			if a := result(t, c); party.keys != "1" || !has(a, call.KindDigitSent) {
				t.Errorf("the keys arrived as %q, the timeline is %v", party.keys, a.Timeline)
			}
			_ = p.rtp.SetReadDeadline(time.Now().Add(200 * time.Millisecond)) // for what is in the socket
			for sent := false; ; {
				n, err := p.rtp.Read(b)
				if err != nil || sent {
					if sent != events {
						t.Errorf("our key was sent as an event: %v, want %v", sent, events)
					}
					return
				}
				sent = n == len(b) && b[1]&0x7f == 101
			}
		})
	}
}

// TestWhatWeDoNotRefresh checks that a session timer that we would have to refresh is not accepted,
// unlike the far end's own, and that keys are read whatever parameters their content type has.
func TestWhatWeDoNotRefresh(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0")
	for seq, want := range []string{"1800;refresher=uac", "1800;refresher=uac", ""} {
		p.send(invite, "UPDATE", seq+1, "", "Supported: timer", "Session-Expires: 1800"+[]string{"", " ;refresher=uac", "; Refresher = uas"}[seq])
		if r := p.gets(uint32(seq+1), 200); value(r, "Session-Expires") != want || (want == "") != (value(r, "Require") == "") {
			t.Errorf("%d, Session-Expires %q, Require %q, want %q", r.StatusCode, value(r, "Session-Expires"), value(r, "Require"), want)
		}
	}
	p.send(invite, "INFO", 10, "Signal=5\r\n", "Content-Type: Application/DTMF-Relay ; charset=utf-8")
	p.gets(10, 200)
	party.pass(t)
	p.send(invite, "CANCEL", 11, "")
	p.gets(11, 481)
	p.endedBy(party)
	if result(t, c); party.keys != "5" {
		t.Errorf("the key of the INFO arrived as %q", party.keys)
	}
}

// TestRoutesWithQuotesWithinQuotes checks that routes are read correctly even with quotes around
// and after their addresses.
func TestRoutesWithQuotesWithinQuotes(t *testing.T) {
	t.Parallel()
	const p, q = "sip:p.example;lr", "sip:q.example;lr"
	for text, want := range map[string][]string{
		`<sip:p.example;lr>;x="a,b",<sip:q.example;lr>`:             {p, q},
		`"6\" mount" <sip:p.example;lr>`:                            {p},
		`"6\", by the door" <sip:p.example;lr>, <sip:q.example;lr>`: {p, q},
		`"6\"<x>" <sip:p.example;lr>, <sip:q.example;lr>;x="6\",7"`: {p, q},
		`<sip:p.example;lr>;x="6\"", <sip:q.example;lr>`:            {p, q},
		`< sip:p.example;lr >, <sip:q.example;lr>,`:                 {p, q},
		`sip:p.example;lr, sip:q.example;lr`:                        {p, q},
		`<tel:123>, <sip:q.example;lr>`:                             {"tel:123", q},
	} {
		whole := "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP 127.0.0.1;branch=z9hG4bK1\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:a@b>;tag=2\r\n" +
			"Call-ID: x\r\nCSeq: 1 INVITE\r\nRecord-Route: " + text + "\r\nContent-Length: 0\r\n\r\n"
		read := screen.Read([]byte(whole), netip.AddrPort{})
		m, err := msg.ParseMessage(read.Pass)
		if err != nil {
			t.Errorf("%s cannot be read: %s", text, read.Riddle.Why)
			continue
		}
		var got []string
		for _, uri := range recordRoutes(m.(*msg.Response).GetHeaders("Record-Route")) {
			got = append(got, uri.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s leads to %v, want %v", text, got, want)
		}
	}
}
