package app

import (
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	msg "github.com/emiago/sipgo/sip"
)

// farEnd is somebody else's end of a trunk: bare UDP sockets without any
// transactions, so that what it sends is exactly what its script says. It
// answers OPTIONS unless it is told not to, and acknowledges a BYE.
type farEnd struct {
	t    testing.TB
	sip  *net.UDPConn
	rtp  *net.UDPConn
	mute bool // leaves OPTIONS unanswered

	// script plays one call, on a goroutine of its own.
	script func(*farEndCall)
	wg     sync.WaitGroup

	mu    sync.Mutex
	calls map[string]*farEndCall
	seen  []string
}

// farEndCall is one call at the far end.
type farEndCall struct {
	*farEnd
	invite *msg.Request
	// media is where the INVITE wants its audio.
	media netip.AddrPort
	// acked and over are closed when the ACK and the BYE or CANCEL come.
	acked, over chan struct{}
	once        [2]sync.Once
	seq         int
}

func newFarEnd(t testing.TB, script func(*farEndCall)) *farEnd {
	t.Helper()
	f := &farEnd{t: t, script: script, calls: map[string]*farEndCall{}}
	f.sip, f.rtp = udpSocket(t), udpSocket(t)
	f.wg.Go(f.read)
	t.Cleanup(f.wg.Wait) // after the sockets, which were asked to close before
	return f
}

func udpSocket(t testing.TB) *net.UDPConn {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// stop closes the sockets and waits for the scripts, which a service that has
// been stopped has ended.
func (f *farEnd) stop() {
	f.sip.Close()
	f.rtp.Close()
	f.wg.Wait()
}

func (f *farEnd) addr() string { return f.sip.LocalAddr().String() }

// count is how many requests of the method have come, repetitions included.
func (f *farEnd) count(method string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.seen {
		if m == method {
			n++
		}
	}
	return n
}

func (f *farEnd) read() {
	buf := make([]byte, 65536)
	for {
		n, from, err := f.sip.ReadFrom(buf)
		if err != nil {
			f.mu.Lock()
			for _, c := range f.calls {
				c.once[0].Do(func() { close(c.acked) })
				c.once[1].Do(func() { close(c.over) })
			}
			f.mu.Unlock()
			return
		}
		m, err := msg.ParseMessage(slices.Clone(buf[:n]))
		if err != nil {
			continue
		}
		if r, ok := m.(*msg.Request); ok {
			r.SetSource(from.String())
			f.take(r)
		}
	}
}

func (f *farEnd) take(r *msg.Request) {
	id := r.CallID().Value()
	f.mu.Lock()
	f.seen = append(f.seen, string(r.Method))
	c := f.calls[id]
	f.mu.Unlock()
	switch {
	case r.Method == msg.OPTIONS:
		if !f.mute {
			f.reply(r, 200, "OK", "")
		}
	case r.Method == msg.INVITE && (c == nil || c.invite.CSeq().SeqNo < r.CSeq().SeqNo):
		c = &farEndCall{farEnd: f, invite: r, media: offered(r.Body()), acked: make(chan struct{}), over: make(chan struct{}), seq: 1}
		f.mu.Lock()
		f.calls[id] = c
		f.mu.Unlock()
		f.wg.Go(func() { f.script(c) })
	case c == nil:
	case r.Method == msg.ACK:
		c.once[0].Do(func() { close(c.acked) })
	case r.Method == msg.BYE || r.Method == msg.CANCEL:
		f.reply(r, 200, "OK", "")
		if tag, _ := r.To().Params.Get("tag"); r.Method == msg.BYE && tag != "far-end" {
			return // of another phone that answered
		}
		if r.Method == msg.CANCEL {
			f.reply(c.invite, 487, "Request Terminated", "")
		}
		c.once[1].Do(func() { close(c.over) })
	}
}

var mediaLine = regexp.MustCompile(`(?m)^m=audio (\d+) `)

func offered(sdp []byte) netip.AddrPort {
	if m := mediaLine.FindSubmatch(sdp); m != nil {
		port, _ := strconv.Atoi(string(m[1]))
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), uint16(port))
	}
	return netip.AddrPort{}
}

// reply answers a request; body "" sends none.
func (f *farEnd) reply(req *msg.Request, code int, reason, body string, headers ...string) {
	res := msg.NewResponseFromRequest(req, code, reason, []byte(body))
	if to := res.To(); to != nil && code != 100 {
		to.Params.Remove("tag")
		to.Params.Add("tag", "far-end")
	}
	res.AppendHeader(msg.NewHeader("Contact", "<sip:far@"+f.addr()+">"))
	if body != "" {
		res.AppendHeader(msg.NewHeader("Content-Type", "application/sdp"))
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		res.AppendHeader(msg.NewHeader(name, value))
	}
	f.write(f.sip, []byte(res.String()), req.Source())
}

func (f *farEnd) write(from *net.UDPConn, data []byte, to string) {
	if addr, err := netip.ParseAddrPort(to); err == nil {
		_, _ = from.WriteToUDPAddrPort(data, addr) // fails once the socket is closed
	}
}

// answer takes the call with audio at our RTP socket, and waits for the ACK.
func (c *farEndCall) answer() {
	c.reply(c.invite, 200, "OK", sdpAt(c.rtp))
	select {
	case <-c.acked:
	case <-time.After(5 * time.Second):
		c.t.Error("the answer was never acknowledged")
	}
}

func sdpAt(rtp *net.UDPConn) string {
	return fmt.Sprintf("v=0\r\no=far 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"+
		"m=audio %d RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\na=sendrecv\r\n", rtp.LocalAddr().(*net.UDPAddr).Port)
}

// request sends a request within the dialog, as the callee does.
func (c *farEndCall) request(method string) {
	c.seq++
	fromTag, _ := c.invite.From().Params.Get("tag")
	text := fmt.Sprintf("%s %s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s%d%s\r\nFrom: <%s>;tag=far-end\r\nTo: <%s>;tag=%s\r\n"+
		"Call-ID: %s\r\nCSeq: %d %s\r\nMax-Forwards: 70\r\nContact: <sip:far@%s>\r\nContent-Length: 0\r\n\r\n",
		method, c.invite.Contact().Address.String(), c.addr(), method, c.seq, c.invite.CallID().Value(),
		c.invite.To().Address.String(), c.invite.From().Address.String(), fromTag,
		c.invite.CallID().Value(), c.seq, method, c.addr())
	c.write(c.sip, []byte(text), c.invite.Source())
}

// wait lets the time pass, or returns false because the call is over.
func (c *farEndCall) wait(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-c.over:
		return false
	}
}

// untilOver waits for the BYE, a minute at most.
func (c *farEndCall) untilOver() {
	if c.wait(time.Minute) {
		c.t.Error("the call was never hung up")
	}
}

// packet is one RTP packet of 20 ms: a voice, or silence.
type packet struct {
	kind  byte
	seq   uint16
	stamp uint32
	ssrc  uint32
	loud  bool
}

func (p packet) bytes() []byte {
	b := make([]byte, 12+160)
	b[0], b[1] = 0x80, p.kind
	binary.BigEndian.PutUint16(b[2:], p.seq)
	binary.BigEndian.PutUint32(b[4:], p.stamp)
	binary.BigEndian.PutUint32(b[8:], p.ssrc)
	for i := range b[12:] {
		b[12+i] = 0xff // silence in mu-law
		if p.loud {
			b[12+i] = voiced(p.stamp/160, i)
		}
	}
	return b
}

// voiced is a sample of a frame of a voice in mu-law: syllables that differ in
// loudness and pitch, since a tone that never changes is nobody's speech.
func voiced(frame uint32, sample int) byte {
	fainter := [8]byte{0x30, 0x10, 0, 0, 0, 0x10, 0x20, 0x40} // 6 dB for each 0x10
	code := 0x20 + fainter[frame%8]
	if half := 6 + int(frame/8%5); sample/half%2 == 0 {
		code |= 0x80
	}
	return code
}

// talk sends audio for the duration from the given socket, a packet every
// 20 ms; change may do anything to each. It returns false when the call is over.
// What it says keeps to the clock however late the sender is: a little late it
// sends what is due at once, very late it leaves out what nobody could use. (A
// ticker that is late would stretch every pause instead.)
func (c *farEndCall) talk(from *net.UDPConn, d time.Duration, loud bool, change func(i int, p *packet)) bool {
	const frame, useless = 20 * time.Millisecond, 10 // frames
	timer := time.NewTimer(0)
	defer timer.Stop()
	began := time.Now()
	for i := 0; i < int(d/frame); i++ {
		if due := int(time.Since(began) / frame); due > i+useless {
			i = due
		}
		timer.Reset(time.Until(began.Add(time.Duration(i) * frame)))
		select {
		case <-timer.C:
		case <-c.over:
			return false
		}
		p := packet{seq: uint16(i), stamp: uint32(i * 160), ssrc: 7, loud: loud}
		if change != nil {
			change(i, &p)
		}
		c.write(from, p.bytes(), c.media.String())
	}
	return true
}
