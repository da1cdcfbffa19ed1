package sip

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestTrunksOfBothFamilies are reached from one line, each by addresses of its own family,
// wherever it listens.
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

// reaches says that a line with those options reaches trunks of both families.
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
			t.Errorf("%s: end %+v, %+v", o.Trunks[i].Name, a.EndReason, a.Stats)
		}
	}
	if n := l.Calls(); n != 0 {
		t.Errorf("%d calls are left", n)
	}
}

// TestSoundThatIsWantedBeyondOurNetwork: why none came is said.
func TestSoundThatIsWantedBeyondOurNetwork(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	c := placed(t, lineTo(t, p, func(o *Options) { o.MediaTimeout = time.Second }), to(patient), &mute{})
	p.reply(p.next(msg.INVITE), 200, "OK", strings.Replace(p.sdp("0", "sendrecv"), "c=IN IP4 127.0.0.1", "c=IN IP6 2001:db8::1", 1))
	p.next(msg.ACK)
	p.reply(p.next(msg.BYE), 200, "OK", "")
	want := call.EndOf(call.EndMediaLost, "no audio ever came; the far end wants it at 2001:db8::1, which cannot be reached from 127.0.0.1")
	if a := result(t, c); a.EndReason != want {
		t.Errorf("end %+v", a.EndReason)
	}
}
