package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/client"
)

// progress tells a person how the calls of an experiment are getting on, a
// line per step, so that it reads the same in a terminal and in a CI log.
type progress struct {
	out   io.Writer
	begun time.Time
	now   func() time.Time

	mu    sync.Mutex
	names map[string]string // call id to the name of its item
	seen  map[string]string // call id to what was last told of it
	wide  int               // how wide the names are
}

// widestName is the width that one long name cannot push the others beyond.
const widestName = 48

func newProgress(out io.Writer, now func() time.Time) *progress {
	return &progress{out: out, begun: now(), now: now, names: map[string]string{}, seen: map[string]string{}}
}

// follow tells the experiment's events until it is over, and returns it.
func (p *progress) follow(ctx context.Context, c *client.Client, id string) (client.Experiment, error) {
	if err := p.learnNames(ctx, c, id); err != nil {
		return client.Experiment{}, err
	}
	watching, stop := context.WithCancel(ctx)
	var told sync.WaitGroup
	told.Go(func() {
		from := int64(0)
		for e, err := range c.Events(watching, client.EventsFrom{VoiceExperimentID: id, After: &from}) {
			if err != nil {
				return // progress is a comfort; the result comes by polling
			}
			p.tell(e)
		}
	})
	e, err := c.WaitFinished(ctx, id, nil)
	p.drain(ctx)
	stop()
	told.Wait()
	return e, err
}

// drain gives the last events a moment to arrive before the result is printed.
func (p *progress) drain(ctx context.Context) {
	t := time.NewTimer(400 * time.Millisecond)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

func (p *progress) learnNames(ctx context.Context, c *client.Client, id string) error {
	r, err := c.Report(ctx, id)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, call := range r.Calls {
		p.names[call.Call.ID] = itemName(call)
		p.wide = min(max(p.wide, utf8.RuneCountInString(itemName(call))), widestName)
	}
	return nil
}

func (p *progress) tell(e client.Event) {
	if e.Kind != "call" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	word := wordFor(e)
	if word == "" || p.seen[e.CallID] == word {
		return
	}
	p.seen[e.CallID] = word
	passed := p.now().Sub(p.begun).Round(time.Second)
	fmt.Fprintf(p.out, "%6s  %-*s  %s\n", passed, p.wide, p.names[e.CallID], word)
}

// wordFor is the state of a call in a word a person would use.
func wordFor(e client.Event) string {
	switch {
	case e.ScoringStatus == "SCORED" || e.ScoringStatus == "SCORING_FAILED":
		if e.Verdict == "" {
			return "could not be reviewed"
		}
		return "reviewed: " + e.Verdict
	case e.Status == "QUEUED" && e.Detail != "":
		return e.Detail
	case e.Status == "DIALING":
		return "dialing"
	case e.Status == "IN_PROGRESS":
		return "talking"
	case e.Status == "ENDED":
		return "ended (" + e.Detail + "), being reviewed"
	case e.Status == "FAILED":
		return "not answered: " + e.Detail
	case e.Status == "CANCELED":
		return "canceled"
	}
	return ""
}

func itemName(c client.ReportCall) string {
	if c.Item.Key != "" {
		return c.Item.Key
	}
	return c.Item.ID
}
