package telephone

import (
	"encoding/binary"
	"testing"
	"time"
)

// TestMoreLostThanWasSentIsNoCount: a far end whose books begin with the first number of all
// would else have every call for no evidence.
func TestMoreLostThanWasSentIsNoCount(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.media = NewMedia(MediaOptions{Portable: true, Now: time.Now})
	t.Cleanup(e.media.Close)
	e.own.ssrc, e.own.sent, e.Stream.result.Stats.RemoteLost = 9, 100, -1
	for _, one := range []struct {
		says uint32
		want int64
	}{{101, -1}, {65000, -1}, {100, 100}, {7, 7}, {0xffffff, 0}, {300, 0}} {
		report := make([]byte, 32)
		report[0], report[1], report[3] = 0x81, 201, 7
		binary.BigEndian.PutUint32(report[8:], 9)
		binary.BigEndian.PutUint32(report[12:], one.says)
		e.receiveControl(report, e.from, 0)
		if got := e.Stream.result.Stats.RemoteLost; got != one.want {
			t.Errorf("%d of 100 are said to be lost: %d, want %d", one.says, got, one.want)
		}
	}
}
