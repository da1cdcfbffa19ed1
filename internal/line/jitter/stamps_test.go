package jitter

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// oddity is a far end that numbers or timestamps its packets wrongly, or a network that delays
// them. Its audio is noise, no two moments of which are alike.
type oddity struct {
	// write changes packet n before it is sent; if it returns false, nothing is sent.
	write func(n int, p *rtp.Packet) bool
	late  func(n int) time.Duration
	// heard means that the Party must hear all of it, too, except for a few frames.
	heard bool
}

const oddFrames = 500

// play sends everything to an ear with the given number of samples per tick. It counts the ticks
// that are not where they were said on the recording, and the missing frames.
func (o oddity) play(e ear, perTick int) (wrong, missing int) {
	rng := rand.New(rand.NewPCG(3, 4))
	size := perTick * frameSize
	said := make([]int16, oddFrames*size)
	var sent [oddFrames]*rtp.Packet
	for n := range oddFrames {
		pcm := said[n*size:][:size]
		for i := range pcm {
			pcm[i] = int16(rng.IntN(16000) - 8000)
		}
		p := rtp.Packet{Sequence: uint16(n) + 65500, Timestamp: uint32(n)*frameSize - 5000, SSRC: 1, Payload: e.code(pcm)}
		if o.write == nil || o.write(n, &p) {
			sent[n] = &p
		}
	}
	for n := range oddFrames + 300 {
		for i := range sent {
			at := time.Duration(i)*leg.FrameTime + transit
			if o.late != nil {
				at += o.late(i)
			}
			if sent[i] != nil && at > time.Duration(n+2)*leg.FrameTime && at <= time.Duration(n+3)*leg.FrameTime {
				e.take(*sent[i], at)
			}
		}
		if gone := e.hear(n + 3); gone && n > 5 && n < oddFrames-10 {
			missing++
		}
	}
	tape := e.recording(oddFrames + 300)
	for n, p := range sent {
		if p != nil {
			at := perTick*begin + n*size
			wrong += differ(tape[min(len(tape), at):], said[n*size:][:size])
		}
	}
	return wrong / perTick, missing
}

// differ counts the samples in which a recording differs from what was said.
func differ(tape, said []int16) (n int) {
	for i := range said {
		if i >= len(tape) || tape[i] != said[i] {
			n++
		}
	}
	return n
}

// stepped sets the far end's clock forward by so many ticks in the middle of a word.
func stepped(by int) func(int, *rtp.Packet) bool {
	return func(n int, p *rtp.Packet) bool {
		if n >= 150 {
			p.Timestamp += uint32(by)
		}
		return true
	}
}

// counted gives packet n the timestamp n·by.
func counted(by int) func(int, *rtp.Packet) bool {
	return func(n int, p *rtp.Packet) bool { p.Timestamp = uint32(n * by); return true }
}

// again makes the sequence numbers jump from packet 150 on, and the timestamps too if stamps is
// true.
func again(by int, stamps bool) func(int, *rtp.Packet) bool {
	return func(n int, p *rtp.Packet) bool {
		if n >= 150 {
			p.Sequence += uint16(by)
			if stamps {
				p.Timestamp += uint32(by * frameSize)
			}
		}
		return true
	}
}

// fromZero restarts sequence numbers and timestamps at 0 with the first of every so many packets.
func fromZero(every int) func(int, *rtp.Packet) bool {
	return func(n int, p *rtp.Packet) bool {
		p.Sequence, p.Timestamp = uint16(n%every), uint32(n%every*frameSize)
		return true
	}
}

// back delays frames packets and then releases them, one each pace.
func back(frames int, pace time.Duration) func(int) time.Duration {
	return func(n int) time.Duration {
		const from = 150
		at := time.Duration(from+frames)*leg.FrameTime + time.Duration(n-from)*pace
		return max(0, at-time.Duration(n)*leg.FrameTime) * time.Duration(min(1, max(0, n-from+1)))
	}
}

// hiccups delays packets for up to 100 ms twice a second and then releases them at once.
func hiccups(n int) time.Duration {
	if n < 10 || n%25 > 5 {
		return 0
	}
	return time.Duration(5-n%25) * leg.FrameTime
}

// rough adds a random error below by ticks to each timestamp.
func rough(by uint32) func(int, *rtp.Packet) bool {
	dice := rand.New(rand.NewPCG(7, 8))
	return func(n int, p *rtp.Packet) bool {
		p.Timestamp += dice.Uint32N(by)
		return true
	}
}

func TestOddFarEndsAreRecordedAsTheySpoke(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(7, 8))
	jitter := func(most time.Duration) func(int) time.Duration {
		return func(n int) time.Duration { return time.Duration(max(0, n-3)) % 7 * most / 7 }
	}
	pauses := func(write func(int, *rtp.Packet) bool) func(int, *rtp.Packet) bool {
		return func(n int, p *rtp.Packet) bool { write(n, p); return n%100 < 60 }
	}
	for name, c := range map[string]struct {
		oddity
		room int // ticks that may be wrong in a room, where restarted numbers are those of a media server
	}{
		"clock set ahead by 100 ms":            {oddity{write: stepped(800), heard: true}, 0},
		"clock set ahead by 300 ms":            {oddity{write: stepped(2400), heard: true}, 0},
		"clock set ahead by 10 s":              {oddity{write: stepped(80000), heard: true}, 0},
		"clock set back by 20 ms":              {oddity{write: stepped(-160), heard: true}, 0},
		"clock set back by 100 ms":             {oddity{write: stepped(-800), heard: true}, 0},
		"clock set back by 300 ms":             {oddity{write: stepped(-2400), heard: true}, 0},
		"clock set back by 10 s":               {oddity{write: stepped(-80000), heard: true}, 0},
		"clock set half a turn ahead":          {oddity{write: stepped(1 << 31), heard: true}, 0},
		"clock of twice the rate":              {oddity{write: counted(320), heard: true}, 0},
		"clock of six times the rate":          {oddity{write: counted(960), heard: true}, 0},
		"clock of an eighth of the rate":       {oddity{write: counted(20), heard: true}, 0},
		"no clock":                             {oddity{write: counted(0), heard: true}, 0},
		"no clock, over jitter":                {oddity{write: counted(0), late: jitter(30 * time.Millisecond), heard: true}, 0},
		"clock of twice the rate, over jitter": {oddity{write: counted(320), late: jitter(30 * time.Millisecond), heard: true}, 0},
		"timestamps by chance":                 {oddity{write: func(_ int, p *rtp.Packet) bool { p.Timestamp = chance.Uint32(); return true }, heard: true}, 0},
		"clock of twice the rate, with pauses": {oddity{write: pauses(counted(320))}, 0},
		"no clock, with pauses":                {oddity{write: pauses(counted(0))}, 0},
		"no clock, over stalls":                {oddity{write: counted(0), late: hiccups}, 0},
		"timestamps from a rough clock":        {oddity{write: rough(40), heard: true}, 0},
		"timestamps from a bad clock":          {oddity{write: rough(400), heard: true}, 0},
		"numbers step back by 100":             {oddity{write: again(-100, false), heard: true}, 0},
		"numbers and clock begin anew":         {oddity{write: again(-150, true)}, 8 * frameSize},
		"numbers and clock anew each 2 s":      {oddity{write: fromZero(100)}, 4 * 8 * frameSize},
		"numbers and clock from elsewhere":     {oddity{write: again(-7000, true), heard: true}, 0},
		"0.4 s at once":                        {oddity{late: back(20, 0)}, 0},
		"1 s at once":                          {oddity{late: back(50, 0)}, 0},
		"5 s at once":                          {oddity{late: back(250, 0)}, 0},
		"1 s in a quick row":                   {oddity{late: back(50, 4*time.Millisecond)}, 0},
	} {
		check := func(where string, wrong, allowed, missing int) {
			if wrong > allowed {
				t.Errorf("%s, %s: %d ms are not where they were said", name, where, wrong/8)
			}
			if c.heard && missing > 6 {
				t.Errorf("%s, %s: the Party missed %d frames", name, where, missing)
			}
		}
		wrong, missing := c.play(telephoneEar{newWire()}, 1)
		check("on the telephone", wrong, 0, missing)
		wrong, missing = c.play(newRoomEar(), wide)
		check("in a room", wrong, c.room, missing)
	}
}

// TestMoreOfOneMomentIsNoStep checks that extra packets for a moment that already has one do not
// move anything.
func TestMoreOfOneMomentIsNoStep(t *testing.T) {
	t.Parallel()
	var s stamps
	s.begin(rtp.Packet{}, 0)
	ext := int64(0)
	for i := range int64(50) {
		at := i * frameSize
		p := rtp.Packet{Timestamp: uint32(at)}
		for _, n := range []int64{frameSize, 90, 1460} {
			ext++
			if got := s.newer(p, ext, 1, n, at, 2*frameSize); got != at {
				t.Fatalf("%d samples of frame %d are placed at %d, not at %d", n, i, got, at)
			}
		}
	}
}

// TestUtterancesThatCountFromZero sends utterances whose numbers restart, with pauses between them;
// each must be placed where it was said. All of them sound the same, so only the numbers tell that
// they are not repetitions.
func TestUtterancesThatCountFromZero(t *testing.T) {
	t.Parallel()
	const spoken, every, end = 80, 110, 4*110 + 80 // frames
	w := newWire()
	for n := range end {
		if n%every < spoken {
			w.seq0, w.ts0 = uint16(-(n - n%every)), uint32(-(n-n%every)*frameSize)
			w.send(n, time.Duration(n)*leg.FrameTime+transit)
		}
		w.hear(n)
	}
	s, pcm := w.finish()
	if s.Received != 5*spoken || s.Duplicate != 0 || s.Lost != 0 || s.Misordered != 0 || s.LongestGap > 31*leg.FrameTime {
		t.Errorf("%+v, want %d received and nothing else", s, 5*spoken)
	}
	for n := range end {
		at := begin + n*frameSize
		if loud := firstLoud(pcm[at:at+frameSize]) >= 0; loud != (n%every < spoken) {
			t.Errorf("frame %d on the tape: %v", n, loud)
		}
	}
}
