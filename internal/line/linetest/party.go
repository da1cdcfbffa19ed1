package linetest

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/leg"
)

// Burst is a tone that a Voice emits at a planted media time.
type Burst struct {
	Hz       float64
	From, To time.Duration
}

// Voice is a Party with a plan: it emits its bursts, presses its keys, hangs up, and records
// what it heard and whether the line kept the Party's contract.
type Voice struct {
	Bursts []Burst
	// Press are keys to press at PressAt.
	Press   string
	PressAt time.Duration
	// HangUpAt is the media time of the frame that hangs up, 0 for never.
	HangUpAt time.Duration

	mu       sync.Mutex
	rate     int
	next     time.Duration
	begun    int
	ended    int
	endAt    time.Duration
	byFar    bool
	heard    []int16
	missing  int
	steps    int
	digits   string
	problems []string
	// began is when Begin was called, late the largest delay of a step.
	began time.Time
	late  time.Duration
}

const loudness = 8000

// Begin implements leg.Party.
func (v *Voice) Begin(rate int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.rate = rate
	v.begun++
	v.began = time.Now()
	v.heard = make([]int16, 0, 8*rate)
}

// Step implements leg.Party.
func (v *Voice) Step(in, out *leg.Frame) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.check(in, out)
	v.late = max(v.late, time.Since(v.began)-out.At)
	v.steps++
	v.next += leg.FrameTime
	v.heard = append(v.heard, in.PCM...)
	v.digits += in.Digits
	if in.Missing {
		v.missing++
	}
	v.speak(out)
	if v.Press != "" && out.At == v.PressAt {
		out.Digits = v.Press
	}
	out.HangUp = v.HangUpAt > 0 && out.At >= v.HangUpAt
}

func (v *Voice) check(in, out *leg.Frame) {
	switch {
	case v.begun != 1:
		v.problems = append(v.problems, "Step without Begin")
	case v.ended != 0:
		v.problems = append(v.problems, "Step after End")
	case in.At != v.next || out.At != v.next:
		v.problems = append(v.problems, "Step out of order at "+in.At.String())
	case len(in.PCM) != leg.Samples(v.rate) || len(out.PCM) != leg.Samples(v.rate):
		v.problems = append(v.problems, "frame of the wrong size")
	}
	for _, s := range out.PCM {
		if s != 0 {
			v.problems = append(v.problems, "outgoing frame not zeroed")
			return
		}
	}
}

func (v *Voice) speak(out *leg.Frame) {
	for i := range out.PCM {
		at := out.At + time.Duration(i)*time.Second/time.Duration(v.rate)
		for _, b := range v.Bursts {
			if at >= b.From && at < b.To {
				out.PCM[i] = int16(loudness * math.Sin(2*math.Pi*b.Hz*at.Seconds()))
			}
		}
	}
}

// End implements leg.Party.
func (v *Voice) End(at time.Duration, byFar bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.ended++
	v.endAt, v.byFar = at, byFar
	v.late = max(v.late, time.Since(v.began)-v.next) // steps that were due but never came
}

// kept fails the test if the line violated the contract.
func (v *Voice) kept(t testing.TB, who string) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, p := range v.problems {
		t.Errorf("%s: %s", who, p)
	}
	if v.begun != 1 || v.ended != 1 {
		t.Errorf("%s: Begin called %d times and End %d times, want once each", who, v.begun, v.ended)
	}
	if v.endAt != v.next {
		t.Errorf("%s: End at %v after steps up to %v", who, v.endAt, v.next)
	}
}

// untouched fails the test if a Party that was never connected was stepped.
func (v *Voice) untouched(t testing.TB, who string) {
	t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.begun != 0 || v.steps != 0 || v.ended != 0 {
		t.Errorf("%s was driven though the call was never answered", who)
	}
}

// stalled returns a description if a step of the Voice came so late that some of its frames were not sent,
// or has not come yet, which its far end cannot distinguish from an earlier end of the call; otherwise "".
func (v *Voice) stalled() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	late := v.late
	if v.begun > 0 && v.ended == 0 {
		late = max(late, time.Since(v.began)-v.next)
	}
	if late > 2*leg.FrameTime {
		return fmt.Sprintf("a step was %v late", late)
	}
	return ""
}

// begin returns when the call began for this Voice.
func (v *Voice) begin() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.began
}

// sound returns what the Voice heard.
func (v *Voice) sound() []int16 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.heard
}

func (v *Voice) keys() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.digits
}

func (v *Voice) hungUpByFar() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.byFar
}
