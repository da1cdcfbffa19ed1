package room

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// TestAGreetingThatIsSentAtOnceIsWhole checks a greeting that the agent sends all at once, with
// nothing after it. Nobody can hear it before its first packet arrives. It contains tones 0.3, 1.3
// and 2.3 s after its beginning.
func TestAGreetingThatIsSentAtOnceIsWhole(t *testing.T) {
	t.Parallel()
	second := spoken(t)
	for _, c := range []struct {
		seconds int
		asked   time.Duration // how long before our beginning we subscribed to its sound,
		came    time.Duration // and how long before it the first packet came
		pace    time.Duration // time between its packets
		busy    time.Duration // for how long this machine was busy after the first packet
	}{
		{1, 300 * time.Millisecond, 200 * time.Millisecond, 0, 0},
		{3, 300 * time.Millisecond, 200 * time.Millisecond, 0, 0},
		{3, 50 * time.Millisecond, 0, 0, 0},
		{3, 50 * time.Millisecond, -100 * time.Millisecond, 0, 0},
		{3, 300 * time.Millisecond, 200 * time.Millisecond, time.Millisecond, 0},
		{4, 300 * time.Millisecond, -100 * time.Millisecond, 0, 0},
		{3, 300 * time.Millisecond, 200 * time.Millisecond, 0, 110 * time.Millisecond},
		{1, 1100 * time.Millisecond, -20 * time.Millisecond, 0, 0},
		{2, 2 * time.Second, -300 * time.Millisecond, 0, 0},
		{3, 1100 * time.Millisecond, -700 * time.Millisecond, 0, 0},
	} {
		t.Run(fmt.Sprint(c.seconds, "s asked ", c.asked, " came ", c.came, " pace ", c.pace, " busy ", c.busy), func(t *testing.T) {
			t.Parallel()
			var packets [][]byte
			for range c.seconds {
				packets = append(packets, second...)
			}
			b := newBeginning(t, packets)
			b.asked = beginsAt - int64(c.asked)
			first := beginsAt - int64(c.came)
			b.run(50*c.seconds+50, func(n int) int64 {
				return first + int64(n)*int64(c.pace) + int64(min(n, 1))*int64(c.busy)
			})
			for at := range c.seconds {
				want := int((first-b.zero)*16/1e6) + 16000*at + 4800
				for who, pcm := range map[string][]int16{"recording": b.tape.Channel(leg.AgentChannel), "Party": b.party.heard} {
					late := 0
					if who == "Party" {
						late = 16 * 300
					}
					part := pcm[max(want-4800, 0):min(want+10000, len(pcm))]
					from, to := extent(part)
					from, to = from+max(want-4800, 0), to+max(want-4800, 0)
					if from < want-80 || from > want+80+late || to-from < 6400-320 || to-from > 6400+160 {
						t.Errorf("%s: tone %d stands at %d to %d ms, want %d", who, at, from/16, to/16, want/16)
					}
				}
			}
			if n := b.result.stats.Lost; n != 0 {
				t.Errorf("%d packets are lost", n)
			}
		})
	}
}

// TestAShortGreetingThatIsSentAtOnceIsNotCut checks that a short greeting is whole although the
// agent may as well have waited for us: it then begins with the call.
func TestAShortGreetingThatIsSentAtOnceIsNotCut(t *testing.T) {
	t.Parallel()
	packets := spoken(t)[16:34]
	for _, waited := range []time.Duration{0, 100 * time.Millisecond, 140 * time.Millisecond, 400 * time.Millisecond} {
		b := newBeginning(t, packets)
		first := beginsAt - int64(50*time.Millisecond)
		b.asked = first - int64(waited)
		b.run(100, func(int) int64 { return first })
		if from, to := extent(b.tape.Channel(leg.AgentChannel)); from < 16*20 || to-from < 16*340 {
			t.Errorf("asked for %v before, it stands at %d to %d ms", waited, from/16, to/16)
		}
	}
}

// TestWhatIsSentAtOnceIsCutWithTheCall checks that only what there was time for is recorded if the
// call ends before all of it has been said, because nobody heard the rest. Tones are 0.3, 1.3 and
// 2.3 s after its beginning.
func TestWhatIsSentAtOnceIsCutWithTheCall(t *testing.T) {
	t.Parallel()
	second := spoken(t)
	packets := slices.Concat(second, second, second, second, second)
	for frames, tones := range map[int]int{60: 1, 100: 2, 110: 2, 150: 3} {
		b := newBeginning(t, packets)
		b.asked = beginsAt - int64(50*time.Millisecond)
		b.run(frames, func(int) int64 { return beginsAt })
		if got := b.tape.Duration(); got > b.result.length+200*time.Millisecond {
			t.Errorf("%v are on the recording of a call of %v", got, b.result.length)
		}
		pcm := b.tape.Channel(leg.AgentChannel)
		for at := range 5 {
			from := 16000*at + 4800 + frameSamples*int(b.lead)
			if heard := from+3200 < len(pcm) && slices.Max(pcm[from:from+3200]) > 1000; heard != (at < tones) {
				t.Errorf("of a call of %d frames, tone %d is on the recording: %v", frames, at, heard)
			}
		}
	}
}
