package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/practice"
	"github.com/ringtrue/ringtrue/internal/review"
)

// ownFault is one thing that our own side does wrong. It must make the call void, whatever the
// agent does.
type ownFault struct {
	name, explanation string
	// goal makes a language model play the caller; otherwise the scenario with this key is played.
	goal     bool
	scenario string
	// crew returns the people who fail.
	crew func(h *house, r *rand.Rand) crew
	// after spoils what is stored, between call and review.
	after func(h *house, o outcome, r *rand.Rand) error
	// hears is the recogniser that fails; the sound one must be able to repair the call later.
	hears func(h *house) (review.Transcriber, error)
	// whole plays the call in a way of its own.
	whole func(ctx context.Context, h *house, agentFault string, r *rand.Rand) (outcome, error)
	// reason is a part of the sentence that must say why.
	reason string
}

// bearable returns the faults that an agent may have at the same time: it is wrong, but keeps
// talking so that ours can happen.
func bearable() []string {
	return []string{"late=1500ms", "promise", "wrong_price", "skip_tool", "wrong_argument", "noise=18dB", "hurry=30%", "greet_late", "repeat_itself"}
}

// spoiltCall is one call that we spoilt.
type spoiltCall struct {
	fault ownFault
	agent string // its fault, "" if it has none
	seed  int
	outcome
	// mended is the verdict after the recogniser works again, "" if none failed.
	mended call.Verdict
}

func (s *spoiltCall) void() bool {
	return s.call.Verdict == call.Void && strings.Contains(s.call.VerdictReason, s.fault.reason) && len(failedIn(s.review.Scores)) == 0 &&
		(s.fault.hears == nil || s.call.ScoringStatus == call.ScoringFailed && s.mended != "" && s.mended != call.Void)
}

func failedIn(scores []call.Score) []call.Score {
	return slices.DeleteFunc(slices.Clone(scores), func(s call.Score) bool { return s.Verdict != call.NotPassed })
}

// own plays every fault of ours, with a sound agent and with a faulty one.
func (h *house) own(ctx context.Context, p plan, seeds int, book *notebook) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(p.workers)
	for i, f := range ownFaults() {
		if !p.wants(i, f.name) {
			continue
		}
		for s := range seeds {
			for _, faulty := range []bool{false, true} {
				if p.third && faulty != (i%4 < 2) || book.has(p.ownKey(f.name, s, faulty)) {
					continue
				}
				g.Go(func() error {
					r := rand.New(rand.NewPCG(p.seed, uint64(i)<<16|uint64(s)<<1|1))
					one := spoiltCall{fault: f, seed: s}
					if faulty {
						one.agent = bearable()[r.IntN(len(bearable()))]
					}
					if err := h.spoil(ctx, &one, r); err != nil {
						return fmt.Errorf("%s: %w", f.name, err)
					}
					if p.trace {
						one.trace()
					}
					return book.add(p.noteOfSpoilt(&one, faulty))
				})
			}
		}
	}
	return g.Wait()
}

// spoil plays one call with one of our faults.
func (h *house) spoil(ctx context.Context, one *spoiltCall, r *rand.Rand) (err error) {
	f := one.fault
	if f.whole != nil {
		one.outcome, err = f.whole(ctx, h, one.agent, r)
		return err
	}
	to, err := h.hireWith(ctx, one.agent, voices()[one.seed%len(voices())], r.Uint64())
	if err != nil {
		return err
	}
	var c crew
	if f.crew != nil {
		c = f.crew(h, r)
	}
	e := h.experiments(c)
	id, err := h.callFor(ctx, e, f, to)
	if err != nil {
		return err
	}
	if err := e.Place(ctx, id); err != nil {
		return fmt.Errorf("place the call: %w", err)
	}
	if one.outcome, err = h.look(ctx, id); err != nil {
		return err
	}
	if f.after != nil {
		if err := f.after(h, one.outcome, r); err != nil {
			return err
		}
	}
	sound := h.reviews(e, h.speech.Transcriber())
	if f.hears == nil {
		if err := reviewed(ctx, sound, id); err != nil {
			return err
		}
		one.outcome, err = h.look(ctx, id)
		return err
	}
	return h.reviewTwice(ctx, one, e, sound, id)
}

// hireWith opens a desk with one fault, "" for none.
func (h *house) hireWith(ctx context.Context, fault, voice string, seed uint64) (string, error) {
	o := agentOptions{voice: voice, seed: seed}
	if fault != "" {
		var err error
		if o.faults, err = practice.ParseFaults([]string{fault}); err != nil {
			return "", err
		}
	}
	return h.hire(ctx, o)
}

func (s *spoiltCall) trace() {
	fmt.Printf("%-28s %-16s %v %s/%s: %s (end %s, blame %s) mended %s\n", s.fault.name, orElse(s.agent, "sound"), s.void(), s.call.ScoringStatus, s.call.Verdict,
		s.call.VerdictReason, s.call.EndReason.Code, s.call.EndReason.Blame, s.mended)
	for _, sc := range failedIn(s.review.Scores) {
		fmt.Printf("    ! %s: %s\n", sc.Name, sc.Reason)
	}
}

// tries is how often a review is attempted before it is given up.
const tries = 4
