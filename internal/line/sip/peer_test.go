package sip

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip/sdp"
	"github.com/ringtrue/ringtrue/internal/line/sip/transport"
)

// peer is a far end on a bare UDP socket, without transactions, so that it receives and sends
// exactly what the test says.
type peer struct {
	t    testing.TB
	conn *net.UDPConn
	rtp  *net.UDPConn
	tag  string

	mu   sync.Mutex
	seen []string
	in   chan *msg.Request
	res  chan *msg.Response
	from net.Addr
}

func newPeer(t testing.TB) *peer {
	t.Helper()
	p := &peer{t: t, tag: "peer-tag", in: make(chan *msg.Request, 64), res: make(chan *msg.Response, 64)}
	p.conn, p.rtp = udp(t), udp(t)
	go p.read()
	return p
}

func udp(t testing.TB) *net.UDPConn {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func (p *peer) read() {
	buf := make([]byte, 65536)
	for {
		n, from, err := p.conn.ReadFrom(buf)
		if err != nil {
			return
		}
		m, err := msg.ParseMessage(append([]byte(nil), buf[:n]...))
		if err != nil {
			continue
		}
		p.mu.Lock()
		p.from = from
		p.mu.Unlock()
		switch m := m.(type) {
		case *msg.Request:
			m.SetSource(from.String())
			p.mu.Lock()
			p.seen = append(p.seen, string(m.Method))
			p.mu.Unlock()
			p.in <- m
		case *msg.Response:
			p.res <- m
		}
	}
}

// next waits for a request with the given method and skips others. Without one the test ends here: it
// is called on the test's own goroutine.
func (p *peer) next(method msg.RequestMethod) *msg.Request {
	p.t.Helper()
	timeout := time.After(patient)
	for {
		select {
		case r := <-p.in:
			if r.Method == method {
				return r
			}
		case <-timeout:
			p.t.Fatalf("no %s came; there were %v", method, p.methods())
		}
	}
}

// later waits for a request with the given method and a higher sequence number, skipping
// repetitions of earlier ones.
func (p *peer) later(method msg.RequestMethod, than *msg.Request) *msg.Request {
	p.t.Helper()
	for {
		r := p.next(method)
		if than == nil || r.CSeq().SeqNo > than.CSeq().SeqNo {
			return r
		}
	}
}

// response waits for a final response, as next does for a request.
func (p *peer) response() *msg.Response {
	p.t.Helper()
	for {
		select {
		case r := <-p.res:
			if !r.IsProvisional() {
				return r
			}
		case <-time.After(patient):
			p.t.Fatal("no response came")
		}
	}
}

// responseTo waits for the final response to our request with this number, skipping repetitions of
// earlier ones.
func (p *peer) responseTo(seq uint32) *msg.Response {
	p.t.Helper()
	for {
		r := p.response()
		if r.CSeq().SeqNo == seq {
			return r
		}
	}
}

// gets is responseTo that fails the test unless the response has this status code.
func (p *peer) gets(seq uint32, want int) *msg.Response {
	p.t.Helper()
	res := p.responseTo(seq)
	if res.StatusCode != want {
		p.t.Errorf("%s %d is answered with %d %s, want %d", res.CSeq().MethodName, seq, res.StatusCode, res.Reason, want)
	}
	return res
}

func (p *peer) methods() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.seen...)
}

// reply answers a request; body "" means none.
func (p *peer) reply(req *msg.Request, code int, reason, body string, headers ...string) {
	p.t.Helper()
	res := msg.NewResponseFromRequest(req, code, reason, []byte(body))
	if to := res.To(); to != nil && code != 100 {
		to.Params.Remove("tag")
		if p.tag != "" {
			to.Params.Add("tag", p.tag)
		}
	}
	res.AppendHeader(msg.NewHeader("Contact", "<sip:peer@"+p.conn.LocalAddr().String()+">"))
	if body != "" {
		res.AppendHeader(msg.NewHeader("Content-Type", "application/sdp"))
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		res.AppendHeader(msg.NewHeader(name, value))
	}
	p.write(res.String(), req.Source())
}

func (p *peer) write(text, to string) {
	p.t.Helper()
	addr, err := net.ResolveUDPAddr("udp4", to)
	if err != nil {
		p.t.Error(err)
		return
	}
	if _, err := p.conn.WriteTo([]byte(text), addr); err != nil {
		p.t.Error(err)
	}
}

// untilAcked sends an answer at growing intervals, as a far end does, until its ACK comes, and
// returns that.
func (p *peer) untilAcked(text, to string) *msg.Request {
	p.t.Helper()
	acked := make(chan struct{})
	defer close(acked)
	go func() {
		for wait := 100 * time.Millisecond; ; wait *= 2 {
			p.write(text, to)
			select {
			case <-acked:
				return
			case <-time.After(wait):
			}
		}
	}()
	return p.next(msg.ACK)
}

// endedBy makes our side hang up and confirms its BYE.
func (p *peer) endedBy(party *mute) {
	p.t.Helper()
	party.hangUp()
	p.reply(p.next(msg.BYE), 200, "OK", "")
}

// send sends a request within the dialog of the INVITE.
func (p *peer) send(invite *msg.Request, method string, seq int, body string, headers ...string) {
	p.t.Helper()
	p.write(within(invite, "UDP", p.conn.LocalAddr(), p.tag, method, seq, body, headers...), invite.Source())
}

// within returns a request within the dialog of the INVITE, from the far end with this tag.
func within(invite *msg.Request, transport string, here net.Addr, tag, method string, seq int, body string, headers ...string) string {
	fromTag, _ := invite.From().Params.Get("tag")
	var text strings.Builder
	text.WriteString(fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/%s %s;branch=z9hG4bK%s%d\r\nFrom: <%s>;tag=%s\r\nTo: <%s>;tag=%s\r\nCall-ID: %s\r\nCSeq: %d %s\r\nMax-Forwards: 70\r\nContact: <sip:peer@%s>\r\n",
		method, invite.Contact().Address.String(), transport, here, method, seq,
		invite.To().Address.String(), tag, invite.From().Address.String(), fromTag,
		invite.CallID().Value(), seq, method, here))
	for _, h := range headers {
		text.WriteString(h + "\r\n")
	}
	return fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", text.String(), len(body), body)
}

// sdp returns a session description with the given formats and direction for our RTP socket.
func (p *peer) sdp(formats, direction string) string {
	port := p.rtp.LocalAddr().(*net.UDPAddr).Port
	return fmt.Sprintf("v=0\r\no=peer 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio %d RTP/AVP %s\r\na=rtpmap:101 telephone-event/8000\r\na=%s\r\n",
		port, formats, direction)
}

// speak sends n packets of loud mu-law to the port that the INVITE offers, 20 ms apart.
func (p *peer) speak(invite *msg.Request, n int) { p.speakFrom(invite, 0, n) }

// speakFrom is speak, beginning with packet number first.
func (p *peer) speakFrom(invite *msg.Request, first, n int) {
	s, err := sdp.Parse(invite.Body())
	if err != nil {
		p.t.Error(err)
		return
	}
	to := net.UDPAddrFromAddrPort(netip.AddrPortFrom(s.Addr, s.Port))
	b := make([]byte, 172)
	b[0] = 0x80
	for i := first; i < first+n; i++ {
		b[3], b[6], b[7] = byte(i), byte(i*160>>8), byte(i*160)
		_, _ = p.rtp.WriteTo(b, to)
		time.Sleep(20 * time.Millisecond)
	}
}

// patient is how long a test waits for an event that must happen: enough for a machine that is busy
// with other things.
const patient = 30 * time.Second

// mute is a Party that says nothing and hangs up after a time or when told.
type mute struct {
	after  time.Duration
	told   atomic.Bool
	frames atomic.Int64
	keys   string
}

func (m *mute) Begin(int) {}
func (m *mute) Step(in, out *leg.Frame) {
	m.keys += in.Digits
	m.frames.Add(1)
	out.HangUp = m.after > 0 && out.At >= m.after || m.told.Load()
}
func (m *mute) End(time.Duration, bool) {}

// pass waits until the call has advanced by a few frames.
func (m *mute) pass(t testing.TB) {
	t.Helper()
	from := m.frames.Load()
	for end := time.Now().Add(patient); m.frames.Load() < from+3; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the call does not go on")
		}
	}
}

// hangUp makes the Party hang up with its next frame.
func (m *mute) hangUp() { m.told.Store(true) }

// quick returns timing for tests: short where tests wait for a timer, long where a busy machine may
// delay a message.
func quick() timing {
	return timing{
		t1: 100 * time.Millisecond, t2: 400 * time.Millisecond, noReply: patient,
		cancel: 500 * time.Millisecond, bye: 5 * time.Second, refused: 200 * time.Millisecond, passed: 200 * time.Millisecond,
		patience: transport.Patience{Connect: patient, Whole: patient, Idle: patient, Own: patient, Write: patient, Unheard: 4 * patient},
		bounds:   transport.UsualBounds(),
	}
}

// lineTo returns a line whose only trunk is the peer.
func lineTo(t testing.TB, p *peer, change func(*Options)) *Line {
	t.Helper()
	o := Options{
		Trunks: []Trunk{{Name: "peer", Host: p.conn.LocalAddr().String(), Transport: UDP, User: "me", Password: "secret"}},
		Now:    time.Now, times: quick(),
	}
	if change != nil {
		change(&o)
	}
	l, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// placed runs Place concurrently with the test.
func placed(t testing.TB, l *Line, d leg.Dial, party leg.Party) <-chan call.Attempt {
	t.Helper()
	return placedIn(t.Context(), l, d, party)
}

func placedIn(ctx context.Context, l *Line, d leg.Dial, party leg.Party) <-chan call.Attempt {
	out := make(chan call.Attempt, 1)
	go func() { out <- l.Place(ctx, d, party, leg.NewTape(time.Minute)) }()
	return out
}

// answered places a call that the peer answers with these payload types.
func answered(t testing.TB, p *peer, kinds string) (party *mute, c <-chan call.Attempt, invite *msg.Request) {
	t.Helper()
	party = &mute{}
	c = placed(t, lineTo(t, p, nil), to(patient), party)
	invite = p.next(msg.INVITE)
	p.reply(invite, 200, "OK", p.sdp(kinds, "sendrecv"))
	p.next(msg.ACK)
	return party, c, invite
}

func result(t testing.TB, c <-chan call.Attempt) call.Attempt {
	t.Helper()
	select {
	case a := <-c:
		return a
	case <-time.After(2 * patient):
		t.Fatal("the call never ended")
	}
	return call.Attempt{}
}

// ends waits for the end of a call and fails the test unless the reason has this code and its detail
// contains these texts. For the code "" there must be no reason at all.
func ends(t testing.TB, c <-chan call.Attempt, want call.EndCode, details ...string) call.Attempt {
	t.Helper()
	a := result(t, c)
	if a.EndReason.Code != want || want == "" && a.EndReason != (call.EndReason{}) {
		t.Errorf("the call ended with %+v, want the code %q", a.EndReason, want)
	}
	for _, d := range details {
		if !strings.Contains(a.EndReason.Detail, d) {
			t.Errorf("the call ended with %+v, want %q in the detail", a.EndReason, d)
		}
	}
	return a
}

func to(ring time.Duration) leg.Dial {
	return leg.Dial{CallID: "call_1", AttemptID: "att_1", To: "+15551234567", RingTimeout: ring, MaxDuration: 2 * patient}
}
