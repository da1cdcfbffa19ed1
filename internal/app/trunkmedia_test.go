package app

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"testing"
	"time"
)

const completed = "completed"

// speakThenListen answers and speaks for a second every three; change may do anything to each packet.
func speakThenListen(c *farEndCall, from *net.UDPConn, change func(int, *packet)) {
	c.answer()
	c.talk(from, 40*time.Second, false, func(i int, p *packet) {
		p.loud = i%150 < 50 // a second of speech every three
		if change != nil {
			change(i, p)
		}
	})
}

// mediaCases are trunks that answer and then send nothing, too much, or what is not so.
func mediaCases(t *testing.T) []trunkCase {
	return []trunkCase{
		{name: "silent", script: func(c *farEndCall) { c.answer(); c.untilOver() }, status: "ENDED", code: "media_lost", blame: "line", detail: "no audio ever arrived", verdict: "void", hangsUp: true},
		{name: "stops", script: func(c *farEndCall) { c.answer(); c.talk(c.rtp, time.Second, true, nil); c.untilOver() },
			status: "ENDED", code: "media_lost", blame: "line", detail: "the agent's audio stopped", verdict: "void", hangsUp: true},
		{name: "from-elsewhere", script: func(c *farEndCall) {
			other := udpSocket(t)
			defer other.Close()
			speakThenListen(c, other, nil)
		}, status: "ENDED", code: completed, blame: "nobody", kinds: []string{"media_source_changed"}, hangsUp: true},
		{name: "two-sources", script: func(c *farEndCall) {
			other := udpSocket(t)
			defer other.Close()
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				if i > 5 {
					c.write(other, packet{seq: uint16(i), stamp: uint32(i * 160), ssrc: 99, loud: true}.bytes(), c.media.String())
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "hangs-up-at-once", script: func(c *farEndCall) { c.answer(); c.request("BYE") }, status: "ENDED", code: "agent_hung_up", blame: "agent", verdict: "failed"},
		{name: "hangs-up-twice", script: func(c *farEndCall) {
			c.answer()
			c.talk(c.rtp, time.Second, true, nil)
			c.request("BYE")
			c.request("BYE")
			c.seq--
			c.request("BYE")
		}, status: "ENDED", code: "agent_hung_up", blame: "agent", verdict: "failed"},
		{name: "rtp-flood", flood: true, script: func(c *farEndCall) {
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				for n := range 99 { // a hundred times what was agreed, all of it plausible
					c.write(c.rtp, packet{seq: uint16(i*100 + n), stamp: uint32(i * 160), ssrc: 7, loud: p.loud}.bytes(), c.media.String())
				}
				p.seq = uint16(i*100 + 99)
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "garbage-flood", flood: true, script: func(c *farEndCall) {
			huge, stray := make([]byte, 60_000), make([]byte, 172)
			_, _ = rand.Read(huge)
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				for n := range 30 {
					c.write(c.rtp, huge[n*7:n*7+n*50], c.media.String())
				}
				c.write(c.rtp, huge, c.media.String())
				c.write(c.rtp, nil, c.media.String())
				// Noise that happens to look like audio, as one in thousands does.
				copy(stray[1:], huge[i%1000*12:])
				stray[0], stray[1] = 0x80, 0
				c.write(c.rtp, stray, c.media.String())
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "rtcp-flood", flood: true, script: func(c *farEndCall) {
			control := fmt.Sprintf("127.0.0.1:%d", c.media.Port()+1)
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				report := make([]byte, 28+i%1000)
				_, _ = rand.Read(report)
				report[0], report[1] = 0x81, byte(200+i%8)
				binary.BigEndian.PutUint16(report[2:], 6)
				for range 30 {
					c.write(c.rtp, report, control)
					c.write(c.rtp, report, c.media.String())
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "sip-flood", flood: true, script: func(c *farEndCall) {
			to := c.invite.Source()
			garbage := make([]byte, 1200)
			_, _ = rand.Read(garbage)
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				for n := range 10 {
					c.write(c.sip, garbage[:n*100], to)
					c.write(c.sip, []byte("\r\n\r\n"), to)
					c.write(c.sip, fmt.Appendf(nil, "OPTIONS sip:x@%s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%d-%d\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@y>\r\nCall-ID: %d-%d\r\nCSeq: 1 OPTIONS\r\nContent-Length: 0\r\n\r\n",
						to, c.addr(), i, n, i, n), to)
					c.write(c.sip, fmt.Appendf(nil, "SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bKno\r\nFrom: <sip:a@b>;tag=1\r\nTo: <sip:x@y>;tag=2\r\nCall-ID: %d\r\nCSeq: 1 INVITE\r\nContent-Length: 0\r\n\r\n", to, i), to)
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "key-flood", flood: true, script: func(c *farEndCall) {
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				for n := range 20 {
					c.write(c.rtp, keyPress(byte(n), uint16(30_000+i*20+n), uint32(i*160+n)), c.media.String())
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "lying-headers", script: func(c *farEndCall) {
			control := fmt.Sprintf("127.0.0.1:%d", c.media.Port()+1)
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				lie := lies()[i%len(lies())](p.bytes())
				c.write(c.rtp, lie, c.media.String())
				c.write(c.rtp, lie, control)
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
		{name: "wild-clock", script: func(c *farEndCall) {
			dice := mathrand.NewChaCha8([32]byte{1}) // the same wildness each time
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				var b [12]byte
				_, _ = dice.Read(b[:])
				if i%3 == 0 {
					p.seq, p.stamp, p.ssrc = binary.BigEndian.Uint16(b[:]), binary.BigEndian.Uint32(b[2:]), binary.BigEndian.Uint32(b[6:])
				}
			})
		}, status: "ENDED", code: completed, blame: "nobody", hangsUp: true},
	}
}

// lies turn a packet of audio into one that says of itself what is not so, or
// into a report that does; each is sent just before the true packet.
func lies() []func([]byte) []byte {
	first := func(b byte) func([]byte) []byte { return func(p []byte) []byte { p[0] = b; return p } }
	cut := func(n int) func([]byte) []byte { return func(p []byte) []byte { return p[:n] } }
	report := func(kind byte, words uint16, size int) func([]byte) []byte {
		return func(p []byte) []byte { // from the source of the audio
			out := make([]byte, size)
			out[0], out[1] = 0x81, kind
			binary.BigEndian.PutUint16(out[2:], words)
			copy(out[4:], p[8:12])
			return out
		}
	}
	return []func([]byte) []byte{
		func(p []byte) []byte { p[0] = 0x8f; return p[:20] }, // fifteen sources, and room for two
		func(p []byte) []byte { // an extension longer than the packet
			p[0] = 0x90
			binary.BigEndian.PutUint32(p[12:], 0xbede_ffff)
			return p
		},
		func(p []byte) []byte { p[0] = 0x90; return p[:14] },              // an extension that has no room for its head
		func(p []byte) []byte { p[0], p[len(p)-1] = 0xa0, 255; return p }, // more padding than packet
		func(p []byte) []byte { p[0], p[len(p)-1] = 0xa0, 0; return p },   // padding of nothing
		func(p []byte) []byte { p[0], p[len(p)-1] = 0xa0, 160; return p }, // nothing but padding
		first(0x00), first(0x40), first(0xc0), cut(11), cut(12), cut(1), cut(13), // other versions, and less than a packet
		report(200, 0xffff, 28), report(200, 6, 8), report(201, 7, 12), report(203, 1, 8), report(203, 0xffff, 8), report(204, 2, 12), report(205, 0, 4), // goodbyes of the voice itself among them
	}
}

// keyPress is one packet of a telephone event.
func keyPress(digit byte, seq uint16, stamp uint32) []byte {
	b := make([]byte, 16)
	b[0], b[1] = 0x80, 0x80|101
	binary.BigEndian.PutUint16(b[2:], seq)
	binary.BigEndian.PutUint32(b[4:], stamp)
	binary.BigEndian.PutUint32(b[8:], 7)
	b[12], b[13] = digit%20, 0x80
	return b
}
