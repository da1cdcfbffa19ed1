package live

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// tap measures the sound of a call while somebody watches it. The media loop writes and the hub
// reads; they share only atomics.
type tap struct {
	watched atomic.Bool
	notes   ring
	// outline holds the peaks of the latest periods of Step: the number of the period, counted from
	// 1, in the upper half, the peaks of caller and agent in the lower half.
	outline [64]atomic.Uint64
	// now is the number of the period being written.
	now atomic.Uint64

	// caller and agent belong to the media loop.
	caller, agent uint16
	// read is the last period that was sent. It is guarded by the hub's lock.
	read uint64
}

// Listen puts the call between its line and its party.
func (c *Call) Listen(p leg.Party) leg.Party {
	if c == nil {
		return p
	}
	return &tapped{party: p, tap: &c.tap}
}

// tapped is a party with a tap.
type tapped struct {
	party leg.Party
	tap   *tap
}

// Begin implements leg.Party.
func (t *tapped) Begin(rate int) { t.party.Begin(rate) }

// Step implements leg.Party.
func (t *tapped) Step(in, out *leg.Frame) {
	t.party.Step(in, out)
	if t.tap.watched.Load() {
		t.tap.hear(in, out)
	}
}

// End implements leg.Party.
func (t *tapped) End(at time.Duration, hungUpByFar bool) { t.party.End(at, hungUpByFar) }

// Await implements leg.Awaiter if the party does.
func (t *tapped) Await(ctx context.Context, at time.Duration) error {
	if a, ok := t.party.(leg.Awaiter); ok {
		return a.Await(ctx, at)
	}
	return nil
}

// hear records the peaks of both sides in a frame.
func (t *tap) hear(in, out *leg.Frame) {
	number := uint64(in.At/Step) + 1
	if number != t.now.Load() {
		t.caller, t.agent = 0, 0
	}
	t.caller, t.agent = max(t.caller, loudest(out.PCM)), max(t.agent, loudest(in.PCM))
	t.outline[number%uint64(len(t.outline))].Store(number<<32 | uint64(t.caller)<<16 | uint64(t.agent))
	t.now.Store(number)
}

// loudest returns the largest absolute value of a sample.
func loudest(pcm []int16) uint16 {
	least, most := int16(0), int16(0)
	for _, v := range pcm {
		least, most = min(least, v), max(most, v)
	}
	return uint16(max(-int32(least), int32(most)))
}

// at returns the media time up to which the sound has been measured.
func (t *tap) at() time.Duration { return time.Duration(t.now.Load()) * Step }

// peaks returns the finished periods that were not sent yet and are still in the outline.
func (t *tap) peaks() (from time.Duration, caller, agent []float64) {
	now := t.now.Load()
	if now == 0 {
		return 0, nil, nil
	}
	first := t.read + 1
	if n := uint64(len(t.outline)) / 2; now > n {
		first = max(first, now-n) // the media loop may be writing into the rest
	}
	for first < now && t.outline[first%uint64(len(t.outline))].Load()>>32 != first { // nobody was watching then
		first++
	}
	for number := first; number < now; number++ {
		v := t.outline[number%uint64(len(t.outline))].Load()
		if v>>32 != number { // no frame was heard in this period
			v = 0
		}
		caller, agent = append(caller, scaled(v>>16)), append(agent, scaled(v))
	}
	t.read = max(t.read, now-1)
	return time.Duration(first-1) * Step, caller, agent
}

// scaled returns a peak as a number between 0 and 1, to three decimal places.
func scaled(v uint64) float64 { return float64((v&0xffff)*1000/32768) / 1000 }
