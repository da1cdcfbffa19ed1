package caller

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// voiceLike returns a sound that live voice activity detection takes for speech: a sawtooth in
// syllables, four a second, with a short pause between them.
func voiceLike(d time.Duration, hz float64, rate int) []int16 {
	pcm := make([]int16, int(d.Seconds()*float64(rate)))
	for i := range pcm {
		_, phase := math.Modf(float64(i) * hz / float64(rate))
		_, beat := math.Modf(float64(i) * 4 / float64(rate)) // silent around the middle of each period
		pcm[i] = int16(7000 * (2*phase - 1) * max(0, min(1, 4*math.Abs(2*beat-1)-1.2)))
	}
	return pcm
}

// crowdOf returns twenty seconds of six simultaneous voices, each with its own rhythm and melody,
// the given number of dB below voiceLike.
func crowdOf(below float64, rate int) []int16 {
	rng := rand.New(rand.NewPCG(1, 2))
	pcm := make([]int16, 20*rate)
	for range 6 {
		for at := rng.IntN(rate); at < len(pcm); {
			one := voiceLike(time.Duration(120+rng.IntN(500))*time.Millisecond, 90+150*rng.Float64(), rate)
			audio.Gain(one, -10-12*rng.Float64())
			audio.Mix(pcm[at:], one)
			at += len(one)
		}
	}
	audio.Gain(pcm, audio.Level(voiceLike(time.Second, 130, rate))-below-audio.Level(pcm))
	return pcm
}

// fakeMouth speaks any text as a voice-like sound with silence around it: 60 ms per letter, with
// the persona's pitch and pace.
type fakeMouth struct {
	mu    sync.Mutex
	said  []string
	fail  error
	mute  func(text string) bool // texts for which it has no sound
	calls []scenario.Persona
	langs []string
}

func (m *fakeMouth) Engine() string { return "fake" }

func (m *fakeMouth) Say(_ context.Context, p scenario.Persona, language, text string) (audio.Clip, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.said, m.calls, m.langs = append(m.said, text), append(m.calls, p), append(m.langs, language)
	if m.fail != nil {
		return audio.Clip{}, m.fail
	}
	if m.mute != nil && m.mute(text) {
		return audio.Clip{PCM: make([]int16, 1600), Rate: 8000}, nil
	}
	h := fnv.New32a()
	fmt.Fprint(h, p.Voice, p.Accent, language)
	hz := 100 + float64(h.Sum32()%60)
	pace := 1.0
	if p.Pitch != 0 {
		hz *= p.Pitch
	}
	if p.Pace != 0 {
		pace = p.Pace
	}
	d := time.Duration(float64(len(text)) * 60 / pace * float64(time.Millisecond))
	pcm := append(audio.Silence(100*time.Millisecond, 16000), voiceLike(d, hz, 16000)...)
	return audio.Clip{PCM: append(pcm, audio.Silence(150*time.Millisecond, 16000)...), Rate: 16000}, nil
}

// utterance is something the far agent says.
type utterance struct {
	// at is when, in media time; if 0, after is how long after the caller stopped.
	at, after time.Duration
	long      time.Duration
	text      string
	softer    float64 // by how many dB
}

// farAgent is a far end that says its utterances in order.
type farAgent struct {
	lines  []utterance
	rate   int
	pcm    []int16
	pos    int
	noise  *audio.Noise
	talks  bool
	heard  bool
	crowd  float64 // how many dB below it a crowd talks in the background; 0 for none
	others []int16
	rings  time.Duration // until when its line rings, for 2 s in every 6
	echo   float64       // how many dB fainter its line sends back what it hears, 300 ms later; 0 for not at all
	back   []int16       // what is on its way back
	quiet  time.Duration // since when the caller has been silent
	spoken []string
	digits string
	// began and ended are the times of each utterance.
	began, ended []time.Duration
}

func (a *farAgent) Begin(rate int) {
	a.rate, a.noise = rate, audio.NewNoise(7)
	if a.crowd != 0 {
		a.others = crowdOf(a.crowd, rate)
	}
}

// ring adds the frame at at of a ringing tone, 440 and 480 Hz.
func (a *farAgent) ring(pcm []int16, at time.Duration) {
	for i := range pcm {
		t := 2 * math.Pi * (at.Seconds() + float64(i)/float64(a.rate))
		pcm[i] += int16(2000 * (math.Sin(440*t) + math.Sin(480*t)))
	}
}

func (a *farAgent) End(time.Duration, bool) {}

func (a *farAgent) Step(in, out *leg.Frame) {
	a.digits += in.Digits
	// Comfort noise, as on most lines.
	defer func() {
		hiss := make([]int16, len(out.PCM))
		a.noise.White(hiss, -68)
		audio.Mix(out.PCM, hiss)
		if in.At < a.rings && in.At%(6*time.Second) < 2*time.Second {
			a.ring(out.PCM, in.At)
		}
		if n := len(a.others); n > 0 {
			from := int(int64(in.At) * int64(a.rate) / int64(time.Second) % int64(n-len(out.PCM)))
			audio.Mix(out.PCM, a.others[from:from+len(out.PCM)])
		}
	}()
	loud := false
	for _, s := range in.PCM {
		loud = loud || s != 0
	}
	if loud || in.Digits != "" {
		a.heard, a.quiet = true, in.At+leg.FrameTime
	}
	if !a.talks && len(a.lines) > 0 {
		a.begin(in.At)
	}
	defer a.sendBack(in, out)
	if a.talks {
		a.pos += copy(out.PCM, a.pcm[a.pos:])
		if a.pos == len(a.pcm) {
			a.talks, a.heard = false, a.heard && a.quiet > a.began[len(a.began)-1]
			a.ended = append(a.ended, in.At+leg.FrameTime)
		}
	}
}

// sendBack adds the echo of its line to what it says.
func (a *farAgent) sendBack(in, out *leg.Frame) {
	if a.echo == 0 {
		return
	}
	if a.back == nil {
		a.back = audio.Silence(300*time.Millisecond, a.rate)
	}
	a.back = append(a.back, in.PCM...)
	back := slices.Clone(a.back[:len(out.PCM)])
	a.back = a.back[len(out.PCM):]
	audio.Gain(back, -a.echo)
	audio.Mix(out.PCM, back)
}

func (a *farAgent) begin(at time.Duration) {
	next := a.lines[0]
	due := next.at != 0 && at >= next.at || next.at == 0 && a.heard && at-a.quiet >= next.after && at > a.quiet
	if !due {
		return
	}
	a.lines, a.heard = a.lines[1:], false
	a.pcm, a.pos, a.talks = voiceLike(next.long, 130, a.rate), 0, true
	audio.Gain(a.pcm, -next.softer)
	a.spoken, a.began = append(a.spoken, next.text), append(a.began, at)
}

// fakeEars understand exactly what the far agent said.
type fakeEars struct {
	agent *farAgent
	told  int
	err   error
	never bool
	held  []*leg.Letter[leg.Words]
}

func (e *fakeEars) Hear([]int16) {}
func (e *fakeEars) Close()       {}

func (e *fakeEars) Words(l *leg.Letter[leg.Words]) {
	if e.never {
		e.held = append(e.held, l)
		return
	}
	text := strings.Join(e.agent.spoken[e.told:], " ")
	e.told = len(e.agent.spoken)
	l.Deliver(leg.Words{Text: text, Err: e.err})
}

// stage is one call in virtual time.
type stage struct {
	item   scenario.Item
	agent  *farAgent
	mouth  *fakeMouth
	ears   *fakeEars
	model  chat.Model
	prompt string
	seed   uint64
	rate   int
	live   bool          // do not wait for slow work
	slow   time.Duration // until when slow work is not waited for
	warm   bool          // warm the caller before each frame
	limit  time.Duration
	early  time.Duration // until when the far end does not hear the caller
	farEnd time.Duration // when the far end hangs up; 0 means never
}

// outcome is the result of a call.
type outcome struct {
	caller *Caller
	sent   []int16
	events []call.Event
	length time.Duration
	hungUp bool
}

func script(steps ...scenario.Step) scenario.Item {
	return scenario.Item{Input: scenario.Input{Script: steps}}
}

func say(text string) scenario.Step { return scenario.Step{Say: text} }
func waitAgent() scenario.Step {
	return scenario.Step{WaitForAgent: &scenario.WaitForAgent{}}
}
func hangUp() scenario.Step { return scenario.Step{HangUp: true} }

func (s *stage) play(t *testing.T) outcome {
	t.Helper()
	c := s.newCaller(t)
	o := outcome{caller: c}
	c.Begin(s.rate)
	s.agent.Begin(s.rate)
	n := leg.Samples(s.rate)
	toCaller, toAgent := make([]int16, n), make([]int16, n)
	var digits string
	for at := time.Duration(0); at < s.limit; at += leg.FrameTime {
		if !s.live && at >= s.slow {
			if err := c.Await(t.Context(), at); err != nil {
				t.Fatal(err)
			}
		}
		fromAgent := leg.Frame{At: at, PCM: make([]int16, n)}
		s.agent.Step(&leg.Frame{At: at, PCM: toAgent, Digits: digits}, &fromAgent)
		out := leg.Frame{At: at, PCM: make([]int16, n)}
		if s.warm {
			c.Warm(ignore)
			c.WarmFurther(ignore)
		}
		c.Step(&leg.Frame{At: at, PCM: toCaller, Early: at < s.early}, &out)
		toCaller, toAgent, digits = fromAgent.PCM, out.PCM, out.Digits
		o.sent = append(o.sent, out.PCM...)
		o.length = at + leg.FrameTime
		if out.HangUp {
			o.hungUp = true
			break
		}
		if s.farEnd != 0 && at >= s.farEnd {
			break
		}
	}
	c.End(o.length, !o.hungUp)
	c.Close()
	o.events = c.Timeline()
	return o
}

func (s *stage) newCaller(t *testing.T) *Caller {
	t.Helper()
	if s.mouth == nil {
		s.mouth = &fakeMouth{}
	}
	if s.agent == nil {
		s.agent = &farAgent{}
	}
	if s.ears == nil {
		s.ears = &fakeEars{}
	}
	s.ears.agent = s.agent
	if s.rate == 0 {
		s.rate = 8000
	}
	if s.limit == 0 {
		s.limit = 2 * time.Minute
	}
	if f := s.item.Validate(""); f != nil {
		t.Fatalf("the item is not valid: %v", f)
	}
	lines, err := Prepare(t.Context(), s.mouth, NewCache(defaultCacheBytes), s.item)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(Options{
		Item: s.item, Seed: s.seed, Lines: lines, Mouth: s.mouth, Ears: func() (leg.Ears, error) { return s.ears, nil },
		Model: s.model, Prompt: s.prompt,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// of returns the events of one kind.
func (o outcome) of(kind call.Kind) []call.Event {
	var list []call.Event
	for _, e := range o.events {
		if e.Kind == kind {
			list = append(list, e)
		}
	}
	return list
}

// said returns the texts the caller said, in order.
func (o outcome) said() []string {
	var list []string
	for _, e := range o.of(call.KindSaid) {
		list = append(list, e.Text)
	}
	return list
}

func (o outcome) wantSaid(t *testing.T, want ...string) {
	t.Helper()
	if got := o.said(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("said %q, want %q\n%s", got, want, o.story())
	}
}

func (o outcome) wantEnd(t *testing.T, code call.EndCode, blame call.Blame) {
	t.Helper()
	if got := o.caller.Ending(); got.Code != code || got.Blame != blame {
		t.Errorf("ended as %+v, want %s by %s\n%s", got, code, blame, o.story())
	}
}

func (o outcome) wantCount(t *testing.T, kind call.Kind, n int) {
	t.Helper()
	if got := len(o.of(kind)); got != n {
		t.Errorf("%d events %s, want %d\n%s", got, kind, n, o.story())
	}
}

// wantSame fails the test unless both calls have the same timeline and the same sound.
func (o outcome) wantSame(t *testing.T, other outcome) {
	t.Helper()
	if o.story() != other.story() {
		t.Errorf("two timelines:\n%s\n%s", o.story(), other.story())
	}
	if !slices.Equal(o.sent, other.sent) {
		t.Errorf("two sounds, of %d and %d samples", len(o.sent), len(other.sent))
	}
}

// story returns the timeline as text for failure messages.
func (o outcome) story() string {
	var b strings.Builder
	for _, e := range o.events {
		fmt.Fprintf(&b, "%8s %-8s %s %q %s %v\n", e.At.Round(time.Millisecond), e.End.Round(time.Millisecond), e.Kind, e.Text, e.Manner, e.Data)
	}
	return b.String()
}

var errBroken = errors.New("out of order")
