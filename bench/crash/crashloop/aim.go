package crashloop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

// The phases of the service's work in which it is killed.
const (
	phaseMigration = "migration"
	phaseStart     = "start-up"
	phaseAnswer    = "after an answer"
	phaseDialling  = "dialling"
	phaseCall      = "in a call"
	phaseHangUp    = "hanging up"
	phaseReview    = "in review"
	phaseShutdown  = "shutting down"
	phaseAny       = "any moment"
)

// migrate starts the service on an empty database and kills it, kills times, before it may finish
// migrating.
func (w *world) migrate(ctx context.Context, kills int) error {
	guess := 600 * time.Millisecond
	for range kills {
		p, err := w.serve()
		if err != nil {
			return err
		}
		pause(ctx, w.within(guess))
		w.count(phaseMigration, p.kill())
	}
	if _, err := w.bringUp(ctx); err != nil {
		return err
	}
	return w.makeKey(ctx)
}

// prepare creates what every writer needs, and lets the writers begin.
func (w *world) prepare(ctx context.Context) error {
	w.watch.follow(ctx, w.api, w.now().ended)
	w.opened()
	w.perform(ctx, &entry{kind: kindShelf, marker: "shelf", do: func(ctx context.Context) (string, error) {
		d, err := w.api.CreateDataset(ctx, client.NewDataset{Name: "shelf"})
		return d.ID, err
	}})
	w.perform(ctx, w.scorerWrite("first-scorer", "do_not_say"))
	w.perform(ctx, w.agentWrite("first-agent", trunk(0), 1, true))
	w.perform(ctx, w.datasetWrite(w.random, "first-dataset"))
	for _, kind := range []string{kindShelf, kindAgent, kindDataset} {
		if len(w.journal.of(kind, true)) == 0 {
			return fmt.Errorf("the first %s could not be made: %v", kind, w.figures.Findings)
		}
	}
	return nil
}

// now returns the running process.
func (w *world) now() *process { return w.lives[len(w.lives)-1] }

// within returns a random time between 0 and d.
func (w *world) within(d time.Duration) time.Duration {
	return time.Duration(w.random.Float64() * float64(d))
}

func (w *world) count(phase string, killed bool) {
	if !killed {
		return
	}
	w.figures.Kills++
	w.figures.Phases[phase]++
	if w.figures.Kills%10 == 0 {
		w.say("%d kills, %d writes acknowledged, %d experiments at work",
			w.figures.Kills, len(w.journal.all()), len(w.watch.atWork()))
	}
}

// killOnce kills the service at a moment of a randomly chosen phase and starts it again.
func (w *world) killOnce(ctx context.Context) error {
	phase := w.aim(ctx)
	w.shut()
	p := w.now()
	var killed bool
	switch {
	case p.over():
		return fmt.Errorf("the service ended by itself: see %s", filepath.Join(w.folder, "serve.log"))
	case phase == phaseShutdown:
		killed = w.killStopping(ctx, p)
	default:
		killed = p.kill()
	}
	w.count(phase, killed)
	if phase == phaseStart {
		if err := w.killStarting(ctx); err != nil {
			return err
		}
	}
	_, err := w.bringUp(ctx)
	return err
}

func (w *world) killStarting(ctx context.Context) error {
	p, err := w.serve()
	if err != nil {
		return err
	}
	pause(ctx, w.within(w.usual*5/4))
	w.count(phaseStart, p.kill())
	return nil
}

// killStopping asks the service to stop and kills it while it does.
func (w *world) killStopping(ctx context.Context, p *process) bool {
	told := make(chan error, 1)
	go func() { told <- p.stop(w.within(2500 * time.Millisecond)) }()
	select {
	case <-told:
	case <-ctx.Done():
		return false
	}
	if p.killed.IsZero() {
		w.figures.Stops++
		return false
	}
	return true
}

// aim waits for the moment of a kill and returns its phase.
func (w *world) aim(ctx context.Context) string {
	isCall := func(status string) func(client.Event) bool {
		return func(e client.Event) bool { return e.Kind == "call" && e.Status == status }
	}
	const patience = 4 * time.Second
	switch x := w.random.IntN(100); {
	case x < 15:
		w.awaitAnswer(ctx, patience, "")
		pause(ctx, w.within(4*time.Millisecond))
		return phaseAnswer
	case x < 25:
		w.awaitAnswer(ctx, patience, kindExperiment)
		pause(ctx, 10*time.Millisecond+w.within(500*time.Millisecond))
		return phaseDialling
	case x < 40:
		w.watch.wait(ctx, patience, isCall("IN_PROGRESS"))
		pause(ctx, w.within(1500*time.Millisecond))
		return phaseCall
	case x < 55:
		w.awaitHangUp(ctx, patience)
		return phaseHangUp
	case x < 68:
		w.watch.wait(ctx, patience, func(e client.Event) bool { return e.ScoringStatus == "SCORING" })
		pause(ctx, w.within(2*time.Second))
		return phaseReview
	case x < 76:
		pause(ctx, w.within(time.Second))
		return phaseStart
	case x < 84:
		pause(ctx, w.within(2*time.Second))
		return phaseShutdown
	default:
		pause(ctx, 200*time.Millisecond+w.within(6*time.Second))
		return phaseAny
	}
}

// awaitAnswer waits until a write of the given kind, or of any, is acknowledged.
func (w *world) awaitAnswer(ctx context.Context, patience time.Duration, kind string) {
	w.journal.forget()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case told := <-w.journal.told:
			if kind == "" || told == kind {
				return
			}
		case <-timer.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// awaitHangUp waits until the folder of a recording appears, which is when its first byte is about
// to be written, and a few milliseconds more: the file is written, synced and renamed, then the
// attempt is stored.
func (w *world) awaitHangUp(ctx context.Context, patience time.Duration) {
	e, ok := w.watch.wait(ctx, patience, func(e client.Event) bool { return e.Kind == "call" && e.Status == "IN_PROGRESS" })
	if !ok {
		return
	}
	for until := time.Now().Add(patience); time.Now().Before(until); pause(ctx, 300*time.Microsecond) {
		found, err := filepath.Glob(filepath.Join(w.data, "recordings", "*", e.CallID))
		if err == nil && len(found) > 0 {
			break
		}
		if _, err := os.Stat(w.data); err != nil || ctx.Err() != nil {
			return
		}
	}
	pause(ctx, w.within(15*time.Millisecond))
}
