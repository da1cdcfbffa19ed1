package crashloop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// settle waits until nothing is in progress any more, neither in the running service nor at the
// agents: a call whose caller died lasts for another half minute there, and then its record comes.
// Nobody calls any more, so the agents are asked to stop, which ends those calls.
func (w *world) settle(ctx context.Context) error {
	if err := w.settleService(ctx); err != nil {
		return err
	}
	for _, agent := range w.agents {
		if err := agent.stop(stopPatience); err != nil {
			return err
		}
	}
	return w.settleService(ctx)
}

// settleService waits until the service has nothing to do, for as long as it makes progress.
func (w *world) settleService(ctx context.Context) error {
	engine, err := w.openTables(ctx)
	if err != nil {
		return err
	}
	left, done, begun := "", -1, time.Now()
	told, last := begun, begun
	for ctx.Err() == nil && time.Since(last) < settlePatience && time.Since(begun) < settleLongest {
		if left, err = w.unsettled(ctx, engine); err != nil || left == "" {
			break
		}
		var n int
		if n, err = w.jobsDone(ctx, engine); err != nil {
			break
		}
		if n > done {
			done, last = n, time.Now()
		}
		if time.Since(told) > 20*time.Second {
			told = time.Now()
			w.say("left: %s", left)
		}
		pause(ctx, 300*time.Millisecond)
	}
	if err = errors.Join(err, engine.Close()); err != nil && ctx.Err() == nil {
		return fmt.Errorf("look whether everything is settled: %w", err)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if left != "" {
		w.finding("there is still something to do after %s, and for %s nothing of it was done: %s",
			time.Since(begun).Round(time.Second), time.Since(last).Round(time.Second), left)
	}
	return nil
}

// audit looks for everything: through the API and then, after one more start and a graceful stop of
// the service, in its tables and files.
func (w *world) audit(ctx context.Context) error {
	w.repeatKeys(ctx)
	w.askForAll(ctx)
	w.figures.Acknowledged += w.acknowledged()
	w.shut()
	if err := w.now().stop(stopPatience); err != nil {
		w.finding("%v", err)
	}
	if _, err := w.bringUp(ctx); err != nil {
		return err
	}
	pause(ctx, tidyTime)
	if err := w.now().stop(stopPatience); err != nil {
		w.finding("%v", err)
	}
	tables, err := w.readTables(ctx)
	if err != nil {
		return err
	}
	w.checkTables(tables)
	return errors.Join(w.checkFiles(tables), w.checkLogs())
}

// tidyTime is the time that the service gets after its start to clean up after a killed one.
const tidyTime = 2 * time.Second

func (w *world) acknowledged() int {
	n := 0
	for _, e := range w.journal.all() {
		if e.acknowledged {
			n++
		}
		if e.key && e.tried > 1 {
			w.figures.Retried++
		}
	}
	return n
}

// repeatKeys sends every keyed write once more: nothing must be created, and the answer must be the
// first one's.
func (w *world) repeatKeys(ctx context.Context) {
	for _, e := range w.journal.all() {
		if !e.key || !e.acknowledged {
			continue
		}
		id, err := e.do(ctx)
		if err != nil || id != e.id {
			w.finding("%s %s was %s; repeated with its Idempotency-Key it is %q, %v", e.kind, e.marker, e.id, id, err)
			w.figures.Doubled++
		}
	}
}

// lost records that an acknowledged write is missing.
func (w *world) lost(e *entry, format string, args ...any) {
	w.figures.Lost++
	w.finding("%s %s (%s) was acknowledged: %s", e.kind, e.marker, e.id, fmt.Sprintf(format, args...))
}

// askForAll asks the service for everything that it has acknowledged.
func (w *world) askForAll(ctx context.Context) {
	for _, e := range w.journal.all() {
		if e.acknowledged {
			w.ask(ctx, e)
		}
	}
	w.askForShelf(ctx)
	for _, agent := range w.journal.of(kindAgent, true) {
		w.askForSource(ctx, agent)
	}
}

func (w *world) ask(ctx context.Context, e *entry) {
	switch e.kind {
	case kindDataset:
		d, err := w.api.Dataset(ctx, e.id)
		if err != nil || d.Name != e.marker || d.ItemCount != e.size {
			w.lost(e, "%+v, %v", d, err)
		}
	case kindItem:
		w.askForItem(ctx, e)
	case kindPrompt, kindScorer:
		w.askForVersion(ctx, e)
	case kindLog:
		w.askForLog(ctx, e)
	case kindRecord:
		if e.id != e.marker {
			w.lost(e, "it joined %s", e.id)
		}
	case kindReplace:
		w.askForReplaced(ctx, e)
	case kindExperiment, kindRerun:
		w.askForExperiment(ctx, e)
	case kindCancel:
		w.askForCanceled(ctx, e)
	}
}

func (w *world) askForLog(ctx context.Context, e *entry) {
	c, err := w.api.Call(ctx, e.id)
	if err != nil || word(c.ExternalID) != e.marker {
		w.lost(e, "%v, %v", word(c.ExternalID), err)
	}
}

// askForSource looks for the last source id that an agent was given. Overlapping writes may have
// been applied in any order.
func (w *world) askForSource(ctx context.Context, agent *entry) {
	a, err := w.api.Agent(ctx, agent.id)
	if err != nil || a.Name != agent.marker {
		w.lost(agent, "%+v, %v", a, err)
		return
	}
	var of []*entry
	for _, e := range w.journal.of(kindRename, false) {
		if e.subject == agent.id {
			of = append(of, e)
		}
	}
	may := lastOf(of)
	if len(may) > 0 && !slices.ContainsFunc(may, func(e *entry) bool { return a.SourceID != nil && *a.SourceID == "source-"+e.marker }) {
		w.lost(may[len(may)-1], "the agent's source id is %s", word(a.SourceID))
	}
}

// lastOf returns the writes to one thing that may have been the last.
func lastOf(all []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(all), func(e *entry) bool { return replaced(e, all) })
}

// replaced reports whether another write to the same thing began after this one was answered, and
// was answered.
func replaced(e *entry, all []*entry) bool {
	return e.acknowledged && slices.ContainsFunc(all, func(other *entry) bool { return other.acknowledged && other.begun > e.answered })
}

func word(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}
