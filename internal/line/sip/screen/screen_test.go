package screen_test

import (
	"bytes"
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

func TestWhatARequestWishes(t *testing.T) {
	t.Parallel()
	for to, tag := range map[string]string{
		"<sip:us@example.org>": "", "sip:us@example.org;TAG=a": "a", "\"x;tag=no\" <sip:us@example.org;tag=no>;x=y; tag = b ;z": "b",
	} {
		text := strings.NewReplacer("$VIA", "SIP/2.0/UDP 127.0.0.1:5;branch=z9hG4bKx", "$ADDR", "127.0.0.1:5", "$ID", "1", "$LEN", "0", "\n", "\r\n").
			Replace(siptest.With("BYE"+siptest.Us, "", "To: "+to))
		want := screen.Wish{Method: "BYE", CallID: "1@ordeal", Tag: tag, Number: 7}
		if got := screen.Read([]byte(text), siptest.Here()).Wish; got != want {
			t.Errorf("%s: %+v, want %+v", to, got, want)
		}
	}
}

func TestScreenLeavesPlainMessagesAlone(t *testing.T) {
	t.Parallel()
	plain := siptest.Sound(siptest.With("INVITE"+siptest.Us, siptest.Offered), "udp")
	if got := screen.Read([]byte(plain), siptest.Here()); string(got.Pass) != plain || got.Reply != nil {
		t.Errorf("%q\nbecame\n%q", plain, got.Pass)
	}
}

func TestAnswersFindTheWayThroughAddressTranslation(t *testing.T) {
	t.Parallel()
	text := strings.Replace(siptest.Sound(siptest.With("OPTIONS"+siptest.Us, ""), "udp"), "SIP/2.0/UDP 127.0.0.1:5999", "SIP/2.0/UDP 10.1.2.3:5060", 1)
	got := screen.Read([]byte(text), siptest.Here())
	if !bytes.Contains(got.Pass, []byte(";rport\r\n")) {
		t.Errorf("answers would go to an address that only the sender knows: %s", got.Pass)
	}
}

func TestOldStyleAckBelongsToItsInvite(t *testing.T) {
	t.Parallel()
	branch := func(method, more string) string {
		text := siptest.Sound(siptest.With(method+siptest.Us, "", "Via: SIP/2.0/UDP $HOST", "To: <sip:us@example.org>"+more), "udp")
		m, err := msg.ParseMessage(screen.Read([]byte(text), siptest.Here()).Pass)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := m.Via().Params.Get("branch")
		return b
	}
	if a, b := branch("INVITE", ""), branch("ACK", ";tag=x"); a == "" || a != b {
		t.Errorf("branches %q and %q, want the same one", a, b)
	}
}

// TestAHeaderInManyLines checks that the time is linear in the length of the header: if each line
// were appended to a copy of all those before it, this would never end.
func TestAHeaderInManyLines(t *testing.T) {
	t.Parallel()
	size, ok := screen.BodySize([]byte("Subject: a \r\n" + strings.Repeat("\tb\r\n \r\n", 1<<20) + "Content-Length: \r\n 7"))
	if !ok || size != 7 {
		t.Errorf("size %d, %v, want 7", size, ok)
	}
	plain := siptest.Sound(siptest.With("INVITE"+siptest.Us, siptest.Offered), "udp")
	folded := strings.Replace(plain, "\r\n", "\r\nSubject: a \r\n\tb\r\n \r\n  c\r\n", 1)
	if pass := string(screen.Read([]byte(folded), siptest.Here()).Pass); !strings.Contains(pass, "\r\nSubject: a b c\r\n") {
		t.Errorf("folded lines became %q", pass)
	}
}

// TestAnAnswerIsNotLongerThanWhatItAnswers checks that an answer is longer than its request only by
// what we add: otherwise anyone could have us send more data to a forged address than they send
// themselves.
func TestAnAnswerIsNotLongerThanWhatItAnswers(t *testing.T) {
	t.Parallel()
	for name, vias := range map[string]string{"empty places": strings.Repeat(",", 8000), "very many": strings.Repeat("a,", 8000)} {
		request := "INVITE sip:a@example.org SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1," + vias + "\r\n\r\n"
		reply := screen.Read([]byte(request), siptest.Here()).Reply
		if !strings.HasPrefix(string(reply), "SIP/2.0 400 ") || len(reply) > len(request) {
			t.Errorf("%s: %d bytes are answered by %d: %.60q", name, len(request), len(reply), reply)
		}
	}
}

// FuzzScreen checks that what passes can be read by the library, passes again unchanged and is not
// much longer than before, and that an answer is a response to what came.
func FuzzScreen(f *testing.F) {
	for _, o := range siptest.Ordeals() {
		f.Add([]byte(siptest.Sound(o.Text, "udp")))
	}
	for _, text := range siptest.HardAnswers() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		s := screen.Read(b, siptest.Here())
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
		again := screen.Read(s.Pass, siptest.Here())
		if !bytes.Equal(again.Pass, s.Pass) {
			t.Fatalf("%q\nbecame\n%q", s.Pass, again.Pass)
		}
		// It must also be a complete message on a stream.
		if size, ok := screen.BodySize(s.Pass[:bytes.Index(s.Pass, []byte("\r\n\r\n"))]); !ok || size != len(m.Body()) {
			t.Fatalf("the length is %d, %v, of a body of %d bytes\n%q", size, ok, len(m.Body()), s.Pass)
		}
	})
}
