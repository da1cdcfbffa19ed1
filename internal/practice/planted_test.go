package practice_test

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

const plantedRate = 8000

// tone returns a sound that is audible from its first sample to its last but a few.
func tone(d time.Duration) []int16 {
	pcm := audio.Tone(700, 6000, d, plantedRate)
	first, last, _ := (audio.Clip{PCM: pcm, Rate: plantedRate}).Audible()
	return pcm[first:last]
}

func msec(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// talker is a caller that makes a sound at given times.
type talker struct {
	lines []call.Segment
	end   time.Duration
	pcm   [][]int16
}

func (c *talker) Begin(int) {
	c.pcm = nil
	for _, l := range c.lines {
		c.pcm = append(c.pcm, tone(l.Length()))
	}
}

func (c *talker) Step(_, out *leg.Frame) {
	for n, l := range c.lines {
		pcm, from := c.pcm[n], int((l.Start-out.At)*plantedRate/time.Second)
		for i := range out.PCM {
			if k := i - from; k >= 0 && k < len(pcm) {
				out.PCM[i] = pcm[k]
			}
		}
	}
	out.HangUp = out.At >= c.end
}

func (c *talker) End(time.Duration, bool) {}

func (c *talker) said(manners ...call.Manner) []call.Event {
	var out []call.Event
	for i, l := range c.lines {
		out = append(out, call.Event{Kind: call.KindSaid, At: l.Start, End: l.End, Manner: manners[i]})
	}
	return out
}

// TestPlantedIsMeasured plants one of each behaviour and looks for it in the metrics of the
// recording, over a line in virtual time.
func TestPlantedIsMeasured(t *testing.T) {
	t.Parallel()
	caller := &talker{end: 24 * time.Second, lines: []call.Segment{
		{Start: msec(2003), End: msec(3500)}, {Start: msec(6011), End: msec(8000)}, {Start: msec(11007), End: msec(13000)},
		{Start: msec(16009), End: msec(17500)},
	}}
	turns := make([]practice.PlantedTurn, len(caller.lines))
	for i, l := range caller.lines {
		turns[i] = practice.PlantedTurn{Lasts: l.Length(), Reply: tone(msec(1500)), Delay: msec(300)}
	}
	turns[1].Delay = -msec(500)
	turns[2].Over, turns[2].OverAfter, turns[2].Delay = tone(msec(400)), msec(600), msec(900)
	turns[2].Reply, turns[2].YieldAfter = tone(6*time.Second), msec(700)
	turns[3].Delay = 3 * time.Second
	for name, noise := range map[string]*audio.Noise{"clean": nil, "noise": audio.NewNoise(4)} {
		o := practice.PlantedOptions{Greeting: tone(time.Second), GreetAfter: msec(505), Turns: turns}
		near := 0.003
		if noise != nil {
			near = 0.02
			o.Noise = func(pcm []int16) { noise.White(pcm, -40) }
		}
		agent, tape := practice.NewPlanted(o), leg.NewTape(time.Minute)
		witness := practice.NewWitness(caller, nil)
		l := loop.New(loop.Options{Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: agent} }})
		l.Place(context.Background(), leg.Dial{CallID: name}, witness, tape)
		h := timing.Hear(caller.said("", "", "", call.MannerInterrupt),
			audio.Clip{PCM: tape.Channel(leg.CallerChannel), Rate: tape.Rate()}, audio.Clip{PCM: tape.Channel(leg.AgentChannel), Rate: tape.Rate()})
		figures := timing.Measure(timing.Input{Heard: h})
		closeTo(t, name, figures, "turn_latency", near, 0.3, -0.5, 0.9, 3)
		closeTo(t, name, figures, "yield_time", near, 0.7)
		closeTo(t, name, figures, "overlap_seconds", 3*near, 0.5+0.4+0.7)
		closeTo(t, name, figures, "dead_air_longest", near, 3)
		closeTo(t, name, figures, "time_to_first_word", near, 0.505)
		checkUtterances(t, name, agent)
		if got := witness.Sent().Stretches(); len(got) != len(caller.lines) || got[0].Start != 2003*8 {
			t.Errorf("%s: the caller was audible %v, want %d times from sample %d on", name, got, len(caller.lines), 2003*8)
		}
	}
}

// closeTo compares a metric; if it has several values, all of them.
func closeTo(t *testing.T, name string, figures []call.Metric, metric string, near float64, want ...float64) {
	t.Helper()
	for _, m := range figures {
		if m.Name != metric {
			continue
		}
		var got []float64
		if m.Spread != nil {
			got = m.Spread.Values
		} else if m.Value != nil {
			got = []float64{*m.Value}
		}
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) <= near }) {
			t.Errorf("%s: %s is %v, planted was %v", name, metric, got, want)
		}
		return
	}
	t.Errorf("%s: there is no %s", name, metric)
}

func checkUtterances(t *testing.T, name string, agent *practice.Planted) {
	t.Helper()
	want := []practice.Utterance{
		{Turn: -1}, {Turn: 0}, {Turn: 1}, {Turn: 2, Over: true}, {Turn: 2, Cut: true, CutBy: 3}, {Turn: 3},
	}
	got := agent.Utterances()
	if len(got) != len(want) {
		t.Fatalf("%s: utterances %+v, want %d", name, got, len(want))
	}
	sent := agent.Sent()
	for i, u := range got {
		first, last, ok := sent.Audible(u.From, u.To)
		if !ok || first != u.From || u.To-last > 40 {
			t.Errorf("%s: utterance %d is said to be %d to %d and was audible from %d to %d", name, i, u.From, u.To, first, last)
		}
		u.From, u.To = 0, 0
		if u != want[i] {
			t.Errorf("%s: utterance %d is %+v, want %+v", name, i, u, want[i])
		}
	}
	if len(sent.Stretches()) != len(want) {
		t.Errorf("%s: audible %v, want %d times", name, sent.Stretches(), len(want))
	}
}

// TestPlantedTalksOn checks that the continued speech of an agent that does not yield and goes on
// far beyond the caller's end counts as its answer.
func TestPlantedTalksOn(t *testing.T) {
	t.Parallel()
	agent := practice.NewPlanted(practice.PlantedOptions{
		Greeting: tone(6 * time.Second), GreetAfter: msec(100),
		Turns: []practice.PlantedTurn{{Lasts: time.Second, Reply: tone(time.Second)}, {Lasts: time.Second, Reply: tone(time.Second)}},
	})
	caller := &talker{end: 14 * time.Second, lines: []call.Segment{{Start: 2 * time.Second, End: 3 * time.Second}, {Start: 8 * time.Second, End: 9 * time.Second}}}
	l := loop.New(loop.Options{Answerer: func(context.Context, leg.Incoming) leg.Answer { return leg.Answer{Party: agent} }})
	l.Place(context.Background(), leg.Dial{}, caller, nil)
	if u := agent.Utterances(); len(u) != 2 || u[1].Turn != 1 {
		t.Errorf("utterances %+v, want two, the second in turn 1", u)
	}
}

// TestPlantedTruthIsClean checks that the truth is recorded before noise and loss are applied, and
// that the clock is read for every frame.
func TestPlantedTruthIsClean(t *testing.T) {
	t.Parallel()
	now := time.Hour
	n := 0
	p := practice.NewPlanted(practice.PlantedOptions{
		Greeting: tone(msec(100)), GreetAfter: msec(25),
		Noise: func(pcm []int16) { audio.NewNoise(1).White(pcm, -30) },
		Lose:  func() bool { n++; return n == 3 },
		Clock: func() time.Duration { now += msec(21); return now },
	})
	p.Begin(plantedRate)
	in, out := leg.Frame{PCM: make([]int16, 160)}, leg.Frame{PCM: make([]int16, 160)}
	for i := range 20 {
		clear(out.PCM)
		in.At, out.At, out.Missing = leg.FrameTime*time.Duration(i), leg.FrameTime*time.Duration(i), false
		p.Step(&in, &out)
		if out.Missing != (i == 2) || (audio.Level(out.PCM) <= audio.FloorDB) != (i == 2) {
			t.Errorf("frame %d: missing %v, level %.0f", i, out.Missing, audio.Level(out.PCM))
		}
	}
	first, last, ok := p.Sent().Audible(0, len(p.Sent().PCM))
	if !ok || first != 200 || last < 200+790 || last > 1000 {
		t.Errorf("audible from %d to %d, want 200 to 1000", first, last)
	}
	// Sample 200 is the 40th of the second frame, which was sent at the clock's second reading.
	if got, want := p.Sent().Moment(200), time.Hour+2*msec(21)+msec(5); got != want {
		t.Errorf("it left at %v, want %v", got, want)
	}
}
