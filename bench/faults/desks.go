package main

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
	"github.com/ringtrue/ringtrue/internal/store"
)

// operator connects calls to agents by their number.
type operator struct {
	house *house
	loss  loop.Impairment
}

// Place implements experiment.Line.
func (o operator) Place(ctx context.Context, d leg.Dial, p leg.Party, t *leg.Tape) call.Attempt {
	if l := o.house.lobby; l != nil {
		return l.Place(ctx, d, p, t)
	}
	l := loop.New(loop.Options{Rate: o.house.rate, Answerer: o.house.answer, Start: time.Now, Impairment: o.loss})
	return l.Place(ctx, d, p, t)
}

func (h *house) answer(ctx context.Context, in leg.Incoming) leg.Answer {
	h.mu.Lock()
	desk, ok := h.desks[in.To]
	h.mu.Unlock()
	if !ok {
		return leg.Answer{Refuse: leg.RefuseUnknown}
	}
	return desk(ctx, in)
}

// memory is a mouth that synthesises each line only once: all desks have the same greeting.
type memory struct {
	mouth speech.Mouth
	mu    sync.Mutex
	said  map[memoryKey]audio.Clip
}

type memoryKey struct {
	persona        scenario.Persona
	language, text string
}

// Say implements practice.Mouth. The clip must not be changed.
func (m *memory) Say(ctx context.Context, p scenario.Persona, language, text string) (audio.Clip, error) {
	key := memoryKey{p, language, text}
	m.mu.Lock()
	clip, ok := m.said[key]
	m.mu.Unlock()
	if ok {
		return clip, nil
	}
	clip, err := m.mouth.Say(ctx, p, language, text)
	if err == nil {
		m.mu.Lock()
		m.said[key] = clip
		m.mu.Unlock()
	}
	return clip, err
}

// agentOptions describe an agent to be put behind a number.
type agentOptions struct {
	faults practice.Faults
	voice  string
	seed   uint64
}

// hire opens a desk and returns its number.
func (h *house) hire(ctx context.Context, o agentOptions) (string, error) {
	desk, err := practice.New(practice.Options{
		Mouth: h.desksMouth, Voice: o.voice, Faults: o.faults, Seed: o.seed, Now: time.Now, Report: h.report, Rate: h.rate,
		NewEars: func(ctx context.Context, grammar string) (leg.Ears, error) {
			return h.speech.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: h.rate, Grammar: grammar, Patience: h.patience()})
		},
		NewID: func() string { return store.NewID("desk") },
	})
	if err != nil {
		return "", err
	}
	if err := desk.Warm(ctx); err != nil {
		return "", err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	number := fmt.Sprintf("+1555%07d", len(h.desks)+1)
	h.desks[number] = desk.Answer
	return number, nil
}

// patience is how long words are waited for. In memory, the line runs in virtual time and waits for
// everybody, so that a busy machine does not make anybody deaf. Over SIP and in rooms it is no
// longer than in production.
func (h *house) patience() time.Duration {
	if h.realTime {
		return 0
	}
	return time.Minute
}

// report submits the agent's own record of a call as any client would.
func (h *house) report(ctx context.Context, r practice.Record) error {
	h.mu.Lock()
	h.said[r.CallID], h.late[r.CallID] = linesOf(r), r.Late
	h.mu.Unlock()
	body, err := json.Marshal(map[string]any{
		"provider": calllog.Custom, "metadata": map[string]any{"ringtrue_call": r.CallID, "end_reason": r.EndReason},
		"payload": map[string]any{
			"call_id": r.ID, "recording_url": "http://127.0.0.1/" + r.ID + ".wav", "from_number": ourNumber, "to_number": r.To,
			"start_timestamp": r.StartedAt.UnixMilli(), "end_timestamp": r.EndedAt.UnixMilli(), "status": "ended",
			"transcript": map[string]any{"kind": custom.TranscriptKind, "messages": r.Messages},
		},
	})
	if err != nil {
		return err
	}
	_, err = h.callLogs.Accept(ctx, h.workspace, body)
	return err
}
