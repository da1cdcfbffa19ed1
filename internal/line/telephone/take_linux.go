package telephone

import (
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/udp"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// controlEvery is the number of frames between two looks for RTCP, which comes every few seconds.
const controlEvery = 25

// spareFrom is the number of streams per thread from which each takes in packets only every other
// frame, two at a time. That costs little more than one, because most of the cost is that nothing
// about the call is in the processor's cache. The recording still has the kernel's arrival times;
// the Party hears 20 ms later. Below spareUntil, each is heard in every frame again.
const spareFrom, spareUntil = 256, 192

// spares reports whether there are so many streams that each is heard every other frame.
func (h *shard) spares() bool {
	if h.sparing {
		return h.count >= spareUntil
	}
	return h.count >= spareFrom
}

// hear takes in what has arrived for a stream, unless that waits for its next turn.
func (h *shard) hear(s *Stream, raw *udp.Pair) {
	if s.rests(h.sparing, h.mono) {
		return
	}
	s.crowded = h.read(s, raw, raw.RTP) > usual
	if s.next%controlEvery == 0 {
		h.read(s, raw, raw.Control)
	}
}

// rests reports, once per turn, whether what has arrived may wait for the next one. A stream to be spared
// is heard every other turn, provided that the thread is on time and the far end has been heard at all.
func (s *Stream) rests(sparing bool, now int64) bool {
	s.spared = sparing && s.far.Open()
	s.rested = s.spared && !s.rested && now-s.zero < (s.next+1)*frameNS
	var later int64
	if s.spared {
		later = frameSize
	}
	s.far.Delay(later)
	return s.rested
}

// awaits returns the number of packets expected in the turn in which it is heard.
func (s *Stream) awaits() int {
	if s.spared {
		return udp.Couple
	}
	return 1
}

// usual is how many packets may wait for a stream's turn without being a flood. In a flood
// everything is taken in at once before the socket's buffer overflows.
const usual = 3

// young is how old (ns) a packet may be beyond its own duration for no other one to be looked
// for. A packet that is there by then is younger than that and not needed before the stream's
// next turn, since playout is delayed by at least jitter.LeastDelay.
const young = frameNS / 10

// nextWithin returns the age (ns) of a packet up to which the next one need not be looked for.
func nextWithin(datagram []byte) int64 {
	length := int64(len(datagram)-rtp.HeaderSize) * int64(1e9/g711.Rate)
	return min(length, frameNS) + young
}

// look reads the clock. It is called once per stream and turn.
func (h *shard) look() {
	mono, wall := h.time.Read()
	if h.wall.stepped(wall - mono) {
		mono, wall = h.time.Read() // the thread may have been interrupted between the two
	}
	h.wall.look(mono, wall)
	h.mono = mono
}

// read takes in the packets of a socket and returns their number. It takes at most floodBound,
// so that a flood on one call does not delay others. While packets come singly it does not ask
// whether there is another.
func (h *shard) read(s *Stream, raw *udp.Pair, fd int) (count int) {
	most := udp.Batch
	if s.far.Steady() && !s.crowded && raw.Sure() {
		most = s.awaits()
	}
	for count < floodBound {
		n := raw.Receive(fd, &h.mail, most)
		if n == 0 {
			return count
		}
		at, within := h.mono, nextWithin(h.mail.Datagram(0))
		for i := range n {
			at = h.mono
			if arrived := h.mail.Arrived(i); arrived > 0 {
				at = h.wall.arrival(arrived)
			}
			if fd == raw.Control {
				s.receiveControl(h.mail.Datagram(i), h.mail.From(i), at)
			} else {
				s.receive(h.mail.Datagram(i), h.mail.From(i), at)
			}
			h.mail.Ready(i)
		}
		if count += n; n < most || most < udp.Batch && h.mono-at < within && s.far.Steady() {
			return count
		}
		most = udp.Batch
	}
	return count
}
