package loop_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/linetest"
	"github.com/ringtrue/ringtrue/internal/line/loop"
)

func TestLoopIsALine(t *testing.T) {
	t.Parallel()
	linetest.Run(t, func(_ testing.TB, a leg.Answerer) linetest.Line {
		return loop.New(loop.Options{Answerer: a})
	})
}

// hum is a Party that hums without pause and repeats what it heard before.
type hum struct{ last []int16 }

func (h *hum) Begin(rate int) { h.last = make([]int16, leg.Samples(rate)) }

func (h *hum) Step(in, out *leg.Frame) {
	for i := range out.PCM {
		out.PCM[i] = int16(i*37) + h.last[i]/2
	}
	copy(h.last, in.PCM)
}

func (h *hum) End(time.Duration, bool) {}

func place(o loop.Options, length time.Duration) (call.Attempt, *leg.Tape) {
	o.Answerer = func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: &hum{}} }
	tape := leg.NewTape(length + time.Second)
	d := leg.Dial{CallID: "call_x", AttemptID: "att_x", To: "+1555", MaxDuration: length}
	return loop.New(o).Place(context.Background(), d, &hum{}, tape), tape
}

func TestSameSeedSameBytes(t *testing.T) {
	t.Parallel()
	imp := loop.Impairment{Seed: 7, Loss: 0.02, BurstStart: 0.005, BurstMean: 4, Noise: -45}
	a1, t1 := place(loop.Options{Impairment: imp, Delay: 2}, 20*time.Second)
	a2, t2 := place(loop.Options{Impairment: imp, Delay: 2}, 20*time.Second)
	if !reflect.DeepEqual(a1, a2) {
		t.Errorf("two attempts differ: %+v and %+v", a1, a2)
	}
	for channel := range 2 {
		if !slices.Equal(t1.Channel(channel), t2.Channel(channel)) {
			t.Errorf("channel %d differs", channel)
		}
	}
	imp.Seed = 8
	if _, other := place(loop.Options{Impairment: imp, Delay: 2}, 20*time.Second); slices.Equal(t1.Channel(1), other.Channel(1)) {
		t.Error("another seed gave the same bytes")
	}
}

func TestImpairmentDoesWhatItSays(t *testing.T) {
	t.Parallel()
	const length = 200 * time.Second // 10 000 frames
	a, tape := place(loop.Options{Impairment: loop.Impairment{Seed: 1, Loss: 0.05, ToCallerOnly: true}}, length)
	if a.Stats.Lost < 400 || a.Stats.Lost > 600 || a.Stats.RemoteLost != 0 {
		t.Errorf("%+v, want about 500 lost towards the caller alone", a.Stats)
	}
	if gone := tape.Samples() - tape.Written(leg.AgentChannel); gone != a.Stats.Lost*160 {
		t.Errorf("%d samples are missing on the tape for %d lost frames", gone, a.Stats.Lost)
	}
	a, _ = place(loop.Options{Impairment: loop.Impairment{Seed: 1, BurstStart: 0.01, BurstMean: 5}}, length)
	if mean := float64(a.Stats.Lost) / float64(a.Stats.Bursts); mean < 4 || mean > 6.5 {
		t.Errorf("bursts of %.1f frames, want about 5", mean)
	}
}

func TestDelayIsOnTheRecording(t *testing.T) {
	t.Parallel()
	_, plain := place(loop.Options{}, time.Second)
	_, late := place(loop.Options{Delay: 3}, time.Second)
	first := func(pcm []int16) int { return slices.IndexFunc(pcm, func(v int16) bool { return v != 0 }) }
	if d := first(late.Channel(leg.AgentChannel)) - first(plain.Channel(leg.AgentChannel)); d != 3*160 {
		t.Errorf("the agent is heard %d samples later, want 480", d)
	}
	if first(plain.Channel(leg.AgentChannel)) != 1 {
		t.Errorf("without delay the agent stands where it spoke, not at %d", first(plain.Channel(leg.AgentChannel)))
	}
}

func TestNoAllocationPerFrame(t *testing.T) {
	const frames = 2500
	short := testing.AllocsPerRun(3, func() { place(loop.Options{}, 10*time.Second) })
	long := testing.AllocsPerRun(3, func() { place(loop.Options{}, 10*time.Second+frames*leg.FrameTime) })
	// The tape allocates every few seconds, as does a goroutine that does so ahead of time.
	if long > short+frames/20 {
		t.Errorf("%v allocations for 10 s, %v for %d frames more", short, long, frames)
	}
}

// slow is a Party whose result is due at 200 ms and takes real time.
type slow struct {
	hum
	box  leg.Mailbox[int]
	took time.Duration
}

func (s *slow) Begin(rate int) {
	s.hum.Begin(rate)
	letter := s.box.Expect(200 * time.Millisecond)
	go func() {
		time.Sleep(30 * time.Millisecond)
		letter.Deliver(1)
	}()
}

func (s *slow) Await(ctx context.Context, at time.Duration) error { return s.box.Await(ctx, at) }

func (s *slow) Step(in, out *leg.Frame) {
	s.hum.Step(in, out)
	if _, _, ok := s.box.Take(in.At); ok {
		s.took, out.HangUp = in.At, true
	}
}

func TestSlowWorkIsWaitedFor(t *testing.T) {
	t.Parallel()
	caller := &slow{}
	l := loop.New(loop.Options{Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: &hum{}} }})
	l.Place(t.Context(), leg.Dial{CallID: "c", To: "1", MaxDuration: time.Minute}, caller, nil)
	if caller.took != 200*time.Millisecond {
		t.Errorf("the result was taken at %v, it was due at 200 ms", caller.took)
	}
}

func BenchmarkMinute(b *testing.B) {
	for b.Loop() {
		place(loop.Options{}, time.Minute)
	}
}

// TestFrameThatItsPartyLosesIsMissingAtTheOther checks that a Party that wants a frame to be lost
// loses that frame and no other.
func TestFrameThatItsPartyLosesIsMissingAtTheOther(t *testing.T) {
	t.Parallel()
	var missing []time.Duration
	caller := partyFunc(func(in, out *leg.Frame) {
		if in.Missing && in.At > 0 {
			missing = append(missing, in.At)
		}
		out.HangUp = in.At >= time.Second
	})
	agent := partyFunc(func(in, out *leg.Frame) { out.Missing = in.At == 400*time.Millisecond })
	l := loop.New(loop.Options{Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: agent} }})
	l.Place(t.Context(), leg.Dial{}, caller, leg.NewTape(time.Minute))
	if want := []time.Duration{420 * time.Millisecond}; !slices.Equal(missing, want) {
		t.Errorf("missing frames at %v, want %v", missing, want)
	}
}

// partyFunc is a Party that consists of its Step.
type partyFunc func(in, out *leg.Frame)

func (partyFunc) Begin(int)                 {}
func (f partyFunc) Step(in, out *leg.Frame) { f(in, out) }
func (partyFunc) End(time.Duration, bool)   {}
