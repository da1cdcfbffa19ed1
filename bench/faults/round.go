package main

import (
	"context"
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/line/loop"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
)

// crew plays and reviews a round of calls. The zero value of a field means that it is sound; faults
// of our own replace it with something broken.
type crew struct {
	// line spoils the telephone line.
	line func(experiment.Line) experiment.Line
	// loss is what the line in memory does to frames.
	loss loop.Impairment
	// mouth, ears and model speak, listen and think for the caller.
	mouth caller.Mouth
	ears  func(ctx context.Context, item scenario.Item) (leg.Ears, error)
	model chat.Model
	// item changes what the caller takes for its scenario.
	item func(scenario.Item) scenario.Item
	// party wraps the caller.
	party func(experiment.Party) experiment.Party
	// recordings stores the recordings.
	recordings experiment.Recordings
	// cache stores synthesised lines; nil means that of the house.
	cache *caller.Cache
}

// experiments returns the service that places calls, with the crew's people.
func (h *house) experiments(c crew) *experiment.Service {
	cast := &casting{house: h, crew: c}
	line := experiment.Line(operator{h, c.loss})
	if c.line != nil {
		line = c.line(line)
	}
	recordings := experiment.Recordings(h.bucket)
	if c.recordings != nil {
		recordings = c.recordings
	}
	return experiment.New(experiment.Options{
		Store: store.As[experiment.Tx](h.store), Line: line, Recordings: recordings,
		Prepare: cast.prepare, Cast: cast.cast,
		Trunk:     func(string) (experiment.Trunk, error) { return experiment.Trunk{Name: trunkName, From: ourNumber}, nil },
		Preflight: func(context.Context, string, string, []scenario.Item) error { return nil },
		NewID:     store.NewID, Now: time.Now, Random: h.random, Process: "bench", Log: quiet(),
	})
}

func (h *house) random() uint64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.seed += 0x9e3779b97f4a7c15
	return h.seed >> 1
}

// reviews returns the service that reviews calls, using t to transcribe.
func (h *house) reviews(e *experiment.Service, t review.Transcriber) *review.Service {
	return review.New(review.Options{
		Store: store.As[review.Tx](h.store), Recordings: h.bucket, Transcriber: t, Deps: deps(), Now: time.Now, Log: quiet(),
		Settled: func(ctx context.Context, tx review.Tx, c call.Call, _ call.Review, _ call.Reported) error {
			seen, ok := tx.(experiment.Tx)
			if !ok {
				return fmt.Errorf("a transaction of the review is no %T", tx)
			}
			return e.CallSettled(ctx, seen, c)
		},
	})
}

// outcome is what is stored of a call once all is over.
type outcome struct {
	item    scenario.Item
	call    call.Call
	attempt call.Attempt
	review  call.Review
	// said is what the agent really said, according to its own record, which no check sees; late is
	// how late its ears or its mouth were.
	said []string
	late time.Duration
}

// start plans an experiment and returns its calls.
func (h *house) start(ctx context.Context, e *experiment.Service, d scenario.Dataset, to string) ([]call.Call, error) {
	started, err := e.Start(ctx, h.workspace, experiment.StartRequest{AgentID: h.agent.ID, DatasetID: d.ID, To: to})
	if err != nil {
		return nil, err
	}
	var calls []call.Call
	err = h.store.Read(ctx, func(tx *store.Tx) (err error) {
		calls, err = tx.CallsOf(ctx, started.ID)
		return err
	})
	return calls, err
}

// look reads the result of a call.
func (h *house) look(ctx context.Context, callID string) (o outcome, err error) {
	err = h.store.Read(ctx, func(tx *store.Tx) (err error) {
		if o.call, err = tx.CallByID(ctx, "", callID); err != nil {
			return err
		}
		if o.attempt, _, err = tx.LastAttempt(ctx, callID); err != nil {
			return err
		}
		if o.item, err = tx.ItemOf(ctx, callID); err != nil {
			return err
		}
		o.review, _, err = tx.ReviewOf(ctx, callID)
		return err
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	o.said, o.late = h.said[callID], h.late[callID]
	return o, err
}

// one places a call, has it reviewed and returns the result.
func (h *house) one(ctx context.Context, e *experiment.Service, r *review.Service, callID string) (outcome, error) {
	if err := e.Place(ctx, callID); err != nil {
		return outcome{}, fmt.Errorf("place the call: %w", err)
	}
	if err := reviewed(ctx, r, callID); err != nil {
		return outcome{}, err
	}
	return h.look(ctx, callID)
}

// reviewed reviews a call as the queue would: failures are retried.
func reviewed(ctx context.Context, r *review.Service, callID string) error {
	for n := 1; ; n++ {
		err := r.Review(ctx, callID)
		if err == nil || n == tries {
			return err
		}
	}
}
