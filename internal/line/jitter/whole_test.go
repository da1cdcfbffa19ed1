package jitter

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

const (
	chatFrames = 700
	// chatLate is the maximum delay of packets. chatSlack is how far the map may be off before it
	// has seen a prompt packet, and how much later still audio may be placed.
	chatLate, chatSlack = 400 * time.Millisecond, 60 * time.Millisecond
	// chatEdge is how much of a frame (ticks) may be missing at either end if it fills a hole for
	// which it came too late.
	chatEdge = 8
)

// chat is a far end that says words with pauses between them, over a network that delays packets
// equally for a while, and then less.
type chat struct {
	said    []bool // whether a frame belongs to a word
	sent    []bool
	lost    []bool
	late    []time.Duration // of each frame
	settled int             // the first frame that must be at its place
}

// newChat makes a random chat.
func newChat(rng *rand.Rand) *chat {
	c := &chat{said: make([]bool, chatFrames), sent: make([]bool, chatFrames), lost: make([]bool, chatFrames), late: make([]time.Duration, chatFrames)}
	ends := c.talk(rng)
	last := c.lateness(rng)
	c.rough(rng)
	// After two pauses, at the latest, there was enough silence to make up for the delay.
	for after := 0; len(ends) > 0 && after < 3; ends = ends[1:] {
		if ends[0] > last+25 {
			after++
		}
		c.settled = ends[0] + 60
	}
	return c
}

// talk fills it with words and returns the ends of the pauses between them.
func (c *chat) talk(rng *rand.Rand) (pauses []int) {
	silent := rng.IntN(2) == 0 // silence is sent like speech
	for at := rng.IntN(20); at < chatFrames; {
		word, pause := 8+rng.IntN(60), 16+rng.IntN(40)
		for n := at; n < min(at+word, chatFrames); n++ {
			c.said[n], c.sent[n] = true, true
		}
		for n := at + word; silent && n < min(at+word+pause, chatFrames); n++ {
			c.sent[n] = true
		}
		at += word + pause
		pauses = append(pauses, at)
	}
	return pauses
}

// lateness delays packets equally for a while, one to three times, and returns the first frame
// after that.
func (c *chat) lateness(rng *rand.Rand) (last int) {
	from := 0
	for range 1 + rng.IntN(3) {
		by := 5*time.Millisecond + time.Duration(rng.Int64N(int64(chatLate-5*time.Millisecond)))
		last = from + 5 + rng.IntN(120)
		for n := from; n < min(last, chatFrames); n++ {
			c.late[n] = by
		}
		ramp := time.Duration(rng.IntN(2)*rng.IntN(20)) * time.Millisecond
		for ; ramp > 0 && by > 0 && last < chatFrames; last++ { // gradually less
			c.late[last] = by
			by -= ramp
		}
		from = last + rng.IntN(60)
	}
	return last
}

// rough adds jitter, stalls, loss and overtaking.
func (c *chat) rough(rng *rand.Rand) {
	jitter := 1 + rng.Int64N(15e6)
	loss := rng.IntN(2) * rng.IntN(4)
	stall := 100 + rng.IntN(200)
	for n := range chatFrames {
		if n%4 != 0 {
			c.late[n] += time.Duration(rng.Int64N(jitter))
		}
		if n%stall >= 90 && n%stall < 98 { // all of them arrive with the last
			c.late[n] = max(c.late[n], time.Duration(98-n%stall)*leg.FrameTime)
		}
		if rng.IntN(40) == 0 {
			c.late[n] += 30 * time.Millisecond
		}
		c.lost[n] = rng.IntN(100) < loss
	}
}

// play sends everything and returns what was said and the recording.
func (c *chat) play(e ear, perTick int) (said, tape []int16) {
	size := frameSize * perTick
	said = make([]int16, chatFrames*size)
	audio.NewNoise(7).Pink(said, -30)
	type arrival struct {
		at time.Duration
		p  rtp.Packet
	}
	var all []arrival
	for n := range chatFrames {
		pcm := said[n*size:][:size]
		if !c.said[n] {
			clear(pcm)
		}
		p := rtp.Packet{Sequence: uint16(len(all)), Timestamp: uint32(n * frameSize), SSRC: 1, Payload: e.code(pcm)}
		if c.sent[n] {
			all = append(all, arrival{time.Duration(n)*leg.FrameTime + transit + c.late[n], p})
		}
		if c.lost[n] && c.sent[n] {
			all[len(all)-1].at = -1
		}
	}
	slices.SortStableFunc(all, func(a, b arrival) int { return int(a.at - b.at) })
	for n := range chatFrames + 60 {
		for ; len(all) > 0 && all[0].at <= time.Duration(n)*leg.FrameTime; all = all[1:] {
			if all[0].at >= 0 {
				e.take(all[0].p, all[0].at)
			}
		}
		e.hear(n)
	}
	return said, e.recording(chatFrames + 60)
}

// places returns where each frame that arrived is on the tape, in samples from where it was said.
func (c *chat) places(said, tape []int16, perTick int) (off map[int]int, missing, doubled []int) {
	size := frameSize * perTick
	reach := int((chatLate + chatSlack) * telephoneRate / time.Second)
	off = map[int]int{}
	for n := range chatFrames {
		if !c.said[n] || c.lost[n] || c.overtaken(n) {
			continue
		}
		want, times := said[n*size+chatEdge*perTick:(n+1)*size-chatEdge*perTick], 0
		for d := -reach; d <= reach; d++ {
			at := (begin + n*frameSize + d + chatEdge) * perTick
			if at >= 0 && whole(tape[min(at, len(tape)):], want, perTick) {
				off[n] = d
				times++
				d += chatEdge // the same match with a sample omitted elsewhere
			}
		}
		switch times {
		case 0:
			missing = append(missing, n)
		case 1:
		default:
			doubled = append(doubled, n)
		}
	}
	return off, missing, doubled
}

// overtaken reports whether a frame came so much later than one said long after it that its place
// was taken. How much of that place it fills is not checked; it must only not damage other frames.
func (c *chat) overtaken(n int) bool {
	for after := n + 8; after < min(n+25, chatFrames); after++ {
		if c.sent[after] && !c.lost[after] && c.late[after]+time.Duration(after-n)*leg.FrameTime < c.late[n] {
			return true
		}
	}
	return false
}

// whole reports whether a tape begins with the given samples, of which those of one tick may be
// omitted or doubled to follow the far end's clock.
func whole(tape, want []int16, perTick int) bool {
	same := 0
	for same < len(want) && same < len(tape) && tape[same] == want[same] {
		same++
	}
	if same == len(want) {
		return true
	}
	rest := want[same+min(perTick, len(want)-same):]
	for _, at := range []int{same, same + perTick, same + 2*perTick} {
		if same > 0 && at+len(rest) <= len(tape) && slices.Equal(tape[at:at+len(rest)], rest) {
			return true
		}
	}
	return false
}

// TestEveryWordIsThereOnceAndInItsPlace checks many random calls.
func TestEveryWordIsThereOnceAndInItsPlace(t *testing.T) {
	t.Parallel()
	for seed := range uint64(40) {
		for where, perTick := range map[string]int{"on the telephone": 1, "in a room": wide} {
			c := newChat(rand.New(rand.NewPCG(seed, 3)))
			c.check(t, seed, where, perTick)
		}
	}
}

// FuzzEveryWordIsThereOnceAndInItsPlace searches for more of them.
func FuzzEveryWordIsThereOnceAndInItsPlace(f *testing.F) {
	f.Add(uint64(1), false)
	f.Add(uint64(2), true)
	f.Add(uint64(78), true)
	// The first packets after a pause are overtaken by the first one that is in time.
	f.Add(uint64(447), false)
	f.Add(uint64(540), true)
	f.Fuzz(func(t *testing.T, seed uint64, room bool) {
		where, perTick := "on the telephone", 1
		if room {
			where, perTick = "in a room", wide
		}
		newChat(rand.New(rand.NewPCG(seed, 3))).check(t, seed, where, perTick)
	})
}

func (c *chat) check(t *testing.T, seed uint64, where string, perTick int) {
	t.Helper()
	var e ear = telephoneEar{newWire()}
	if perTick == wide {
		e = newRoomEar()
	}
	said, tape := c.play(e, perTick)
	off, missing, doubled := c.places(said, tape, perTick)
	if len(missing) > 0 || len(doubled) > 0 {
		t.Errorf("seed %d, %s: frames %v are not whole, %v are there more than once", seed, where, missing, doubled)
	}
	for n, before := 0, 0; n < chatFrames; n++ {
		d, ok := off[n]
		if !ok {
			continue
		}
		switch here := n*frameSize + d; {
		case d < -1:
			t.Errorf("seed %d, %s: frame %d stands %d samples before it was said", seed, where, n, -d)
		case n >= c.settled && d > 1:
			t.Errorf("seed %d, %s: frame %d, of those after %d, stands %d samples too late", seed, where, n, c.settled, d)
		case here < before:
			t.Errorf("seed %d, %s: frame %d stands before the one before it", seed, where, n)
		default:
			before = here
			continue
		}
		return
	}
}
