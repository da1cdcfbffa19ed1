package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// ownFaults are all of them.
func ownFaults() []ownFault {
	return slices.Concat(speakingFaults(), thinkingFaults(), hearingFaults(), lineFaults(), recordingFaults(), recognitionFaults(), scriptFaults(), stuckFaults())
}

var errDown = errors.New("the engine is down")

// mouth is a speech synthesis that fails in some way from its n-th line on.
type mouth struct {
	speech.Mouth
	from  int
	spoil func(audio.Clip) (audio.Clip, error)
	wait  chan struct{}

	mu sync.Mutex
	n  int
}

// Say implements caller.Mouth.
func (m *mouth) Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error) {
	m.mu.Lock()
	m.n++
	fails := m.n > m.from
	m.mu.Unlock()
	clip, err := m.Mouth.Say(ctx, p, language, text)
	if err != nil || !fails {
		return clip, err
	}
	if m.wait != nil {
		<-m.wait
	}
	return m.spoil(clip)
}

func speakingFaults() []ownFault {
	before := func(spoil func(audio.Clip) (audio.Clip, error)) func(*house, *rand.Rand) crew {
		return func(h *house, r *rand.Rand) crew {
			return crew{mouth: &mouth{Mouth: h.speech.Mouth(), from: r.IntN(4), spoil: spoil}, cache: caller.NewCache(0)}
		}
	}
	return []ownFault{
		{
			name: "synthesis fails", explanation: "the caller's lines cannot be synthesised", scenario: books, reason: "failed",
			crew: before(func(audio.Clip) (audio.Clip, error) { return audio.Clip{}, errDown }),
		},
		{
			name: "synthesis is silent", explanation: "a line of the caller's comes out as silence", scenario: moves, reason: "failed",
			crew: before(func(c audio.Clip) (audio.Clip, error) {
				return audio.Clip{PCM: make([]int16, len(c.PCM)), Rate: c.Rate}, nil
			}),
		},
		{
			name: "synthesis is cut off", explanation: "a line of the caller's breaks off in its first word", scenario: asks, reason: "failed",
			crew: before(func(c audio.Clip) (audio.Clip, error) {
				first, _, _ := c.Audible()
				return audio.Clip{PCM: c.PCM[:min(len(c.PCM), first+c.Rate/20)], Rate: c.Rate}, nil
			}),
		},
		{
			name: "synthesis fails in the call", explanation: "a line that a language model thought of cannot be synthesised", goal: true, reason: "failed",
			crew: func(h *house, _ *rand.Rand) crew {
				return crew{
					model: &mind{}, cache: caller.NewCache(0),
					mouth: &mouth{Mouth: h.speech.Mouth(), from: 2, spoil: func(audio.Clip) (audio.Clip, error) { return audio.Clip{}, errDown }},
				}
			},
		},
		{
			name: "synthesis is late", explanation: "a line that a language model thought of is synthesised too late", goal: true, reason: "late",
			crew: func(h *house, r *rand.Rand) crew {
				wait := make(chan struct{})
				m := &mouth{Mouth: h.speech.Mouth(), from: 2, wait: wait, spoil: func(c audio.Clip) (audio.Clip, error) { return c, nil }}
				return crew{model: &mind{}, mouth: m, cache: caller.NewCache(0), party: hurried(wait, lateFrom(r))}
			},
		},
	}
}

// lateFrom is when in the call what is late comes at last: the answer to the
// greeting, which is over after 5 s, would be due at about 7 s.
func lateFrom(r *rand.Rand) time.Duration {
	return 10*time.Second + time.Duration(r.IntN(4000))*time.Millisecond
}

// mind is a language model that plays the caller of goals.yaml.
type mind struct {
	err   error
	blank bool
	wait  chan struct{}
}

// Name implements chat.Model.
func (*mind) Name() string { return "mind" }

// Complete implements chat.Model: it asks for the hours, and hangs up when it has heard an answer.
func (m *mind) Complete(ctx context.Context, r chat.Request, onText func(string)) (chat.Message, error) {
	if m.wait != nil {
		select {
		case <-m.wait:
		case <-ctx.Done():
			return chat.Message{}, ctx.Err()
		}
	}
	switch {
	case m.err != nil:
		return chat.Message{}, m.err
	case m.blank:
		return chat.Message{Role: chat.Assistant}, nil
	}
	said := 0
	for _, one := range r.Messages {
		if one.Role == chat.Assistant {
			said++
		}
	}
	if said == 0 {
		const line = "What are your opening hours?"
		if onText != nil {
			onText(line)
		}
		return chat.Message{Role: chat.Assistant, Content: line}, nil
	}
	return chat.Message{Role: chat.Assistant, ToolCalls: []chat.ToolCall{
		{ID: "1", Type: "function", Function: chat.Function{Name: "hang_up", Arguments: `{"goal_reached":true}`}},
	}}, nil
}

func thinkingFaults() []ownFault {
	with := func(m *mind) func(*house, *rand.Rand) crew {
		return func(*house, *rand.Rand) crew { return crew{model: m} }
	}
	return []ownFault{
		{name: "model fails", explanation: "the language model that plays the caller gives errors", goal: true, reason: "model", crew: with(&mind{err: errDown})},
		{name: "model says nothing", explanation: "the language model that plays the caller gives empty answers", goal: true, reason: "model", crew: with(&mind{blank: true})},
		{
			name: "model is late", explanation: "the language model that plays the caller answers seconds too late", goal: true, reason: "late",
			crew: func(_ *house, r *rand.Rand) crew {
				wait := make(chan struct{})
				return crew{model: &mind{wait: wait}, party: hurried(wait, lateFrom(r))}
			},
		},
	}
}

// hurry is a caller on a line that waits for nobody: what it waits for comes
// when the given moment of the call has passed.
type hurry struct {
	experiment.Party
	from time.Duration
	open func()
}

func hurried(wait chan struct{}, from time.Duration) func(experiment.Party) experiment.Party {
	var once sync.Once
	return func(p experiment.Party) experiment.Party {
		return &hurry{Party: struct{ experiment.Party }{p}, from: from, open: func() { once.Do(func() { close(wait) }) }}
	}
}

// Step implements leg.Party. Frames pass no faster than ten times real time, or
// nothing that runs beside them would ever be in time.
func (h *hurry) Step(in, out *leg.Frame) {
	pause := time.NewTimer(2 * time.Millisecond)
	<-pause.C
	if in.At >= h.from {
		h.open()
	}
	h.Party.Step(in, out)
}

// End implements leg.Party.
func (h *hurry) End(at time.Duration, byFar bool) {
	h.open()
	h.Party.End(at, byFar)
}

// lateEars hold back what was understood until the caller is told.
type lateEars struct {
	leg.Ears
	wait chan struct{}
}

// Words implements leg.Ears.
func (e *lateEars) Words(l *leg.Letter[leg.Words]) {
	var box leg.Mailbox[leg.Words]
	e.Ears.Words(box.Expect(0))
	go func() {
		<-e.wait
		_ = box.Await(context.Background(), 0) // without an end it has no error
		words, _, _ := box.Take(0)
		l.Deliver(words)
	}()
}

func hearingFaults() []ownFault {
	return []ownFault{
		{
			name: "ears are missing", explanation: "the caller's recogniser cannot be started", scenario: cancels, reason: "failed",
			crew: func(h *house, _ *rand.Rand) crew {
				return crew{ears: func(ctx context.Context, _ scenario.Item) (leg.Ears, error) {
					return earsOver(ctx, h, func(string) (string, error) { return "", exec.ErrNotFound })
				}}
			},
		},
		{
			name: "ears die", explanation: "the caller's recogniser ends in the middle of the call", scenario: cancels, reason: "ears",
			crew: func(h *house, _ *rand.Rand) crew {
				return crew{ears: func(ctx context.Context, _ scenario.Item) (leg.Ears, error) {
					return earsOver(ctx, h, h.script("ears-die", "head -c 50000 > /dev/null; exit 1"))
				}}
			},
		},
		{
			name: "ears are late", explanation: "what the caller understood comes seconds too late", scenario: cancels, reason: "Our own side",
			crew: func(h *house, r *rand.Rand) crew {
				wait := make(chan struct{})
				return crew{
					party: hurried(wait, 11*time.Second+time.Duration(r.IntN(4000))*time.Millisecond),
					ears: func(ctx context.Context, item scenario.Item) (leg.Ears, error) {
						ears, err := h.speech.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: h.rate, Hints: item.Words()})
						return &lateEars{Ears: ears, wait: wait}, err
					},
				}
			},
		},
	}
}

// earsOver are ears whose program is looked for by look.
func earsOver(ctx context.Context, h *house, look func(string) (string, error)) (leg.Ears, error) {
	engines, err := speech.New(speech.Options{Dir: h.folder, LookPath: look})
	if err != nil {
		return nil, err
	}
	return engines.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: h.rate})
}

// script writes a program that stands in for any other.
func (h *house) script(name, body string) func(string) (string, error) {
	return func(string) (string, error) {
		path := filepath.Join(h.folder, name)
		return path, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700)
	}
}

func lineFaults() []ownFault {
	return []ownFault{
		{
			name: "our packets are lost", explanation: "2 to 20 % of our packets never reach the agent", scenario: books, reason: "never reached the agent",
			crew: func(_ *house, r *rand.Rand) crew {
				return crew{loss: loop.Impairment{Seed: r.Uint64(), Loss: 0.02 + 0.18*r.Float64(), ToAgentOnly: true}}
			},
		},
		{
			name: "we are starved", explanation: "our process is stopped for 150 to 600 ms, three times in a call over SIP", reason: "", whole: starved,
		},
	}
}

// stuck is a caller that goes wrong at some moment of the call: nothing of what
// it says is sent, or it does nothing at all any more.
type stuck struct {
	experiment.Party
	from    time.Duration
	stopped bool
}

func (s *stuck) Step(in, out *leg.Frame) {
	switch {
	case in.At < s.from:
		s.Party.Step(in, out)
	case !s.stopped:
		s.Party.Step(in, out)
		clear(out.PCM)
	}
}

func stuckFaults() []ownFault {
	at := func(stopped bool) func(*house, *rand.Rand) crew {
		return func(_ *house, r *rand.Rand) crew {
			from := 6*time.Second + time.Duration(r.IntN(5000))*time.Millisecond
			return crew{party: func(p experiment.Party) experiment.Party {
				return &stuck{Party: struct{ experiment.Party }{p}, from: from, stopped: stopped}
			}}
		}
	}
	return []ownFault{
		{name: "caller falls mute", explanation: "nothing of what the caller says is sent from somewhere on, and the agent hangs up", scenario: books, reason: "we said at", crew: at(false)},
		{name: "caller stands still", explanation: "the caller does nothing any more from somewhere on, and the agent hangs up", scenario: moves, reason: "did not notice", crew: at(true)},
	}
}

func scriptFaults() []ownFault {
	change := func(f func(steps []scenario.Step) []scenario.Step) func(*house, *rand.Rand) crew {
		return func(*house, *rand.Rand) crew {
			return crew{item: func(it scenario.Item) scenario.Item {
				it.Input.Script = f(slices.Clone(it.Input.Script))
				return it
			}}
		}
	}
	return []ownFault{
		{
			name: "caller leaves out a line", explanation: "the caller does not say its third line", scenario: books, reason: "script",
			crew: change(func(s []scenario.Step) []scenario.Step { return slices.Delete(s, 4, 6) }),
		},
		{
			name: "caller says something else", explanation: "the caller asks for another day than its scenario says", scenario: books, reason: "line of step",
			crew: change(func(s []scenario.Step) []scenario.Step {
				s[3].Say = "On Wednesday."
				return s
			}),
		},
		{
			name: "caller hangs up early", explanation: "the caller takes its script for done in the middle of it", scenario: books, reason: "script",
			crew: change(func(s []scenario.Step) []scenario.Step { return append(s[:4], scenario.Step{HangUp: true}) }),
		},
		{
			name: "caller adds a line", explanation: "the caller asks for something that is not in its scenario", scenario: moves, reason: "script",
			crew: change(func(s []scenario.Step) []scenario.Step {
				return slices.Insert(s, 1, scenario.Step{Say: "How much is a cleaning?"}, scenario.Step{WaitForAgent: &scenario.WaitForAgent{}})
			}),
		},
	}
}

// tapes keeps recordings that are not what the line laid down.
type tapes struct {
	experiment.Recordings
	spoil func(t *leg.Tape) (*leg.Tape, error)
}

// Keep implements experiment.Recordings.
func (k tapes) Keep(ctx context.Context, key string, t *leg.Tape) (call.Recording, error) {
	spoilt, err := k.spoil(t)
	if err != nil {
		return call.Recording{}, err
	}
	return k.Recordings.Keep(ctx, key, spoilt)
}

// part is a tape that holds of each channel what lies before the given share of the call.
func part(t *leg.Tape, callerShare, agentShare float64) *leg.Tape {
	out := leg.NewTape(10 * time.Minute)
	out.Begin(t.Rate())
	for channel, share := range []float64{leg.CallerChannel: callerShare, leg.AgentChannel: agentShare} {
		pcm := t.Channel(channel)
		clear(pcm[int(share*float64(len(pcm))):])
		out.Write(channel, 0, pcm)
	}
	return out
}

func recordingFaults() []ownFault {
	kept := func(spoil func(t *leg.Tape) (*leg.Tape, error)) func(*house, *rand.Rand) crew {
		return func(h *house, _ *rand.Rand) crew { return crew{recordings: tapes{h.bucket, spoil}} }
	}
	onDisk := func(change func(path string, size int64, r *rand.Rand) error) func(*house, outcome, *rand.Rand) error {
		return func(h *house, o outcome, r *rand.Rand) error {
			path := filepath.Join(h.folder, "recordings", filepath.FromSlash(o.call.Recording.Key))
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return change(path, info.Size(), r)
		}
	}
	return []ownFault{
		{
			name: "recording is cut", explanation: "the stored recording ends early", scenario: cancels, reason: "recording",
			after: onDisk(func(path string, size int64, r *rand.Rand) error {
				return os.Truncate(path, size*int64(20+r.IntN(70))/100)
			}),
		},
		{
			name: "recording is gone", explanation: "the stored recording has been removed", scenario: moves, reason: "recording",
			after: onDisk(func(path string, _ int64, _ *rand.Rand) error { return os.Remove(path) }),
		},
		{
			name: "recording is changed", explanation: "a byte of the stored recording is another", scenario: books, reason: "recording", after: onDisk(flip),
		},
		{
			name: "recording lacks the caller", explanation: "our own channel of the recording is silent from somewhere on", scenario: moves, reason: "recording",
			crew: kept(func(t *leg.Tape) (*leg.Tape, error) { return part(t, 0.3, 1), nil }),
		},
		{
			name: "recording lacks the agent", explanation: "the agent's channel of the recording is silent from somewhere on", scenario: books, reason: "recording",
			crew: kept(func(t *leg.Tape) (*leg.Tape, error) { return part(t, 1, 0.4), nil }),
		},
		{
			name: "recording is not kept", explanation: "the recording cannot be stored", scenario: cancels, reason: "recording",
			crew: kept(func(*leg.Tape) (*leg.Tape, error) { return nil, errors.New("no space left on device") }),
		},
	}
}

func flip(path string, size int64, r *rand.Rand) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	at := 44 + r.Int64N(size-44)
	var b [1]byte
	if _, err := f.ReadAt(b[:], at); err != nil {
		return err
	}
	b[0] ^= 0x40
	_, err = f.WriteAt(b[:], at)
	return err
}

// stranger is a recogniser under a name of its own: a call that sounds like one
// heard before, by the same engine, would not be heard again.
type stranger struct{ review.Transcriber }

// Engine implements review.Transcriber.
func (s stranger) Engine() (string, bool) {
	name, selfTest := s.Transcriber.Engine()
	return name + ", which is out of order", selfTest
}

func recognitionFaults() []ownFault {
	over := func(look func(h *house) func(string) (string, error)) func(*house) (review.Transcriber, error) {
		return func(h *house) (review.Transcriber, error) {
			engines, err := speech.New(speech.Options{Dir: h.folder, LookPath: look(h)})
			if err != nil {
				return nil, err
			}
			return stranger{engines.Transcriber()}, nil
		}
	}
	return []ownFault{
		{
			name: "recogniser is missing", explanation: "the review's recogniser is not installed", scenario: asks, reason: "review",
			hears: over(func(*house) func(string) (string, error) {
				return func(string) (string, error) { return "", exec.ErrNotFound }
			}),
		},
		{
			name: "recogniser fails", explanation: "the review's recogniser ends with an error", scenario: books, reason: "review",
			hears: over(func(h *house) func(string) (string, error) {
				return h.script("recogniser-fails", "echo out of memory >&2; exit 3")
			}),
		},
		{
			name: "recogniser hears nothing", explanation: "the review's recogniser works and understands no word of anybody", scenario: moves, reason: "review",
			hears: over(func(h *house) func(string) (string, error) { return h.script("recogniser-deaf", "exit 0") }),
		},
	}
}

// reviewTwice reviews with the recogniser that fails until the call is given up,
// then once more with the one that works.
func (h *house) reviewTwice(ctx context.Context, one *spoiltCall, e *experiment.Service, sound *review.Service, id string) error {
	deaf, err := one.fault.hears(h)
	if err != nil {
		return err
	}
	failing := h.reviews(e, deaf)
	for n := range tries {
		err := failing.Review(ctx, id)
		if over := n == tries-1; (err == nil) != over {
			return fmt.Errorf("the try %d of a review that cannot succeed came to something else: %w", n+1, cmp.Or(err, errNotTrue))
		}
	}
	if one.outcome, err = h.look(ctx, id); err != nil {
		return err
	}
	if err := reviewed(ctx, sound, id); err != nil {
		return fmt.Errorf("review the call again: %w", err)
	}
	later, err := h.look(ctx, id)
	one.mended = later.call.Verdict
	return err
}

// callFor starts an experiment and returns the call that plays the fault's scenario.
func (h *house) callFor(ctx context.Context, e *experiment.Service, f ownFault, to string) (string, error) {
	d, at := h.dataset, slices.Index(everywhere(), f.scenario)
	if f.goal {
		d, at = h.goals, 0
	}
	calls, err := h.start(ctx, e, d, to)
	if err != nil {
		return "", err
	}
	if at < 0 || at >= len(calls) {
		return "", fmt.Errorf("there is no scenario %q", f.scenario)
	}
	return calls[at].ID, nil
}
