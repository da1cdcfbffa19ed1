package caller

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Options say who calls and with what.
type Options struct {
	Item scenario.Item
	// Seed makes what is drawn by chance repeatable.
	Seed uint64
	// Lines are the item's, from Prepare.
	Lines *Lines
	// Mouth speaks what a language model thinks of; items with a script do without.
	Mouth Mouth
	// Ears makes the ears of this call. It is asked only when the item needs them.
	Ears func() leg.Ears
	// Model plays the caller of an item that has a goal and no script.
	Model chat.Model
	// Prompt tells the model how to play; "" means the built-in prompt (prompt.go).
	Prompt string
	// Notify is given each event as it happens, from the media loop: it must not block. May be nil.
	Notify func(call.Event)
	// Go runs slow work outside the media loop; nil means: in a goroutine of its own.
	Go func(work func())
	// HearTime is what the ears have for the words of an agent's turn that is
	// over, and ThinkTime what the model and the mouth have after that for the
	// first sentence: what takes longer is late. A script hears the words just
	// then, so that its calls are alike; a model does, and speaks, as soon as it
	// can. 0 means the default: 800 ms and 1200 ms.
	HearTime, ThinkTime time.Duration
}

// New returns the caller of one call. The error names what the item needs and
// the options do not give.
func New(o Options) (*Caller, error) {
	if o.Lines == nil {
		return nil, problem.New(problem.Internal, "the caller has no lines")
	}
	if o.Item.NeedsModel() && (o.Model == nil || o.Mouth == nil) {
		return nil, problem.New(problem.Unavailable, "the item has a goal and no script, and no language model is configured").
			WithHint("configure a chat endpoint, or give the item a script")
	}
	listens := o.Item.NeedsEars()
	if listens && o.Ears == nil {
		return nil, problem.New(problem.Unavailable, "the item listens for words, and no speech recognition is configured").
			WithHint("configure speech recognition; `ringtrue doctor` says what is missing")
	}
	if o.Go == nil {
		o.Go = func(work func()) { go work() }
	}
	o.HearTime = orDefault(o.HearTime, defaultHearTime)
	o.ThinkTime = orDefault(o.ThinkTime, defaultThinkTime)
	c := &Caller{opts: o, item: o.Item, talks: phrasesFor(o.Item.Language())}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.longest = millis(o.Item.Input.Limits.MaxDurationMS, defaultMaxDuration)
	c.silence = millis(o.Item.Input.Limits.MaxSilenceMS, defaultMaxSilence)
	c.agent.patience = millis(o.Item.Input.Persona.PatienceMS, defaultPatience)
	if listens {
		c.hears.ears = o.Ears()
	}
	if o.Item.NeedsModel() {
		c.mind = newThinker(c)
	} else {
		c.mind = newPlayer(c)
	}
	return c, nil
}

func millis(ms int, otherwise time.Duration) time.Duration {
	if ms == 0 {
		return otherwise
	}
	return time.Duration(ms) * time.Millisecond
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}
