package crashloop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ringtrue/ringtrue/client"
)

const (
	writerCount = 3
	// mostOpen bounds the experiments under way.
	mostOpen = 4
	// mostTries bounds how often a write is sent that the service turns away for now.
	mostTries = 600
)

// write sets the writers to work until the world retires them.
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

// perform sends a write until it is answered, or once when it may not be sent
// twice. What the service refuses is a finding: every write is a good one.
func (w *world) perform(ctx context.Context, e *entry) {
	w.journal.begin(e)
	for w.open(ctx) && e.tried < mostTries {
		e.tried++
		one, cancel := context.WithTimeout(ctx, 15*time.Second)
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

// expected reports whether a refusal is right: an experiment may end before it is canceled.
func (w *world) expected(e *entry, refused *client.Error) bool {
	return e.kind == kindCancel && refused.Status == http.StatusConflict
}

// draw chooses the next write; nil when that one makes no sense now.
func (w *world) draw(random *rand.Rand) *entry {
	n := w.journal.number()
	marker := fmt.Sprintf("w%06d", n)
	agents, datasets := w.journal.of(kindAgent, true), w.journal.of(kindDataset, true)
	switch x := random.IntN(100); {
	case x < 35 && len(w.watch.atWork()) < mostOpen:
		return w.experiment(random, n, agents[random.IntN(len(agents))], datasets[random.IntN(len(datasets))])
	case x < 45:
		return w.agentWrite(marker, trunk(random.IntN(agentCount)), 1+random.IntN(2), random.IntN(2) == 0)
	case x < 55:
		return w.datasetWrite(random, marker)
	case x < 65:
		return w.importWrite(marker, 1+random.IntN(3))
	case x < 72:
		return w.rename(marker, agents[random.IntN(len(agents))].id)
	case x < 73:
		return w.cancel(random, marker)
	case x < 82:
		return w.catalogWrite(marker, random.IntN(3))
	case x < 100:
		return w.log(marker)
	}
	return nil
}

// keyed is the option that carries the marker as Idempotency-Key.
func keyed(e *entry) []client.CallOption {
	if !e.key {
		return nil
	}
	return []client.CallOption{client.IdempotencyKey(e.marker)}
}

func (w *world) agentWrite(name, trunk string, repetitions int, key bool) *entry {
	e := &entry{kind: kindAgent, marker: name, size: repetitions, key: key, repeat: key}
	e.do = func(ctx context.Context) (string, error) {
		a, err := w.api.CreateAgent(ctx, client.NewAgent{Name: name, Defaults: &client.AgentDefaults{Trunk: &trunk, Repetitions: &repetitions}}, keyed(e)...)
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

// script is a call of half a second to two seconds; one in three speaks.
func script(random *rand.Rand) json.RawMessage {
	steps := []any{map[string]int{"stay_silent_ms": 200 + random.IntN(1100)}}
	if random.IntN(3) == 0 {
		steps = append(steps, map[string]string{"say": fmt.Sprintf("I have %d questions.", 2+random.IntN(50))})
	}
	text, err := json.Marshal(map[string]any{"script": append(steps, "hang_up")})
	if err != nil {
		panic(err) // it is made of texts and numbers
	}
	return text
}

// importWrite puts items into the first dataset, which no experiment runs.
func (w *world) importWrite(marker string, n int) *entry {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, `{"key": "%s-%d", "input": {"script": ["hang_up"]}}`+"\n", marker, i)
	}
	e := &entry{kind: kindImport, marker: marker, subject: w.journal.of(kindShelf, true)[0].id, size: n, key: true, repeat: true}
	e.do = func(ctx context.Context) (string, error) {
		in, err := w.api.ImportItems(ctx, e.subject, client.Import{Format: "jsonl", Data: []byte(lines.String())}, keyed(e)...)
		if err == nil && in.Imported != n {
			err = fmt.Errorf("%d items were imported of %d", in.Imported, n)
		}
		return in.Dataset.ID, err
	}
	return e
}

func (w *world) rename(name, agent string) *entry {
	return &entry{kind: kindRename, marker: name, subject: agent, repeat: true, do: func(ctx context.Context) (string, error) {
		source := "source-" + name
		a, err := w.api.UpdateAgent(ctx, agent, client.AgentChange{SourceID: &source})
		return a.ID, err
	}}
}

// experiment dials a number of its own, by which it is found again.
func (w *world) experiment(random *rand.Rand, n int, agent, dataset *entry) *entry {
	e := &entry{
		kind: kindExperiment, marker: fmt.Sprintf("+1555%07d", n), subject: agent.id,
		size: agent.size * dataset.size, key: random.IntN(2) == 0,
	}
	e.repeat = e.key
	e.do = func(ctx context.Context) (string, error) {
		r, err := w.api.Run(ctx, agent.id, client.RunRequest{ToNumber: e.marker, DatasetID: dataset.id}, keyed(e)...)
		return r.VoiceExperimentID, err
	}
	return e
}

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

// log is the record of a call that another system had.
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

// finding notes a violation.
func (w *world) finding(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.mu.Lock()
	w.figures.Findings = append(w.figures.Findings, text)
	w.mu.Unlock()
	w.say("FINDING: %s", text)
}
