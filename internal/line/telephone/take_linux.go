package telephone

import (
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/udp"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// controlEvery is how many frames pass between two looks for RTCP, which comes
// every few seconds.
const controlEvery = 25

// spareFrom is how many streams one thread has when it begins to take in what comes
// for each only every other frame, two packets at a time: that costs little more than
// one, and what it costs is most of all that nothing about the call is in the
// processor's cache. The recording has the kernel's times all the same; the Party
// hears 20 ms later. Below spareUntil each is heard in every frame again.
const spareFrom, spareUntil = 256, 192

// spares says whether there are so many streams that each is heard every other frame.
func (h *shard) spares() bool {
	if h.sparing {
		return h.count >= spareUntil
	}
	return h.count >= spareFrom
}

// hear takes in what has arrived for a stream whose turn it is, unless that waits
// for its next turn.
func (h *shard) hear(s *Stream, raw *udp.Pair) {
	if s.rests(h.sparing, h.mono) {
		return
	}
	s.crowded = h.read(s, raw, raw.RTP) > usual
	if s.next%controlEvery == 0 {
		h.read(s, raw, raw.Control)
	}
}

// rests says, once for each turn, that what has arrived may wait for the next one:
// whoever is to be spared is heard every other time, as long as the thread is in time
// and once the far end has been heard at all.
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

// awaits is how many packets there should be in the turn in which it is heard.
func (s *Stream) awaits() int {
	if s.spared {
		return udp.Couple
	}
	return 1
}

// usual is how many packets may wait for a stream's turn without being a flood, of
// which everything is taken in at once before the socket has no more room for it.
const usual = 3

// young is how old (ns) a packet may be beyond its own length without another one
// being looked for. What may be there by then is younger than that, and nobody misses
// it before the stream's next turn: what is heard lies at least jitter.LeastDelay behind.
const young = frameNS / 10

// nextWithin is the age (ns) of a packet up to which the next one need not be looked for.
func nextWithin(datagram []byte) int64 {
	length := int64(len(datagram)-rtp.HeaderSize) * int64(1e9/g711.Rate)
	return min(length, frameNS) + young
}

// look looks at the clock, once for each stream's turn.
func (h *shard) look() {
	mono, wall := h.time.Read()
	if h.wall.stepped(wall - mono) {
		mono, wall = h.time.Read() // which may have been interrupted between the two
	}
	h.wall.look(mono, wall)
	h.mono = mono
}

// read takes in the packets of a socket and says how many there were, floodBound
// at most, so that a flood on one call does not delay the others. While they come
// one by one it does not ask whether there is another.
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
