package line

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// Only what somebody would have heard is lost when a frame cannot be sent.
func TestMissedSilenceIsNoLoss(t *testing.T) {
	t.Parallel()
	o := sender{stream: &Stream{}}
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
