package crashloop

import (
	"context"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

// watch follows the progress of all experiments, so that a kill can be aimed.
type watch struct {
	mu   sync.Mutex
	last *int64
	// open holds the experiments that are not over and over those that are; calls holds the status
	// of calls that are not over.
	open  map[string]bool
	over  map[string]bool
	calls map[string]string
	// told gets what happens, for whoever aims a kill.
	told chan client.Event
}

func newWatch() *watch {
	zero := int64(0)
	return &watch{last: &zero, open: map[string]bool{}, over: map[string]bool{}, calls: map[string]string{}, told: make(chan client.Event, 256)}
}

// follow reads the service's events until the process ends.
func (w *watch) follow(ctx context.Context, api *client.Client, ended <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		<-ended
		cancel()
	}()
	w.mu.Lock()
	after := *w.last
	w.mu.Unlock()
	go func() {
		for e, err := range api.Events(ctx, client.EventsFrom{After: &after}) {
			if err != nil {
				return
			}
			w.note(e)
		}
	}()
}

func (w *watch) note(e client.Event) {
	w.mu.Lock()
	*w.last = max(*w.last, e.ID)
	over := e.Status == "FINISHED" || e.Status == "FAILED" || e.Status == "SCORING_FAILED" || e.Status == "CANCELED"
	switch {
	case e.Kind == "experiment" && over:
		delete(w.open, e.VoiceExperimentID)
		w.over[e.VoiceExperimentID] = true
	case e.Kind == "experiment":
		w.open[e.VoiceExperimentID] = true
	case e.ScoringStatus == "SCORED" || e.ScoringStatus == "SKIPPED" || e.ScoringStatus == "SCORING_FAILED":
		delete(w.calls, e.CallID)
	default:
		w.calls[e.CallID] = e.Status
	}
	w.mu.Unlock()
	select {
	case w.told <- e:
	default:
	}
}

// atWork returns the experiments that are not over.
func (w *watch) atWork() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make([]string, 0, len(w.open))
	for id := range w.open {
		ids = append(ids, id)
	}
	return ids
}

// isOver reports whether the end of an experiment was announced.
func (w *watch) isOver(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over[id]
}

// wait returns the next matching event, or false if none comes in time.
func (w *watch) wait(ctx context.Context, patience time.Duration, fits func(client.Event) bool) (client.Event, bool) {
	for len(w.told) > 0 { // earlier events are of no use
		<-w.told
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case e := <-w.told:
			if fits(e) {
				return e, true
			}
		case <-timer.C:
			return client.Event{}, false
		case <-ctx.Done():
			return client.Event{}, false
		}
	}
}
