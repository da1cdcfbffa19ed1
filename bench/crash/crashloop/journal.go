package crashloop

import (
	"context"
	"sync"
)

// The kinds of writes.
const (
	kindAgent      = "agent"
	kindRename     = "rename"
	kindDataset    = "dataset"
	kindShelf      = "shelf" // the dataset that imports go to
	kindImport     = "import"
	kindItem       = "item" // one of the shelf
	kindReplace    = "replacement of an item"
	kindDelete     = "deletion of an item"
	kindPrompt     = "prompt"
	kindScorer     = "scorer"
	kindExperiment = "experiment"
	kindRerun      = "rerun"
	kindCancel     = "cancel"
	kindLog        = "call log"
	kindRecord     = "agent's record"
)

// entry is a write that was begun.
type entry struct {
	kind string
	// marker is a word unique to this write, by which its effect is found.
	marker string
	// subject is the id of what is changed, "" if something is created.
	subject string
	// dataset is the dataset of an item that is replaced or deleted.
	dataset string
	// size is the number of items of a dataset or import, of an agent's repetitions, or of an
	// experiment's calls, in which case repetitions is set as well.
	size, repetitions int
	// onlyFailed means that a rerun leaves out the calls that passed.
	onlyFailed bool
	// key means that the write has an Idempotency-Key, repeat that it may be sent again.
	key, repeat bool
	do          func(ctx context.Context) (id string, err error)

	// tried is how often it was sent.
	tried int
	// id is the answer, if acknowledged. begun and answered give the order of these moments over
	// all writes.
	id              string
	acknowledged    bool
	begun, answered int
}

// journal holds every write that was begun, in order of beginning.
type journal struct {
	mu      sync.Mutex
	entries []*entry
	serial  int
	// told gets the kind of each acknowledged write.
	told chan string
}

func newJournal() *journal { return &journal{told: make(chan string, 64)} }

// number returns a number that no other write of this world has.
func (j *journal) number() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.serial++
	return j.serial
}

func (j *journal) begin(e *entry) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.serial++
	e.begun = j.serial
	j.entries = append(j.entries, e)
}

func (j *journal) acknowledge(e *entry, id string) {
	j.mu.Lock()
	j.serial++
	e.id, e.acknowledged, e.answered = id, true, j.serial
	j.mu.Unlock()
	select {
	case j.told <- e.kind:
	default:
	}
}

// of returns the entries of a kind: all, or only those that were acknowledged.
func (j *journal) of(kind string, acknowledged bool) []*entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	var out []*entry
	for _, e := range j.entries {
		if e.kind == kind && (e.acknowledged || !acknowledged) {
			out = append(out, e)
		}
	}
	return out
}

// deletions returns how many deletions of an item were begun.
func (j *journal) deletions(item string) int {
	n := 0
	for _, e := range j.of(kindDelete, false) {
		if e.subject == item {
			n++
		}
	}
	return n
}

func (j *journal) all() []*entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]*entry(nil), j.entries...)
}

// forget discards earlier messages, so that the next one is new.
func (j *journal) forget() {
	for len(j.told) > 0 {
		<-j.told
	}
}
