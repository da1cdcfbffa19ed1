package jitter

import (
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/rtp"
)

// course finds out when a far end said what it sends, by the numbers of its packets, by
// its timestamps and by the map of its clock, and how far behind that a Party hears it.
// receiver and Wideband are made of it and of what they keep of the sound.
type course struct {
	clk  clockMap
	said spurts
	rush rush
	play playout
	// What follows is needed only where something came.
	times stamps
	seq   sequence
}

// stampOf is the stamp of a packet of n samples that came at position at and is
// of the kind that its number says. One that came after its successors is the newest all the same where
// those held no sound.
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

// follow has the map of the far end's clock know of a packet that came at position at, which
// is ns in engine time, and says what the packet means for it.
func (c *course) follow(stamp int64, kind novelty, at, ns int64) verdict {
	c.seq.pace(ns - stamp*int64(time.Second/telephoneRate))
	if c.said.arrive(stamp, at) {
		c.believe(c.said.now.head, at)
		return mapAhead
	}
	seems := at + c.said.lead(stamp, at)
	if kind == older && c.clk.set && seems-stamp > c.clk.known()+ringSamples {
		return mapKept // it was overtaken by a second and more, by packets that know better of the clock
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
	offset, stalled, since := c.clk.offset, c.clk.stalled > 0, c.clk.stalledAt
	means := c.clk.arrive(stamp, seems)
	switch {
	case means == mapHitch: // whoever listens goes on where they are
		c.play.delay = max(c.play.delay-(c.clk.offset-offset), 0)
	case means == mapStall:
		c.play.remember()
	case means == mapNew && stalled:
		c.play.forgive(at - since)
	}
	return means
}

// believe has the map begin anew by the first packet of the present spurt, since those before it that were less
// under way were sent ahead. Whoever listens goes on where they are.
func (c *course) believe(transit, at int64) {
	c.play.delay = max(c.play.delay-(transit-c.clk.offset), 0)
	c.clk.begin(transit, at)
}

// forgetClock has the next packet tell the far end's clock anew.
func (c *course) forgetClock() { c.clk, c.said, c.rush = clockMap{}, spurts{}, rush{} }

// sooner places everything from now on so many samples sooner.
func (c *course) sooner(by int64) {
	c.clk.offset -= by
	c.play.corrected(by)
}

// later places everything from now on so many samples later. Whoever listens goes on where they are.
func (c *course) later(by int64) {
	c.clk.offset += by
	c.play.delay = max(c.play.delay-by, 0)
}

// giveWay places everything so much later that nothing is covered by what would be laid at next.
func (c *course) giveWay(l *reel, next int64) (moved int64) {
	if moved = l.covered(next); moved > 0 {
		c.later(moved)
	}
	return moved
}

// catchUp places everything sooner by what it is behind, as far as that covers nothing on the
// tape: next is where the next sound would be laid.
func (c *course) catchUp(l *reel, next int64) {
	if by := c.clk.behind(); by > 0 {
		c.sooner(min(by, l.spare(next)))
	}
}

// drift moves the map to where the far end's clock is, by at most a sample, and sooner by as
// much as there are pauses on the tape that give way, or later by a piece where there is one. next is where the next sound would be laid.
func (c *course) drift(l *reel, next int64) {
	if next < l.tapeEnd || l.atBegin(next) {
		return // there came nothing since the last sample made room, or there is none
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

// into writes what was counted into the statistics of a leg.
func (c *course) into(out *call.LineStats) {
	c.seq.into(out)
	out.JitterBuffer = time.Duration(c.play.delay) * time.Second / telephoneRate
	out.Concealed = true
	out.Late = c.play.late
}

// farOff says that a stamp lies too far from the end of the sound for one ring to hold both.
func farOff(stamp, head int64) bool {
	d := stamp - head
	return d > ringSamples/2 || d < -ringSamples/2
}
