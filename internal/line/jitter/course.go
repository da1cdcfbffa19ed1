package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// course determines when the far end said what it sends, from sequence numbers, timestamps and
// the map of its clock, and how far behind that a Party hears it. Receiver and Wideband consist
// of it and their stores of audio.
type course struct {
	clk  clockMap
	said spurts
	rush rush
	play playout
	// The following fields are needed only when a packet has arrived.
	times stamps
	seq   sequence
}

// stampOf returns the stamp of a packet of n samples that arrived at position at; kind is what its sequence
// number says. A packet that was overtaken is treated as the newest if those that overtook it held no audio.
func (c *course) stampOf(p rtp.Packet, kind novelty, n, at int64) int64 {
	number := c.seq.ext(p)
	ahead := number - c.times.ext
	switch {
	case kind == older && ahead <= 0:
		return c.times.older(p, -ahead, n)
	case kind == anew:
		ahead = 1
	case !c.clk.set:
		return c.times.first(n)
	}
	return c.times.newer(p, number, ahead, n, at-c.clk.known(), c.play.delay)
}

// follow updates the clock map with a packet that arrived at position at, which is ns in engine
// time, and returns what the packet means for the map.
func (c *course) follow(stamp int64, kind novelty, at, ns int64) verdict {
	c.seq.pace(ns - stamp*int64(time.Second/telephoneRate))
	if c.said.arrive(stamp, at) {
		c.believe(c.said.now.head, at)
		return mapAhead
	}
	seems := at + c.said.lead(stamp, at)
	if kind == older && c.clk.set && seems-stamp > c.clk.known()+ringSamples {
		return mapKept // overtaken by a second or more, by packets with better information about the clock
	}
	if c.said.asked && c.clk.set {
		switch c.rush.arrive(stamp, at, c.said.since) {
		case rushed:
			seems = max(seems, stamp+c.clk.known())
		case eased:
			c.clk.retell(seems-stamp, at)
			return mapEased
		case paced:
		}
	}
	offset, since := c.clk.offset, c.clk.stalledAt
	means := c.clk.arrive(stamp, seems)
	switch means {
	case mapHitch: // playout continues where it is
		c.play.delay = max(c.play.delay-(c.clk.offset-offset), 0)
	case mapStall:
		c.play.remember()
	case mapStood:
		c.play.forgive(at - since)
	case mapKept, mapNew, mapAhead, mapEased:
	}
	return means
}

// believe restarts the map from the first packet of the current spurt, because earlier packets with a shorter
// transit were sent ahead of time. Playout continues where it is.
func (c *course) believe(transit, at int64) {
	c.play.delay = max(c.play.delay-(transit-c.clk.offset), 0)
	c.clk.begin(transit, at)
}

// forgetClock makes the next packet define the far end's clock anew.
func (c *course) forgetClock() { c.clk, c.said, c.rush = clockMap{}, spurts{}, rush{} }

// sooner places everything from now on by so many samples earlier.
func (c *course) sooner(by int64) {
	c.clk.offset -= by
	c.play.corrected(by)
}

// later places everything from now on by so many samples later. Playout continues where it is.
func (c *course) later(by int64) {
	c.clk.offset += by
	c.play.delay = max(c.play.delay-by, 0)
}

// giveWay places everything later by as much as is needed for audio laid down at next to overwrite nothing.
func (c *course) giveWay(l *reel, next int64) (moved int64) {
	if moved = l.covered(next); moved > 0 {
		c.later(moved)
	}
	return moved
}

// catchUp places everything earlier by what it is behind, as far as that overwrites nothing on
// the tape; next is the position of the next audio.
func (c *course) catchUp(l *reel, next int64) {
	if by := c.clk.behind(); by > 0 {
		c.sooner(min(by, l.spare(next)))
	}
}

// drift moves the map towards the far end's clock: by at most a sample, and further earlier where pauses on the tape can be shortened, or
// later in steps where there is a pause. next is the position of the next audio.
func (c *course) drift(l *reel, next int64) {
	if next < l.tapeEnd || l.atBegin(next) {
		return // nothing has arrived since the last move by a sample, or nothing at all
	}
	if by := c.clk.behind(); by > slideSamples && l.ripe() {
		c.sooner(l.pull(by))
	}
	if by := c.clk.ahead(); by > leapLeast && l.rests() {
		c.later(min(by, leapMost))
		return
	}
	before := c.clk.offset
	c.clk.follow()
	c.play.corrected(before - c.clk.offset)
}

// into adds what was counted to the statistics of a leg.
func (c *course) into(out *call.LineStats) {
	c.seq.into(out)
	out.JitterBuffer = time.Duration(c.play.delay) * time.Second / telephoneRate
	out.Concealed = true
	out.Late = c.play.late
}

// farOff reports whether a stamp is too far from the end of the audio for both to be in one ring.
func farOff(stamp, head int64) bool {
	d := stamp - head
	return d > ringSamples/2 || d < -ringSamples/2
}
