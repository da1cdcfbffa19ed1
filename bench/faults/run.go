package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/review"
)

// plan says how much of the matrix is played.
type plan struct {
	seed  uint64
	seeds int
	// perFault is the number of scenarios per faulty agent and seed.
	perFault int
	// third plays only every third fault; the seed decides which ones.
	third   bool
	only    string
	trace   bool
	workers int
}

// finding is one call with one agent.
type finding struct {
	fault agentFault // its name is "" for a sound agent
	size  string
	voice string
	seed  int
	outcome
}

// failed returns the scores of the call that failed.
func (f *finding) failed() []call.Score {
	var out []call.Score
	for _, s := range f.review.Scores {
		if s.Verdict == call.NotPassed {
			out = append(out, s)
		}
	}
	return out
}

// found reports whether a check meant for the fault failed, and rightly.
func (f *finding) found() bool {
	return slices.ContainsFunc(f.failed(), func(s call.Score) bool {
		return meant(f.fault.finders, s.Name) && !untrue(f.item.Key, s, f.said)
	})
}

// meant reports whether a score is one of the checks; a check that ends in "-", "_" or ":" stands
// for all whose names have this prefix.
func meant(checks []string, name string) bool {
	return slices.ContainsFunc(checks, func(c string) bool {
		return c == name || strings.HasSuffix(c, ":") && strings.HasPrefix(name, c) || (strings.HasSuffix(c, "-") || strings.HasSuffix(c, "_")) && strings.HasPrefix(name, c)
	})
}

// voices returns the desk's voices, one per seed in turn.
func voices() []string { return []string{"rms", "slt", "awb", "kal16", "kal"} }

// spoken returns the voices of the plan's seeds.
func (p plan) spoken() []string {
	var out []string
	for s := range min(p.seeds, len(voices())) {
		out = append(out, voices()[(int(p.seed)+s)%len(voices())])
	}
	return out
}

// round is one agent that is called.
type round struct {
	fault agentFault
	seed  int
	// scenarios are the keys of those it is called with.
	scenarios []string
}

// rounds returns the matrix: a sound agent in every scenario, each faulty one where its check
// applies and, in turn, elsewhere.
func (p plan) rounds() []round {
	var out []round
	for s := range p.seeds {
		if p.only == "" || slices.Contains(strings.Split(p.only, ","), "none") {
			out = append(out, round{seed: s, scenarios: everywhere()})
		}
		for i, f := range agentFaults() {
			if !p.wants(i, f.name) {
				continue
			}
			keys := []string{f.where[(s+i)%len(f.where)]}
			for n := 0; len(keys) < p.perFault; n++ {
				if other := everywhere()[(s+i+n)%4]; !slices.Contains(keys, other) {
					keys = append(keys, other)
				}
			}
			out = append(out, round{fault: f, seed: s, scenarios: keys})
		}
	}
	return out
}

// wants reports whether the i-th fault of a list is played.
func (p plan) wants(i int, name string) bool {
	if p.third && (i+int(p.seed%3))%3 != 0 {
		return false
	}
	return p.only == "" || slices.Contains(strings.Split(p.only, ","), name)
}

// agents plays what is left of the matrix of agent faults.
func (h *house) agents(ctx context.Context, p plan, book *notebook) error {
	e := h.experiments(crew{})
	r := h.reviews(e, h.speech.Transcriber())
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(p.workers)
	for _, one := range p.rounds() {
		one.scenarios = slices.DeleteFunc(one.scenarios, func(key string) bool {
			return book.has(p.agentKey(one.fault.name, one.seed, key))
		})
		if len(one.scenarios) > 0 {
			g.Go(func() error { return h.phone(ctx, e, r, p, one, book) })
		}
	}
	return g.Wait()
}

// phone puts an agent behind a new number and calls it with each scenario.
func (h *house) phone(ctx context.Context, e *experiment.Service, r *review.Service, p plan, one round, book *notebook) error {
	chance := rand.New(rand.NewPCG(p.seed, uint64(one.seed)<<32|uint64(len(one.fault.name))<<8|uint64(sum(one.fault.name))))
	o := agentOptions{voice: voices()[(int(p.seed)+one.seed)%len(voices())], seed: chance.Uint64()}
	size := ""
	if one.fault.name != "" {
		var err error
		if o.faults, size, err = one.fault.planted(chance); err != nil {
			return err
		}
	}
	to, err := h.hire(ctx, o)
	if err != nil {
		return err
	}
	calls, err := h.start(ctx, e, h.dataset, to)
	if err != nil {
		return err
	}
	for i, key := range everywhere() {
		if !slices.Contains(one.scenarios, key) {
			continue
		}
		got, err := h.one(ctx, e, r, calls[i].ID)
		for try := 1; err == nil && h.realTime && got.starved() && try < roomTries; try++ {
			h.again.Add(1)
			if calls, err = h.start(ctx, e, h.dataset, to); err == nil {
				got, err = h.one(ctx, e, r, calls[i].ID)
			}
		}
		if err != nil {
			return fmt.Errorf("%s in %s: %w", size, key, err)
		}
		f := finding{fault: one.fault, size: size, voice: o.voice, seed: one.seed, outcome: got}
		if p.trace {
			f.trace()
		}
		if err := book.add(p.noteOf(&f)); err != nil {
			return err
		}
	}
	return nil
}

// roomTries is how often a call in real time is attempted if this machine spoils it.
const roomTries = 4

// starved reports whether this machine was too busy for the call to prove anything: frames of ours
// were sent late or not at all, packets were read late at either end, or the agent, which runs on
// the same machine, understood or spoke too late.
func (o *outcome) starved() bool {
	st := o.attempt.Stats
	return st.SendMissed > 0 || max(st.SendLateMax, st.ReceiveLateMax) > ownLateness || o.late > desksLateness
}

const (
	// ownLateness is how late a frame of ours may be sent (docs/metrics/evidence.md).
	ownLateness = 60 * time.Millisecond
	// desksLateness is how late an agent on this machine may understand or speak; all its bounds
	// are wider.
	desksLateness = 150 * time.Millisecond
)

func sum(s string) byte {
	var n byte
	for i := range len(s) {
		n = n*31 + s[i]
	}
	return n
}

// trace prints a call with everything that failed in it.
func (f *finding) trace() {
	var b strings.Builder
	fmt.Fprintf(&b, "%-22s %-5s %-20s %s %s: %s (end %s, blame %s)\n", orElse(f.size, "sound"), f.voice, f.item.Key,
		map[bool]string{true: "FOUND", false: "-----"}[f.found()], f.call.Verdict, f.call.VerdictReason, f.call.EndReason.Code, f.call.EndReason.Blame)
	if f.call.Recording != nil {
		fmt.Fprintf(&b, "    %s\n", f.call.Recording.Key)
	}
	for _, s := range f.failed() {
		mark := "  "
		if meant(f.fault.finders, s.Name) {
			mark = "* "
		} else if !meant(f.fault.also, s.Name) {
			mark = "! "
		}
		fmt.Fprintf(&b, "    %s%s: %s\n", mark, s.Name, s.Reason)
	}
	if f.fault.name == "" && len(f.failed()) == 0 {
		fmt.Print(b.String())
		return
	}
	for _, t := range f.review.Heard.Turns {
		fmt.Fprintf(&b, "        %6.2f %6.2f %-6s %s %s\n", t.Start.Seconds(), t.End.Seconds(), t.Speaker, t.Manner, t.Text)
	}
	fmt.Print(b.String())
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
