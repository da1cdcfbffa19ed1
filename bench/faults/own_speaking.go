package main

import (
	"context"
	"math/rand/v2"
	"sync"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// mouth is speech synthesis that fails in some way from its n-th line on.
type mouth struct {
	speech.Mouth
	from  int
	spoil func(audio.Clip) (audio.Clip, error)
	held  *held // what fails comes late, too

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
	if m.held != nil {
		if err := m.held.await(ctx); err != nil {
			return clip, err
		}
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
			name: "synthesis is silent", explanation: "a line of the caller comes out as silence", scenario: moves, reason: "failed",
			crew: before(func(c audio.Clip) (audio.Clip, error) {
				return audio.Clip{PCM: make([]int16, len(c.PCM)), Rate: c.Rate}, nil
			}),
		},
		{
			name: "synthesis is cut off", explanation: "a line of the caller breaks off in its first word", scenario: asks, reason: "failed",
			crew: before(func(c audio.Clip) (audio.Clip, error) {
				first, _, _ := c.Audible()
				return audio.Clip{PCM: c.PCM[:min(len(c.PCM), first+c.Rate/20)], Rate: c.Rate}, nil
			}),
		},
		{
			name: "synthesis fails in the call", explanation: "a line made up by a language model cannot be synthesised", goal: true, reason: "failed",
			crew: func(h *house, _ *rand.Rand) crew {
				return crew{
					model: &mind{}, cache: caller.NewCache(0),
					mouth: &mouth{Mouth: h.speech.Mouth(), from: 2, spoil: func(audio.Clip) (audio.Clip, error) { return audio.Clip{}, errDown }},
				}
			},
		},
		{
			name: "synthesis is late", explanation: "a line made up by a language model is synthesised too late", goal: true, reason: "late",
			crew: func(h *house, r *rand.Rand) crew {
				late := newHeld(r)
				m := &mouth{Mouth: h.speech.Mouth(), from: 2, held: late, spoil: func(c audio.Clip) (audio.Clip, error) { return c, nil }}
				return crew{model: &mind{}, mouth: m, cache: caller.NewCache(0), party: late.hurry}
			},
		},
	}
}

// mind is a language model that plays the caller of goals.yaml.
type mind struct {
	err   error
	blank bool
	held  *held // its answers come late
}

// Name implements chat.Model.
func (*mind) Name() string { return "mind" }

// Complete implements chat.Model: it asks for the opening hours, and hangs up once it has heard an
// answer.
func (m *mind) Complete(ctx context.Context, r chat.Request, onText func(string)) (chat.Message, error) {
	if m.held != nil {
		if err := m.held.await(ctx); err != nil {
			return chat.Message{}, err
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
				late := newHeld(r)
				return crew{model: &mind{held: late}, party: late.hurry}
			},
		},
	}
}
