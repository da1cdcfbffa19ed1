// Package practice is the built-in voice agent to practise on: the front desk of an invented
// clinic. Its Party is a leg.Party like that of any agent: it only hears audio and never sees a
// scenario. It recognises speech with its own ears and grammar, keeps a diary, speaks, and
// hands over its own record of each call. Faults can be switched on one by one, so that a test
// can be seen to find them. A Planted is another agent, for measurements: it says nothing
// meaningful, but exactly when it was told to, and records what it really sent.
//
// It uses leg (Party, Ears), audio, chat (the record's messages) and scenario (Persona). Package
// speech provides ears and mouth; line/sip, line/room and line/loop connect it; app wires them.
package practice

import (
	"context"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Mouth synthesises speech.
type Mouth interface {
	Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error)
}

// Record is the desk's own record of a call.
type Record struct {
	// ID is the desk's own id of the call, which is unique.
	ID string
	// CallID is the caller's X-Ringtrue-Call header, or in a room the id in its name; "" if there is none.
	CallID   string
	From, To string
	// StartedAt is when the call was answered, EndedAt when it ended.
	StartedAt, EndedAt time.Time
	// EndReason is "caller_hung_up", "agent_hung_up" or "transferred".
	EndReason string
	// Late is the largest delay of the desk's ears or mouth beyond what was planned, because
	// its machine was busy; the desk replied that much later than configured.
	Late time.Duration
	// Messages are the conversation with its tool calls; Start is in ms since the answer.
	Messages []chat.Message
	// Tape is the recording, caller left and agent right; nil unless calls are recorded.
	Tape *leg.Tape
}

// Options configure a Desk.
type Options struct {
	// Mouth speaks for the desk.
	Mouth Mouth
	// Rate is the sample rate (Hz) of the lines that the desk answers, at which phrases are
	// prepared; 0 means 8000, that of the telephone.
	Rate int
	// NewEars returns the ears of one call, for frames of Rate and the given JSGF grammar. nil selects
	// the mode without recognition, in which any turn of the caller advances a fixed conversation.
	NewEars func(ctx context.Context, grammar string) (leg.Ears, error)
	// Voice is the desk's voice; "" means "rms".
	Voice  string
	Faults Faults
	// Seed seeds the random choices of faults.
	Seed uint64
	// Now returns the current time; it dates the record and the diary.
	Now func() time.Time
	// Report, if not nil, is called with the record of every call that has ended, on a
	// goroutine of the call's own, never from the media loop.
	Report func(context.Context, Record) error
	// Record makes the desk record its calls, up to ten minutes of each.
	Record bool
	// NewID returns the desk's own id of a call; nil builds it from the current time and the call's seed.
	NewID func() string
	// Calls bounds the number of simultaneous calls (default 64); further ones are refused as busy.
	Calls int
	Log   *slog.Logger
}

// Desk answers calls. Its methods are safe for concurrent use.
type Desk struct {
	opts   Options
	voices *voices

	mu    sync.Mutex
	calls int
	taken uint64
}

// maxTape bounds the recording of one call.
const maxTape = 10 * time.Minute

// maxCalls is the default of Options.Calls.
const maxCalls = 64

// New returns a desk. Options.Mouth and Options.Now must be set.
func New(o Options) (*Desk, error) {
	if o.Mouth == nil || o.Now == nil {
		return nil, problem.New(problem.Internal, "the practice agent needs a mouth and a clock")
	}
	if o.Voice == "" {
		o.Voice = "rms"
	}
	if o.Calls <= 0 {
		o.Calls = maxCalls
	}
	if o.Rate <= 0 {
		o.Rate = telephoneRate
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Desk{opts: o, voices: newVoices(o.Mouth, scenario.Persona{Voice: o.Voice, Pace: o.Faults.Hurry})}, nil
}

// Warm synthesises the fixed phrases, so that the first caller does not wait for them, and
// returns an error if the mouth does not work.
func (d *Desk) Warm(ctx context.Context) error {
	for _, text := range fixedPhrases() {
		if _, err := d.voices.say(ctx, text, d.opts.Rate); err != nil {
			return fmt.Errorf("synthesise the desk's phrases: %w", err)
		}
	}
	return nil
}

// telephoneRate is the default of Options.Rate.
const telephoneRate = 8000

// Answer implements leg.Answerer.
func (d *Desk) Answer(ctx context.Context, in leg.Incoming) leg.Answer {
	seed, ok := d.enter()
	if !ok {
		return leg.Answer{Refuse: leg.RefuseBusy}
	}
	party, err := d.NewParty(ctx, in, seed)
	if err != nil {
		d.leave()
		d.opts.Log.Error("the practice agent cannot take a call", "error", err)
		return leg.Answer{Refuse: leg.RefuseOverload}
	}
	var tape *leg.Tape
	if d.opts.Record {
		tape = leg.NewTape(maxTape)
	}
	id := d.newID(seed)
	return leg.Answer{Party: party, Tape: tape, Done: func() {
		party.Close()
		d.leave() // the record may take a while, and keeps nobody out
		d.handOver(party, id, tape)
	}}
}

// newID returns the desk's own id of the call with this seed, unique among the calls of this desk.
func (d *Desk) newID(seed uint64) string {
	if d.opts.NewID != nil {
		return d.opts.NewID()
	}
	return "desk-" + strconv.FormatInt(d.opts.Now().UnixMilli(), 36) + "-" + strconv.FormatUint(seed, 36)
}

// handOver hands over the record of a call that is over.
func (d *Desk) handOver(p *Party, id string, tape *leg.Tape) {
	if d.opts.Report == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r := p.Record()
	r.ID, r.Tape = id, tape
	if err := d.opts.Report(ctx, r); err != nil {
		d.opts.Log.Error("the practice agent could not hand over its record", "error", err)
	}
}

func (d *Desk) enter() (seed uint64, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.calls >= d.opts.Calls {
		return 0, false
	}
	d.calls++
	d.taken++
	return d.opts.Seed + d.taken, true
}

func (d *Desk) leave() {
	d.mu.Lock()
	d.calls--
	d.mu.Unlock()
}
