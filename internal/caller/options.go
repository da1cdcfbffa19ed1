package caller

import (
	"cmp"
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Options configure a Caller.
type Options struct {
	Item scenario.Item
	// Seed seeds random choices.
	Seed uint64
	// Lines are the item's lines, from Prepare.
	Lines *Lines
	// Mouth speaks the replies of a language model. It is not needed for items with a script.
	Mouth Mouth
	// Ears creates the ears of this call. It is called only if the item needs them and nothing is missing.
	Ears func() (leg.Ears, error)
	// Model plays the caller for an item that has a goal and no script.
	Model chat.Model
	// Prompt tells the model how to play; "" means the built-in prompt (prompt.go).
	Prompt string
	// Notify, if not nil, is called for each event as it happens, from the media loop: it must not block.
	Notify func(call.Event)
	// Go runs slow work outside the media loop; nil starts a goroutine for each.
	Go func(work func())
	// HearTime is the time allowed for recognising an agent's turn once it is over, ThinkTime the time
	// after that for the model and the mouth to produce the first sentence; results that take longer
	// are late. A script receives the words exactly when HearTime is over, so that its calls are alike;
	// a model receives them, and speaks, as soon as possible. 0 means the defaults, 800 ms and 1200 ms.
	HearTime, ThinkTime time.Duration
}

// New returns the caller of one call. It fails if the options lack something that the item
// needs; the error names it.
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
	var ears leg.Ears
	if listens {
		var err error
		if ears, err = o.Ears(); err != nil {
			return nil, err
		}
	}
	if o.Go == nil {
		o.Go = func(work func()) { go work() }
	}
	o.HearTime = cmp.Or(o.HearTime, defaultHearTime)
	o.ThinkTime = cmp.Or(o.ThinkTime, defaultThinkTime)
	c := &Caller{opts: o, item: o.Item, talks: phrasesFor(o.Item.Language())}
	c.hears.ears = ears
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.longest = millis(o.Item.Input.Limits.MaxDurationMS, defaultMaxDuration)
	c.silence = millis(o.Item.Input.Limits.MaxSilenceMS, defaultMaxSilence)
	c.agent.patience = millis(o.Item.Input.Persona.PatienceMS, defaultPatience)
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
