package line

import (
	"bytes"
	"testing"
	"time"
)

func TestRTPRoundTrip(t *testing.T) {
	t.Parallel()
	b := make([]byte, 32)
	want := packet{Type: 8, Marker: true, Sequence: 65535, Timestamp: 1<<32 - 1, SSRC: 7}
	writeRTPHeader(b, want)
	got, ok := parseRTP(b)
	if !ok || got.Type != 8 || !got.Marker || got.Sequence != 65535 || got.Timestamp != 1<<32-1 || got.SSRC != 7 || len(got.Payload) != 20 {
		t.Errorf("%+v, %v", got, ok)
	}
}

func TestRTPThatContradictsItself(t *testing.T) {
	t.Parallel()
	good := make([]byte, 12)
	writeRTPHeader(good, packet{})
	for name, change := range map[string]func([]byte) []byte{
		"short":             func(b []byte) []byte { return b[:11] },
		"version":           func(b []byte) []byte { b[0] = 0x40; return b },
		"sources missing":   func(b []byte) []byte { b[0] |= 3; return b },
		"extension missing": func(b []byte) []byte { b[0] |= 0x10; return b },
		"padding too long":  func(b []byte) []byte { b[0] |= 0x20; return append(b, 9) },
		"padding of zero":   func(b []byte) []byte { b[0] |= 0x20; return append(b, 0) },
	} {
		if _, ok := parseRTP(change(append([]byte(nil), good...))); ok {
			t.Errorf("%s: taken for RTP", name)
		}
	}
}

func FuzzRTP(f *testing.F) {
	f.Add([]byte{0x80, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xff})
	f.Add([]byte{0xbf, 0xff, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, ok := parseRTP(b); ok && len(p.Payload) > len(b)-rtpHeaderSize {
			t.Fatalf("a payload of %d bytes in a packet of %d", len(p.Payload), len(b))
		}
	})
}

func TestSenderReportRoundTrip(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 500_000_000, time.UTC)
	block := reportBlock{SSRC: 42, FractionLost: 12, Lost: 345, Highest: 6, Jitter: 7, LastSR: 8, DelaySR: 9}
	var b [80]byte
	n := writeSR(b[:], senderInfo{SSRC: 1, NTP: ntpTime(now), Timestamp: 2, Packets: 3, Octets: 4}, &block)
	if n%4 != 0 {
		t.Errorf("%d bytes are no whole number of words", n)
	}
	r, ok := parseRTCP(b[:n], 42)
	if !ok || !r.Sender || r.NTP != ntpTime(now) || !r.Blocked || r.Block != block {
		t.Errorf("%+v, %v", r, ok)
	}
	if r, _ := parseRTCP(b[:n], 43); r.Blocked {
		t.Error("a block about somebody else was taken for ours")
	}
}

func TestRoundTripTime(t *testing.T) {
	t.Parallel()
	sent := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	b := reportBlock{LastSR: uint32(ntpTime(sent) >> 16), DelaySR: 65536 / 2}
	if got := b.roundTrip(sent.Add(580 * time.Millisecond)); got < 79*time.Millisecond || got > 81*time.Millisecond {
		t.Errorf("%v, want 80 ms", got)
	}
	if got := b.roundTrip(sent); got != 0 {
		t.Errorf("a negative round trip gave %v", got)
	}
}

func FuzzRTCP(f *testing.F) {
	var b [80]byte
	n := writeSR(b[:], senderInfo{SSRC: 1}, &reportBlock{SSRC: 2})
	f.Add(b[:n])
	f.Add([]byte{0x81, 201, 0, 1, 0, 0, 0, 0})
	f.Add([]byte{0x9f, 200, 0xff, 0xff, 0, 0, 0, 0})
	f.Fuzz(func(_ *testing.T, b []byte) { parseRTCP(b, 2) })
}

func FuzzKeyEvent(f *testing.F) {
	f.Add([]byte{5, 0x8a, 3, 0x20}, uint32(8))
	f.Add([]byte{255, 0, 0, 0}, uint32(0))
	f.Fuzz(func(t *testing.T, b []byte, stamp uint32) {
		e, ok := parseKeyEvent(b)
		if !ok {
			return
		}
		var again [4]byte
		e.write(again[:])
		again[1] |= b[1] & 0x40 // the reserved bit is not kept
		if !bytes.Equal(again[:], b[:4]) {
			t.Fatalf("%v came back as %v", b[:4], again)
		}
		var k keyEars
		for i := range 5 {
			k.hear(e, stamp+uint32(i%2), int64(i))
		}
	})
}

func TestAKeyPressIsHeardOnce(t *testing.T) {
	t.Parallel()
	packets := func(k *keyEars, code uint8, stamp uint32, at int64, lose func(int) bool) (keys string) {
		for i := range 8 {
			if lose(i) {
				continue
			}
			e := keyEvent{Code: code, Duration: uint16(160 * (i + 1)), End: i >= 5}
			if key := k.hear(e, stamp, at+int64(i)*20e6); key != 0 {
				keys += string(key)
			}
		}
		return keys
	}
	never := func(int) bool { return false }
	for name, test := range map[string]struct{ first, second func(int) bool }{
		"all there":       {never, never},
		"one end only":    {func(i int) bool { return i >= 5 && i != 6 }, never},
		"no end at all":   {func(i int) bool { return i >= 5 }, never},
		"only the end":    {func(i int) bool { return i != 7 }, never},
		"the first alone": {func(i int) bool { return i != 0 }, never},
	} {
		var k keyEars
		got := packets(&k, 1, 8000, 0, test.first)
		if key := k.idle(400e6); key != 0 {
			got += string(key)
		}
		got += packets(&k, 1, 16000, 1000e6, test.second)
		if key := k.idle(3000e6); key != 0 {
			got += string(key)
		}
		if got != "11" {
			t.Errorf("%s: heard %q, want 11", name, got)
		}
	}
}
