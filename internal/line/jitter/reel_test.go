package jitter

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestWhatLiesFarBackGoesToTheEnd checks that audio from a clock that jumped back by hours, which
// would belong hours before the call, is appended to the tape without searching it for free space.
// The same happens if it would overwrite words; only silence may be overwritten.
func TestWhatLiesFarBackGoesToTheEnd(t *testing.T) {
	t.Parallel()
	tape := leg.NewTape(time.Minute)
	tape.Begin(WidebandRate)
	tape.Write(leg.AgentChannel, wide*300, []int16{900, 900})
	l := reel{tape: tape, channel: leg.AgentChannel, perTick: wide, tapeEnd: 500}
	for pos, want := range map[int64]int64{500: 0, 499: 0, 400: 0, 301: 0, 300: 200, -100: 600, -1 << 40: 500 + 1<<40, 500 - ringSamples - 1: ringSamples + 1} {
		if got := l.covered(pos); got != want {
			t.Errorf("sound at %d would cover %d, want %d", pos, got, want)
		}
	}
	l = reel{tape: leg.NewTape(time.Minute), channel: leg.AgentChannel, perTick: wide}
	l.tape.Begin(WidebandRate)
	for pos, want := range map[int64]int64{-52: 0, -ringSamples: 0, -188830709: 188830709} {
		if got := l.covered(pos); got != want {
			t.Errorf("on an empty tape sound at %d would cover %d, want %d", pos, got, want)
		}
	}
}
