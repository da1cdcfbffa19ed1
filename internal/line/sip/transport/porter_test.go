package transport

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// TestStrangersAreBounded checks that calls and all other requests from strangers each have a limit
// of their own, and that neither affects a call in progress.
func TestStrangersAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	bounds := UsualBounds()
	p := newPorter(&Options{
		Now: func() time.Time { return now }, Bounds: bounds,
		Known: func(w screen.Wish) bool { return w.CallID == "ours" && w.Tag == "here" },
	})
	count := func(method string, n int, pause time.Duration) (taken int) {
		for range n {
			now = now.Add(pause)
			if p.admits(screen.Wish{Method: method, CallID: "theirs", Tag: "made-up"}) {
				taken++
			}
		}
		return taken
	}
	for method, bound := range map[string]float64{"INVITE": bounds.Invites.Burst, "OPTIONS": bounds.Others.Burst} {
		if n := count(method, 2*int(bound), 0); n != int(bound) {
			t.Errorf("%d %s came through at once, want %g", n, method, bound)
		}
	}
	for method, rate := range map[string]float64{"INVITE": bounds.Invites.PerSecond, "BYE": bounds.Others.PerSecond} {
		count(method, 10000, 0)
		if n := count(method, 10000, 100*time.Microsecond); n < int(rate)-1 || n > int(rate)+1 {
			t.Errorf("%d %s came through in a second, want %g", n, method, rate)
		}
	}
	count("INVITE", 10000, 0)
	count("BYE", 10000, 0) // there is no more room for anybody
	for _, w := range []screen.Wish{{Method: "BYE", CallID: "ours", Tag: "here"}, {Method: "INVITE", CallID: "ours", Tag: "here"}, {Method: "ACK", CallID: "theirs", Tag: ""}, {}} {
		if !p.admits(w) {
			t.Errorf("%+v was not let in", w)
		}
	}
	if p.admits(screen.Wish{Method: "BYE", CallID: "ours", Tag: "made-up"}) {
		t.Error("a stranger who knows a Call-ID was let in")
	}
}
