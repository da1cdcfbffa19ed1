package telephone

import (
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/line/udp"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// listener records the last sample of every frame it hears, -1 for a missing one.
type listener struct{ heard []int16 }

func (*listener) Begin(int)               {}
func (*listener) End(time.Duration, bool) {}

func (p *listener) Step(in, _ *leg.Frame) {
	v := in.PCM[len(in.PCM)-1]
	if in.Missing {
		v = -1
	}
	p.heard = append(p.heard, v)
}

// behind returns how many frames ago the packet came that was heard last.
func (p *listener) behind() int {
	packet := 0
	for n := range byte(0x57) {
		if decoded(0xd7-n) == p.heard[len(p.heard)-1] {
			packet = int(n)
		}
	}
	return len(p.heard) - packet
}

// louder sends frames of one sample value each, every frame louder than the last.
type louder struct {
	sock *udp.Pair
	to   netip.AddrPort
	n    uint16
}

func (w *louder) say() {
	w.n++
	packet := make([]byte, rtp.HeaderSize+frameSize)
	rtp.WriteHeader(packet, rtp.Packet{Sequence: w.n, Timestamp: uint32(w.n) * frameSize, SSRC: 7})
	for i := rtp.HeaderSize; i < len(packet); i++ {
		packet[i] = 0xd7 - byte(w.n) // in mu-law the next larger sample, and no silence
	}
	w.sock.Send(packet, w.to)
}

// lineByHand opens a stream on a thread that is run by hand, and a far end, which is where the stream is to send to.
func lineByHand(t *testing.T) (h handShard, s *Stream, talks louder, remote netip.AddrPort) {
	t.Helper()
	m, h := byHand()
	far, err := udp.Open(m.opts.Bind, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(far.Close)
	if s, err = m.Open(); err != nil {
		t.Fatal(err)
	}
	localhost := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(m.opts.Bind, port) }
	return h, s, louder{sock: far, to: localhost(s.LocalPort())}, localhost(far.Port())
}

// TestManyAreHeardEveryOtherFrame gives a thread many streams for a while: it must then read two
// packets every other time, and the party hear all of them a frame later, as on the recording.
func TestManyAreHeardEveryOtherFrame(t *testing.T) {
	t.Parallel()
	h, s, talks, remote := lineByHand(t)
	p, tape := &listener{}, leg.NewTape(time.Minute)
	s.Start(Setup{Codec: g711.PCMU(), Party: p, Tape: tape, Remote: remote})
	h.takeIn(h.slot())

	rests := 0
	pass := func(frames int) {
		for range frames {
			talks.say()
			h.frame()
			if s.rested {
				rests++
			}
		}
	}
	pass(20)
	if rests > 0 {
		t.Errorf("one of few streams was not heard in %d of 20 frames", rests)
	}
	behind := p.behind()
	h.count += spareFrom
	pass(40)
	if rests != 20 {
		t.Errorf("one of many streams was not heard in %d of 40 frames, not in every other one", rests)
	}
	if later := p.behind() - behind; later != 1 {
		t.Errorf("what comes is heard %d frames later, not one", later)
	}
	h.count -= spareFrom
	rests = 0
	pass(20)
	if rests > 0 {
		t.Errorf("one of few streams again was not heard in %d of 20 frames", rests)
	}

	heard := slices.DeleteFunc(slices.Clone(p.heard), func(v int16) bool { return v == 0 })
	if slices.Contains(heard[3:], -1) || !slices.IsSorted(heard[3:]) {
		t.Errorf("heard %v, want the samples in their order and none missing", heard)
	}
	if all := len(slices.Compact(heard)); all < 75 {
		t.Errorf("the party has heard %d of 80 packets", all)
	}
	s.Stop(ByOrder)
	h.frame()
	if r := s.Result().Stats; r.Late != 0 || r.Lost != 0 || r.Received != 80 {
		t.Errorf("%d packets came, %d of them late, and %d are lost; want 80, 0 and 0", r.Received, r.Late, r.Lost)
	}
	if n := tape.Written(leg.AgentChannel); n != 80*frameSize {
		t.Errorf("%d samples are on the recording, want %d", n, 80*frameSize)
	}
}

// TestNothingIsLateForThoseHeardEveryOtherFrame makes packets arrive at any time between two turns,
// of which every other one is skipped for a while.
func TestNothingIsLateForThoseHeardEveryOtherFrame(t *testing.T) {
	t.Parallel()
	const faint = 0xfe // quiet, so that delay that is no longer needed is removed
	for _, before := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 19 * time.Millisecond} {
		e := newEars()
		heard, rests := 0, 0
		for e.next < 700 {
			turn := e.next * frameNS
			if e.rests(e.next >= 100 && e.next < 200, turn) {
				rests++
			} else {
				for ; int64(heard) <= e.next; heard++ {
					e.now = int64(heard)*frameNS - int64(before)
					e.hears(0, 7, uint16(heard), uint32(heard*frameSize), faint)
				}
			}
			in, _ := e.prepare(0)
			e.far.Hear(in, e.next*frameSize)
			if e.next > 5 && slices.ContainsFunc(in.PCM, func(v int16) bool { return v != decoded(faint) }) {
				t.Fatalf("packets that come %s before a turn: frame %d is not all there", before, e.next)
			}
			e.far.Settle()
			e.next++
		}
		if rests != 50 {
			t.Errorf("%d of 100 turns were left out", rests)
		}
		stats, _ := e.result()
		if stats.Late != 0 || stats.Received != 700 || stats.JitterBuffer > 40*time.Millisecond {
			t.Errorf("packets that come %s before a turn: %d of %d late; in the end heard %s later", before, stats.Late, stats.Received, stats.JitterBuffer)
		}
	}
}
