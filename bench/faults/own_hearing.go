package main

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"

	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/review"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/speech"
)

// lateEars delay what was understood.
type lateEars struct {
	leg.Ears
	held *held
}

// Words implements leg.Ears.
func (e *lateEars) Words(l *leg.Letter[leg.Words]) {
	var box leg.Mailbox[leg.Words]
	e.Ears.Words(box.Expect(0))
	go func() {
		_ = e.held.await(context.Background()) // it ends with the call
		_ = box.Await(context.Background(), 0) // without a deadline there is no error
		words, _, _ := box.Take(0)
		l.Deliver(words)
	}()
}

func hearingFaults() []ownFault {
	return []ownFault{
		{
			name: "ears are missing", explanation: "the caller's recogniser cannot be started", scenario: cancels, reason: "failed",
			crew: func(h *house, _ *rand.Rand) crew {
				return crew{ears: func(ctx context.Context, _ scenario.Item) (leg.Ears, error) {
					return earsOver(ctx, h, func(string) (string, error) { return "", exec.ErrNotFound })
				}}
			},
		},
		{
			name: "ears die", explanation: "the caller's recogniser ends in the middle of the call", scenario: cancels, reason: "recognition",
			crew: func(h *house, _ *rand.Rand) crew {
				return crew{ears: func(ctx context.Context, _ scenario.Item) (leg.Ears, error) {
					return earsOver(ctx, h, h.script("ears-die", "head -c 50000 > /dev/null; exit 1"))
				}}
			},
		},
		{
			name: "ears are late", explanation: "what the caller understood comes seconds too late", scenario: cancels, reason: "speech recognition was",
			crew: func(h *house, r *rand.Rand) crew {
				late := newHeld(r)
				return crew{
					party: late.hurry,
					ears: func(ctx context.Context, item scenario.Item) (leg.Ears, error) {
						ears, err := h.speech.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: h.rate, Hints: item.Words()})
						return &lateEars{Ears: ears, held: late}, err
					},
				}
			},
		},
	}
}

// earsOver returns ears whose program is located with look.
func earsOver(ctx context.Context, h *house, look func(string) (string, error)) (leg.Ears, error) {
	engines, err := speech.New(speech.Options{Dir: h.folder, LookPath: look})
	if err != nil {
		return nil, err
	}
	return engines.NewEars(context.WithoutCancel(ctx), speech.EarsOptions{Rate: h.rate})
}

// script writes a program that replaces any other. Meanwhile no other program is started: a forked
// process would hold the file open for writing for a moment, during which it cannot be executed.
func (h *house) script(name, body string) func(string) (string, error) {
	written := sync.OnceValues(func() (string, error) {
		folder, err := os.MkdirTemp(h.folder, name)
		if err != nil {
			return "", err
		}
		path := filepath.Join(folder, name)
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		return path, os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700)
	})
	return func(string) (string, error) { return written() }
}

// stranger is a recogniser with a name of its own: otherwise a call that sounds like an earlier one
// recognised by the same engine would not be recognised again.
type stranger struct{ review.Transcriber }

// Engine implements review.Transcriber.
func (s stranger) Engine() (string, bool) {
	name, selfTest := s.Transcriber.Engine()
	return name + ", which is out of order", selfTest
}

func recognitionFaults() []ownFault {
	over := func(look func(h *house) func(string) (string, error)) func(*house) (review.Transcriber, error) {
		return func(h *house) (review.Transcriber, error) {
			engines, err := speech.New(speech.Options{Dir: h.folder, LookPath: look(h)})
			if err != nil {
				return nil, err
			}
			return stranger{engines.Transcriber()}, nil
		}
	}
	return []ownFault{
		{
			name: "recogniser is missing", explanation: "the review's recogniser is not installed", scenario: asks, reason: "review",
			hears: over(func(*house) func(string) (string, error) {
				return func(string) (string, error) { return "", exec.ErrNotFound }
			}),
		},
		{
			name: "recogniser fails", explanation: "the review's recogniser ends with an error", scenario: books, reason: "review",
			hears: over(func(h *house) func(string) (string, error) {
				return h.script("recogniser-fails", "echo out of memory >&2; exit 3")
			}),
		},
		{
			name: "recogniser hears nothing", explanation: "the review's recogniser works but understands no word of anybody", scenario: moves, reason: "review",
			hears: over(func(h *house) func(string) (string, error) { return h.script("recogniser-deaf", "exit 0") }),
		},
	}
}

// reviewTwice reviews with the failing recogniser until the call is given up, then once more with
// the working one.
func (h *house) reviewTwice(ctx context.Context, one *spoiltCall, e *experiment.Service, sound *review.Service, id string) error {
	deaf, err := one.fault.hears(h)
	if err != nil {
		return err
	}
	failing := h.reviews(e, deaf)
	for n := range tries {
		err := failing.Review(ctx, id)
		if over := n == tries-1; (err == nil) != over {
			return fmt.Errorf("the try %d of a review that cannot succeed came to something else: %w", n+1, cmp.Or(err, errNotTrue))
		}
	}
	if one.outcome, err = h.look(ctx, id); err != nil {
		return err
	}
	if err := reviewed(ctx, sound, id); err != nil {
		return fmt.Errorf("review the call again: %w", err)
	}
	later, err := h.look(ctx, id)
	one.mended = later.call.Verdict
	return err
}
