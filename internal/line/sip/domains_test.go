package sip

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// everywhere is byDomain for a line that listens on all addresses.
func everywhere(t *testing.T, p *peer) *Line {
	t.Helper()
	return byDomain(t, p, netip.IPv4Unspecified())
}

// byDomain returns a line at an address whose trunk is a domain without a port.
func byDomain(t *testing.T, p *peer, bind netip.Addr) *Line {
	t.Helper()
	trunk, err := ParseTrunk("peer=sip://me:secret@example.org")
	if err != nil {
		t.Fatal(err)
	}
	return lineTo(t, p, func(o *Options) {
		o.Bind, o.Trunks[0] = netip.AddrPortFrom(bind, 0), trunk
	})
}

// TestATrunkIsLookedUpOnceForACall checks that one lookup serves the whole call, including the
// choice of our own address.
func TestATrunkIsLookedUpOnceForACall(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := everywhere(t, p)
	port := uint16(p.conn.LocalAddr().(*net.UDPAddr).Port)
	var records, hosts atomic.Int64
	l.e.locate.Serving = func(context.Context, string, string, string) (string, []*net.SRV, error) {
		records.Add(1)
		return "", []*net.SRV{{Target: "sip.example.org.", Port: port}}, nil
	}
	l.e.locate.Find = func(context.Context, string, string) ([]netip.Addr, error) {
		hosts.Add(1)
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	party := &mute{}
	c := placed(t, l, to(patient), party)
	first := p.next(msg.INVITE)
	p.reply(first, 407, "Proxy Authentication Required", "", `Proxy-Authenticate: Digest realm="r", nonce="n"`)
	wholeCall(t, p, p.later(msg.INVITE, first), party, c)
	if records.Load() != 1 || hosts.Load() != 1 {
		t.Errorf("records were looked up %d times, hosts %d times", records.Load(), hosts.Load())
	}
}

// TestADomainThatServesNobody checks the error for an SRV record with the target ".", which means
// that the service does not exist (RFC 2782).
func TestADomainThatServesNobody(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	for _, bind := range []netip.Addr{netip.IPv4Unspecified(), netip.AddrFrom4([4]byte{127, 0, 0, 1})} {
		l := byDomain(t, p, bind)
		served(l, &net.SRV{Target: "."})
		a := result(t, placed(t, l, to(patient), &mute{}))
		if a.EndReason.Code != call.EndUnreachable || !strings.HasSuffix(a.EndReason.Detail, `the SRV records of "example.org" say that SIP over udp is not served there`) {
			t.Errorf("from %s: end %+v, want %s, and that SIP is not served there", bind, a.EndReason, call.EndUnreachable)
		}
	}
}
