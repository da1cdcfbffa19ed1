package room

import (
	"fmt"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// reader is an agent that sends silence at the normal pace, and words between it as soon as it has
// them.
type reader struct {
	seconds int           // of words at a time
	pace    time.Duration // between two packets of words
	beside  bool          // it sends silence for as long as the words take, after them
	jitter  time.Duration
	ppm     int64 // how fast its clock is
	late    time.Duration
}

// send returns its packets, when they arrive and when words begin, from a given time.
func (r reader) send(t *testing.T, from int64) (packets [][]byte, at, begun []int64) {
	second := spoken(t)
	now := from
	add := func(p []byte) {
		came := now + int64(len(at)*7919%13)*int64(r.jitter)/13
		if len(at) > 0 {
			came = max(came, at[len(at)-1])
		}
		packets, at = append(packets, p), append(at, came)
	}
	silence := func(frames int) {
		for range frames {
			add(second[2])
			now += frameNS * (1e6 - r.ppm) / 1e6
		}
	}
	silence(75)
	for range 4 {
		begun = append(begun, now)
		back := now
		for range r.seconds {
			for _, p := range second {
				add(p)
				now += int64(r.pace)
			}
		}
		if r.beside {
			silence(50*r.seconds + 75 - int((now-back)/frameNS))
			continue
		}
		now = back + int64(r.seconds)*50*frameNS*(1e6-r.ppm)/1e6
		silence(75)
	}
	for i := range at {
		if at[i] < from+int64(time.Second) { // the network delays the first second equally
			at[i] += int64(r.late)
		}
	}
	return packets, at, begun
}

// TestWordsAreNotRecordedBeforeTheyCame checks words sent faster than they are spoken, among
// silence at the normal pace. They contain tones 0.3, 1.3 and 2.3 s after their beginning.
func TestWordsAreNotRecordedBeforeTheyCame(t *testing.T) {
	t.Parallel()
	for _, r := range []reader{
		{seconds: 1},
		{seconds: 2},
		{seconds: 3},
		{seconds: 1, beside: true},
		{seconds: 2, beside: true},
		{seconds: 3, beside: true},
		{seconds: 3, pace: time.Millisecond},
		{seconds: 2, pace: 10 * time.Millisecond, beside: true},
		{seconds: 2, jitter: 15 * time.Millisecond},
		{seconds: 2, jitter: 15 * time.Millisecond, beside: true},
		{seconds: 2, ppm: 10_000},
		{seconds: 2, ppm: -10_000},
		{seconds: 2, pace: 20 * time.Millisecond, late: 190 * time.Millisecond},
		{seconds: 2, late: 190 * time.Millisecond},
	} {
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			t.Parallel()
			first := beginsAt - int64(100*time.Millisecond)
			packets, at, begun := r.send(t, first)
			b := newBeginning(t, packets)
			b.asked = first - int64(50*time.Millisecond)
			b.run(int((at[len(at)-1]-first)/frameNS)+50, func(n int) int64 { return at[n] })
			pcm := b.tape.Channel(leg.AgentChannel)
			slack := 80 + int(r.jitter*16/time.Millisecond) + int(max(r.ppm, -r.ppm))*16*3/1000
			for _, begins := range begun {
				for tone := range r.seconds {
					want := int((begins-b.zero)*16/1e6) + 16000*tone + 4800
					around := max(want-8000, 0)
					from, to := extent(pcm[around:min(want+8000, len(pcm))])
					if off := from + around - want; from < 0 || abs(off) > slack || abs(to-from-6400) > slack {
						t.Errorf("tone %d of what came at %d ms stands off by %d ms and lasts %d ms", tone, begins/1e6, off/16, (to-from)/16)
					}
				}
			}
			if n := b.result.stats.Lost; n != 0 {
				t.Errorf("%d packets are lost", n)
			}
		})
	}
}
