package telephone

import (
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// TestMissedSilenceIsNoLoss checks that a frame that cannot be sent only counts as lost if it was
// audible.
func TestMissedSilenceIsNoLoss(t *testing.T) {
	t.Parallel()
	tape := leg.NewTape(time.Second)
	g711.Prepare(tape)
	tape.Begin(g711.Rate)
	o := sender{stream: &Stream{setup: Setup{Tape: tape}}, memory: &scratch{}}
	o.frame(&leg.Frame{PCM: make([]int16, frameSize)}, 0, true)
	if o.gone != 0 {
		t.Errorf("%d frames of silence were counted as lost speech", o.gone)
	}
	spoken := make([]int16, frameSize)
	spoken[7] = 900
	o.frame(&leg.Frame{PCM: spoken}, 0, true)
	o.frame(&leg.Frame{PCM: make([]int16, frameSize), Digits: "5"}, 0, true)
	if o.gone != 2 {
		t.Errorf("%d frames counted as lost, want the spoken one and the key", o.gone)
	}
}

// posted records the sequence numbers and timestamps of what is sent.
type posted struct {
	socket
	sequences, stamps []uint32
}

func (p *posted) Send(b []byte, _ netip.AddrPort) {
	if got, ok := rtp.Parse(b); ok {
		p.sequences, p.stamps = append(p.sequences, uint32(got.Sequence)), append(p.stamps, got.Timestamp)
	}
}

// heard records what is sent.
type heard struct {
	socket
	packets [][]byte
}

func (h *heard) Send(b []byte, _ netip.AddrPort) { h.packets = append(h.packets, slices.Clone(b)) }

// TestAFrameInPieces checks that a frame sent in several packets has the same audio as in one, also
// on the recording.
func TestAFrameInPieces(t *testing.T) {
	t.Parallel()
	spoken := make([]int16, frameSize)
	for i := range spoken {
		spoken[i] = int16(100 * i)
	}
	want := make([]byte, frameSize)
	g711.PCMU().Encode(want, spoken)
	for _, n := range []int{0, 1, 2, 4, 5, 10, 20} {
		e, post := newEars(), &heard{}
		e.setup.Pieces, e.setup.Tape = uint8(n), e.tape
		e.own.init(e.Stream, e.setup)
		e.lend(&scratch{})
		e.sock = post
		for range 2 {
			e.own.frame(&leg.Frame{PCM: spoken}, 0, false)
			e.next++
		}
		if len(post.packets) != 2*max(n, 1) {
			t.Fatalf("%d packets of two frames in %d pieces", len(post.packets), n)
		}
		var got []byte
		first, _ := rtp.Parse(post.packets[0])
		for i, b := range post.packets {
			p, ok := rtp.Parse(b)
			if !ok || p.Marker != (i == 0) || p.Sequence != first.Sequence+uint16(i) || p.Timestamp != first.Timestamp+uint32(len(got)) {
				t.Errorf("in %d pieces, packet %d: %v %+v", n, i, ok, p)
			}
			got = append(got, p.Payload...)
		}
		if !slices.Equal(got, append(slices.Clone(want), want...)) {
			t.Errorf("in %d pieces the sound is another", n)
		}
		tape := e.tape.Channel(e.setup.OwnChannel)
		whole := make([]int16, frameSize)
		g711.PCMU().Decode(whole, want)
		if len(tape) < 2*frameSize || !slices.Equal(tape[:frameSize], whole) || !slices.Equal(tape[frameSize:2*frameSize], whole) {
			t.Errorf("in %d pieces the recording is another", n)
		}
	}
}

// talker speaks in every frame after the given number.
type talker struct {
	quietParty
	from, steps int
}

func (p *talker) Step(_, out *leg.Frame) {
	if p.steps++; p.steps > p.from {
		out.PCM[7] = 900
	}
}

// TestAShortDelayLosesNothing stops the machine during a call. After a delay of up to a tenth of a
// second everything must be sent, late, and reported as late if it was audible; after a longer one,
// only the end of it.
func TestAShortDelayLosesNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		delay  time.Duration
		talks  bool
		sent   int
		gone   int64
		lateTo time.Duration
	}{
		{delay: 40 * time.Millisecond, talks: true, sent: 20, lateTo: 40 * time.Millisecond},
		{delay: 100 * time.Millisecond, talks: true, sent: 20, lateTo: 100 * time.Millisecond},
		{delay: 100 * time.Millisecond, sent: 20, lateTo: 60 * time.Millisecond},
		{delay: 180 * time.Millisecond, talks: true, sent: 16, gone: 4, lateTo: 100 * time.Millisecond},
		{delay: 180 * time.Millisecond, sent: 16, lateTo: 60 * time.Millisecond},
	} {
		e, post, party := newEars(), &posted{}, &talker{from: 1000}
		if c.talks {
			party.from = 0
		}
		e.starts(t, party, 0)
		e.sock = post
		const frames, stop = 20, 5
		for n := range frames {
			at := time.Duration(n) * leg.FrameTime
			if n >= stop && at < stop*leg.FrameTime+c.delay {
				at = 0 // the machine stands still
			}
			e.tick(int64(at))
		}
		if len(post.stamps) != c.sent || e.own.gone != c.gone || e.own.lateMax != c.lateTo {
			t.Errorf("after %v (talks %v): sent %d, missed %d, late by %v; want %+v", c.delay, c.talks, len(post.stamps), e.own.gone, e.own.lateMax, c)
		}
		for i := 1; i < len(post.stamps); i++ {
			step := (post.stamps[i] - post.stamps[i-1]) / frameSize
			if uint16(post.sequences[i]-post.sequences[i-1]) != 1 || step != 1 && i != stop {
				t.Errorf("after %v packet %d came %d frames after the one before", c.delay, i, step)
			}
		}
	}
}

// TestSilenceIsEncodedAsSilence compares the fast path for silence with the encoder.
func TestSilenceIsEncodedAsSilence(t *testing.T) {
	t.Parallel()
	for _, codec := range []g711.Codec{g711.PCMU(), g711.PCMA()} {
		o := sender{stream: &Stream{setup: Setup{Codec: codec}}}
		pcm, got, want := make([]int16, frameSize), make([]byte, frameSize), make([]byte, frameSize)
		for i := range frameSize + 1 {
			codec.Encode(want, pcm)
			if o.encode(got, pcm); !slices.Equal(got, want) {
				t.Fatalf("%s: with one sample at %d the codes differ", codec.Name, i-1)
			}
			clear(pcm)
			pcm[min(i, frameSize-1)] = 300
		}
	}
}

// TestAKeyIsNotedIfItIsSent has keys pressed during a hold, when nothing is sent, at its end, and behind it.
func TestAKeyIsNotedIfItIsSent(t *testing.T) {
	t.Parallel()
	const held = 20 // frames
	e, post := newEars(), &heard{}
	e.starts(t, quietParty{}, 0)
	e.sock = post
	pressed := map[int]string{0: "5", held - 2: "6", held + 20: "7"}
	for n := range 3 * held {
		e.setup.SendOff = n < held
		e.own.frame(&leg.Frame{PCM: make([]int16, frameSize), Digits: pressed[n]}, 0, false)
		e.next++
	}
	var noted, sent string
	for _, event := range e.Result().Timeline {
		noted += event.Data["digit"].(string)
	}
	for _, b := range post.packets {
		p, _ := rtp.Parse(b)
		if key, ok := rtp.ParseKeyEvent(p.Payload); ok && p.Type == 101 && !strings.Contains(sent, rtp.Keys[key.Code:key.Code+1]) {
			sent += rtp.Keys[key.Code : key.Code+1]
		}
	}
	if noted != "67" || sent != noted {
		t.Errorf("noted the keys %q and sent %q, want 67: that at the end of the hold and that behind it", noted, sent)
	}
}
