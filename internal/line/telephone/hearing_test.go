package telephone

import (
	"bytes"
	"net/netip"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// ears is a stream that only receives.
type ears struct {
	*Stream
	from netip.AddrPort
	tape *leg.Tape
	now  int64
}

func newEars() *ears {
	e := &ears{from: netip.MustParseAddrPort("127.0.0.1:4000"), tape: leg.NewTape(time.Minute)}
	e.Stream = &Stream{setup: Setup{Codec: g711.PCMU(), EventType: 101}, remote: e.from, sawRemote: true}
	e.tape.Begin(g711.Rate)
	e.lend(&scratch{})
	e.far.Init(g711.PCMU(), e.tape, leg.AgentChannel)
	return e
}

// open gives the stream a Media of its own.
func (e *ears) open(t *testing.T) {
	t.Helper()
	e.media = NewMedia(MediaOptions{Portable: true, Now: time.Now})
	t.Cleanup(e.media.Close)
}

// starts begins the stream at this engine time, with what it sends going nowhere.
func (e *ears) starts(t *testing.T, party leg.Party, zero int64) {
	t.Helper()
	e.setup.Party, e.setup.Tape, e.sock = party, e.tape, nowhere{}
	e.open(t)
	e.own.init(e.Stream, e.setup)
	e.lend(&scratch{})
	e.begin(zero)
}

// hears receives a packet of 20 ms of the sample.
func (e *ears) hears(kind byte, ssrc uint32, seq uint16, stamp uint32, sample byte) {
	b := make([]byte, rtp.HeaderSize, rtp.HeaderSize+frameSize)
	rtp.WriteHeader(b, rtp.Packet{Type: kind, Sequence: seq, Timestamp: stamp, SSRC: ssrc})
	payload := bytes.Repeat([]byte{sample}, frameSize)
	if kind == 101 {
		payload = []byte{5, 0x80, 0, 160}
	}
	e.receive(append(b, payload...), e.from, e.now)
}

// result returns what was received: the packets, and how often each sample value is on the
// recording.
func (e *ears) result() (stats call.LineStats, heard map[int16]int) {
	e.far.Finish(&stats)
	heard = map[int16]int{}
	for _, v := range e.tape.Channel(leg.AgentChannel) {
		heard[v]++
	}
	return stats, heard
}

// The mu-law codes of three distinguishable samples.
const (
	lowSample, highSample, straySample = 0x40, 0xc0, 0x00
)

func decoded(sample byte) int16 {
	var out [1]int16
	g711.PCMU().Decode(out[:], []byte{sample})
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

// settled is a socket that records whom it is connected to.
type settled struct {
	nowhere
	peer netip.AddrPort
}

func (s *settled) Settle(peer netip.AddrPort) { s.peer = peer }
func (s *settled) Loosen()                    { s.peer = netip.AddrPort{} }

// TestPacketsOfTheCallThatHadThePortBefore checks packets of an earlier call on the same port,
// which come first and from an address that was not agreed.
func TestPacketsOfTheCallThatHadThePortBefore(t *testing.T) {
	t.Parallel()
	for _, before := range []int{1, 2, 10, movedFor} {
		e, sock := newEars(), &settled{}
		agreed, old := e.from, netip.MustParseAddrPort("127.0.0.1:5000")
		e.setup.Remote, e.sawRemote, e.sock = agreed, false, sock
		for n := range 100 + before {
			e.now = int64(n) * frameNS
			if e.from = old; n < before {
				e.hears(0, 3, uint16(n), uint32(n*frameSize), straySample)
				continue
			}
			e.from = agreed
			e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
		}
		_, heard := e.result()
		if e.remote != agreed || sock.peer != agreed || heard[decoded(lowSample)] != 100*frameSize {
			t.Errorf("after %d stray packets we send to %s, hear %s alone and have %d samples of the voice", before, e.remote, sock.peer, heard[decoded(lowSample)])
		}
		if before == 1 && heard[decoded(straySample)] != 0 {
			t.Error("a single stray packet was heard")
		}
	}
}

// TestMediaThatComeFromElsewhereAreHeardFromTheFirstPacket checks a far end behind address
// translation.
func TestMediaThatComeFromElsewhereAreHeardFromTheFirstPacket(t *testing.T) {
	t.Parallel()
	e, sock := newEars(), &settled{}
	agreed := e.from
	e.setup.Remote, e.sawRemote, e.sock = agreed, false, sock
	e.from = netip.MustParseAddrPort("192.0.2.1:5000")
	for n := range 100 {
		e.now = int64(n) * frameNS
		e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
		if moved := e.remote == e.from; moved != (n > 0) {
			t.Fatalf("after %d packets we send to %s", n+1, e.remote)
		}
	}
	moved := e.from
	e.from = agreed
	e.hears(0, 9, 1, 1, straySample)
	e.from = netip.MustParseAddrPort("192.0.2.7:5000")
	e.hears(0, 9, 2, 161, straySample)
	stats, heard := e.result()
	if stats.Received != 100 || heard[decoded(lowSample)] != 100*frameSize || e.remote != moved || sock.peer != moved {
		t.Errorf("%d received, %d samples; we send to %s and hear %s alone", stats.Received, heard[decoded(lowSample)], e.remote, sock.peer)
	}
}

// TestAFarEndThatMovesInTheCallIsFound checks that a new address, which address translation may
// cause, is accepted for the same source only, and only once nothing comes from the old one.
func TestAFarEndThatMovesInTheCallIsFound(t *testing.T) {
	t.Parallel()
	for _, moved := range []bool{false, true} { // already once, at the beginning of the call
		e, sock := newEars(), &settled{}
		e.sock = sock
		e.setup.Remote = e.from
		e.latched = moved
		if moved {
			e.setup.Remote = netip.MustParseAddrPort("127.0.0.1:3000")
		}
		other := netip.MustParseAddrPort("192.0.2.1:5000")
		for n := range 150 {
			e.now = int64(n) * frameNS
			if e.sawRemote && e.now-e.lastHeard > awayNS {
				e.lookAround()
			}
			if n >= 50 {
				e.from = other
				e.hears(0, 9, uint16(n), uint32(n*frameSize), straySample)
			}
			e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
		}
		_, heard := e.result()
		gone := 100 - 2*int(awayNS/frameNS)
		if got := heard[decoded(lowSample)] / frameSize; e.remote != other || got < 50+gone || heard[decoded(straySample)] > 0 {
			t.Errorf("moved before %v: we send to %s and have %d frames of the voice", moved, e.remote, got)
		}
		e.from = netip.MustParseAddrPort("192.0.2.7:5000")
		e.hears(0, 7, 150, 150*frameSize, straySample)
		e.hears(0, 7, 151, 151*frameSize, straySample)
		if e.remote != other {
			t.Error("whoever goes on speaking is left for another address")
		}
	}
}

// TestAFarEndThatNamesAnotherAddressIsSentToThere checks that audio goes to a newly agreed address
// at once, whether the far end speaks from there immediately or waits. Packets still in transit
// from the old address are heard, but do not change that.
func TestAFarEndThatNamesAnotherAddressIsSentToThere(t *testing.T) {
	t.Parallel()
	for _, speaks := range []bool{true, false} {
		e := newEars()
		e.sock, e.setup.Remote = &settled{}, e.from
		other := netip.MustParseAddrPort("127.0.0.1:6000")
		for n := range 100 {
			e.now, e.next = int64(n)*frameNS, int64(n)
			if n == 50 {
				to := e.setup
				to.Remote = other
				e.follow(&to)
			}
			switch { // nothing comes from the old address after 100 ms
			case n < 55:
				e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
			case speaks:
				e.from = other
				e.hears(0, 8, uint16(n), uint32(n*frameSize), highSample)
			}
			if n >= 50 && e.remote != other {
				t.Fatalf("it speaks %v: we send to %s in frame %d", speaks, e.remote, n)
			}
		}
		_, heard := e.result()
		if got := heard[decoded(lowSample)]; got != 55*frameSize {
			t.Errorf("it speaks %v: %d samples of the voice from where it was", speaks, got)
		}
		if got := heard[decoded(highSample)]; speaks && got != 45*frameSize {
			t.Errorf("%d samples of the voice from where it is", got)
		}
		for _, event := range e.Stream.result.Timeline {
			if event.Kind == call.KindSourceChanged {
				t.Errorf("it speaks %v: its source changed after %s, where it had said so", speaks, event.At)
			}
		}
	}
}

// TestAFarEndThatGoesOnWhereItWas checks that a far end that has announced another address but
// keeps sending from the old one, as address translation may make it do, is followed there.
func TestAFarEndThatGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.sock, e.setup.Remote = &settled{}, e.from
	to := e.setup
	to.Remote = netip.MustParseAddrPort("192.0.2.9:6000")
	e.follow(&to)
	for n := range 100 {
		e.now, e.next = int64(n)*frameNS, int64(n)
		e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
	}
	_, heard := e.result()
	if e.remote != e.from || heard[decoded(lowSample)] != 100*frameSize {
		t.Errorf("we send to %s, and have %d samples of the voice", e.remote, heard[decoded(lowSample)])
	}
}

// TestPacketsThatSayNothingAreNotLost checks that empty packets, those of types that were not
// agreed, and events that are not keys do not count as lost.
func TestPacketsThatSayNothingAreNotLost(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range uint16(100) {
		e.now = int64(n) * frameNS
		e.hears(0, 7, 4*n, uint32(n)*frameSize, lowSample)
		e.hears(9, 7, 4*n+1, uint32(n)*frameSize, straySample)
		empty := make([]byte, rtp.HeaderSize)
		rtp.WriteHeader(empty, rtp.Packet{Sequence: 4*n + 2, Timestamp: uint32(n) * frameSize, SSRC: 7})
		e.receive(empty, e.from, e.now)
		flash := append(make([]byte, rtp.HeaderSize), 16, 0x80, 0, 160)
		rtp.WriteHeader(flash, rtp.Packet{Type: 101, Sequence: 4*n + 3, Timestamp: uint32(n) * frameSize, SSRC: 7})
		e.receive(flash, e.from, e.now)
	}
	stats, heard := e.result()
	if stats.Lost != 0 || heard[decoded(lowSample)] != 100*frameSize || heard[decoded(straySample)] != 0 {
		t.Errorf("%d lost, %d samples of the voice", stats.Lost, heard[decoded(lowSample)])
	}
	if r := e.Stream.result; r.Unspoken != 100 || r.UnspokenType != 9 {
		t.Errorf("%d packets of type %d were not agreed", r.Unspoken, r.UnspokenType)
	}
}

// TestACallThatBeginsWithWhatIsNoKey checks a call in which a gateway reports a fax tone before
// there is any audio.
func TestACallThatBeginsWithWhatIsNoKey(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range uint16(20) {
		e.now = int64(n) * frameNS
		tone := append(make([]byte, rtp.HeaderSize), 32, 10, 0, 160)
		rtp.WriteHeader(tone, rtp.Packet{Type: 101, Sequence: n, SSRC: 7})
		e.receive(tone, e.from, e.now)
	}
	for n := range uint16(20) {
		e.now += frameNS
		e.hears(0, 7, 20+n, uint32(20+n)*frameSize, lowSample)
	}
	stats, heard := e.result()
	if stats.Received != 40 || stats.Lost != 0 || heard[decoded(lowSample)] != 20*frameSize {
		t.Errorf("%d received, %d lost, %d samples of the voice", stats.Received, stats.Lost, heard[decoded(lowSample)])
	}
	if got := e.Stream.result.Timeline; len(got) != 1 || got[0].Kind != call.KindFirstPacket {
		t.Errorf("the timeline is %v, and there is but one first packet", got)
	}
}

// TestPacketsOfUnheardOfSizeAreNoSound checks that a far end that only sends oversized packets
// counts as not heard.
func TestPacketsOfUnheardOfSizeAreNoSound(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range uint16(10) {
		e.now = int64(n) * 15 * frameNS
		large := make([]byte, rtp.HeaderSize+g711.MostPayload+1)
		rtp.WriteHeader(large, rtp.Packet{Sequence: n, Timestamp: uint32(n) * 15 * frameSize, SSRC: 7})
		e.receive(large, e.from, e.now)
	}
	if r := e.Stream.result; r.Oversized != 10 || r.Unspoken != 0 || e.lastHeard != 0 {
		t.Errorf("%d are too large, last heard at %d", r.Oversized, e.lastHeard)
	}
}

// TestWhatIsNoRTPIsCounted checks that packets that are not valid RTP are counted, so that the end
// reason of a call with nothing else can mention them.
func TestWhatIsNoRTPIsCounted(t *testing.T) {
	t.Parallel()
	e := newEars()
	padded := func(count byte) []byte {
		b := make([]byte, rtp.HeaderSize+frameSize)
		rtp.WriteHeader(b, rtp.Packet{SSRC: 7})
		b[0], b[len(b)-1] = b[0]|0x20, count
		return b
	}
	stun := append([]byte{0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42}, make([]byte, 12)...)
	for _, b := range [][]byte{padded(0), padded(frameSize + 1), stun, {}} {
		e.receive(b, e.from, 0)
		e.receive(b, netip.MustParseAddrPort("127.0.0.1:4002"), 0)
	}
	if r := e.Stream.result; r.Broken != 4 || e.lastHeard != 0 {
		t.Errorf("%d are no RTP, last heard at %d", r.Broken, e.lastHeard)
	}
}

// TestAVoiceIsFoundBehindStrayPackets checks a far end whose first packet was lost, so that a stray
// one was taken for it, and more stray packets precede each of its own: they must not keep it out.
func TestAVoiceIsFoundBehindStrayPackets(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range 100 {
		e.now = int64(n) * frameNS
		e.hears(0, 1000+uint32(n), uint16(n*977), uint32(n*7919), straySample)
		if n > 0 { // its first one was lost
			e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
		}
	}
	_, heard := e.result()
	if got := heard[decoded(lowSample)]; got < 90*frameSize || heard[decoded(straySample)] > 3*frameSize {
		t.Errorf("%d samples of the voice were heard and %d of others", got, heard[decoded(straySample)])
	}
}

// TestAVoiceIsFoundBehindWhatRepeatsItself checks that a source that repeats one packet for ever,
// and was taken for the far end, gives way to the real one.
func TestAVoiceIsFoundBehindWhatRepeatsItself(t *testing.T) {
	t.Parallel()
	e := newEars()
	for n := range 100 {
		e.now = int64(n) * frameNS
		e.hears(0, 1000, 77, 99, straySample)
		e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
	}
	_, heard := e.result()
	if got := heard[decoded(lowSample)]; got < 95*frameSize || heard[decoded(straySample)] > 3*frameSize {
		t.Errorf("%d samples of the voice were heard and %d of others", got, heard[decoded(straySample)])
	}
}

// TestAnotherSourceAtAnotherPortOfTheFarEnd checks a gateway that transfers a call and continues
// from another port and as another source without announcing it.
func TestAnotherSourceAtAnotherPortOfTheFarEnd(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from     string
		begins   int // in frames; the old voice is there until frame 50
		believed bool
	}{
		"after the voice":                   {"127.0.0.1:5000", 60, true},
		"while the voice is there":          {"127.0.0.1:5000", 20, true}, // accepted once that has been gone for long
		"from another machine":              {"192.0.2.1:5000", 60, false},
		"while the voice is silent shortly": {"127.0.0.1:5000", 60, false},
	} {
		e, sock := newEars(), &settled{}
		e.setup.Remote, e.sock = e.from, sock
		agreed, other := e.from, netip.MustParseAddrPort(c.from)
		for n := range 400 {
			e.now = int64(n) * frameNS
			if (e.sawRemote || e.left.IsValid()) && e.now-e.lastHeard > awayNS {
				e.lookAround()
			}
			if n >= c.begins {
				e.from = other
				e.hears(0, 9, uint16(n), uint32(n*frameSize), highSample)
			}
			e.from = agreed
			if n < 50 || name == "while the voice is silent shortly" && n >= 130 {
				e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
			}
		}
		_, heard := e.result()
		if got := heard[decoded(highSample)] / frameSize; got > 0 != c.believed || c.believed && (got < 240 || e.remote != other) {
			t.Errorf("%s: %d frames of the other source, and we send to %s", name, got, e.remote)
		}
		if !c.believed {
			continue
		}
		for n := 400; n < 500; n++ { // and back
			e.now = int64(n) * frameNS
			e.from = agreed
			e.hears(0, 7, uint16(n), uint32(n*frameSize), straySample)
		}
		if _, heard := e.result(); heard[decoded(straySample)] < 99*frameSize || e.remote != agreed {
			t.Errorf("%s: the voice that speaks again has %d frames", name, heard[decoded(straySample)]/frameSize)
		}
	}
}
