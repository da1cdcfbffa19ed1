package sip

import (
	"bytes"
	"context"
	"net"
	"net/netip"
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// sound fills the words of a sender into an ordeal without any socket.
func sound(text, transport string) string {
	s := &sender{conn: nowhere{network: transport}}
	return s.fill(text, "id-1")
}

// nowhere is a connection that knows its address alone.
type nowhere struct {
	net.Conn
	network string
}

// LocalAddr implements net.Conn.
func (n nowhere) LocalAddr() net.Addr {
	if n.network == "udp" {
		return &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5999}
	}
	return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 5999}
}

func here() netip.AddrPort { return netip.MustParseAddrPort("127.0.0.1:5999") }

func TestScreenLeavesPlainMessagesAlone(t *testing.T) {
	t.Parallel()
	plain := sound(with("INVITE"+us, offered), "udp")
	if got := screen.Read([]byte(plain), here()); string(got.Pass) != plain || got.Reply != nil {
		t.Errorf("%q\nbecame\n%q", plain, got.Pass)
	}
}

func TestAnswersFindTheWayThroughAddressTranslation(t *testing.T) {
	t.Parallel()
	text := strings.Replace(sound(with("OPTIONS"+us, ""), "udp"), "SIP/2.0/UDP 127.0.0.1:5999", "SIP/2.0/UDP 10.1.2.3:5060", 1)
	got := screen.Read([]byte(text), here())
	if !bytes.Contains(got.Pass, []byte(";rport\r\n")) {
		t.Errorf("answers would go to an address that only the sender knows: %s", got.Pass)
	}
}

func TestOldStyleAckBelongsToItsInvite(t *testing.T) {
	t.Parallel()
	branch := func(method, more string) string {
		text := sound(with(method+us, "", "Via: SIP/2.0/UDP $HOST", "To: <sip:us@example.org>"+more), "udp")
		m, err := msg.ParseMessage(screen.Read([]byte(text), here()).Pass)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := m.Via().Params.Get("branch")
		return b
	}
	if a, b := branch("INVITE", ""), branch("ACK", ";tag=x"); a == "" || a != b {
		t.Errorf("branches %q and %q", a, b)
	}
}

// FuzzScreen: what passes is read by the library, passes again unchanged, and is
// not much longer than it was; what is answered is a response to what came.
func FuzzScreen(f *testing.F) {
	for _, o := range ordeals() {
		f.Add([]byte(sound(o.text, "udp")))
	}
	for _, text := range hardAnswers() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := screen.Read(b, here())
		if s.Pass != nil && s.Reply != nil {
			t.Fatal("both passed and answered")
		}
		if s.Reply != nil && (!bytes.HasPrefix(s.Reply, []byte("SIP/2.0 ")) || !bytes.HasSuffix(s.Reply, []byte("\r\n\r\n"))) {
			t.Fatalf("no response: %q", s.Reply)
		}
		if s.Pass == nil {
			return
		}
		m, err := msg.ParseMessage(s.Pass)
		if err != nil || m.CSeq() == nil || m.CallID() == nil || m.From() == nil || m.To() == nil || m.Via() == nil {
			t.Fatalf("what passed is not read: %v\n%q", err, s.Pass)
		}
		if len(s.Pass) > 2*len(b)+400*256 {
			t.Fatalf("%d bytes became %d", len(b), len(s.Pass))
		}
		again := screen.Read(s.Pass, here())
		if !bytes.Equal(again.Pass, s.Pass) {
			t.Fatalf("%q\nbecame\n%q", s.Pass, again.Pass)
		}
		// It stands alone on a stream too.
		if size, ok := screen.BodySize(s.Pass[:bytes.Index(s.Pass, []byte("\r\n\r\n"))]); !ok || size != len(m.Body()) {
			t.Fatalf("the length is %d, %v, of a body of %d bytes\n%q", size, ok, len(m.Body()), s.Pass)
		}
	})
}

// FuzzServer throws datagrams at a server and looks whether it is still there.
func FuzzServer(f *testing.F) {
	s := server(f, func(o *ServerOptions) {
		o.Answerer = func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Refuse: leg.RefuseBusy} }
	})
	for _, o := range ordeals() {
		f.Add([]byte(sound(o.text, "udp")))
	}
	conn, err := net.Dial("udp4", s.Addr().String())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { conn.Close() })
	p := &sender{conn: conn}
	n := 0
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 60000 {
			return
		}
		p.t = t
		n++
		p.send(string(b))
		id := "alive" + itoa(n) + "x"
		p.send(p.fill(with("OPTIONS"+us, ""), id))
		if code, text := p.answer(id, patient); code != 200 {
			t.Fatalf("afterwards OPTIONS is answered with %d %s", code, text)
		}
		if n := s.Calls(); n > 0 {
			t.Fatalf("%d calls though all are refused", n)
		}
	})
}
