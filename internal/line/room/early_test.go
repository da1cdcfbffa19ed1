package room

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/jitter"
	"github.com/ringtrue/ringtrue/internal/line/loss"
	"github.com/ringtrue/ringtrue/internal/line/pace"
)

// patient is a Party that says nothing and counts its steps.
type patient struct {
	listener

	early, steps int
	heard        []int16
}

func (p *patient) Step(in, _ *leg.Frame) {
	if in.Early {
		p.early++
	}
	p.steps++
	p.heard = append(p.heard, in.PCM...)
}

// beginning is a stream that begins in virtual time, at one second, with a far end whose packet n
// arrives at a time of its own.
type beginning struct {
	*stream
	party   *patient
	packets [][]byte
	sent    int
}

const beginsAt = int64(time.Second)

func newBeginning(t *testing.T, packets [][]byte) *beginning {
	t.Helper()
	pacer := pace.NewPacer(func() time.Time { return time.Unix(0, 0) }, 1)
	t.Cleanup(pacer.Close)
	voice, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	b := &beginning{party: &patient{}, packets: packets}
	b.stream = newStream(pacer, setup{party: b.party, tape: leg.NewTape(time.Minute), own: leg.CallerChannel, track: nowhere{}, codec: voice})
	b.lose = loss.Model{}.Begin(1).Next
	b.tape.Begin(jitter.WidebandRate)
	b.far.Init(b.tape, leg.AgentChannel, newDecoder, opusDelay)
	return b
}

// come delivers every packet that has arrived by the given time; when returns the arrival of packet
// n.
func (b *beginning) come(by int64, when func(n int) int64) {
	for ; b.sent < len(b.packets) && when(b.sent) <= by; b.sent++ {
		b.arrive(rtpOf(uint16(b.sent), uint32(b.sent)*960, b.packets[b.sent]), 1, when(b.sent))
	}
}

// run makes the call begin and last for so many frames.
func (b *beginning) run(frames int, when func(n int) int64) {
	b.come(beginsAt, when)
	b.Begin(beginsAt)
	for n := range frames {
		now := beginsAt + int64(n)*frameNS
		b.come(now, when)
		b.Tick(now)
	}
	b.end(ending{})
	b.Finish()
}

// TestWhatIsSaidBeforeTheCallBeginsIsRecorded checks that what was said before the call began is
// recorded where it was said: the tone is 0.3 to 0.7 s after the first packet, whose time is
// planted.
func TestWhatIsSaidBeforeTheCallBeginsIsRecorded(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	for _, c := range []struct {
		name   string
		before time.Duration // how long before our beginning the first packet is sent
		late   func(n int) time.Duration
		lead   bool
	}{
		{"long before", 1900 * time.Millisecond, nil, true},
		{"all of it before", 900 * time.Millisecond, nil, true},
		{"half of it before", 500 * time.Millisecond, nil, true},
		{"a little of it before", 340 * time.Millisecond, nil, true},
		{"a frame of it before", 310 * time.Millisecond, nil, true},
		{"none of it before", 150 * time.Millisecond, nil, false},
		{"nothing before", 0, nil, false},
		{"before, and read at once", 500 * time.Millisecond, func(n int) time.Duration {
			return max(0, 450*time.Millisecond-time.Duration(n)*leg.FrameTime)
		}, true},
		{"before, and through a network that varies", 500 * time.Millisecond, func(n int) time.Duration {
			return time.Duration(n*7919%31) * time.Millisecond
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBeginning(t, packets)
			first := beginsAt - int64(c.before)
			b.run(100, func(n int) int64 {
				at := first + int64(n)*frameNS
				if c.late != nil {
					at += int64(c.late(n))
				}
				return at
			})
			from, to := extent(b.tape.Channel(leg.AgentChannel))
			want := int((first-b.zero)*16/1e6) + 4800
			if off := from - want; off < -80 || off > 80 {
				t.Errorf("the tone begins %.1f ms off", float64(off)/16)
			}
			if off := to - want - 6400; off < -80 || off > 80 {
				t.Errorf("the tone ends %.1f ms off", float64(off)/16)
			}
			if (b.lead > 0) != c.lead || b.party.early != int(b.lead) {
				t.Errorf("%d frames passed at once, the Party was told so of %d", b.lead, b.party.early)
			}
			if before := beginsAt - b.zero; before != b.lead*frameNS || before > int64(earlyMost+2*time.Duration(earlyMargin)) {
				t.Errorf("the call begins %v before we do", time.Duration(before))
			}
			if n := b.result.stats.SendMissed; n > 0 {
				t.Errorf("%d frames of a silent Party count as missed", n)
			}
			if heard, _ := extent(b.party.heard); heard < from || heard > from+16*300 {
				t.Errorf("the Party hears it %.1f ms after it was said", float64(heard-from)/16)
			}
		})
	}
}

// TestWhatComesDuringTheFirstTurnIsNotLost checks that packets that arrive during the first turn,
// which may take a busy machine a while, are kept with those from before.
func TestWhatComesDuringTheFirstTurnIsNotLost(t *testing.T) {
	t.Parallel()
	b := newBeginning(t, spoken(t))
	when := func(n int) int64 { return beginsAt - int64(400*time.Millisecond) + int64(n)*frameNS }
	b.come(beginsAt+3*frameNS, when)
	b.run(100, when)
	if from, to := extent(b.tape.Channel(leg.AgentChannel)); to-from < 6400-80 || b.result.stats.Lost > 0 {
		t.Errorf("%d ms of the tone are recorded, %d packets are lost", (to-from)/16, b.result.stats.Lost)
	}
}

// TestNoiseBeforeTheCallDoesNotBegin checks that the noise of an open microphone into which nobody
// speaks does not begin the call.
func TestNoiseBeforeTheCallDoesNotBegin(t *testing.T) {
	t.Parallel()
	voice, err := newOpus()
	if err != nil {
		t.Fatal(err)
	}
	var packets [][]byte
	var pcm [frameSamples]int16
	for n := range 50 {
		for i := range pcm {
			pcm[i] = int16((n*frameSamples+i)*7919%81) - 40
		}
		var b [maxOpus]byte
		size, err := voice.Encode(b[:], pcm[:])
		if err != nil {
			t.Fatal(err)
		}
		packets = append(packets, b[:size])
	}
	b := newBeginning(t, packets)
	b.run(50, func(n int) int64 { return beginsAt - int64(500*time.Millisecond) + int64(n)*frameNS })
	if b.lead != 0 || b.zero != beginsAt {
		t.Errorf("the call begins %d frames sooner for noise", b.lead)
	}
}

// TestWhatIsKeptBeforeTheCallIsBounded floods it with packets, valid and invalid.
func TestWhatIsKeptBeforeTheCallIsBounded(t *testing.T) {
	t.Parallel()
	packets := spoken(t)
	var e early
	for n := range 10 * earlyPackets {
		e.keep(rtpOf(uint16(n), uint32(n)*960, packets[20]), 1, int64(n)*frameNS)
		e.keep(fmt.Append(nil, n), 1, int64(n)*frameNS)
	}
	kept, said, ok := e.take(0)
	if len(kept) != earlyPackets || !ok || said != kept[0].ns || kept[earlyPackets-1].ns != (10*earlyPackets-1)*frameNS {
		t.Errorf("%d packets are kept, the first of %d ms", len(kept), said/1e6)
	}
	if !slices.IsSortedFunc(kept, func(a, b earlyPacket) int { return int(a.ns - b.ns) }) {
		t.Error("they are out of order")
	}
	if e.keep(rtpOf(1, 2, packets[20]), 1, 5) {
		t.Error("it keeps packets when the call has begun")
	}
}

// FuzzEarly feeds arbitrary packets before the call begins.
func FuzzEarly(f *testing.F) {
	for _, p := range spoken(f)[14:17] {
		f.Add(rtpOf(7, 960, p), int64(20), uint32(1))
	}
	f.Add([]byte{2 << 6, 111, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0xff, 0xff}, int64(-1), uint32(0))
	f.Fuzz(func(t *testing.T, b []byte, step int64, stamps uint32) {
		var e early
		const since = int64(time.Hour)
		for n := range int64(5) {
			if len(b) >= 8 {
				b[7] += byte(stamps)
			}
			e.keep(b, uint32(n%2), since+n*(step%int64(time.Minute)))
		}
		if _, said, ok := e.take(since); ok && said < since {
			t.Errorf("something was said %v too early", time.Duration(since-said))
		}
	})
}
