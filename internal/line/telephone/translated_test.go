package telephone

import (
	"net/netip"
	"testing"
)

// TestAFarEndBehindAddressTranslationIsFoundBehindTheLastOfAnother checks a far end behind address translation whose address
// is not the first from which something came: that were a few packets of the call that had the port before, or the last of the
// far end that has handed the call over to this one.
func TestAFarEndBehindAddressTranslationIsFoundBehindTheLastOfAnother(t *testing.T) {
	t.Parallel()
	for name, handed := range map[string]bool{"another call": false, "a far end that handed over": true} {
		for _, left := range []int{1, 2, 10} {
			e, sock := newEars(), &settled{}
			e.setup.Remote, e.sawRemote, e.sock = netip.MustParseAddrPort("10.0.0.1:4000"), false, sock
			old, own := netip.MustParseAddrPort("192.0.2.1:5000"), netip.MustParseAddrPort("192.0.2.2:5000")
			begins := left
			if handed {
				begins += 100
			}
			for n := range begins + 100 {
				e.now, e.next = int64(n)*frameNS, int64(n)
				if handed && n == 100 {
					to := e.setup
					to.Remote = netip.MustParseAddrPort("10.0.0.2:4000")
					e.follow(&to)
				}
				if e.from = own; n >= begins {
					e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
					continue
				}
				e.from = old
				e.hears(0, 3, uint16(n), uint32(n*frameSize), straySample)
			}
			_, heard := e.result()
			if got := heard[decoded(lowSample)] / frameSize; e.remote != own || sock.peer != own || got < 100-int(awayNS/frameNS)-2 {
				t.Errorf("%s, %d packets: we send to %s, hear %s alone and have %d frames of the voice", name, left, e.remote, sock.peer, got)
			}
		}
	}
}
