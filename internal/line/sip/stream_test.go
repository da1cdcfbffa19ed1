package sip

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
	"github.com/ringtrue/ringtrue/internal/line/sip/transport"
)

func TestMessagesInPieces(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	for name, cut := range map[string]int{"bytes": 1, "sevens": 7, "halves": 200} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newSender(t, "tcp", s.Addr().String(), "pieces"+name)
			_ = p.conn.(*net.TCPConn).SetNoDelay(true)
			for text := p.fill(siptest.With("INVITE"+siptest.Us, siptest.Offered), p.id); text != ""; {
				n := min(cut, len(text))
				p.send(text[:n])
				text = text[n:]
			}
			code, text := p.answer(p.id, patient)
			if code != 200 {
				t.Fatalf("answered with %d %s", code, text)
			}
			p.hangUp(text)
		})
	}
}

func TestManyMessagesInOnePiece(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	p := newSender(t, "tcp", s.Addr().String(), "many")
	var all strings.Builder
	for i := range 50 {
		all.WriteString("\r\n" + p.fill(siptest.With("OPTIONS"+siptest.Us, ""), fmt.Sprintf("many%dx", i)))
	}
	p.send(all.String())
	seen := map[string]bool{}
	for range 50 {
		if code, text := p.answer("many", patient); code == 200 {
			_, id, _ := strings.Cut(text, "Call-ID: ")
			id, _, _ = strings.Cut(id, "\r\n")
			seen[id] = true
		}
	}
	if len(seen) != 50 {
		t.Errorf("%d of 50 requests were answered", len(seen))
	}
}

func TestKeepAlive(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	p := newSender(t, "tcp", s.Addr().String(), "ping")
	p.send("\r\n\r\n")
	_ = p.conn.SetReadDeadline(time.Now().Add(patient))
	b := make([]byte, 2)
	if _, err := io.ReadFull(p.in, b); err != nil || string(b) != "\r\n" {
		t.Errorf("the ping was answered with %q, %v", b, err)
	}
	works(t, "tcp", s.Addr().String(), "ping")
}

// TestSlowSendersAreHungUpOn checks connections that send half a message or nothing at all.
func TestSlowSendersAreHungUpOn(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) {
		o.times.patience.Whole, o.times.patience.Idle = 400*time.Millisecond, 2*time.Second
	})
	for name, text := range map[string]string{
		"half a head": "OPTIONS sip:us@example.org SIP/2.0\r\nVia: SIP/2.0/TCP",
		"half a body": "INVITE sip:us@example.org SIP/2.0\r\nContent-Length: 500\r\n\r\nv=0\r\n",
		"nothing":     "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newSender(t, "tcp", s.Addr().String(), "slow")
			p.send(text)
			_ = p.conn.SetReadDeadline(time.Now().Add(patient))
			if _, err := p.in.ReadByte(); err != io.EOF && !strings.Contains(fmt.Sprint(err), "reset") {
				t.Errorf("the connection was left open: %v", err)
			}
		})
	}
}

// TestUnframedStreamIsClosed checks that what follows a message of unknown length is never read as
// a message.
func TestUnframedStreamIsClosed(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	for name, text := range map[string]string{
		"endless head":      "OPTIONS sip:us@example.org SIP/2.0\r\nX: " + strings.Repeat("a", screen.MaxHead) + "\r\n",
		"no Content-Length": siptest.With("OPTIONS"+siptest.Us, "", "-Content-Length:"),
		"too much":          siptest.With("OPTIONS"+siptest.Us, "", "Content-Length: 70000"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newSender(t, "tcp", s.Addr().String(), "unframed")
			p.send(p.fill(text, "one") + p.fill(siptest.With("OPTIONS"+siptest.Us, ""), "number-two"))
			if code, text := p.answer("number-two", patient); code != 0 {
				t.Errorf("what follows was answered with %d %s", code, text)
			}
			works(t, "tcp", s.Addr().String(), "unframed"+strings.ReplaceAll(name, " ", "-"))
		})
	}
}

// TestSendersAreForgotten sends from more addresses than sipgo may remember, while calls keep
// working.
func TestSendersAreForgotten(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	for i := range transport.MaxSenders + 100 {
		c, err := net.Dial("udp4", s.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		p := &sender{t: t, conn: c, id: fmt.Sprintf("crowd%dx", i)}
		p.send(p.fill(siptest.With("OPTIONS"+siptest.Us, ""), p.id))
		if i%97 == 0 {
			if code, text := p.answer(p.id, patient); code != 200 {
				t.Fatalf("sender %d was answered with %d %s", i, code, text)
			}
		}
		c.Close()
	}
	if n := s.e.ua.TransportLayer().Pool("udp").Size(); n > transport.MaxSenders {
		t.Errorf("%d senders are remembered", n)
	}
	works(t, "udp", s.Addr().String(), "crowd")
}

func TestHardAnswersEndNoCall(t *testing.T) {
	t.Parallel()
	for name, text := range siptest.HardAnswers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			l := lineTo(t, p, nil)
			c := placed(t, l, to(patient), &mute{after: 60 * time.Millisecond})
			invite := p.next(msg.INVITE)
			p.write(strings.NewReplacer("$VIA", invite.Via().Value(), "$FROM", invite.From().Value(), "$TO", invite.To().Value(),
				"$CALL", invite.CallID().Value()).Replace(text), invite.Source())
			time.Sleep(20 * time.Millisecond)
			p.reply(invite, 200, "OK", p.sdp("0", "sendrecv"))
			p.next(msg.ACK)
			p.reply(p.next(msg.BYE), 200, "OK", "")
			if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
				t.Error("the call was not answered")
			}
			gone(t, l.e)
		})
	}
}

// TestAnAnswerIsReadPastWhatNobodyNeeds checks that a mistake in a header that does not matter
// costs no call.
func TestAnAnswerIsReadPastWhatNobodyNeeds(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"no header at all", "Two Words: x", "Route: foo", "Refer-To: x", "Referred-By: <", "Max-Forwards: many", "Contact:", "Content-Type:",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			c := placed(t, lineTo(t, p, nil), to(patient), &mute{after: 60 * time.Millisecond})
			invite := p.next(msg.INVITE)
			body := p.sdp("0", "sendrecv")
			res := msg.NewResponseFromRequest(invite, 200, "OK", []byte(body))
			res.To().Params.Add("tag", p.tag)
			p.write(strings.Replace(res.String(), "\r\n", "\r\n"+line+"\r\nX-Other: y\r\n", 1), invite.Source())
			p.next(msg.ACK)
			p.reply(p.next(msg.BYE), 200, "OK", "")
			if a := ends(t, c, ""); a.AnsweredAt.IsZero() {
				t.Error("the call was not answered")
			}
		})
	}
}

// TestHardFinalAnswers checks malformed final responses that are not followed by a valid one.
func TestHardFinalAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want call.EndCode
	}{
		"no reason and no blank": {"SIP/2.0 486\r\n", call.EndBusy},
		"no reason":              {"SIP/2.0 486 \r\n", call.EndBusy},
		"odd reason":             {"SIP/2.0 603 = 2**3 * \xff\xd0\xbd\r\n", call.EndDeclined},
		"compact":                {"SIP/2.0 404 x\r\n", call.EndUnreachable},
		"code of no class":       {"SIP/2.0 699 x\r\n", call.EndUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPeer(t)
			l := lineTo(t, p, nil)
			out := placed(t, l, to(patient), &mute{})
			invite := p.next(msg.INVITE)
			p.write(strings.NewReplacer("$VIA", invite.Via().Value(), "$FROM", invite.From().Value(), "$TO", invite.To().Value(), "$CALL", invite.CallID().Value()).
				Replace(c.text+"v: $VIA\r\nf: $FROM\r\nt: $TO;tag=hard\r\ni: $CALL\r\nCSeq:  1\r\n\tINVITE\r\nl: 0\r\n\r\n"), invite.Source())
			p.next(msg.ACK)
			ends(t, out, c.want)
			gone(t, l.e)
		})
	}
}

// TestOrdealsOfTheLine sends everything to the port of a line, which takes no calls; our own calls
// must still work afterwards.
func TestOrdealsOfTheLine(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	l, err := New(Options{Now: time.Now, Trunks: []Trunk{
		{Name: "udp", Host: s.Addr().String(), Transport: UDP}, {Name: "tcp", Host: s.Addr().String(), Transport: TCP},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	n := 0
	for name, o := range siptest.Ordeals() {
		for _, transport := range []string{"udp", "tcp"} {
			n++
			p := newSender(t, transport, l.Addr().String(), fmt.Sprintf("line%dx", n))
			p.send(p.fill(o.Text, p.id))
			if o.Wants[0] < 400 {
				continue
			}
			wait := patient
			if transport == "tcp" && o.Stream != nil {
				wait = 100 * time.Millisecond // there may be no answer
			}
			if code, text := p.answer(p.id, wait); code < 400 && wait == patient {
				t.Errorf("%s over %s: answered with %d %s", name, transport, code, text)
			}
		}
	}
	for _, trunk := range []string{"udp", "tcp"} {
		d := to(3 * time.Second)
		d.Trunk = trunk
		if a := l.Place(t.Context(), d, &mute{after: 60 * time.Millisecond}, nil); a.AnsweredAt.IsZero() {
			t.Errorf("a call over %s: %+v", trunk, a.EndReason)
		}
	}
	gone(t, l.e)
}

// TestTheRestOfALongerMessageIsNoMessage checks that the connection is closed at once, so that
// nobody waits in vain for the rest of a message.
func TestTheRestOfALongerMessageIsNoMessage(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	c, err := net.Dial("tcp4", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("v=0\r\nc=IN IP4 127.0.0.1\r\n")); err != nil {
		t.Fatal(err)
	}
	_ = c.SetReadDeadline(time.Now().Add(patient / 3)) // less than the time for which a message is waited for
	if n, err := c.Read(make([]byte, 100)); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("read %d bytes, %v", n, err)
	}
}
