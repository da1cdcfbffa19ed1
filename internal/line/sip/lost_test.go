package sip

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// nowhere is an address of a network for documentation that no machine under test has.
const nowhere = "203.0.113.77"

// TestAnAddressOfOursThatIsGoneIsNamed: what is sent from it goes nowhere, and nothing comes. Whoever
// reads only that the far end is silent looks for the fault there.
func TestAnAddressOfOursThatIsGoneIsNamed(t *testing.T) {
	t.Parallel()
	gone := netip.MustParseAddr(nowhere)
	here, everywhere := netip.MustParseAddr("127.0.0.1"), netip.IPv4Unspecified()
	for name, one := range map[string]struct {
		bind, advertise, local netip.Addr
		want                   bool
	}{
		"the one that it is bound to":                       {bind: gone, local: gone, want: true},
		"the one that it is bound to, behind a translation": {bind: gone, advertise: here, local: here, want: true},
		"the one that its sockets need":                     {bind: gone, want: true},
		"the one that faced the far end":                    {bind: everywhere, local: gone, want: true},
		"none: it never faced the far end":                  {bind: everywhere},
		"none: it is there":                                 {bind: here, local: here},
		"none: it faces the far end":                        {bind: everywhere, local: here},
		"none: it is that of a translation":                 {bind: everywhere, advertise: gone, local: gone},
	} {
		e := &endpoint{bind: netip.AddrPortFrom(one.bind, 5060), advertise: one.advertise}
		c := &placing{e: e}
		if one.local.IsValid() {
			c.talk = &talk{}
			c.talk.ours.Addr = one.local
		}
		for code, told := range map[call.EndCode]bool{
			call.EndMediaLost: one.want, call.EndUnreachable: one.want, call.EndRingtrueError: one.want, call.EndAgentHungUp: false, call.EndBusy: false,
		} {
			want := "silent"
			if told {
				want += "; this machine no longer has the address " + nowhere
			}
			if got := c.lostOr(call.EndOf(code, "silent")).Detail; got != want {
				t.Errorf("%s: %s: %q, want %q", name, code, got, want)
			}
		}
	}
}

// TestATestOverAnAddressThatIsGoneIsRefused: and not because its trunk were silent.
func TestATestOverAnAddressThatIsGoneIsRefused(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := lineTo(t, p, nil)
	l.e.bind = netip.AddrPortFrom(netip.MustParseAddr(nowhere), l.e.bind.Port())
	err := l.Probe(t.Context(), "")
	want := "cannot be reached: this machine no longer has the address " + nowhere
	if !problem.Is(err, problem.Unavailable) || !strings.Contains(err.Error(), want) {
		t.Fatalf("%v, want one that says %q", err, want)
	}
}
