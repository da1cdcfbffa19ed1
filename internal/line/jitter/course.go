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
	play playout
	// What follows is needed only where something came.
	times stamps
	seq   sequence
}

// stampOf is the stamp of a packet of n samples that came at position at and is
// of the kind that its number says.
func (c *course) stampOf(p rtp.Packet, kind novelty, n, at int64) int64 {
	ahead := c.seq.highest - c.times.ext
	switch {
	case kind == older:
		return c.times.older(p, n)
	case kind == anew:
		ahead = 1
	case !c.clk.set:
		return c.times.first(n)
	}
	return c.times.newer(p, c.seq.highest, ahead, n, at-c.clk.offset, c.play.delay)
}

// follow moves the map of the far end's clock by a packet that came at position at, which
// is ns in engine time, and says what the packet means for it, and by how much sooner
// than was thought everything before it was said.
func (c *course) follow(stamp, at, ns int64) (means verdict, sooner int64) {
	c.seq.pace(ns - stamp*int64(time.Second/telephoneRate))
	before, known := c.clk.offset, c.clk.set
	means = c.clk.arrive(stamp, at)
	if means == mapKept && known {
		sooner = before - c.clk.offset
		c.play.corrected(sooner)
	}
	return means, sooner
}

// drift moves the map by at most a sample to where the far end's clock has gone.
func (c *course) drift() {
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
