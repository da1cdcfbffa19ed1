package sip

import (
	"context"
	"net/netip"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestTrunksOfBothFamilies are reached from one line, each by addresses of its own family.
func TestTrunksOfBothFamilies(t *testing.T) {
	t.Parallel()
	o := Options{Beside: netip.AddrPortFrom(netip.IPv6Loopback(), 0), Now: time.Now, times: quick()}
	for name, addr := range map[string]netip.Addr{"four": netip.AddrFrom4([4]byte{127, 0, 0, 1}), "six": netip.IPv6Loopback()} {
		for _, transport := range []Transport{UDP, TCP} {
			s, err := Listen(ServerOptions{
				Bind: netip.AddrPortFrom(addr, 0), Now: time.Now, times: quick(),
				Answerer: func(context.Context, leg.Incoming) leg.Answer {
					return leg.Answer{Party: &mute{}, Tape: leg.NewTape(time.Minute)}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close(context.Background()) })
			o.Trunks = append(o.Trunks, Trunk{Name: name + string(transport), Host: s.Addr().String(), Transport: transport})
		}
	}
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	for _, trunk := range o.Trunks {
		if err := l.Probe(t.Context(), trunk.Name); err != nil {
			t.Errorf("%s: %v", trunk.Name, err)
		}
		d := to(patient)
		d.Trunk = trunk.Name
		a := result(t, placed(t, l, d, &mute{after: 300 * time.Millisecond}))
		if a.EndReason != (call.EndReason{}) || a.Stats.Received == 0 || a.Stats.Lost != 0 {
			t.Errorf("%s: end %+v, %+v", trunk.Name, a.EndReason, a.Stats)
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
