package speech

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/problem"
)

const (
	// longSilence is from when on a question that came to nothing has held up who asked it.
	longSilence = 30 * time.Second
	// modelRest is how long a model that is silent is left alone, and how long it
	// has to answer the one question that is then put to it.
	modelRest = time.Minute
)

// restingModel asks another model for those who can do without an answer and have
// others waiting behind them. One that kept a question for long and did not answer it, while
// it answered no other, is left alone, and then asked by one question alone until it answers:
// what is asked meanwhile fails at once.
type restingModel struct {
	model chat.Model
	now   func() time.Time

	mu       sync.Mutex
	answered time.Time // when it last answered anything
	silent   bool
	until    time.Time
	asked    bool // a question is on its way while it is silent
}

func newRestingModel(m chat.Model, now func() time.Time) *restingModel {
	return &restingModel{model: m, now: now}
}

// Name implements chat.Model.
func (r *restingModel) Name() string { return r.model.Name() }

// Complete implements chat.Model.
func (r *restingModel) Complete(ctx context.Context, q chat.Request, onText func(string)) (chat.Message, error) {
	began := r.now()
	trial, ok := r.mayAsk(began)
	if !ok {
		return chat.Message{}, problem.New(problem.Unavailable, "it did not answer a moment ago and is left alone for a while")
	}
	asking := ctx
	if trial {
		var cancel context.CancelFunc
		asking, cancel = context.WithTimeout(ctx, modelRest)
		defer cancel()
	}
	answer, err := r.model.Complete(asking, q, onText)
	r.told(ctx, began, trial, err)
	return answer, err
}

// mayAsk says whether a question may be put, and whether it is the one that is put to a
// model that is silent.
func (r *restingModel) mayAsk(now time.Time) (trial, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.silent {
		return false, true
	}
	if r.asked || now.Before(r.until) {
		return false, false
	}
	r.asked = true
	return true, true
}

// told takes in what became of a question.
func (r *restingModel) told(ctx context.Context, began time.Time, trial bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if trial {
		r.asked = false
	}
	now := r.now()
	switch {
	case err != nil && ctx.Err() != nil: // given up by who asked
	case err == nil || !wasSilent(err, now.Sub(began)):
		r.answered, r.silent = now, false
	case !r.answered.After(began):
		r.silent, r.until = true, now.Add(modelRest)
	}
}

// wasSilent tells a failure after a long wait from an answer that is of no use: one that refuses
// the question, or asks for patience, is an answer.
func wasSilent(err error, took time.Duration) bool {
	e := problem.As(err)
	return took >= longSilence && (errors.Is(err, context.DeadlineExceeded) || e != nil && e.Code == problem.Unavailable)
}
