package live

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
)

// parrot repeats what it hears at half the amplitude.
type parrot struct{ ended bool }

func (*parrot) Begin(int) {}
func (*parrot) Step(in, out *leg.Frame) {
	for i, v := range in.PCM {
		out.PCM[i] = v / 2
	}
}
func (p *parrot) End(time.Duration, bool) { p.ended = true }

// talk plays one frame for each of the given peaks.
func talk(p leg.Party, from int, loud ...int16) {
	for i, v := range loud {
		in, out := leg.Frame{At: time.Duration(from+i) * leg.FrameTime, PCM: make([]int16, 160)}, leg.Frame{PCM: make([]int16, 160)}
		in.PCM[7] = -v
		p.Step(&in, &out)
	}
}

func said(text string, at time.Duration) call.Event {
	return call.Event{Kind: call.KindSaid, Text: text, At: at, End: at + time.Second}
}

// now makes the hub send immediately what it would send on its next tick.
func (h *Hub) now() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.calls {
		h.tell(c)
	}
}

func next(t *testing.T, w *Watcher) Message {
	t.Helper()
	select {
	case m := <-w.Messages():
		return m
	default:
		t.Fatal("there is no message")
		return Message{}
	}
}

func nothing(t *testing.T, w *Watcher) {
	t.Helper()
	select {
	case m := <-w.Messages():
		t.Fatalf("there is a message: %+v", m)
	default:
	}
}

func TestWatchersAreToldWhatACallDoes(t *testing.T) {
	t.Parallel()
	var h Hub
	w, other := h.Watch("ws_1"), h.Watch("ws_2")
	defer w.Close()
	defer other.Close()
	c := h.Open(Of{"ws_1", "ve_1", "call_1"})
	p := c.Listen(&parrot{})
	h.now()
	if m := next(t, w); m.State != "dialing" || m.CallID != "call_1" || m.ExperimentID != "ve_1" || m.At != 0 || len(m.Caller) != 0 {
		t.Errorf("the first message is %+v, want that call_1 of ve_1 dials", m)
	}
	h.now()
	nothing(t, w)
	c.State("answered")
	p.Begin(8000)
	talk(p, 0, 0, 0, 16_384, 0, 0, 0, 0, 0, 0, 8192, 100)
	c.Note(said("Hello.", 0))
	c.Note(call.Event{Kind: call.KindWords, Text: "hi there", At: time.Second})
	c.Note(call.Event{Kind: call.KindStep, Text: "not words"})
	h.now()
	m := next(t, w)
	if m.State != "answered" || m.From != 0 || !reflect.DeepEqual(m.Agent, []float64{0.5, 0.25}) || !reflect.DeepEqual(m.Caller, []float64{0.25, 0.125}) {
		t.Errorf("%+v, want it answered, with peaks of 0.5 and 0.25 of the agent, 0.25 and 0.125 of the caller", m)
	}
	if want := []Said{{call.Caller, "Hello.", 0, time.Second}, {call.Agent, "hi there", time.Second, 0}}; !reflect.DeepEqual(m.Said, want) {
		t.Errorf("said %+v, want %+v", m.Said, want)
	}
	talk(p, 11, 0, 0, 0, 0, 0)
	h.now()
	if m := next(t, w); m.From != 2*Step || len(m.Agent) != 1 || m.Agent[0] != 0.003 || len(m.Said) != 0 {
		t.Errorf("what was told is told again: %+v", m)
	}
	late := h.Watch("ws_1")
	defer late.Close()
	h.now()
	if m := next(t, late); len(m.Said) != 2 || m.State != "answered" {
		t.Errorf("who comes late is not told what was said: %+v", m)
	}
	nothing(t, w)
	p.End(time.Second, true)
	c.Close()
	c.Close()
	if m := next(t, w); m.State != "over" {
		t.Errorf("%+v, want the state over", m)
	}
	nothing(t, w)
	nothing(t, other)
	if len(w.met) != 0 || h.stop != nil {
		t.Error("something is left of a call that is over")
	}
}

func TestNobodyMeasuresWhileNobodyWatches(t *testing.T) {
	t.Parallel()
	var h Hub
	c := h.Open(Of{"ws_1", "ve_1", "call_1"})
	defer c.Close()
	p := c.Listen(&parrot{})
	talk(p, 0, 9000, 9000, 9000, 9000, 9000, 9000)
	if c.tap.now.Load() != 0 {
		t.Error("the sound was measured for nobody")
	}
	c.Note(said("Early.", 0))
	h.now()
	w := h.Watch("ws_1")
	talk(p, 6, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100)
	h.now()
	if m := next(t, w); m.From != Step || len(m.Agent) != 2 || len(m.Said) != 1 || m.Said[0].Text != "Early." {
		t.Errorf("%+v, want 2 peaks from %v on, and that Early. was said", m, Step)
	}
	w.Close()
	talk(p, 17, 9000)
	if c.tap.now.Load() != 4 {
		t.Error("the sound is measured although the watcher is gone")
	}
}

// TestTheMediaLoopAllocatesNothing is not parallel, because it counts the allocations of the whole
// process.
func TestTheMediaLoopAllocatesNothing(t *testing.T) {
	var h Hub
	w := h.Watch("ws_1")
	defer w.Close()
	c := h.Open(Of{"ws_1", "ve_1", "call_1"})
	defer c.Close()
	p := c.Listen(&parrot{})
	in, out := leg.Frame{PCM: make([]int16, 160)}, leg.Frame{PCM: make([]int16, 160)}
	e := said("Hello.", 0)
	if n := testing.AllocsPerRun(200, func() {
		in.At += leg.FrameTime
		p.Step(&in, &out)
		c.Note(e) // most of these find the ring full
	}); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

func TestSlowWatchersAndLongCallsAreBounded(t *testing.T) {
	t.Parallel()
	var h Hub
	w := h.Watch("ws_1")
	defer w.Close()
	c := h.Open(Of{"ws_1", "ve_1", "call_1"})
	p := c.Listen(&parrot{})
	for i := range 1000 {
		for k := range 100 { // ten seconds between two turns: more than the outline holds
			talk(p, 500*i+5*k, 1)
		}
		c.Note(said(fmt.Sprint(i), 0))
		h.now()
	}
	if len(w.messages) != waiting || len(c.said) != maxSaid {
		t.Errorf("%d messages, %d lines, want %d and %d", len(w.messages), len(c.said), waiting, maxSaid)
	}
	next(t, w)
	if m := next(t, w); len(m.Agent) != len(c.tap.outline)/2 || m.From != m.At-time.Duration(len(m.Agent)+1)*Step {
		t.Errorf("%d peaks from %v up to %v, want the last %d before it", len(m.Agent), m.From, m.At, len(c.tap.outline)/2)
	}
	c.Close()
}

// TestAtTheSameTime runs the media loop, the hub and watchers that come and go concurrently, for
// the race detector.
// Whoever begins to watch when more calls run than messages can wait is told of all of them what was said.
func TestWhatWasSaidIsToldWithTheFirstMessageThatArrives(t *testing.T) {
	t.Parallel()
	var h Hub
	for i := range waiting + 9 {
		c := h.Open(Of{"ws_1", "ve_1", fmt.Sprintf("call_%d", i)})
		c.Note(said("Hello.", 0))
	}
	h.now()
	w := h.Watch("ws_1")
	defer w.Close()
	told := map[string]int{}
	for range 2 {
		h.now()
		for len(w.messages) > 0 {
			m := next(t, w)
			told[m.CallID] += len(m.Said)
		}
	}
	if len(told) != waiting+9 {
		t.Errorf("told of %d calls, want %d", len(told), waiting+9)
	}
	for id, n := range told {
		if n != 1 {
			t.Errorf("of %s %d lines were told, want 1", id, n)
		}
	}
}

func TestAtTheSameTime(t *testing.T) {
	t.Parallel()
	var h Hub
	c := h.Open(Of{"ws_1", "ve_1", "call_1"})
	p := c.Listen(&parrot{})
	var all sync.WaitGroup
	all.Go(func() {
		for i := range 3000 {
			talk(p, i, int16(i))
			if i%50 == 0 {
				c.Note(said(strings.Repeat("x", i%7+1), 0))
			}
		}
	})
	all.Go(func() {
		for range 300 {
			w := h.Watch("ws_1")
			h.now()
			w.Close()
			w.Close()
		}
	})
	all.Go(func() {
		for range 300 {
			c.State("answered")
			h.now()
		}
	})
	all.Wait()
	c.Close()
}

func TestNothingIsThere(t *testing.T) {
	t.Parallel()
	var h *Hub
	c := h.Open(Of{})
	c.State("x")
	c.Note(call.Event{})
	c.Close()
	p := &parrot{}
	if c.Listen(p) != leg.Party(p) {
		t.Error("a call that nobody follows is tapped")
	}
	w := h.Watch("ws")
	nothing(t, w)
	w.Close()
}
