package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ringtrue/ringtrue/internal/experiment"
)

// ownFaults returns all of them.
func ownFaults() []ownFault {
	return slices.Concat(speakingFaults(), thinkingFaults(), hearingFaults(), lineFaults(), recordingFaults(), recognitionFaults(), scriptFaults(), stuckFaults())
}

var errDown = errors.New("the engine is down")

// callFor starts an experiment and returns the call that plays the fault's scenario.
func (h *house) callFor(ctx context.Context, e *experiment.Service, f ownFault, to string) (string, error) {
	d, at := h.dataset, slices.Index(everywhere(), f.scenario)
	if f.goal {
		d, at = h.goals, 0
	}
	calls, err := h.start(ctx, e, d, to)
	if err != nil {
		return "", err
	}
	if at < 0 || at >= len(calls) {
		return "", fmt.Errorf("there is no scenario %q", f.scenario)
	}
	return calls[at].ID, nil
}
