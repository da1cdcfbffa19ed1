package practice

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// Sent is what one side of a call really sent, recorded by itself: the clean samples, before
// any noise, and when each frame was sent. It is the ground truth for measurements.
type Sent struct {
	// Rate is the sample rate in Hz.
	Rate int
	// PCM holds all frames since the answer, in order.
	PCM []int16
	// Left is when each frame was sent: its media time, or the time of the clock given.
	Left []time.Duration
}

// sentAhead is the length of a call for which memory is allocated in advance.
const sentAhead = 2 * time.Minute

func (s *Sent) begin(rate int) {
	frames := int(sentAhead / leg.FrameTime)
	*s = Sent{Rate: rate, PCM: make([]int16, 0, frames*leg.Samples(rate)), Left: make([]time.Duration, 0, frames)}
}

func (s *Sent) note(at time.Duration, pcm []int16) {
	s.PCM = append(s.PCM, pcm...)
	s.Left = append(s.Left, at)
}

// Moment returns when a sample was sent: the time of its frame plus its offset in the frame.
func (s *Sent) Moment(sample int) time.Duration {
	n := leg.Samples(s.Rate)
	if n == 0 || len(s.Left) == 0 {
		return 0
	}
	frame := min(max(sample/n, 0), len(s.Left)-1)
	return s.Left[frame] + time.Duration(sample-frame*n)*time.Second/time.Duration(s.Rate)
}

// Audible returns the first audible sample within [from, to) and one past the last one.
func (s *Sent) Audible(from, to int) (first, last int, ok bool) {
	from, to = min(max(from, 0), len(s.PCM)), min(max(to, 0), len(s.PCM))
	if from >= to {
		return 0, 0, false
	}
	first, last, ok = audio.Clip{PCM: s.PCM[from:to], Rate: s.Rate}.Audible()
	return from + first, from + last, ok
}

// Stretches returns the audible parts, from first to last audible sample, including pauses under 200 ms.
func (s *Sent) Stretches() []audio.Span {
	var out []audio.Span
	step, gap := max(s.Rate/100, 1), s.Rate/5
	for at := 0; at < len(s.PCM); {
		first, _, ok := s.Audible(at, min(at+10*s.Rate, len(s.PCM)))
		if !ok {
			at += 10*s.Rate - step
			continue
		}
		last := s.runsTo(first, step, gap)
		out = append(out, audio.Span{Start: first, End: last})
		at = last
	}
	return out
}

// runsTo returns the end of the stretch that begins at first: nothing is audible for a gap after it.
func (s *Sent) runsTo(first, step, gap int) int {
	last := first + 1
	for {
		end := min(last+gap, len(s.PCM))
		_, heard, ok := s.Audible(last, end)
		if !ok || heard <= last {
			return last
		}
		last = heard
		if last+step > len(s.PCM) {
			return last
		}
	}
}

// Witness is a Party that records what another one sends.
type Witness struct {
	party leg.Party
	clock func() time.Duration
	sent  Sent
}

// NewWitness returns a Witness of p. clock, if not nil, returns the time at which a frame is
// sent; otherwise that is its media time.
func NewWitness(p leg.Party, clock func() time.Duration) *Witness {
	return &Witness{party: p, clock: clock}
}

// Sent returns what the Party has sent. It must be called after the call.
func (w *Witness) Sent() *Sent { return &w.sent }

// Begin implements leg.Party.
func (w *Witness) Begin(rate int) {
	w.sent.begin(rate)
	w.party.Begin(rate)
}

// Step implements leg.Party.
func (w *Witness) Step(in, out *leg.Frame) {
	w.party.Step(in, out)
	w.sent.note(leftAt(w.clock, out.At), out.PCM)
}

// End implements leg.Party.
func (w *Witness) End(at time.Duration, hungUpByFar bool) { w.party.End(at, hungUpByFar) }

// Await implements leg.Awaiter.
func (w *Witness) Await(ctx context.Context, at time.Duration) error {
	if a, ok := w.party.(leg.Awaiter); ok {
		return a.Await(ctx, at)
	}
	return nil
}

func leftAt(clock func() time.Duration, media time.Duration) time.Duration {
	if clock == nil {
		return media
	}
	return clock()
}
