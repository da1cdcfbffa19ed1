package app

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// stormCases are trunks whose signalling does not leave an answered call alone.
// None of it ends the call or is held on to when it is over.
func stormCases() []trunkCase {
	heard := trunkCase{status: "ENDED", code: completed, blame: "nobody", hangsUp: true}
	with := func(name string, script func(*farEndCall)) trunkCase {
		c := heard
		c.name, c.script = name, script
		return c
	}
	storm := with("reinvite-storm", func(c *farEndCall) {
		speakThenListen(c, c.rtp, func(i int, _ *packet) {
			offers := oddOffers(c)
			c.within("INVITE", 10+i*2, "far-end", offers[i%len(offers)])
			c.within("UPDATE", 11+i*2, "far-end", offers[(i+3)%len(offers)])
		})
	})
	storm.flood = true
	return []trunkCase{
		storm,
		with("odd-dialog", func(c *farEndCall) {
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				methods := []string{"INFO", "NOTIFY", "REFER", "MESSAGE", "PRACK", "OPTIONS", "SUBSCRIBE", "NEWMETHOD", "CANCEL", "ACK", "REGISTER"}
				c.within(methods[i%len(methods)], 10+i, "far-end", strings.Repeat("Signal=\x00", i%9))
				c.within("BYE", 10+i, "somebody-else", "") // of a dialog that is not ours
				c.within("BYE", 1, "", "")
			})
		}),
		with("answers-for-ever", func(c *farEndCall) {
			for i := range 30 {
				c.again(100+i%100, fmt.Sprint("early", i), "")
			}
			speakThenListen(c, c.rtp, func(i int, _ *packet) {
				c.again(200, "far-end", sdpAt(c.rtp))
				c.again(100+i%500, "far-end", "")
				if i%25 == 0 { // a proxy that forks has found another phone
					c.again(200, fmt.Sprint("fork", i), sdpAt(c.rtp))
				}
			})
		}),
		with("odd-packets", func(c *farEndCall) {
			speakThenListen(c, c.rtp, func(i int, p *packet) {
				p.seq = uint16(i * 16) // room for what comes between
				next := p.seq
				for _, size := range []int{12 + i%90, 92, 1472} {
					for _, kind := range []byte{0, 13, 101, 127} {
						odd := make([]byte, size)
						copy(odd, p.bytes())
						next++
						odd[1] = kind | byte(i%2)<<7
						binary.BigEndian.PutUint16(odd[2:], next)
						c.write(c.rtp, odd, c.media.String())
					}
				}
			})
		}),
		{name: "nowhere", script: mediaAt("192.0.2.1"), status: "ENDED", code: "media_lost", blame: "line", detail: "no audio ever arrived", verdict: "void", hangsUp: true},
		{name: "everybody", script: mediaAt("255.255.255.255"), status: "FAILED", code: "codec_mismatch", blame: "line",
			detail: "the connection address 255.255.255.255 is not that of a single machine", verdict: "void", hangsUp: true},
	}
}

// mediaAt answers with another address for the sound than its own.
func mediaAt(addr string) func(*farEndCall) {
	return func(c *farEndCall) {
		c.reply(c.invite, 200, "OK", strings.Replace(sdpAt(c.rtp), "c=IN IP4 127.0.0.1", "c=IN IP4 "+addr, 1))
		c.untilOver()
	}
}

// oddOffers are descriptions that no far end should send in the middle of a call.
func oddOffers(c *farEndCall) []string {
	good := sdpAt(c.rtp)
	return []string{
		good, "", "v=0\r\n", "\x00\xff\r\n", strings.Replace(good, "m=audio ", "m=audio 0", 1) + strings.Repeat("a=x\r\n", 500),
		strings.Replace(good, "sendrecv", "inactive", 1), strings.Replace(good, "RTP/AVP 0", "RTP/AVP 8", 1), strings.Replace(good, "RTP/AVP 0", "RTP/AVP 18", 1),
		strings.Replace(good, "IP4 127.0.0.1\r\nt", "IP4 0.0.0.0\r\nt", 1), strings.Replace(good, "IP4 127.0.0.1\r\nt", "IP6 ff02::1\r\nt", 1), good,
	}
}

// within sends a request of the call under a tag of the sender's choice, with a
// branch of its own and without ever acknowledging what is answered.
func (c *farEndCall) within(method string, seq int, tag, body string) {
	ours, _ := c.invite.From().Params.Get("tag")
	c.write(c.sip, fmt.Appendf(nil, "%s %s SIP/2.0\r\nVia: SIP/2.0/UDP %s;branch=z9hG4bK%s%d%s%s\r\nFrom: <%s>;tag=%s\r\nTo: <%s>;tag=%s\r\n"+
		"Call-ID: %s\r\nCSeq: %d %s\r\nMax-Forwards: 70\r\nContact: <sip:far@%s>\r\nContent-Type: application/sdp\r\nContent-Length: %d\r\n\r\n%s",
		method, c.invite.Contact().Address.String(), c.addr(), method, seq, tag, c.invite.CallID().Value(),
		c.invite.To().Address.String(), tag, c.invite.From().Address.String(), ours,
		c.invite.CallID().Value(), seq, method, c.addr(), len(body), body), c.invite.Source())
}

// again answers the INVITE once more, under a tag of the sender's choice.
func (c *farEndCall) again(code int, tag, body string) {
	via, from, to := c.invite.Via().Value(), c.invite.From().Value(), c.invite.To().Address.String()
	c.write(c.sip, fmt.Appendf(nil, "SIP/2.0 %d Again\r\nVia: %s\r\nFrom: %s\r\nTo: <%s>;tag=%s\r\nCall-ID: %s\r\nCSeq: %d INVITE\r\n"+
		"Contact: <sip:far@%s>\r\nContent-Type: application/sdp\r\nContent-Length: %d\r\n\r\n%s",
		code, via, from, to, tag, c.invite.CallID().Value(), c.invite.CSeq().SeqNo, c.addr(), len(body), body), c.invite.Source())
}
