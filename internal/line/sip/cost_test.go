package sip

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loss"
)

// TestNoAllocationPerPacket is not parallel, because it counts the allocations of the process.
func TestNoAllocationPerPacket(t *testing.T) {
	s := server(t, nil)
	l := lineTo(t, newPeer(t), func(o *Options) { o.Trunks[0].Host = s.Addr().String() })
	allocations := func(length time.Duration) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		a := l.Place(t.Context(), to(patient), &mute{after: length}, leg.NewTape(time.Minute))
		runtime.ReadMemStats(&after)
		if a.AnsweredAt.IsZero() {
			t.Fatalf("the call was not answered: %+v", a.EndReason)
		}
		return after.Mallocs - before.Mallocs
	}
	allocations(100 * time.Millisecond)
	short, long := allocations(200*time.Millisecond), allocations(1700*time.Millisecond)
	// 75 more frames on each of two sides, each with a packet sent and one received.
	if long > short+150 {
		t.Errorf("%d allocations in 0.2 s and %d in 1.7 s", short, long)
	}
}

func TestLossOnPurpose(t *testing.T) {
	t.Parallel()
	s := server(t, func(o *ServerOptions) { o.Loss = loss.Model{Seed: 3, Share: 0.2} })
	l := lineTo(t, newPeer(t), func(o *Options) { o.Trunks[0].Host = s.Addr().String() })
	a := l.Place(t.Context(), to(patient), &mute{after: 2 * time.Second}, nil)
	if a.Stats.Lost < 8 || a.Stats.Lost > 35 {
		t.Errorf("%+v, want about 20 of 100 packets lost", a.Stats)
	}
}

// presser presses a key at the beginning and listens for tones.
type presser struct {
	mute
	press string
	loud  int
}

func (p *presser) Step(in, out *leg.Frame) {
	p.mute.Step(in, out)
	if out.At == 100*time.Millisecond {
		out.Digits = p.press
	}
	for _, v := range in.PCM {
		if v > 3000 {
			p.loud++
		}
	}
}

func TestKeysAreTonesWhereEventsAreUnknown(t *testing.T) {
	t.Parallel()
	p := newPeer(t)
	party := &presser{press: "5"}
	c := placed(t, lineTo(t, p, nil), to(patient), party)
	invite := p.next("INVITE")
	p.reply(invite, 200, "OK", p.sdp("0", "sendrecv")) // without telephone-event
	// The press takes 5 frames of tone; a machine that stalls for a moment loses some.
	loud, events, after := 0, 0, 0
	buf := make([]byte, 2048)
	_ = p.rtp.SetReadDeadline(time.Now().Add(patient))
	for after < 5 {
		n, _, err := p.rtp.ReadFrom(buf)
		if err != nil {
			t.Fatalf("%d loud packets came and none after them: %v", loud, err)
		}
		switch {
		case buf[1]&0x7f != 0:
			events++
		case n == 172 && buf[60] != 0xff && buf[61] != 0xff:
			loud++
		case party.frames.Load() > 11:
			after++
		}
	}
	p.endedBy(&party.mute)
	a := result(t, c)
	if want := 4 - int(a.Stats.SendMissed); loud < want || events != 0 {
		t.Errorf("%d loud packets and %d of another type, want %d and none", loud, events, want)
	}
}

func TestCallsAreRefusedWhileClosing(t *testing.T) {
	t.Parallel()
	s := server(t, nil)
	l := lineTo(t, newPeer(t), func(o *Options) { o.Trunks[0].Host = s.Addr().String() })
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if a := l.Place(t.Context(), to(time.Second), &mute{}, nil); a.EndReason.Code == "" {
		t.Error("a closed server took a call")
	}
}
