package sip

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurnsInTheOrderOfComing checks the order whichever goroutine comes first, and however late
// the other one is.
func TestTurnsInTheOrderOfComing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		last  uint32
		delay map[uint32]time.Duration
		want  []uint32
	}{
		"the first two of a call": {delay: map[uint32]time.Duration{7: 200 * time.Millisecond, 8: 0}, want: []uint32{7, 8}},
		"with a gap":              {last: 3, delay: map[uint32]time.Duration{7: 200 * time.Millisecond, 8: 0, 20: time.Millisecond}, want: []uint32{7, 8, 20}},
		"one that has no turn":    {delay: map[uint32]time.Duration{7: time.Hour, 8: 0, 9: 0}, want: []uint32{8, 9}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				turn := turns{last: c.last}
				var mu sync.Mutex
				var got []uint32
				for _, seq := range []uint32{7, 8, 9, 20} {
					delay, comes := c.delay[seq]
					if !comes {
						continue
					}
					turn.coming(seq)
					turn.coming(seq) // as a repetition
					go func() {
						time.Sleep(delay)
						if turn.begin(seq) {
							mu.Lock()
							got = append(got, seq)
							mu.Unlock()
							turn.end(seq)
						}
					}()
				}
				time.Sleep(time.Minute)
				mu.Lock()
				if !slices.Equal(got, c.want) {
					t.Errorf("%v had their turn, want %v", got, c.want)
				}
				mu.Unlock()
				time.Sleep(2 * time.Hour)
				turn.mu.Lock()
				defer turn.mu.Unlock()
				if len(turn.onWay) > 0 || len(turn.waiting) > 0 {
					t.Errorf("%v are on their way, %v wait", turn.onWay, turn.waiting)
				}
			})
		})
	}
}

// TestRequestsBackToBackAreHandledInTheirOrder sends keys without waiting for answers.
func TestRequestsBackToBackAreHandledInTheirOrder(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party, c, invite := answered(t, p, "0 101")
	const keys = "1234567890"
	for n, key := range keys {
		p.send(invite, "INFO", 100+n, "Signal="+string(key)+"\r\n", "Content-Type: application/dtmf-relay")
	}
	for range keys {
		if r := p.response(); r.StatusCode != 200 {
			t.Errorf("INFO %d: %d", r.CSeq().SeqNo, r.StatusCode)
		}
	}
	p.send(invite, "INFO", 99, "Signal=*\r\n", "Content-Type: application/dtmf-relay")
	p.gets(99, 500)
	p.send(invite, "INFO", 300, "Signal=#\r\n", "Content-Type: application/dtmf-relay")
	p.gets(300, 200)
	party.pass(t)
	p.send(invite, "BYE", 301, "")
	p.responseTo(301)
	if result(t, c); party.keys != keys+"#" {
		t.Errorf("heard the keys %q", party.keys)
	}
}
