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
	// longSilence is the time after which a failed request counts as having been met with silence.
	longSilence = 30 * time.Second
	// modelRest is how long a silent model is not asked, and the time limit of the single
	// request that is then sent to it.
	modelRest = time.Minute
)

// restingModel wraps a model for users that can do without an answer and have other work waiting, such as
// reviews. If a request goes unanswered for long, and the model answers no other meanwhile, it is not asked
// for a while, and then with one request at a time until it answers. Other requests fail at once meanwhile.
type restingModel struct {
	model chat.Model
	now   func() time.Time

	mu       sync.Mutex
	answered time.Time // time of the last answer
	silent   bool
	until    time.Time
	asked    bool // a trial request to a silent model is in progress
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
		return chat.Message{}, problem.New(problem.Unavailable, "it did not answer a moment ago and will be asked again later")
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

// mayAsk reports whether a request may be sent, and whether it is the trial request to a silent model.
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

// told records the result of a request.
func (r *restingModel) told(ctx context.Context, began time.Time, trial bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if trial {
		r.asked = false
	}
	now := r.now()
	switch {
	case err != nil && ctx.Err() != nil: // cancelled by its sender
	case err == nil || !wasSilent(err, now.Sub(began)):
		r.answered, r.silent = now, false
	case !r.answered.After(began):
		r.silent, r.until = true, now.Add(modelRest)
	}
}

// wasSilent distinguishes a failure after a long wait from an unusable answer: a rejection or a
// request to slow down is an answer.
func wasSilent(err error, took time.Duration) bool {
	e := problem.As(err)
	return took >= longSilence && (errors.Is(err, context.DeadlineExceeded) || e != nil && e.Code == problem.Unavailable)
}
