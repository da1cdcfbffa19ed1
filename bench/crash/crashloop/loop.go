// Package crashloop kills the service with SIGKILL, again and again, and then looks for everything
// that it had acknowledged. Command bench/crash runs it for as long as desired, package stories for
// a few kills; both pass in the binary and a way to create a database.
//
// One epoch is a new data folder: the service is started and killed until it has migrated, then
// killed in every phase of its work while writers create agents, datasets and experiments, and
// practice agents, which are never killed, answer the calls. Then everything gets time to settle
// and is audited, through the API (audit.go) and in the tables and files themselves (tables.go,
// files.go). What was acknowledged is kept in the journal (journal.go).
package crashloop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// Options say what to kill, and how often.
type Options struct {
	// Binary is the path of ringtrue.
	Binary string
	// Kills is how often the service is killed, Epoch how often before everything is settled and
	// audited (default 50).
	Kills, Epoch int
	Seed         uint64
	// Database creates an empty PostgreSQL database and returns its address; nil makes the service
	// use SQLite.
	Database func(ctx context.Context) (string, error)
	// Folder holds the epochs. That of an epoch without findings is removed; the first with
	// findings is kept and ends the loop.
	Folder string
	// Progress gets a line for everything that happens, if it is not nil.
	Progress io.Writer
}

// Figures are the results of a loop.
type Figures struct {
	// Kills are those by SIGKILL; Stops are graceful stops that finished before the kill.
	Kills, Stops int
	Phases       map[string]int
	// Acknowledged are the writes that were answered with 2xx, Lost those of them that were missing
	// afterwards, and Doubled things that existed twice.
	Acknowledged, Lost, Doubled int
	// Orphans are files that nothing refers to.
	Orphans int
	// Experiments, Calls, Attempts and Interrupted count what was audited, Heard the calls that the
	// agent answered, and Recordings those that match.
	Experiments, Calls, Attempts, Interrupted, Heard, Recordings int
	// Reruns are the experiments that repeat another one, Canceled those that were cancelled.
	Reruns, Canceled int
	// Retried are requests with an Idempotency-Key whose first answer was lost.
	Retried int
	// Codes are the calls by their end code.
	Codes map[string]int
	// Starts are how long each start took until the service was ready.
	Starts []time.Duration
	// Findings describe the violations; none is the goal.
	Findings []string
	// Evidence is the folder of the epoch with findings.
	Evidence string
}

// defaultEpoch bounds the disk space that a long loop needs.
const defaultEpoch = 50

// Run kills as often as requested. It returns an error if the loop itself does not work; what it
// finds wrong with the service is in Findings.
func Run(ctx context.Context, o Options) (Figures, error) {
	if o.Epoch <= 0 {
		o.Epoch = defaultEpoch
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	f := Figures{Phases: map[string]int{}, Codes: map[string]int{}}
	for n := 1; f.Kills < o.Kills && len(f.Findings) == 0; n++ {
		folder := filepath.Join(o.Folder, fmt.Sprintf("epoch-%d", n))
		random := rand.New(rand.NewPCG(o.Seed, uint64(n)))
		if err := epoch(ctx, o, &f, folder, random); err != nil {
			f.Evidence = folder
			return f, err
		}
		if len(f.Findings) > 0 {
			f.Evidence = folder
			break
		}
		if err := os.RemoveAll(folder); err != nil {
			return f, err
		}
	}
	return f, nil
}

// epoch is one data folder from its first start to its audit.
func epoch(ctx context.Context, o Options, f *Figures, folder string, random *rand.Rand) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := newWorld(ctx, o, f, folder, random)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.close()) }()
	kills := min(o.Epoch, o.Kills-f.Kills)
	if err := w.migrate(ctx, max(1, kills/10)); err != nil {
		return err
	}
	if err := w.prepare(ctx); err != nil {
		return err
	}
	writers := w.write(ctx)
	go w.sink.handOn(ctx)
	last := f.Kills + max(1, kills-max(1, kills/10))
	for f.Kills < last && err == nil {
		err = w.killOnce(ctx)
	}
	if err != nil {
		cancel() // the writers may be waiting for a service that does not start
	}
	w.retire()
	writers.Wait()
	if err != nil {
		return err
	}
	w.say("%d kills; waiting for everything to settle", f.Kills)
	if err := w.settle(ctx); err != nil {
		return err
	}
	return w.audit(ctx)
}
