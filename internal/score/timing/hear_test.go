package timing

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/audio/echo"
	"github.com/ringtrue/ringtrue/internal/call"
)

// laid places sounds in n seconds of silence, each at its second.
func laid(n float64, sounds map[float64][]int16) audio.Clip {
	c := audio.Clip{PCM: make([]int16, int(n*8000)), Rate: 8000}
	for from, pcm := range sounds {
		copy(c.PCM[int(from*8000):], pcm)
	}
	return c
}

func TestHear(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	// The caller's line has a pause of half a second, and one of 150 ms that is too
	// short to count.
	caller := laid(9, map[float64][]int16{2: voice(rng, 8000), 3.5: voice(rng, 4000), 4.15: voice(rng, 2800), 7: voice(rng, 2400)})
	agent := laid(9, map[float64][]int16{0.5: voice(rng, 8000), 3.1: voice(rng, 2400), 5: voice(rng, 8000)})
	timeline := []call.Event{
		{Kind: call.KindAnswered},
		{Kind: call.KindSaid, At: sec(2), End: sec(4.5), Text: "hello"},
		{Kind: call.KindSaid, At: sec(7), End: sec(7.3), Text: "mm-hm", Manner: call.MannerBackchannel},
		{Kind: call.KindSaid, At: sec(8), End: sec(8)}, // none of it was audible
	}
	h := Hear(timeline, caller, agent)
	same(t, "caller", h.Caller, segs(2, 3, 3.5, 4.5, 7, 7.3))
	same(t, "agent", h.Agent, segs(0.5, 1.5, 3.1, 3.4, 5, 6))
	if h.Length != sec(9) || h.Engines["segments"] != activity.Engine {
		t.Errorf("length %v, engines %v", h.Length, h.Engines)
	}
	var turns []call.Segment
	for _, turn := range h.Turns {
		turns = append(turns, turn.Span())
	}
	same(t, "turns", turns, segs(0.5, 1.5, 2, 4.5, 3.1, 3.4, 5, 6, 7, 7.3))
	if m := h.Turns[4].Manner; m != call.MannerBackchannel {
		t.Errorf("the last turn is %q", m)
	}
	// The two overlap only while both are audible, breaths included.
	if v := value(t, Measure(Input{Heard: h}), "overlap_seconds"); v < 0.299 || v > 0.301 {
		t.Errorf("overlap %g", v)
	}
}

func TestHearWithoutTheCallersChannel(t *testing.T) {
	t.Parallel()
	timeline := []call.Event{{Kind: call.KindSaid, At: sec(2), End: sec(4.5)}}
	h := Hear(timeline, audio.Clip{}, laid(6, nil))
	same(t, "caller", h.Caller, segs(2, 4.5))
	if h := Hear(nil, audio.Clip{}, audio.Clip{}); h.Caller == nil || len(h.Caller)+len(h.Agent)+len(h.Turns) > 0 || h.Length != 0 {
		t.Errorf("heard %+v in nothing", h)
	}
}

// same compares segments with a tolerance of 2 ms.
func same(t *testing.T, what string, got, want []call.Segment) {
	t.Helper()
	const near = 2 * time.Millisecond
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		ok = (got[i].Start-want[i].Start).Abs() <= near && (got[i].End-want[i].End).Abs() <= near
	}
	if !ok {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// An agent's line that sends our caller back, twenty decibels fainter, does not speak.
func TestHearNoEchoOfTheCaller(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 8))
	var timeline []call.Event
	caller, agent := laid(26, nil), laid(26, map[float64][]int16{5: voice(rng, 8000), 12: voice(rng, 8000), 18.6: voice(rng, 8000)})
	for _, from := range []float64{1, 7, 14, 20} {
		for at := from; at < from+4; at += 0.5 { // of a loudness that changes
			word := voice(rng, 4000)
			audio.Gain(word, -rng.Float64()*20)
			copy(caller.PCM[int(at*8000):], word)
		}
		timeline = append(timeline, call.Event{Kind: call.KindSaid, At: sec(from), End: sec(from + 4)})
	}
	back := make([]int16, len(caller.PCM))
	copy(back[1120:], caller.PCM)
	audio.Gain(back, -20)
	audio.Mix(agent.PCM, back)
	h := Hear(timeline, caller, agent)
	if len(h.Agent) != 3 || h.Engines["echo"] != echo.Engine+": 20 dB fainter after 140 ms" {
		t.Fatalf("the agent speaks at %v, engines %v", h.Agent, h.Engines)
	}
	for i, want := range segs(5, 6, 12, 13, 18.6, 19.6) { // the line before the last one rings until 18.15
		if got := h.Agent[i]; (got.Start-want.Start).Abs() > 20*time.Millisecond || (got.End-want.End).Abs() > 20*time.Millisecond {
			t.Errorf("the agent speaks at %v, planted at %v", got, want)
		}
	}
}

func TestKeysAreWhereTheLinePressedThem(t *testing.T) {
	t.Parallel()
	got := Pressed([]call.Event{
		{At: sec(1), Kind: call.KindDigitReceived, Data: map[string]any{"digit": "7"}},
		{At: sec(3), Kind: call.KindDigitSent, Data: map[string]any{"digit": "1"}},
		{At: sec(3), End: sec(3.4), Kind: call.KindDigitSent, Data: map[string]any{"digits": "1#"}},
		{At: sec(3.18), Kind: call.KindDigitSent, Data: map[string]any{"digit": "#"}},
	})
	if !slices.Equal(got, segs(3, 3.1, 3.18, 3.28)) {
		t.Errorf("keys pressed at %v", got)
	}
}
