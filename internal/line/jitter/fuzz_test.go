package jitter

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// FuzzSequence checks that every packet is counted exactly once, and in one category.
func FuzzSequence(f *testing.F) {
	f.Add([]byte{0, 0, 0, 1, 0, 2, 0, 2, 0, 9, 0, 3, 255, 255, 0, 0, 128, 0})
	f.Add(bytes.Repeat([]byte{255, 250, 0, 3}, 20))
	f.Fuzz(func(t *testing.T, b []byte) {
		var s sequence
		var packets, changes int64
		var ssrc uint32
		for ; len(b) >= 2 && packets < 3000; b = b[2:] {
			seq := binary.BigEndian.Uint16(b)
			if seq%251 == 250 {
				ssrc++ // another source
				changes++
			}
			before := s.received
			kind := s.arrive(rtp.Packet{Sequence: seq, SSRC: ssrc}, packets*20e6)
			s.pace(int64(seq) * 1e6)
			packets++
			if (kind == repeated) != (s.received == before) {
				t.Fatalf("packet %d is %v and the count went from %d to %d", packets, kind, before, s.received)
			}
			if block := s.block(); block.Lost < 0 || block.SSRC != ssrc {
				t.Fatalf("the report is %+v, want one of %d without a negative loss", block, ssrc)
			}
		}
		var out call.LineStats
		s.into(&out)
		if out.Received+out.Duplicate != packets || out.Misordered > out.Received {
			t.Fatalf("%d packets, counted as %+v", packets, out)
		}
		if out.Lost < 0 || out.Bursts > out.Lost || out.Lost > (packets+changes)*(seqOutage+seqWindow) || out.Jitter < 0 || out.JitterMax < out.Jitter {
			t.Fatalf("%d packets, counted as %+v", packets, out)
		}
	})
}

// FuzzClockMap checks that with a far end whose clock runs, later audio is placed later, and never
// after its arrival.
func FuzzClockMap(f *testing.F) {
	f.Add([]byte{0, 10, 40, 0, 0, 3, 200, 0, 0, 0})
	f.Add(bytes.Repeat([]byte{30, 0, 90}, 200))
	f.Fuzz(func(t *testing.T, delays []byte) {
		var m clockMap
		last := int64(-1 << 40)
		for n, d := range delays[:min(len(delays), 4000)] {
			stamp := int64(n) * 160
			at := stamp + 1000 + int64(d)*4 // up to 128 ms in transit
			m.arrive(stamp, at)
			m.follow()
			place := stamp + m.known()
			if place > at {
				t.Fatalf("packet %d came at %d and is placed at %d", n, at, place)
			}
			// A faster packet may move the map back by the delay of the others.
			if place+255*4 < last {
				t.Fatalf("packet %d is placed at %d, the one before at %d", n, place, last)
			}
			last = place
		}
	})
}

func FuzzReceiver(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 1, 1, 1, 1, 255, 255, 3, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		w := &wire{r: &Receiver{memory: &Scratch{}}, tape: leg.NewTape(time.Minute)}
		w.tape.Begin(telephoneRate)
		w.r.Init(g711.PCMU(), w.tape, leg.AgentChannel)
		at := time.Duration(0)
		for n := 0; len(b) >= 6 && n < 200; n, b = n+1, b[6:] {
			payload := make([]byte, int(b[0])*8)
			at += time.Duration(b[1]) * time.Millisecond
			p := rtp.Packet{
				Sequence: uint16(b[2])<<8 | uint16(n), Timestamp: uint32(b[3])<<24 | uint32(b[4])<<8 | uint32(n)*160,
				SSRC: uint32(b[5] & 1), Payload: payload,
			}
			w.r.Audio(p, int64(at)*8/1e6, int64(at))
			w.hear(n)
		}
		if s, _ := w.finish(); s.Lost < 0 || s.Received < 0 || w.r.play.delay > mostDelay {
			t.Fatalf("%+v, delay %d", s, w.r.play.delay)
		}
	})
}
