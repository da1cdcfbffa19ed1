package sip

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/locate"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
)

// named makes the line find these machines under any name, rotated by one for each lookup.
func named(l *Line, machines ...string) {
	var asked atomic.Int64
	l.e.locate.Find = func(context.Context, string, string) (out []netip.Addr, err error) {
		n := int(asked.Add(1)) - 1
		for i := range machines {
			out = append(out, netip.MustParseAddr(machines[(n+i)%len(machines)]))
		}
		return out, nil
	}
}

// beside returns a peer at another address of this machine, with the same port.
func (p *peer) beside(machine string) *peer {
	p.t.Helper()
	addr := net.UDPAddr{IP: net.ParseIP(machine), Port: p.conn.LocalAddr().(*net.UDPAddr).Port}
	conn, err := net.ListenUDP("udp4", &addr)
	if err != nil {
		p.t.Skip("this machine has no second address for itself: ", err)
	}
	p.t.Cleanup(func() { conn.Close() })
	other := &peer{t: p.t, tag: "other", conn: conn, rtp: p.rtp, in: make(chan *msg.Request, 64), res: make(chan *msg.Response, 64)}
	go other.read()
	return other
}

// wholeCall answers an INVITE, makes the party hang up, and requires the call to end well.
func wholeCall(t *testing.T, p *peer, invite *msg.Request, party *mute, c <-chan call.Attempt) {
	t.Helper()
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
	p.next(msg.ACK)
	p.endedBy(party)
	ends(t, c, "")
}

// TestACallStaysWithTheMachineItBeganWith checks that a call stays with one machine although its
// trunk's name stands for several, in a different order each time: another machine knows neither
// the challenge nor what to cancel.
func TestACallStaysWithTheMachineItBeganWith(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	other := p.beside("127.0.0.2")
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	named(l, "127.0.0.1", "127.0.0.2")
	c := placed(t, l, to(2*time.Second), &mute{})
	first := p.next(msg.INVITE)
	p.reply(first, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="r", nonce="n", algorithm=MD5`)
	second := p.later(msg.INVITE, first)
	p.reply(second, 180, "Ringing", "")
	p.reply(p.next(msg.CANCEL), 200, "OK", "")
	p.reply(second, 487, "Request Terminated", "")
	ends(t, c, call.EndNoAnswer)
	if got := other.methods(); len(got) != 0 {
		t.Errorf("another machine was asked for %v", got)
	}
}

// TestADeadMachineIsPassedBy checks that a machine that refuses connections is skipped if the
// trunk's name stands for others.
func TestADeadMachineIsPassedBy(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	_, port, _ := strings.Cut(s.l.Addr().String(), ":")
	l := s.line(func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	var w *wired
	for _, machines := range [][]string{{"127.0.0.9", "::1", "127.0.0.1"}, {"127.0.0.8", "127.0.0.1"}} {
		named(l, machines...)
		party := &mute{}
		c := placed(t, l, to(patient), party)
		if w == nil { // an existing connection is preferred to new ones
			w = s.accept()
		}
		w.reply(w.next(msg.INVITE), (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "")
		w.next(msg.ACK)
		party.hangUp()
		w.reply(w.next(msg.BYE), "", "")
		if a := result(t, c); a.EndReason != (call.EndReason{}) {
			t.Errorf("by way of %v: end %+v, want no reason", machines, a.EndReason)
		}
	}
	named(l, "127.0.0.7", "127.0.0.8")
	ends(t, placed(t, l, to(patient), &mute{}), call.EndUnreachable, "refused")
}

// TestASilentMachineIsPassedBy checks that over UDP, where only silence reveals it, a dead machine
// is skipped as well. The phone may still ring for its full time, and the trunk counts as
// reachable.
func TestASilentMachineIsPassedBy(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) {
		o.Trunks[0].Host, o.times = "trunk.example.org:"+port, quick()
		o.times.noReply = 4 * time.Second
	})
	dead := func(context.Context, string, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.9"), netip.MustParseAddr("::1"), netip.MustParseAddr("127.0.0.1")}, nil
	}
	l.e.locate.Find = dead
	party := &mute{}
	c := placed(t, l, to(3*time.Second), party)
	invite := p.next(msg.INVITE)
	p.reply(invite, 180, "Ringing", "")
	time.Sleep(1500 * time.Millisecond) // it had already waited 2 s for the silent machine
	wholeCall(t, p, invite, party, c)
	found := make(chan error, 1)
	go func() { found <- l.Probe(t.Context(), "") }()
	p.reply(p.next(msg.OPTIONS), 200, "OK", "")
	if err := <-found; err != nil {
		t.Error("the trunk is not found: ", err)
	}
}

// TestASilentMachineIsPassedByInTime checks that a silent machine is skipped in time even if the
// call may ring for less than such a silence is tolerated.
func TestASilentMachineIsPassedByInTime(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	silent := p.beside("127.0.0.2")
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	named(l, "127.0.0.2", "127.0.0.1")
	party := &mute{}
	c := placed(t, l, to(2*time.Second), party)
	silent.next(msg.INVITE)
	wholeCall(t, p, p.next(msg.INVITE), party, c)
}

// TestAMachineThatDoesNotServe checks that a call that a machine cannot serve goes to the next one,
// and that the last one's response is the result.
func TestAMachineThatDoesNotServe(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	full := p.beside("127.0.0.2")
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	l.e.locate.Find = func(context.Context, string, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("127.0.0.2"), netip.MustParseAddr("127.0.0.1")}, nil
	}
	for _, ends := range []bool{false, true} {
		party := &mute{}
		c := placed(t, l, to(patient), party)
		first := full.next(msg.INVITE)
		full.reply(first, 100, "Trying", "")
		full.reply(first, 503, "Service Unavailable", "")
		full.next(msg.ACK)
		if invite := p.next(msg.INVITE); !ends {
			wholeCall(t, p, invite, party, c)
		} else {
			p.reply(invite, 503, "No More Circuits", "")
			p.next(msg.ACK)
			if a := result(t, c); a.EndReason.Code != call.EndUnreachable || a.EndReason.Detail != "503 No More Circuits" {
				t.Errorf("end %+v, want %s and 503 No More Circuits", a.EndReason, call.EndUnreachable)
			}
		}
	}
	c := placed(t, l, to(patient), &mute{}) // a machine whose phone rang does serve
	first := full.next(msg.INVITE)
	full.reply(first, 180, "Ringing", "")
	full.reply(first, 503, "Service Unavailable", "")
	ends(t, c, call.EndUnreachable)
	if got := len(p.in); got != 0 {
		t.Errorf("another machine was asked for %v", p.methods())
	}
}

// TestASwitchboardThatDoesNotServe checks that over TCP, too, the next machine is tried.
func TestASwitchboardThatDoesNotServe(t *testing.T) {
	t.Parallel()
	s := newSwitchboard(t)
	_, port, _ := strings.Cut(s.l.Addr().String(), ":")
	full, err := net.Listen("tcp4", "127.0.0.2:"+port)
	if err != nil {
		t.Skip("this machine has no second address for itself: ", err)
	}
	t.Cleanup(func() { full.Close() })
	l := s.line(func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	named(l, "127.0.0.2", "127.0.0.1")
	party := &mute{}
	c := placed(t, l, to(patient), party)
	busy := (&switchboard{t: t, l: full}).accept()
	busy.refuse(busy.next(msg.INVITE), 503)
	w := s.accept()
	w.reply(w.next(msg.INVITE), (&peer{rtp: s.rtp}).sdp("0", "sendrecv"), "")
	w.next(msg.ACK)
	party.hangUp()
	w.reply(w.next(msg.BYE), "", "")
	ends(t, c, "")
}

// TestAMachineThatSpeaksTooLate checks that the phone of a machine whose response is late is hung
// up, and not that of the machine that took the call instead.
func TestAMachineThatSpeaksTooLate(t *testing.T) {
	t.Parallel()
	for _, late := range []int{180, 200} {
		p := newPeer(t)
		slow := p.beside("127.0.0.2")
		_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
		l := lineTo(t, p, func(o *Options) {
			o.Trunks[0].Host, o.times = "trunk.example.org:"+port, quick()
			o.times.noReply = 2 * time.Second
		})
		named(l, "127.0.0.2", "127.0.0.1")
		party := &mute{}
		c := placed(t, l, to(patient), party)
		first, second := slow.next(msg.INVITE), p.next(msg.INVITE)
		if branchOf(first.Via()) == branchOf(second.Via()) {
			t.Error("both are one transaction")
		}
		p.reply(second, 200, "OK", p.sdp("0", "sendrecv"))
		p.next(msg.ACK)
		slow.reply(first, late, "Late", "")
		if late == 180 {
			cancel := slow.next(msg.CANCEL)
			if branchOf(cancel.Via()) != branchOf(first.Via()) {
				t.Error("the CANCEL is of the other transaction")
			}
			slow.reply(cancel, 200, "OK", "")
			slow.reply(first, 487, "Request Terminated", "")
			slow.next(msg.ACK)
		} else {
			slow.next(msg.ACK)
			slow.reply(slow.next(msg.BYE), 200, "OK", "")
		}
		time.Sleep(quick().t1) // an immediate repetition would not be acknowledged again
		again := second.Clone()
		again.SetSource(second.Source())
		again.Via().Params.Add("branch", msg.GenerateBranch())
		p.reply(again, 200, "OK", p.sdp("0", "sendrecv")) // as if its transaction had been forgotten
		p.next(msg.ACK)
		if slices.Contains(p.methods(), "BYE") {
			t.Error("the call that goes on was hung up")
		}
		p.endedBy(party)
		ends(t, c, "")
	}
}

// TestNobodyElseIsAsked checks that no other machine is tried once the call has been given up.
func TestNobodyElseIsAsked(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	silent := p.beside("127.0.0.2")
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) { o.Trunks[0].Host = "trunk.example.org:" + port })
	named(l, "127.0.0.2", "127.0.0.1")
	ctx, cancel := context.WithCancel(t.Context())
	c := placedIn(ctx, l, to(patient), &mute{})
	silent.next(msg.INVITE)
	cancel()
	ends(t, c, call.EndInterrupted)
	if got := p.methods(); len(got) != 0 {
		t.Errorf("another machine was asked for %v", got)
	}
}

// TestOurAddressIsOfTheFamilyOfOurSockets checks that we give an address of our sockets' family,
// whatever else the trunk's name stands for: otherwise the far end would send audio where nobody
// listens.
func TestOurAddressIsOfTheFamilyOfOurSockets(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	_, port, _ := strings.Cut(p.conn.LocalAddr().String(), ":")
	l := lineTo(t, p, func(o *Options) {
		o.Bind, o.Trunks[0].Host = netip.AddrPortFrom(netip.IPv4Unspecified(), 0), "trunk.example.org:"+port
	})
	named(l, "::1", "127.0.0.1")
	party := &mute{}
	c := placed(t, l, to(patient), party)
	invite := p.next(msg.INVITE)
	offer, err := sdp.Parse(invite.Body())
	if err != nil || offer.Addr != netip.AddrFrom4([4]byte{127, 0, 0, 1}) || invite.Contact().Address.Host != "127.0.0.1" || invite.Via().Host != "127.0.0.1" {
		t.Errorf("we are at %s, %s and %s (%v)", offer.Addr, invite.Contact().Address.Host, invite.Via().Host, err)
	}
	wholeCall(t, p, invite, party, c)
	for _, bind := range []netip.Addr{netip.IPv4Unspecified(), netip.AddrFrom4([4]byte{127, 0, 0, 1})} {
		l := lineTo(t, p, func(o *Options) {
			o.Bind, o.Trunks[0].Host = netip.AddrPortFrom(bind, 0), "trunk.example.org:"+port
		})
		named(l, "::1")
		a := result(t, placed(t, l, to(patient), &mute{}))
		if a.EndReason.Code != call.EndUnreachable || !strings.Contains(a.EndReason.Detail, "the other an IPv6 one") {
			t.Errorf("a name that stands for IPv6 alone, from %s: end %+v, want %s, and that the other address is an IPv6 one", bind, a.EndReason, call.EndUnreachable)
		}
	}
}

// served makes the line find these machines through the SRV records of any domain.
func served(l *Line, records ...*net.SRV) {
	l.e.locate.Serving = func(_ context.Context, service, proto, domain string) (string, []*net.SRV, error) {
		if service != "sip" || proto != string(l.trunks[0].Transport) || domain != "example.org" {
			return "", nil, fmt.Errorf("nobody knows _%s._%s.%s", service, proto, domain)
		}
		return "", records, nil
	}
	l.e.locate.Find = func(_ context.Context, _, host string) ([]netip.Addr, error) {
		if a, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "at-"), ".example.org.")); err == nil {
			return []netip.Addr{a}, nil
		}
		return nil, fmt.Errorf("no host %s", host)
	}
}

// TestWhoServesADomain checks that the machines of a domain are found by its SRV records, in their
// order, if no port is given.
func TestWhoServesADomain(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	silent := p.beside("127.0.0.2")
	port := uint16(p.conn.LocalAddr().(*net.UDPAddr).Port)
	trunk, err := ParseTrunk("peer=sip://me:secret@example.org")
	if err != nil {
		t.Fatal(err)
	}
	l := lineTo(t, p, func(o *Options) {
		o.Bind, o.Trunks[0], o.times = netip.AddrPortFrom(netip.IPv4Unspecified(), 0), trunk, quick()
		o.times.noReply = 2 * time.Second
	})
	served(l, &net.SRV{Target: "unknown.example.org.", Port: port}, &net.SRV{Target: "at-::1.example.org.", Port: port},
		&net.SRV{Target: "at-127.0.0.2.example.org.", Port: port}, &net.SRV{Target: "at-127.0.0.1.example.org.", Port: port})
	party := &mute{}
	c := placed(t, l, to(patient), party)
	if first := silent.next(msg.INVITE); first.Recipient.Host != "example.org" || first.Recipient.Port != 0 {
		t.Errorf("the INVITE asks for %s", first.Recipient.String())
	}
	invite := p.next(msg.INVITE)
	wholeCall(t, p, invite, party, c)
}

// TestADomainWithoutRecords checks that a domain without records, or a name without a dot, is a
// machine at the usual port.
func TestADomainWithoutRecords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"example.net": "192.0.2.1:5060", "pbx": "192.0.2.1:5060", "example.net:5062": "192.0.2.1:5062", "example.org:5062": "192.0.2.1:5062",
		"192.0.2.9": "192.0.2.9:5060", "[2001:db8::9]": "[2001:db8::9]:5060", "2001:db8::9": "[2001:db8::9]:5060",
		"example.org": "192.0.2.1:5070",
	} {
		trunk, err := ParseTrunk("a=sip://" + text)
		if err != nil {
			t.Fatal(err)
		}
		e := server(t, nil).e
		e.locate.Find = func(context.Context, string, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
		}
		e.locate.Serving = func(_ context.Context, _, _, domain string) (string, []*net.SRV, error) {
			if domain != "example.org" {
				return "", nil, errors.New("there are no records")
			}
			return "", []*net.SRV{{Target: "sip.example.org.", Port: 5070}}, nil
		}
		got, err := e.locate.Places(t.Context(), trunk.place(), string(trunk.Transport))
		if err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %v, %v, want %s", text, got, err, want)
		}
	}
}

// TestHostsInPlaceOfAddresses checks that host names in descriptions are looked up, and that
// invalid ones are refused at once.
func TestHostsInPlaceOfAddresses(t *testing.T) {
	t.Parallel()
	e := &endpoint{ctx: t.Context(), locate: locate.New(t.Context(), netip.IPv4Unspecified())}
	for lines, want := range map[string]string{
		"c=IN IP4 localhost\nm=audio 4000 RTP/AVP 0":                       "127.0.0.1:4000",
		"m=audio 4000 RTP/AVP 0\nc=IN IP4 localhost":                       "127.0.0.1:4000",
		"c=IN IP4 no.such.invalid\nm=audio 4000 RTP/AVP 0\nc=IN IP4 ::1":   "[::1]:4000",
		"c=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\nc=IN IP4 localhost":   "127.0.0.1:4000",
		"c=IN IP4 no.such.invalid\nm=audio 4000 RTP/AVP 0":                 `the host "no.such.invalid" of the connection address cannot be found`,
		"c=IN IP4 192.0.2.300\nm=audio 4000 RTP/AVP 0":                     `the connection address "192.0.2.300" is neither an IP address nor the name of a host`,
		"c=IN IP4 local host\nm=audio 4000 RTP/AVP 0":                      `the connection line "IN IP4 local host" cannot be read`,
		"c=IN IP4 $(host)\nm=audio 4000 RTP/AVP 0\na=rtcp:9 IN IP4 ::1":    `the connection address "$(host)" is neither an IP address nor the name of a host`,
		"c=IN IP4 localhost\nm=audio 4000 RTP/AVP 0\na=rtcp:9 IN IP4 ::1 ": "127.0.0.1:4000",
	} {
		s, err := e.read([]byte("v=0\n" + lines + "\n"))
		got := netip.AddrPortFrom(s.Addr, s.Port).String()
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", lines, got, want)
		}
		if err == nil && !s.ControlAddr.IsValid() {
			t.Errorf("%q: there is no address for RTCP", lines)
		}
	}
}
