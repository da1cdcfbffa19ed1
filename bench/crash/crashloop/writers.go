package crashloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

const (
	writerCount = 3
	// mostOpen bounds the experiments in progress.
	mostOpen = 4
	// mostTries bounds how often a write is sent that the service rejects for the time being.
	mostTries = 600
	// answerPatience is how long an answer is waited for.
	answerPatience = 15 * time.Second
)

// write starts the writers, which work until the world retires them.
func (w *world) write(ctx context.Context) *sync.WaitGroup {
	var all sync.WaitGroup
	for i := range uint64(writerCount) {
		random := rand.New(rand.NewPCG(w.o.Seed+i, w.random.Uint64()))
		all.Go(func() {
			for !w.isRetired() && w.open(ctx) {
				if e := w.draw(random); e != nil {
					w.perform(ctx, e)
				}
				pause(ctx, time.Duration(20+random.IntN(150))*time.Millisecond)
			}
		})
	}
	return &all
}

// perform sends a write until it is answered, or once if it must not be sent twice. A refusal is a
// finding, because every write is valid.
func (w *world) perform(ctx context.Context, e *entry) {
	w.journal.begin(e)
	for w.open(ctx) && e.tried < mostTries {
		e.tried++
		one, cancel := context.WithTimeout(ctx, answerPatience)
		id, err := e.do(one)
		cancel()
		if err == nil {
			w.journal.acknowledge(e, id)
			return
		}
		var refused *client.Error
		if errors.As(err, &refused) && refused.Status != http.StatusServiceUnavailable && refused.Status != http.StatusTooManyRequests {
			if !w.expected(e, refused) {
				w.finding("%s %s was refused at try %d: %v", e.kind, e.marker, e.tried, err)
			}
			return
		}
		if !e.repeat {
			return
		}
		pause(ctx, 25*time.Millisecond)
	}
}

// expected reports whether a refusal is correct: an experiment may end before it is cancelled, an
// item be deleted before it is replaced, and all calls of an experiment may have passed.
func (w *world) expected(e *entry, refused *client.Error) bool {
	switch e.kind {
	case kindRerun:
		return e.onlyFailed && refused.Status == http.StatusConflict
	case kindCancel:
		return refused.Status == http.StatusConflict
	case kindReplace:
		return refused.Status == http.StatusNotFound && w.journal.deletions(e.subject) > 0
	}
	return false
}

// draw chooses the next write; nil if it makes no sense now.
func (w *world) draw(random *rand.Rand) *entry {
	n := w.journal.number()
	marker := fmt.Sprintf("w%06d", n)
	agents, datasets := w.journal.of(kindAgent, true), w.journal.of(kindDataset, true)
	switch x := random.IntN(100); {
	case x < 35 && len(w.watch.atWork()) >= mostOpen:
		return nil
	case x < 26:
		return w.experiment(random, n, agents[random.IntN(len(agents))], datasets[random.IntN(len(datasets))])
	case x < 35:
		return w.rerun(random, marker)
	case x < 36:
		return w.cancel(random, marker)
	case x < 44:
		return w.agentWrite(marker, trunk(random.IntN(agentCount)), 1+random.IntN(2), random.IntN(2) == 0, w.anyScorer(random)...)
	case x < 52:
		return w.datasetWrite(random, marker)
	case x < 72:
		return w.itemsWrite(random, marker)
	case x < 78:
		return w.rename(marker, agents[random.IntN(len(agents))].id)
	case x < 85:
		return w.catalogWrite(marker, random.IntN(3))
	}
	return w.log(marker)
}

// keyed returns the option that sends the marker as Idempotency-Key.
func keyed(e *entry) []client.CallOption {
	if !e.key {
		return nil
	}
	return []client.CallOption{client.IdempotencyKey(e.marker)}
}

// agentWrite creates an agent whose calls are judged by the named scorers.
func (w *world) agentWrite(name, trunk string, repetitions int, key bool, scorers ...string) *entry {
	defaults := client.AgentDefaults{Trunk: &trunk, Repetitions: &repetitions, Scorers: &scorers}
	e := &entry{kind: kindAgent, marker: name, size: repetitions, key: key, repeat: key}
	e.do = func(ctx context.Context) (string, error) {
		a, err := w.api.CreateAgent(ctx, client.NewAgent{Name: name, Defaults: &defaults}, keyed(e)...)
		return a.ID, err
	}
	return e
}

func (w *world) datasetWrite(random *rand.Rand, name string) *entry {
	items := make([]client.Item, 1+random.IntN(2))
	for i := range items {
		items[i] = client.Item{Key: fmt.Sprintf("i%d", i), Input: script(random)}
	}
	e := &entry{kind: kindDataset, marker: name, size: len(items), key: random.IntN(2) == 0}
	e.repeat = e.key
	e.do = func(ctx context.Context) (string, error) {
		d, err := w.api.CreateDataset(ctx, client.NewDataset{Name: name, Items: items}, keyed(e)...)
		return d.ID, err
	}
	return e
}

// script returns a call of half a second to two seconds; one in three speaks.
func script(random *rand.Rand) json.RawMessage {
	steps := []any{map[string]int{"stay_silent_ms": 200 + random.IntN(1100)}}
	if random.IntN(3) == 0 {
		steps = append(steps, map[string]string{"say": fmt.Sprintf("I have %d questions.", 2+random.IntN(50))})
	}
	text, err := json.Marshal(map[string]any{"script": append(steps, "hang_up")})
	if err != nil {
		panic(err) // it consists of texts and numbers
	}
	return text
}

// anyScorer returns one of the existing scorers, or none.
func (w *world) anyScorer(random *rand.Rand) []string {
	scorers := w.journal.of(kindScorer, true)
	if len(scorers) == 0 || random.IntN(3) == 0 {
		return nil
	}
	return []string{scorers[random.IntN(len(scorers))].marker}
}

func (w *world) rename(name, agent string) *entry {
	return &entry{kind: kindRename, marker: name, subject: agent, repeat: true, do: func(ctx context.Context) (string, error) {
		source := "source-" + name
		a, err := w.api.UpdateAgent(ctx, agent, client.AgentChange{SourceID: &source})
		return a.ID, err
	}}
}

// log returns the record of a call in another system.
func (w *world) log(marker string) *entry {
	ended := time.Now().UnixMilli()
	payload := client.CustomPayload{
		CallID: marker, RecordingURL: "http://127.0.0.1/none.wav", FromNumber: "+15550001", ToNumber: "+15550002",
		StartTimestamp: ended - 5000, EndTimestamp: ended, Status: "ended",
		Transcript: &client.Transcript{Kind: client.TranscriptKind, Messages: []client.Message{{Role: "user", Content: marker}}},
	}
	return &entry{kind: kindLog, marker: marker, repeat: true, do: func(ctx context.Context) (string, error) {
		a, err := w.api.SubmitCallLog(ctx, client.CallLog{Provider: "custom", Payload: payload})
		return a.ID, err
	}}
}

// finding records a violation.
func (w *world) finding(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.mu.Lock()
	w.figures.Findings = append(w.figures.Findings, text)
	w.mu.Unlock()
	w.say("FINDING: %s", text)
}
