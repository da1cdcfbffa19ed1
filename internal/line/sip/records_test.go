package sip

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
)

// everywhere is byDomain at all addresses.
func everywhere(t *testing.T, p *peer) *Line {
	t.Helper()
	return byDomain(t, p, netip.IPv4Unspecified())
}

// byDomain is a line at an address, whose trunk is a domain without a port.
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

// TestATrunkIsLookedUpOnceForACall, also where the answer says which address of ours faces it.
func TestATrunkIsLookedUpOnceForACall(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	l := everywhere(t, p)
	port := uint16(p.conn.LocalAddr().(*net.UDPAddr).Port)
	var records, hosts atomic.Int64
	l.e.serving = func(context.Context, string, string, string) (string, []*net.SRV, error) {
		records.Add(1)
		return "", []*net.SRV{{Target: "sip.example.org.", Port: port}}, nil
	}
	l.e.find = func(context.Context, string, string) ([]netip.Addr, error) {
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

// TestAResolverThatKnowsNoRecords and does not say so keeps one call waiting, and hardly those
// after it; what it answers later on counts again.
func TestAResolverThatKnowsNoRecords(t *testing.T) {
	t.Parallel()
	e := server(t, nil).e
	e.find = func(context.Context, string, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("192.0.2.1")}, nil
	}
	var speaks atomic.Bool
	e.serving = func(ctx context.Context, _, _, _ string) (string, []*net.SRV, error) {
		if speaks.Load() {
			return "", []*net.SRV{{Target: "sip.example.org.", Port: 5070}}, nil
		}
		<-ctx.Done()
		return "", nil, &net.DNSError{Err: "i/o timeout", IsTimeout: true}
	}
	places := func(within time.Duration, want string) {
		t.Helper()
		from := time.Now()
		got, err := e.placesOf(t.Context(), "example.org:0", UDP)
		if took := time.Since(from); took > within || err != nil || !slices.Equal(got, []string{want}) {
			t.Errorf("%v after %v, %v", got, took, err)
		}
	}
	places(patient, "192.0.2.1:5060")
	for end := time.Now().Add(patient); e.unanswered.patience("udp example.org") != recordsAgain && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	places(recordsTime/2, "192.0.2.1:5060")
	speaks.Store(true)
	places(patient, "192.0.2.1:5070")
	if e.unanswered.patience("udp example.org") != recordsTime {
		t.Error("who answers is not waited for")
	}
}

// TestADomainThatServesNobody says so by the root in the place of a machine (RFC 2782).
func TestADomainThatServesNobody(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	for _, bind := range []netip.Addr{netip.IPv4Unspecified(), netip.AddrFrom4([4]byte{127, 0, 0, 1})} {
		l := byDomain(t, p, bind)
		served(l, &net.SRV{Target: "."})
		a := result(t, placed(t, l, to(patient), &mute{}))
		if a.EndReason.Code != call.EndUnreachable || !strings.HasSuffix(a.EndReason.Detail, `the SRV records of "example.org" say that SIP over udp is not served there`) {
			t.Errorf("from %s: end %+v", bind, a.EndReason)
		}
	}
}

// TestRecordsWithAddresses lead to those, though they should hold names.
func TestRecordsWithAddresses(t *testing.T) {
	t.Parallel()
	l := everywhere(t, newPeer(t))
	served(l, &net.SRV{Target: "192.0.2.7.", Port: 5070}, &net.SRV{Target: "at-192.0.2.8.example.org.", Port: 5071})
	got, err := l.e.placesOf(t.Context(), "example.org:0", UDP)
	if err != nil || !slices.Equal(got, []string{"192.0.2.7:5070", "192.0.2.8:5071"}) {
		t.Errorf("%v, %v", got, err)
	}
}
