// Package practice is the built-in voice agent to practise on: the front desk of
// an invented clinic. It is a leg.Party like any agent would be: it hears audio
// alone and never sees a scenario, works out what was said with its own ears and
// grammar, keeps a diary, speaks, and hands over its own record of each call.
// Faults can be switched on one by one, so that a test can be seen to find them.
// A Planted is another agent, for measurements: it says nothing of sense, but
// exactly when it was told to, and writes down what it really sent.
//
// Below it lie leg (Party, Ears), audio, chat (the record's messages) and
// scenario (Persona). Package speech gives it ears and mouth, line/sip,
// line/room and line/loop connect it, app wires them.
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

// Mouth speaks.
type Mouth interface {
	Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error)
}

// Record is the desk's own account of a call.
type Record struct {
	// ID is the desk's own id of the call, unlike that of any other call.
	ID string
	// CallID is the caller's X-Ringtrue-Call, or in a room what its name says; "" when there was none.
	CallID   string
	From, To string
	// StartedAt is the answer of the call, EndedAt its end.
	StartedAt, EndedAt time.Time
	// EndReason is "caller_hung_up", "agent_hung_up" or "transferred".
	EndReason string
	// Late is how late the desk's ears or its mouth were at worst: its machine was busy, and
	// the desk answered so much later than it was to.
	Late time.Duration
	// Messages are the conversation with its tool calls; Start is in ms since the answer.
	Messages []chat.Message
	// Tape is the recording, caller left and agent right; nil unless calls are recorded.
	Tape *leg.Tape
}

// Options build a Desk.
type Options struct {
	// Mouth speaks for the desk.
	Mouth Mouth
	// Rate is the sample rate (Hz) of the lines that the desk answers, for which
	// phrases are made ahead; 0 is 8000, the telephone's.
	Rate int
	// NewEars makes the ears of one call that hear frames of Rate over the
	// given JSGF grammar. nil is the mode without recognition: any turn of the
	// caller's moves a fixed conversation on.
	NewEars func(ctx context.Context, grammar string) (leg.Ears, error)
	// Voice is the desk's voice; "" is "rms".
	Voice  string
	Faults Faults
	// Seed makes what faults draw by chance repeatable.
	Seed uint64
	// Now tells the time of day; it dates the record and the diary.
	Now func() time.Time
	// Report, when not nil, is given the record of every call that ends. It is
	// called on a goroutine of the call's own, never from the media loop.
	Report func(context.Context, Record) error
	// Record makes the desk record its calls, up to ten minutes of each.
	Record bool
	// NewID makes the desk's own id of a call; nil counts from the time of day on.
	NewID func() string
	// Calls bounds the calls at a time (default 64); further ones are refused as busy.
	Calls int
	Log   *slog.Logger
}

// Desk answers calls. All its methods may be called from many goroutines.
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

// New makes a desk. It needs a Mouth and a clock.
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

// Warm synthesises the fixed phrases, so that the first caller does not wait for
// them, and thereby finds out whether the mouth works.
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
		defer d.leave()
		d.finish(party, id, tape)
	}}
}

// newID is the desk's own id of the call with this seed, which no other call of
// this desk has.
func (d *Desk) newID(seed uint64) string {
	if d.opts.NewID != nil {
		return d.opts.NewID()
	}
	return "desk-" + strconv.FormatInt(d.opts.Now().UnixMilli(), 36) + "-" + strconv.FormatUint(seed, 36)
}

// finish frees the party and hands over its record.
func (d *Desk) finish(p *Party, id string, tape *leg.Tape) {
	p.Close()
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
