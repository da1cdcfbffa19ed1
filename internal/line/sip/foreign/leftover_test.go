package foreign

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// TestManyCallsLeaveNothing is not parallel: it counts what the process holds while line and server
// stay open, before and after calls that go well, are refused, are cancelled and are hung up by
// either side.
func TestManyCallsLeaveNothing(t *testing.T) {
	const each = 10
	ways := map[string][]step{
		"answered":  steps(invited(), toInvite("180 Ringing", ""), toInvite("200 OK", echoing()), recv("ACK"), hangsUp()),
		"hung up":   steps(invited(), toInvite("200 OK", echoing()), recv("ACK"), wait(100*time.Millisecond), within("BYE", 1, ""), status(200)),
		"refused":   steps(invited(), toInvite("486 Busy Here", ""), recv("ACK")),
		"cancelled": steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), ok(), toInvite("487 Request Terminated", ""), recv("ACK")),
		"late":      steps(invited(), toInvite("180 Ringing", ""), recv("CANCEL"), ok(), wait(100*time.Millisecond), toInvite("200 OK", echoing()), recv("ACK"), recv("BYE"), ok()),
		"mismatch":  steps(invited(), toInvite("200 OK", sdp("0", "0")), recv("ACK"), recv("BYE"), ok()),
	}
	var trunks []sip.Trunk
	var peers []*sipp
	for name, how := range ways {
		p := start(t, setting{calls: 2 * each, echo: true}, how...)
		trunks = append(trunks, sip.Trunk{Name: name, Host: p.addr, Transport: sip.UDP})
		peers = append(peers, p)
	}
	l, err := sip.New(sip.Options{Trunks: trunks, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	round := func() {
		var all sync.WaitGroup
		for name := range ways {
			for range each {
				all.Go(func() {
					d := dial()
					d.Trunk = name
					if name == "cancelled" || name == "late" {
						d.RingTimeout = time.Second
					}
					party := brief()
					l.Place(t.Context(), d, &party, leg.NewTape(time.Minute))
				})
			}
		}
		all.Wait()
		empty(t, "line", l.Calls)
	}
	round() // opens what is opened once and kept
	before := settled()
	round()
	if left := leftovers(before); left != "" {
		t.Error(left)
	}
	for _, p := range peers {
		p.finish()
	}
}

// TestManyCallersLeaveNothing is the same from the other side.
func TestManyCallersLeaveNothing(t *testing.T) {
	const each = 20
	s := serverFor(t, func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: &talker{}} })
	round := func() {
		for _, how := range [][]step{
			steps(connects(echoing()), wait(100*time.Millisecond), leaves(2)),
			steps(calling(sdp("0", "0")), perhaps(100), status(488), acknowledge(1)),
			steps(outside("OPTIONS", 1), status(200)),
		} {
			start(t, setting{to: s.Addr(), calls: each}, how...).finish()
		}
		empty(t, "server", s.Calls)
	}
	round()
	before := settled()
	round()
	if left := leftovers(before); left != "" {
		t.Error(left)
	}
}

// settled returns what the process holds once that has stopped decreasing.
func settled() holding {
	now := footprint()
	for range 30 {
		time.Sleep(20 * time.Millisecond)
		next := footprint()
		if next == now {
			continue
		}
		now = next
	}
	return now
}
