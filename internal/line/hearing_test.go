package line

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// ears is a stream that only hears.
type ears struct {
	*Stream
	from netip.AddrPort
	tape *leg.Tape
	now  int64
}

func newEars() *ears {
	e := &ears{from: netip.MustParseAddrPort("127.0.0.1:4000"), tape: leg.NewTape(time.Minute)}
	e.Stream = &Stream{setup: Setup{Codec: PCMU(), EventType: 101}, remote: e.from, sawRemote: true}
	e.tape.Begin(telephoneRate)
	e.lend(&scratch{})
	e.far.init(PCMU(), e.tape, leg.AgentChannel)
	return e
}

// hears takes a packet of 20 ms of the sample.
func (e *ears) hears(kind byte, ssrc uint32, seq uint16, stamp uint32, sample byte) {
	b := make([]byte, rtpHeaderSize, rtpHeaderSize+frameSize)
	writeRTPHeader(b, packet{Type: kind, Sequence: seq, Timestamp: stamp, SSRC: ssrc})
	payload := bytes.Repeat([]byte{sample}, frameSize)
	if kind == 101 {
		payload = []byte{5, 0x80, 0, 160}
	}
	e.receive(append(b, payload...), e.from, e.now)
}

// result is what was heard: how many packets, and how many samples of each loudness.
func (e *ears) result() (stats call.LineStats, heard map[int16]int) {
	e.far.finish(&stats)
	heard = map[int16]int{}
	for _, v := range e.tape.Channel(leg.AgentChannel) {
		heard[v]++
	}
	return stats, heard
}

// The mu-law of three samples that can be told from one another.
const (
	lowSample, highSample, straySample = 0x40, 0xc0, 0x00
)

func decoded(sample byte) int16 {
	var out [1]int16
	PCMU().decode(out[:], []byte{sample})
	return out[0]
}

func TestStrayPacketsDoNotTakeTheVoiceAway(t *testing.T) {
	t.Parallel()
	for name, stray := range map[string]func(e *ears, n int){
		"other sources each time": func(e *ears, n int) { e.hears(0, 1000+uint32(n), uint16(n*977), uint32(n*7919), straySample) },
		"the same one each time":  func(e *ears, _ int) { e.hears(0, 1000, 77, 99, straySample) },
		"one of two at a time":    func(e *ears, n int) { e.hears(0, 1000+uint32(n%2), uint16(n), uint32(n), straySample) },
		"a second voice":          func(e *ears, n int) { e.hears(0, 1000, uint16(n), uint32(n*frameSize), straySample) },
		"comfort noise":           func(e *ears, n int) { e.hears(13, 1000, uint16(n), uint32(n*frameSize), straySample) },
	} {
		e := newEars()
		for n := range 100 {
			e.now = int64(n) * frameNS
			e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
			stray(e, n)
		}
		stats, heard := e.result()
		if stats.Received != 100 || stats.Lost != 0 || heard[decoded(lowSample)] != 100*frameSize || heard[decoded(straySample)] != 0 {
			t.Errorf("%s: %d received, %d lost, %d samples of the voice and %d of others", name, stats.Received, stats.Lost,
				heard[decoded(lowSample)], heard[decoded(straySample)])
		}
	}
}

func TestAnotherSourceIsHeardWholeFromItsFirstPacket(t *testing.T) {
	t.Parallel()
	for name, gone := range map[string]int{"whole": -1, "its second packet is lost": 51} {
		e := newEars()
		for n := range 100 {
			e.now = int64(n) * frameNS
			switch {
			case n == gone:
			case n < 50:
				e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
			default:
				e.hears(0, 8, 5000+uint16(n), 1<<31+uint32(n*frameSize), highSample)
			}
		}
		stats, heard := e.result()
		want := 50
		if gone >= 0 {
			want = 49
		}
		if stats.Received != int64(50+want) || heard[decoded(lowSample)] != 50*frameSize || heard[decoded(highSample)] != want*frameSize {
			t.Errorf("%s: %d received, %d samples of the first and %d of the second", name, stats.Received, heard[decoded(lowSample)], heard[decoded(highSample)])
		}
	}
}

func TestKeysOfAnotherSourceAreHeardBesideTheVoice(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range 100 {
		e.now = int64(n) * frameNS
		e.hears(0, 7, uint16(n), 1<<31+uint32(n*frameSize), lowSample)
		if n%25 < 3 { // the end of a press is sent three times
			e.hears(101, 9, uint16(n), uint32(n/25*8000), 0)
		}
	}
	stats, heard := e.result()
	if keys := string(e.digitsIn[:e.nDigits]); keys != "5555" || stats.Received != 100 || heard[decoded(lowSample)] != 100*frameSize {
		t.Errorf("heard the keys %q, %d packets and %d samples of the voice", keys, stats.Received, heard[decoded(lowSample)])
	}
}

func TestTheVoiceIsFoundAmongStrayPackets(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range 100 {
		e.now = int64(n) * frameNS
		e.hears(0, 1000+uint32(n), uint16(n*977), uint32(n*7919), straySample) // one comes first
		e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
	}
	if _, heard := e.result(); heard[decoded(lowSample)] < 98*frameSize || heard[decoded(straySample)] > frameSize {
		t.Errorf("%d samples of the voice and %d of strays", heard[decoded(lowSample)], heard[decoded(straySample)])
	}
}
