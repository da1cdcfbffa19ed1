package jitter

import (
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/g711"
)

// The units of positions and times, which are used for rooms too.
const (
	telephoneRate = g711.Rate
	frameSize     = g711.FrameSize
	frameNS       = int64(leg.FrameTime)
)

// EarlyNS is how long before the answer (ns) packets may arrive and still belong to the call:
// the far end speaks before we know that it has answered.
const EarlyNS = int64(100e6)

// Position converts a time of the call (ns), which may be negative, to a position (samples of 8000 Hz).
func Position(ns int64) int64 { return floorDiv(ns*8, 1e6) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && a < 0 {
		q--
	}
	return q
}
