package sip

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestTrunksOfBothFamilies checks that one line reaches trunks of both families, each from an
// address of its own family, whatever it listens on.
func TestTrunksOfBothFamilies(t *testing.T) {
	t.Parallel()
	by4, by6 := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 0), netip.AddrPortFrom(netip.IPv6Loopback(), 0)
	all4, all6 := netip.AddrPortFrom(netip.IPv4Unspecified(), 0), netip.AddrPortFrom(netip.IPv6Unspecified(), 0)
	for name, o := range map[string]Options{
		"here":                           {Bind: by4, Beside: by6},
		"everywhere":                     {Bind: all4, Beside: all6},
		"everywhere on ports of a range": {Bind: all4, Beside: all6, RTPPorts: [2]uint16{18300, 18315}},
		"everywhere and portable":        {Bind: all4, Beside: all6, Portable: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reaches(t, o)
		})
	}
}

// reaches checks that a line with these options reaches trunks of both families.
func reaches(t *testing.T, o Options) {
	t.Helper()
	o.Now, o.times = time.Now, quick()
	for name, addr := range map[string]netip.Addr{"four": netip.AddrFrom4([4]byte{127, 0, 0, 1}), "six": netip.IPv6Loopback()} {
		for _, transport := range []Transport{UDP, TCP} {
			s := server(t, func(o *ServerOptions) { o.Bind = netip.AddrPortFrom(addr, 0) })
			o.Trunks = append(o.Trunks, Trunk{Name: name + string(transport), Host: s.Addr().String(), Transport: transport})
		}
	}
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	var calls []<-chan call.Attempt
	for _, trunk := range o.Trunks {
		if err := l.Probe(t.Context(), trunk.Name); err != nil {
			t.Errorf("%s: %v", trunk.Name, err)
		}
		d := to(patient)
		d.Trunk = trunk.Name
		calls = append(calls, placed(t, l, d, &mute{after: 300 * time.Millisecond}))
	}
	for i, c := range calls {
		if a := result(t, c); a.EndReason != (call.EndReason{}) || a.Stats.Received == 0 || a.Stats.Lost != 0 {
			t.Errorf("%s: end %+v, %+v, want no reason, and packets without a loss", o.Trunks[i].Name, a.EndReason, a.Stats)
		}
	}
	if n := l.Calls(); n != 0 {
		t.Errorf("%d calls are left", n)
	}
}

// TestSoundThatIsWantedBeyondOurNetwork checks that the end reason says that no audio came because
// the far end expects it at an address we cannot reach.
func TestSoundThatIsWantedBeyondOurNetwork(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, func(o *Options) { o.MediaTimeout = time.Second }), to(patient), &mute{})
	p.reply(p.next(msg.INVITE), 200, "OK", strings.Replace(p.sdp("0", "sendrecv"), "c=IN IP4 127.0.0.1", "c=IN IP6 2001:db8::1", 1))
	p.next(msg.ACK)
	p.reply(p.next(msg.BYE), 200, "OK", "")
	want := call.EndOf(call.EndMediaLost, "no audio ever arrived; the far end expects audio at 2001:db8::1, which cannot be reached from 127.0.0.1")
	if a := result(t, c); a.EndReason != want {
		t.Errorf("end %+v, want %+v", a.EndReason, want)
	}
}

// TestAMachineWithoutIPv6 checks that a machine without IPv6 reaches its other trunks, and that the
// error for an IPv6 trunk gives the reason.
func TestAMachineWithoutIPv6(t *testing.T) {
	t.Parallel()
	elsewhere := netip.AddrPortFrom(netip.MustParseAddr("2001:db8::1"), 0) // not an address of this machine
	s := server(t, nil)
	l, err := New(Options{
		Beside: elsewhere, Now: time.Now, times: quick(),
		Trunks: []Trunk{{Name: "four", Host: s.Addr().String(), Transport: UDP}, {Name: "six", Host: "[2001:db8::2]:5060", Transport: UDP}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	if err := l.Probe(t.Context(), "four"); err != nil {
		t.Error(err)
	}
	if err := l.Probe(t.Context(), "six"); err == nil || !strings.Contains(err.Error(), "this machine has no IPv6") {
		t.Errorf("the probe says %v", err)
	}
	d := to(patient)
	d.Trunk = "six"
	if a := ends(t, placed(t, l, d, &mute{}), call.EndConfiguration, "IPv6"); a.EndReason.Blame != call.BlameRingtrue {
		t.Errorf("%s is to blame, want %s", a.EndReason.Blame, call.BlameRingtrue)
	}
	if err := l.HangUp(t.Context(), `{"trunk":"six","call_id":"x","target":"sip:x@[2001:db8::2]"}`); err == nil || !strings.Contains(err.Error(), "IPv6") {
		t.Errorf("hanging up says %v", err)
	}
	d.Trunk = "four"
	ends(t, placed(t, l, d, &mute{after: 200 * time.Millisecond}), "")
}

// TestACallDoesNotMoveBeyondOurNetwork checks that a change to an address we cannot reach is
// refused and leaves the audio as it is.
func TestACallDoesNotMoveBeyondOurNetwork(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0")
	elsewhere := func(addr string) string {
		return strings.Replace(p.sdp("0", "sendrecv"), "c=IN IP4 127.0.0.1", "c=IN IP6 "+addr, 1)
	}
	for i, one := range []struct {
		method, addr string
		code         int
	}{{"INVITE", "::1", 488}, {"UPDATE", "::1", 488}, {"UPDATE", "::", 200}} {
		p.send(invite, one.method, i+1, elsewhere(one.addr), "Content-Type: application/sdp")
		p.gets(uint32(i+1), one.code)
		if one.method == "INVITE" {
			p.send(invite, "ACK", i+1, "")
		}
	}
	party.pass(t)
	p.send(invite, "UPDATE", 4, p.sdp("0", "sendrecv"), "Content-Type: application/sdp")
	p.responseTo(4)
	party.pass(t)
	p.endedBy(party)
	if a := result(t, c); a.EndReason != (call.EndReason{}) || !has(a, call.KindHeld) || !has(a, call.KindResumed) {
		t.Errorf("end %+v, timeline %+v, want no reason, and that it was held and resumed", a.EndReason, a.Timeline)
	}
}
