package crashloop

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// checkTables looks for contradictions in the database.
func (w *world) checkTables(t *tables) {
	w.figures.Experiments += len(t.experiments)
	w.checkDoubles(t)
	byExperiment := map[string][]callRow{}
	heard := w.sink.calls()
	for _, c := range t.calls {
		if c.experiment == "" {
			continue
		}
		byExperiment[c.experiment] = append(byExperiment[c.experiment], c)
		w.checkCall(t, c)
		w.checkAttempts(c, t.attempts[c.id], heard[c.id])
	}
	for _, e := range t.experiments {
		w.checkExperiment(e, byExperiment[e.id])
	}
	for job, n := range t.jobs {
		if !strings.HasSuffix(job, " completed") {
			w.finding("%d jobs are left over: %s", n, job)
		}
	}
	for id := range heard {
		w.figures.Heard += heard[id]
		if !slices.ContainsFunc(t.calls, func(c callRow) bool { return c.id == id }) {
			w.finding("the agent took a call %q that is not there", id)
		}
	}
	w.checkEvents(t)
	for _, wrong := range t.items.wrong() {
		w.finding("%s", wrong)
	}
}

// checkDoubles looks for things that were created twice.
func (w *world) checkDoubles(t *tables) {
	numbers, reruns := map[string]int{}, map[string]int{}
	for _, e := range t.experiments {
		if e.rerunOf != "" {
			reruns[e.rerunOf]++
		} else {
			numbers[e.to]++
		}
	}
	w.checkReruns(reruns)
	for _, e := range w.journal.all() {
		n := 1
		switch e.kind {
		case kindAgent, kindDataset, kindShelf:
			n = t.names[e.marker]
		case kindExperiment:
			n = numbers[e.marker]
		case kindLog:
			n = t.logs[e.marker]
		}
		if n > 1 {
			w.figures.Doubled += n - 1
			w.finding("%s %s is there %d times", e.kind, e.marker, n)
		}
		if n == 0 && e.acknowledged {
			w.lost(e, "it is not in the database")
		}
	}
}

// checkReruns compares how often each experiment was rerun with how often that was requested; a
// request whose answer was lost may or may not have arrived.
func (w *world) checkReruns(there map[string]int) {
	asked, acknowledged := map[string]int{}, map[string]int{}
	for _, e := range w.journal.of(kindRerun, false) {
		asked[e.subject]++
		if e.acknowledged {
			acknowledged[e.subject]++
		}
	}
	for id, n := range there {
		w.figures.Reruns += n
		if n > asked[id] {
			w.figures.Doubled += n - asked[id]
			w.finding("experiment %s was repeated %d times; that was asked for %d times", id, n, asked[id])
		}
	}
	for id, n := range acknowledged {
		if there[id] < n {
			w.figures.Lost += n - there[id]
			w.finding("%d reruns of experiment %s were acknowledged and %d are there", n, id, there[id])
		}
	}
}

// checkExperiment checks that an experiment has each item and repetition exactly once.
func (w *world) checkExperiment(e experimentRow, calls []callRow) {
	if e.status != "FINISHED" && e.status != "CANCELED" {
		w.finding("experiment %s is %s", e.id, e.status)
	}
	places := map[string]int{}
	for _, c := range calls {
		places[fmt.Sprintf("%s %d", c.item, c.repetition)]++
	}
	for place, n := range places {
		if n > 1 {
			w.figures.Doubled += n - 1
			w.finding("experiment %s has %d calls of item and repetition %s", e.id, n, place)
		}
	}
	if len(calls) == 0 {
		w.finding("experiment %s has no calls", e.id)
	}
}

func (w *world) checkCall(t *tables, c callRow) {
	w.figures.Calls++
	w.figures.Codes[strings.TrimSpace(c.status+" "+c.code)]++
	switch {
	case c.status == "CANCELED":
		if c.scoring != "SKIPPED" {
			w.finding("call %s is canceled and its scoring is %s", c.id, c.scoring)
		}
	case c.status != "ENDED" && c.status != "FAILED":
		w.finding("call %s is %s", c.id, c.status)
	case c.scoring != "SCORED" || !t.reviewed[c.id]:
		w.finding("call %s is %s and has a review: %v", c.id, c.scoring, t.reviewed[c.id])
	case c.code == "ringtrue_error" || c.code == "":
		w.finding("call %s ended with the code %q (%s)", c.id, c.code, c.detail)
	}
	last := attemptRow{}
	if of := t.attempts[c.id]; len(of) > 0 {
		last = of[len(of)-1]
	}
	if last.answered > 0 && last.code != "interrupted" && c.recording == nil {
		w.finding("call %s was answered and ended as %s, and has no recording", c.id, last.code)
	}
}

// slack is allowed when the moment of a kill is compared with times recorded by the service.
const slack = 10 * time.Millisecond

// checkAttempts examines the attempts of a call. heard is how often the agent answered it.
func (w *world) checkAttempts(c callRow, of []attemptRow, heard int) {
	w.figures.Attempts += len(of)
	if len(of) > 2 || (len(of) == 0 && c.status != "CANCELED") {
		w.finding("call %s (%s) has %d attempts", c.id, c.status, len(of))
	}
	finished := 0
	for i, a := range of {
		if a.code == "interrupted" {
			w.figures.Interrupted++
		} else if a.answered > 0 {
			finished++
		}
		if a.number != i+1 || !a.inOrder() || (i > 0 && a.started < of[i-1].end) {
			w.finding("call %s: attempt %d has number %d and the times %d, %d, %d, %d", c.id, i+1, a.number, a.started, a.ringing, a.answered, a.end)
		}
		if i < len(of)-1 && a.code != "interrupted" {
			w.finding("call %s was tried again although attempt %d ended as %q", c.id, a.number, a.code)
		}
		w.checkHonest(c, a)
	}
	if heard > len(of) {
		w.figures.Doubled += heard - len(of)
		w.finding("the agent took call %s %d times in %d attempts", c.id, heard, len(of))
	}
	if heard < finished {
		w.finding("call %s has %d finished attempts and the agent took it %d times", c.id, finished, heard)
	}
}

// inOrder reports whether an attempt has ended and its times are in order; those of events that
// never happened are 0.
func (a attemptRow) inOrder() bool {
	times := slices.DeleteFunc([]int64{a.started, a.ringing, a.answered, a.end}, func(t int64) bool { return t == 0 })
	return a.end != 0 && slices.IsSorted(times)
}

// checkHonest compares an attempt with what happened to its process: one that was cut off must be
// interrupted, one that was completed must not.
func (w *world) checkHonest(c callRow, a attemptRow) {
	i := slices.IndexFunc(w.lives, func(p *process) bool {
		return strings.HasSuffix(a.process, fmt.Sprintf("/%d", p.pid())) && !at(a.started).Before(p.begun.Add(-slack)) &&
			(p.killed.IsZero() || at(a.started).Before(p.died.Add(slack)))
	})
	if i < 0 {
		w.finding("call %s: attempt %d was made by %s, which never ran", c.id, a.number, a.process)
		return
	}
	p := w.lives[i]
	cutOff := !p.killed.IsZero() && at(a.end).After(p.died.Add(slack))
	wanted := !p.told.IsZero() || c.status == "CANCELED"
	switch {
	case cutOff && a.code != "interrupted":
		w.finding("call %s: attempt %d ended as %q at %s, its process was dead at %s", c.id, a.number, a.code, at(a.end), p.died)
	case !cutOff && !wanted && a.code == "interrupted" && (p.killed.IsZero() || at(a.end).Before(p.killed.Add(-slack))):
		w.finding("call %s: attempt %d is interrupted (%s) though its process lived", c.id, a.number, a.detail)
	}
}

// checkEvents examines the progress that watchers were told: it must end with the current state of
// things, and an experiment must not go back.
func (w *world) checkEvents(t *tables) {
	order := map[string]int{"CREATED": 1, "RUNNING": 2, "SCORING": 3, "FINISHED": 4, "CANCELED": 4, "SCORING_FAILED": 4, "FAILED": 4}
	experiments, calls := map[string]string{}, map[string]eventRow{}
	for _, e := range t.events {
		if e.Kind != "experiment" {
			calls[e.Call] = e
			continue
		}
		if order[e.Status] < order[experiments[e.Experiment]] {
			w.finding("experiment %s went back from %s to %s", e.Experiment, experiments[e.Experiment], e.Status)
		}
		experiments[e.Experiment] = e.Status
	}
	for _, e := range t.experiments {
		if experiments[e.id] != e.status {
			w.finding("experiment %s is %s, and %q was the last that was told of it", e.id, e.status, experiments[e.id])
		}
	}
	for _, c := range t.calls {
		if last := calls[c.id]; c.experiment != "" && (last.Status != c.status || last.Scoring != c.scoring) {
			w.finding("call %s is %s, %s, and %s, %s was the last that was told of it", c.id, c.status, c.scoring, last.Status, last.Scoring)
		}
	}
}
