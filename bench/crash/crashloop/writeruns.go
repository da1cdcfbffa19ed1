package crashloop

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ringtrue/ringtrue/client"
)

// experiment dials a number of its own, by which it is found again.
func (w *world) experiment(random *rand.Rand, n int, agent, dataset *entry) *entry {
	e := &entry{
		kind: kindExperiment, marker: fmt.Sprintf("+1555%07d", n), subject: agent.id,
		size: agent.size * dataset.size, repetitions: agent.size, key: random.IntN(2) == 0,
	}
	e.repeat = e.key
	e.do = func(ctx context.Context) (string, error) {
		r, err := w.api.Run(ctx, agent.id, client.RunRequest{ToNumber: e.marker, DatasetID: dataset.id}, keyed(e)...)
		return r.VoiceExperimentID, err
	}
	return e
}

// rerun repeats an experiment that is over, or those of its calls that did not pass; nil if there
// is none.
func (w *world) rerun(random *rand.Rand, marker string) *entry {
	var over []*entry
	for _, e := range w.journal.of(kindExperiment, true) {
		if w.watch.isOver(e.id) {
			over = append(over, e)
		}
	}
	if len(over) == 0 {
		return nil
	}
	old := over[random.IntN(len(over))]
	e := &entry{
		kind: kindRerun, marker: marker, subject: old.id, size: old.size, repetitions: old.repetitions,
		onlyFailed: random.IntN(2) == 0, key: random.IntN(2) == 0,
	}
	e.repeat = e.key
	e.do = func(ctx context.Context) (string, error) {
		x, err := w.api.Rerun(ctx, old.id, e.onlyFailed, keyed(e)...)
		return x.ID, err
	}
	return e
}

// cancel ends one of the experiments in progress; nil if there is none.
func (w *world) cancel(random *rand.Rand, marker string) *entry {
	open := w.watch.atWork()
	if len(open) == 0 {
		return nil
	}
	id := open[random.IntN(len(open))]
	return &entry{kind: kindCancel, marker: marker, subject: id, repeat: true, do: func(ctx context.Context) (string, error) {
		e, err := w.api.Cancel(ctx, id)
		return e.ID, err
	}}
}

// askForExperiment looks for an experiment that was started or repeated.
func (w *world) askForExperiment(ctx context.Context, e *entry) {
	x, err := w.api.Experiment(ctx, e.id)
	size := e.size
	if err == nil && e.onlyFailed {
		size, err = w.notPassed(ctx, e, x.Counts.Calls)
	}
	right := x.ToNumber == e.marker
	if e.kind == kindRerun {
		right = word(x.RerunOf) == e.subject
	}
	if err != nil || !right || x.Counts.Calls != size {
		w.lost(e, "%+v of %d calls, %v", x, size, err)
		return
	}
	if x.Status != "FINISHED" && x.Status != "CANCELED" {
		w.finding("experiment %s ended as %s (%s)", x.ID, x.Status, x.Reason)
	}
	calls, err := w.api.RunCalls(ctx, e.id)
	if err != nil || len(calls) != size {
		w.lost(e, "%d calls of %d, %v", len(calls), size, err)
	}
}

// notPassed returns how many calls a rerun of those that did not pass must have. In a cancelled
// experiment, some calls may have passed only after the rerun; then the actual number must lie in
// between.
func (w *world) notPassed(ctx context.Context, e *entry, there int) (int, error) {
	old, err := w.api.Experiment(ctx, e.subject)
	if err != nil {
		return 0, err
	}
	calls, err := w.api.RunCalls(ctx, e.subject)
	items := map[string]bool{}
	for _, c := range calls {
		if word(c.Verdict) != "passed" {
			items[word(c.DatasetItemID)] = true
		}
	}
	n := len(items) * e.repetitions
	if old.Status == "CANCELED" {
		n = max(n, min(there, e.size))
	}
	return n, err
}

// askForCanceled checks that what was cancelled stayed so.
func (w *world) askForCanceled(ctx context.Context, e *entry) {
	x, err := w.api.Experiment(ctx, e.subject)
	if err != nil || x.Status != "CANCELED" {
		w.lost(e, "the experiment is %s, %v", x.Status, err)
		return
	}
	w.figures.Canceled++
}
