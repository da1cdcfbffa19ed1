package foreign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/sip"
)

// talker is a Party that plays its bursts and hangs up when told.
type talker struct {
	says     []burst
	hangUpAt time.Duration
	keys     string
	heard    []int16
	pcm      []int16

	began time.Time
	late  time.Duration
}

// Begin implements leg.Party.
func (v *talker) Begin(int) { v.pcm, v.began = sing(20*rate, v.says...), time.Now() }

// Step implements leg.Party.
func (v *talker) Step(in, out *leg.Frame) {
	v.late = max(v.late, time.Since(v.began)-out.At)
	v.heard = append(v.heard, in.PCM...)
	v.keys += in.Digits
	if at := samples(out.At); at < len(v.pcm) {
		copy(out.PCM, v.pcm[at:])
	}
	out.HangUp = v.hangUpAt > 0 && out.At >= v.hangUpAt
}

// End implements leg.Party.
func (v *talker) End(time.Duration, bool) {}

// lineTo opens a line with one trunk. At the end of the test it must have no calls.
func lineTo(t testing.TB, trunk sip.Trunk, change ...func(*sip.Options)) *sip.Line {
	t.Helper()
	o := sip.Options{Trunks: []sip.Trunk{trunk}, Now: time.Now}
	for _, f := range change {
		f(&o)
	}
	l, err := sip.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		empty(t, "line", l.Calls)
		l.Close()
	})
	return l
}

// empty fails the test unless all calls end soon.
func empty(t testing.TB, whose string, calls func() int) {
	t.Helper()
	for range 1500 {
		if calls() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d calls live on at the %s", calls(), whose)
}

// serverFor opens a server whose calls all get this answer. At the end of the test it must have no
// calls.
func serverFor(t testing.TB, a leg.Answerer, change ...func(*sip.ServerOptions)) *sip.Server {
	t.Helper()
	o := sip.ServerOptions{Answerer: a, Now: time.Now}
	for _, f := range change {
		f(&o)
	}
	s, err := sip.Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		empty(t, "server", s.Calls)
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// dial returns a call with bounds suitable for a test.
func dial() leg.Dial {
	return leg.Dial{
		CallID: "call_foreign", AttemptID: "att_foreign", From: "+15550001111", To: "+15552223333",
		RingTimeout: 30 * time.Second, MaxDuration: time.Minute,
	}
}

// ended fails the test unless the call ended like this.
func ended(t testing.TB, a call.Attempt, code call.EndCode, blame call.Blame, words ...string) {
	t.Helper()
	if a.EndReason.Code != code || a.EndReason.Blame != blame {
		t.Errorf("end reason %+v, want %q, blame %q", a.EndReason, code, blame)
	}
	for _, w := range words {
		if !strings.Contains(a.EndReason.Detail, w) {
			t.Errorf("the detail %q lacks %q", a.EndReason.Detail, w)
		}
	}
}

// has reports whether the timeline has this kind of event.
func has(a call.Attempt, kind call.Kind) bool {
	return slices.ContainsFunc(a.Timeline, func(e call.Event) bool { return e.Kind == kind })
}

// stalled returns a description if this machine delayed the Party's own steps, and so most likely
// the foreign program as well; otherwise "".
func (v *talker) stalled() string {
	if v.late > 50*time.Millisecond {
		return fmt.Sprintf("a step was late by %v", v.late)
	}
	return ""
}

// longStall is for how long a foreign program may be stalled before its audio proves nothing.
const longStall = 60 * time.Millisecond

// starved returns a description if this machine did not give the line or the foreign program its
// time, so that the audio of the call proves nothing about them; otherwise "".
func starved(a call.Attempt) string {
	switch {
	case a.Stats.SendMissed > 0:
		return fmt.Sprintf("%d frames were not sent", a.Stats.SendMissed)
	case a.Stats.SendLateMax > 50*time.Millisecond:
		return fmt.Sprintf("a frame was sent %v late", a.Stats.SendLateMax)
	case a.Stats.LongestGap > 60*time.Millisecond:
		return fmt.Sprintf("nothing came for %v", a.Stats.LongestGap)
	}
	return ""
}

// transports runs a test over both transports in parallel.
func transports(t *testing.T, run func(*testing.T, sip.Transport)) {
	t.Helper()
	for _, transport := range []sip.Transport{sip.UDP, sip.TCP} {
		t.Run(string(transport), func(t *testing.T) {
			t.Parallel()
			run(t, transport)
		})
	}
}
