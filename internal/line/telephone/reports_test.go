package telephone

import (
	"encoding/binary"
	"testing"
)

// TestMoreLostThanWasSentIsNoCount checks that impossible losses are ignored: a far end that counts
// from sequence number 0 would otherwise make every call void.
func TestMoreLostThanWasSentIsNoCount(t *testing.T) {
	t.Parallel()
	e := newEars()
	e.open(t)
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

// TestWhatWasLostBeforeStaysLost checks that losses are kept if another receiver, which counts from
// zero, takes over in the middle of the call: otherwise an agent would be judged by words that were
// lost on their way to it.
func TestWhatWasLostBeforeStaysLost(t *testing.T) {
	t.Parallel()
	type report struct {
		from, lost uint32
		anew       bool
	}
	for name, one := range map[string]struct {
		reports []report
		want    int64
	}{
		"another receiver":                    {[]report{{1, 20, false}, {2, 0, true}, {2, 5, false}}, 25},
		"without a word of it":                {[]report{{1, 20, false}, {2, 0, false}, {2, 5, false}}, 25},
		"the same one, set up anew":           {[]report{{1, 20, false}, {1, 1, true}, {1, 5, false}}, 25},
		"set up anew, and it goes on":         {[]report{{1, 20, false}, {1, 21, true}, {1, 22, false}}, 22},
		"another name for the same":           {[]report{{1, 20, false}, {2, 21, false}, {2, 22, false}}, 22},
		"what was late has come after all":    {[]report{{1, 20, false}, {1, 18, false}}, 18},
		"two at a time":                       {[]report{{1, 20, false}, {2, 3, false}, {1, 20, false}, {2, 3, false}, {1, 21, false}}, 24},
		"more than are kept apart":            {[]report{{1, 9, false}, {2, 8, false}, {3, 7, false}, {4, 6, false}, {5, 5, false}, {6, 4, false}}, 39},
		"no more than were sent":              {[]report{{1, 90, false}, {2, 80, false}}, 100},
		"a report from before the new set-up": {[]report{{1, 20, false}, {1, 20, true}, {2, 2, false}}, 22},
	} {
		e := newEars()
		e.open(t)
		e.own.ssrc, e.own.sent, e.Stream.result.Stats.RemoteLost = 9, 100, -1
		for _, r := range one.reports {
			if r.anew {
				e.follow(&Setup{Codec: e.setup.Codec, EventType: 101})
			}
			b := make([]byte, 32)
			b[0], b[1], b[3] = 0x81, 201, 7
			for at, v := range map[int]uint32{4: r.from, 8: 9, 12: r.lost} {
				binary.BigEndian.PutUint32(b[at:], v)
			}
			e.receiveControl(b, e.from, 0)
		}
		if got := e.Stream.result.Stats.RemoteLost; got != one.want {
			t.Errorf("%s: %d packets of ours were lost, want %d", name, got, one.want)
		}
	}
}
