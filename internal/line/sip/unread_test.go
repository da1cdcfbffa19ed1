package sip

import (
	"bufio"
	"net"
	"strings"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// TestAnAnswerThatCannotBeReadIsNoSilence checks that an unreadable answer does not count as
// silence, neither the trunk's nor the agent's.
func TestAnAnswerThatCannotBeReadIsNoSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ from, to, why string }{
		"a number too large": {"CSeq: 1 INVITE", "CSeq: 99999999999 INVITE", "CSeq"},
		"a broken address":   {"Contact: <", "Contact: \"<", "the Contact header"},
		"too long a body":    {"Content-Length: 0", "Content-Length: 900", "Content-Length"},
	} {
		for _, rings := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := newPeer(t)
				l := lineTo(t, p, func(o *Options) { o.times.noReply = 3 * time.Second })
				out := placed(t, l, to(3*time.Second), &mute{})
				invite := p.next(msg.INVITE)
				if rings {
					p.reply(invite, 180, "Ringing", "")
				}
				res := msg.NewResponseFromRequest(invite, 200, "OK", nil)
				res.To().Params.Add("tag", "peer-tag")
				res.AppendHeader(msg.NewHeader("Contact", "<sip:peer@127.0.0.1>"))
				p.write(strings.Replace(res.String(), c.from, c.to, 1), invite.Source())
				if rings {
					p.reply(p.next(msg.CANCEL), 200, "OK", "")
				}
				a := ends(t, out, call.EndUnreachable, "could not be read: ", c.why)
				if why := l.e.sockets.Awaited().UnreadOf(a.LineRef); why != "" {
					t.Errorf("the call is remembered: %s", why)
				}
			})
		}
	}
}

// TestAnAnswerThatNeverEndsIsNoSilence checks the same on a stream for an answer whose end is
// unknown, or that is incomplete when we lose patience or the far end closes the connection.
func TestAnAnswerThatNeverEndsIsNoSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rest, why string
		closes    bool
	}{
		"no length":              {"\r\n", "Content-Length", false},
		"a length beyond bounds": {"Content-Length: 99999\r\n\r\n", "Content-Length", false},
		"too large a length":     {"Content-Length: 900\r\n\r\n", "Content-Length", false},
		"the same and closed":    {"Content-Length: 900\r\n\r\n", "Content-Length", true},
		"too long a head":        {"X-Long: " + strings.Repeat("a", screen.MaxHead) + "\r\nContent-Length: 0\r\n\r\n", "no end of the headers", false},
		"cut off":                {"Content-Le", "no end of the headers", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { listener.Close() })
			l := lineTo(t, newPeer(t), func(o *Options) {
				o.Trunks[0].Host, o.Trunks[0].Transport, o.times.noReply = listener.Addr().String(), TCP, 3*time.Second
				o.times.patience.Whole = 500 * time.Millisecond
			})
			out := placed(t, l, to(patient), &mute{})
			conn, err := listener.Accept()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			_, _ = conn.Write([]byte("SIP/2.0 486 Busy Here\r\n" + echoOf(t, conn) + c.rest))
			if c.closes {
				conn.Close()
			}
			if a := result(t, out); !strings.Contains(a.EndReason.Detail, "could not be read: "+c.why) {
				t.Errorf("end %+v, want %q in the detail", a.EndReason, "could not be read: "+c.why)
			}
		})
	}
}

// echoOf returns the headers of a request that its answer repeats.
func echoOf(t *testing.T, conn net.Conn) string {
	t.Helper()
	var echoed strings.Builder
	for in := bufio.NewReader(conn); ; {
		text, err := in.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if name, _, _ := strings.Cut(text, ":"); strings.Contains("Via From To Call-ID CSeq", name) {
			echoed.WriteString(text)
		}
		if text == "\r\n" {
			return echoed.String()
		}
	}
}
