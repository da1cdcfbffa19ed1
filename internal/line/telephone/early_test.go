package telephone

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// lateComer is a Party that counts the frames marked as early, and speaks throughout.
type lateComer struct {
	quietParty

	early int
}

func (p *lateComer) Step(in, out *leg.Frame) {
	if in.Early {
		p.early++
	}
	for i := range out.PCM {
		out.PCM[i] = 9000
	}
}

// TestWhatIsSaidBeforeTheFirstTurnIsRecorded checks, in virtual time, that speech is recorded where
// it was said: the far end sends silence, and from one packet on its voice. Our first turn is at
// one second.
func TestWhatIsSaidBeforeTheFirstTurnIsRecorded(t *testing.T) {
	t.Parallel()
	const turn, end, ms = int64(1e9), 100, int64(1e6)
	for _, c := range []struct {
		name  string
		since int64 // how long before our turn the call was answered, as far as we know
		first int64 // how long before it the voice begins
		lead  bool
		cut   int64 // how much of it was before the answer
	}{
		{"words right with the answer", 140 * ms, 140 * ms, true, 0},
		{"words that outran the answer", 200 * ms, 160 * ms, true, 0},
		{"words while this machine stood still", 900 * ms, 700 * ms, true, 0},
		{"words a moment before", 40 * ms, 3 * ms, true, 0},
		{"words after our first turn", 200 * ms, -60 * ms, false, 0},
		{"a ringing tone up to the answer", 60 * ms, 900 * ms, true, 840 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e, party := newEars(), &lateComer{}
			e.setup.Remote = e.from
			e.early = &early{since: turn - c.since}
			e.starts(t, party, turn)
			begun := turn - c.first
			at, n := begun-50*frameNS, 0
			for ; at < turn-earlyMost; at += frameNS {
				n++
			}
			for frame := range int64(end) {
				for now := turn + frame*frameNS; at <= now; at += frameNS {
					sample := byte(0xff)
					if at >= begun {
						sample = lowSample
					}
					e.now = at
					e.hears(0, 7, uint16(n), uint32(n*frameSize), sample)
					n++
				}
				if e.tick(turn + frame*frameNS) {
					t.Fatal("the call is over")
				}
			}
			stats, _ := e.result()
			if stats.Lost > 0 || stats.Late > 0 {
				t.Errorf("%d packets are lost, %d late", stats.Lost, stats.Late)
			}
			from := -1
			for i, v := range e.tape.Channel(leg.AgentChannel) {
				if v == decoded(lowSample) {
					from = i
					break
				}
			}
			want := (begun + c.cut - e.zero) * g711.Rate / 1e9
			if off := int64(from) - want; off > 0 && c.cut == 0 || off > frameSize || off < -frameSize {
				t.Errorf("the voice stands at %d, want %d", from, want)
			}
			if (e.lead > 0) != c.lead || party.early != int(e.lead) || turn-e.zero != e.lead*frameNS {
				t.Errorf("%d frames passed at once, the Party was told so of %d, zero is %v before our turn", e.lead, party.early, time.Duration(turn-e.zero))
			}
			if e.zero < turn-c.since-frameNS {
				t.Errorf("the call begins %v before it was answered", time.Duration(turn-c.since-e.zero))
			}
			if e.own.into(&stats); stats.SendMissed > 0 || stats.Sent != end {
				t.Errorf("%d frames were sent, %d count as missed", stats.Sent, stats.SendMissed)
			}
		})
	}
}

// TestTheRingingIsNotRecorded checks that what is left of the ringing after the answer is taken back when another source takes
// over from it, and only then.
func TestTheRingingIsNotRecorded(t *testing.T) {
	t.Parallel()
	const turn, ms = int64(1e9), int64(1e6)
	for _, c := range []struct {
		name     string
		rang     uint32 // the source before the answer, 0 if there was none
		left     int64  // how long the first source goes on after the answer
		begins   int64  // when the voice of source 7 begins
		lost     int64  // when packets of the voice are lost, for 60 ms
		reinvite bool
		recorded int64 // how much of the first source should be on the recording
	}{
		{"packets on their way", 9, 60 * ms, 300 * ms, 0, false, 0},
		{"while the voice begins", 9, 60 * ms, 10 * ms, 0, false, 0},
		{"while packets of the voice are lost", 9, 300 * ms, 100 * ms, 200 * ms, false, 0},
		{"while the voice outruns the answer", 9, 300 * ms, -40 * ms, 0, false, 0},
		{"up to the voice", 9, 400 * ms, 400 * ms, 0, false, 0},
		{"a voice much later", 9, 60 * ms, 900 * ms, 0, false, 60 * ms},
		{"the source of the answer", 7, 60 * ms, 300 * ms, 0, false, 60 * ms},
		{"no ringing", 0, 60 * ms, 300 * ms, 0, false, 60 * ms},
		{"a change that was agreed", 9, 200 * ms, 300 * ms, 0, true, 200 * ms},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := newEars()
			e.setup.Remote = e.from
			e.early = &early{since: turn}
			e.starts(t, quietParty{}, turn)
			first, n := cmp.Or(c.rang, 9), 0
			begun := turn
			if c.rang != 0 {
				begun -= 40 * frameNS
			}
			for at := begun; at < turn+2e9; at += frameNS {
				if e.now = at + 3*ms; at < turn+c.left {
					e.hears(0, first, uint16(n), uint32(n*frameSize), highSample)
				}
				if c.reinvite && at == turn+c.left {
					e.Retarget(e.setup)
				}
				if lost := c.lost != 0 && at >= turn+c.lost && at < turn+c.lost+60*ms; at >= turn+c.begins && !lost {
					e.now += ms
					e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
				}
				if n++; at >= turn && e.tick(at+5*ms) {
					t.Fatal("the call is over")
				}
			}
			_, heard := e.result()
			if got := int64(heard[decoded(highSample)]) * 1e9 / g711.Rate; got > c.recorded+frameNS || got < c.recorded-frameNS {
				t.Errorf("%d ms of what was heard first are on the recording, want %d", got/ms, c.recorded/ms)
			}
			from := int64(slices.Index(e.tape.Channel(leg.AgentChannel), decoded(lowSample))) * 1e9 / g711.Rate
			if off := from - max(c.begins, 0); off > frameNS || off < -frameNS {
				t.Errorf("the voice stands at %d ms, want %d", from/ms, max(c.begins, 0)/ms)
			}
		})
	}
}

// TestOtherVoicesBeforeTheFirstTurn checks that packets of another source do not make the call
// begin earlier.
func TestOtherVoicesBeforeTheFirstTurn(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.setup.Remote = e.from
	e.early = &early{since: 0}
	e.starts(t, quietParty{}, 1e9)
	for n := range 3 * earlyPackets { // more than is kept
		e.now = 1e9 - 900e6 + int64(n)*1e6
		e.hears(0, 9, uint16(n), uint32(n*frameSize), lowSample)
	}
	e.early.n /= 2
	e.now = 1e9 - 10e6
	e.hears(0, 7, 1, 1, 0xff)
	if e.tick(1e9) || e.lead != 0 || e.early != nil {
		t.Errorf("the call begins %d frames before, want 0, or is over", e.lead)
	}
}

// TestWhatIsNoVoiceBeforeTheFirstTurn checks that packets without speech neither begin a call nor
// hide the voice that does.
func TestWhatIsNoVoiceBeforeTheFirstTurn(t *testing.T) {
	t.Parallel()
	for kind, name := range map[byte]string{97: "a payload type that was not agreed", 101: "a key", 13: "comfort noise"} {
		for _, speaks := range []bool{false, true} {
			e := newEars()
			e.setup.Remote = e.from
			e.early = &early{since: 0}
			e.starts(t, quietParty{}, 1e9)
			for n := range 20 {
				e.now = 1e9 - 400e6 + int64(n)*frameNS
				if speaks {
					e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
				}
				if n >= 15 {
					e.hears(kind, 9, uint16(n), uint32(n*frameSize), straySample)
				}
			}
			want := int64(0)
			if speaks {
				want = (400e6 + earlyMargin) / frameNS
			}
			if e.tick(1e9) || e.lead != want {
				t.Errorf("%s, beside a voice: %v: the call begins %d frames before, want %d", name, speaks, e.lead, want)
			}
		}
	}
}

// TestWhatComesDuringTheFirstTurnIsNotLost checks that packets are kept although they are received
// after the time of the turn was read.
func TestWhatComesDuringTheFirstTurnIsNotLost(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.setup.Remote = e.from
	e.early = &early{since: 0}
	e.starts(t, quietParty{}, 1e9)
	for n := range 5 { // two before the turn, one at it, two after it
		e.now = 1e9 + int64(n-2)*1e6
		e.hears(0, 7, uint16(n), uint32(n*frameSize), lowSample)
	}
	if e.tick(1e9) {
		t.Fatal("the call is over")
	}
	if stats, _ := e.result(); stats.Received != 5 || stats.Lost > 0 {
		t.Errorf("%d of 5 packets are heard, %d are lost", stats.Received, stats.Lost)
	}
}

// TestLongPacketsBeforeTheFirstTurn checks that long packets are kept like others, and that silence
// under a payload type of the far end's own is recognised.
func TestLongPacketsBeforeTheFirstTurn(t *testing.T) {
	t.Parallel()
	const turn, frames = int64(1e9), 8 // in a packet
	e := newEars()
	e.setup.Remote = e.from
	e.setup.Codec, e.setup.AudioType = g711.PCMA(), 110
	e.far.Init(g711.PCMA(), e.tape, leg.AgentChannel)
	e.early = &early{since: turn - 700e6}
	e.starts(t, quietParty{}, turn)
	for n := range 4 { // the first one holds silence
		b := make([]byte, rtp.HeaderSize, rtp.HeaderSize+frames*frameSize)
		rtp.WriteHeader(b, rtp.Packet{Type: 110, Sequence: uint16(n), Timestamp: uint32(n * frames * frameSize), SSRC: 7})
		sample := g711.PCMA().Silence()
		if n > 0 {
			sample = lowSample
		}
		e.receive(append(b, bytes.Repeat([]byte{sample}, frames*frameSize)...), e.from, turn-600e6+int64(n)*frames*frameNS)
	}
	if e.tick(turn) {
		t.Fatal("the call is over")
	}
	if want := turn - 600e6 + frames*frameNS - earlyMargin; e.zero < want-frameNS || e.zero > want {
		t.Errorf("the call begins %v before our turn, not %v", time.Duration(turn-e.zero), time.Duration(turn-want))
	}
	var voice [1]int16
	g711.PCMA().Decode(voice[:], []byte{lowSample})
	if stats, heard := e.result(); stats.Received != 4 || heard[voice[0]] != 3*frames*frameSize {
		t.Errorf("%d of 4 packets are heard, %d of %d samples of the voice", stats.Received, heard[voice[0]], 3*frames*frameSize)
	}
}

// FuzzEarly feeds arbitrary packets before the first turn.
func FuzzEarly(f *testing.F) {
	f.Add([]byte("\x80\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x07\x40\x40"), int64(20))
	f.Fuzz(func(t *testing.T, b []byte, step int64) {
		e := early{since: 5}
		for n := range int64(4) {
			e.keep(b, newEars().from, 5+n*(step%int64(time.Minute)))
		}
		if ns, ok := e.said(newEars().Stream); ok && ns < e.since {
			t.Error(fmt.Sprint("said at ", ns))
		}
	})
}
