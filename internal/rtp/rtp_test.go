package rtp

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

func TestRTPRoundTrip(t *testing.T) {
	t.Parallel()
	b := make([]byte, 32)
	want := Packet{Type: 8, Marker: true, Sequence: 65535, Timestamp: 1<<32 - 1, SSRC: 7}
	WriteHeader(b, want)
	got, ok := Parse(b)
	want.Payload = make([]byte, 20)
	if !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, ok, want)
	}
}

func TestRTPThatContradictsItself(t *testing.T) {
	t.Parallel()
	good := make([]byte, 12)
	WriteHeader(good, Packet{})
	for name, change := range map[string]func([]byte) []byte{
		"short":             func(b []byte) []byte { return b[:11] },
		"version":           func(b []byte) []byte { b[0] = 0x40; return b },
		"sources missing":   func(b []byte) []byte { b[0] |= 3; return b },
		"extension missing": func(b []byte) []byte { b[0] |= 0x10; return b },
		"padding too long":  func(b []byte) []byte { b[0] |= 0x20; return append(b, 9) },
		"padding of zero":   func(b []byte) []byte { b[0] |= 0x20; return append(b, 0) },
	} {
		if _, ok := Parse(change(append([]byte(nil), good...))); ok {
			t.Errorf("%s: taken for RTP", name)
		}
	}
}

func FuzzRTP(f *testing.F) {
	f.Add([]byte{0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xff})
	f.Add([]byte{0xbf, 0xff, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, ok := Parse(b); ok && len(p.Payload) > len(b)-HeaderSize {
			t.Fatalf("a payload of %d bytes in a packet of %d", len(p.Payload), len(b))
		}
	})
}

func TestSenderReportRoundTrip(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 500_000_000, time.UTC)
	block := Block{SSRC: 42, FractionLost: 12, Lost: 345, Highest: 6, Jitter: 7, LastSR: 8, DelaySR: 9}
	var b [80]byte
	n := WriteReport(b[:], Sender{SSRC: 1, NTP: NTP(now), Timestamp: 2, Packets: 3, Octets: 4}, &block)
	if n%4 != 0 {
		t.Errorf("%d bytes are no whole number of words", n)
	}
	r, ok := ParseReport(b[:n], 42)
	if !ok || !r.Sender || r.NTP != NTP(now) || !r.Blocked || r.Block != block {
		t.Errorf("%+v, %v, want a sender's report with %+v", r, ok, block)
	}
	if r, _ := ParseReport(b[:n], 43); r.Blocked {
		t.Error("a block about somebody else was taken for ours")
	}
}

func TestRoundTripTime(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b := Block{LastSR: uint32(NTP(sent) >> 16), DelaySR: 65536 / 2}
	if got := b.RoundTrip(sent.Add(580 * time.Millisecond)); got < 79*time.Millisecond || got > 81*time.Millisecond {
		t.Errorf("%v, want 80 ms", got)
	}
	if got := b.RoundTrip(sent); got != 0 {
		t.Errorf("a negative round trip gave %v", got)
	}
}

func FuzzRTCP(f *testing.F) {
	var b [80]byte
	n := WriteReport(b[:], Sender{SSRC: 1}, &Block{SSRC: 2})
	f.Add(b[:n])
	f.Add([]byte{0x81, 201, 0, 1, 0, 0, 0, 0})
	f.Add([]byte{0x9f, 200, 0xff, 0xff, 0, 0, 0, 0})
	f.Fuzz(func(_ *testing.T, b []byte) { ParseReport(b, 2) })
}

func FuzzKeyEvent(f *testing.F) {
	f.Add([]byte{5, 0x8a, 3, 0x20})
	f.Add([]byte{255, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, ok := ParseKeyEvent(b)
		if !ok {
			return
		}
		var again [4]byte
		e.Write(again[:])
		again[1] |= b[1] & 0x40 // the reserved bit is not kept
		if !bytes.Equal(again[:], b[:4]) {
			t.Fatalf("%v came back as %v", b[:4], again)
		}
	})
}

// FuzzRTPHeader checks that a written header is read back, whatever follows it.
func FuzzRTPHeader(f *testing.F) {
	f.Add(uint8(0), true, uint16(1), uint32(2), uint32(3), []byte{4, 5})
	f.Add(uint8(127), false, uint16(65535), uint32(1<<32-1), uint32(0), []byte{})
	f.Fuzz(func(t *testing.T, kind uint8, marker bool, seq uint16, stamp, ssrc uint32, payload []byte) {
		p := Packet{Type: kind & 0x7f, Marker: marker, Sequence: seq, Timestamp: stamp, SSRC: ssrc}
		b := make([]byte, HeaderSize, HeaderSize+len(payload))
		WriteHeader(b, p)
		got, ok := Parse(append(b, payload...))
		if !ok || !bytes.Equal(got.Payload, payload) {
			t.Fatalf("%+v is read as %+v, %v", p, got, ok)
		}
		got.Payload = nil
		if got.Type != p.Type || got.Marker != p.Marker || got.Sequence != seq || got.Timestamp != stamp || got.SSRC != ssrc {
			t.Fatalf("%+v is read as %+v", p, got)
		}
	})
}

// FuzzReports checks that a report contains nothing that is not in its bytes, and that its round
// trip is within reason.
func FuzzReports(f *testing.F) {
	var b [80]byte
	n := WriteReport(b[:], Sender{SSRC: 1, NTP: NTP(time.Unix(1e9, 0))}, &Block{SSRC: 2, Lost: -5, LastSR: 7})
	f.Add(b[:n], uint32(2))
	f.Add(append(bytes.Repeat([]byte{0x80, 201, 0, 1, 0, 0, 0, 9}, 3), b[:n]...), uint32(2))
	f.Add([]byte{0x9f, 201, 0, 7, 0, 0, 0, 0, 0, 0, 0, 2}, uint32(2))
	f.Fuzz(func(t *testing.T, b []byte, own uint32) {
		keep := bytes.Clone(b)
		r, ok := ParseReport(b, own)
		if !bytes.Equal(keep, b) {
			t.Fatal("reading changed the bytes")
		}
		if !ok && (r.Sender || r.Blocked) {
			t.Fatalf("no report, and yet %+v", r)
		}
		if !r.Blocked {
			return
		}
		if r.Block.SSRC != own || r.Block.Lost < -1<<23 || r.Block.Lost >= 1<<23 {
			t.Fatalf("%+v is not about %d", r.Block, own)
		}
		if d := r.Block.RoundTrip(time.Unix(1.5e9, 0)); d < 0 || d > 61*time.Second {
			t.Fatalf("a round trip of %v", d)
		}
		var one [24]byte
		r.Block.write(one[:])
		if !bytes.Contains(b, one[:]) {
			t.Fatalf("%+v does not stand in %x", r.Block, b)
		}
	})
}
