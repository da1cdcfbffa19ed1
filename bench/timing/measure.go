package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/caller"
)

// bench is what all calls share.
type bench struct {
	config
	stock *stock
	cache *caller.Cache
	now   func() time.Time
	out   io.Writer // for show
}

// newRand returns a separate source of random numbers for each purpose.
func newRand(seed, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }

// How many calls are made per condition, and how many simultaneous telephone calls.
const (
	loopCalls, loopCallsQuick = 24, 6
	sipCalls, sipCallsQuick   = 6, 2
	roomCalls, roomCallsQuick = 4, 1
	atATime                   = 51
	roomsAtATime              = 12
	// apart is the interval between the beginnings of telephone calls.
	apart = 30 * time.Millisecond
)

// measure makes all calls and compares them with the truth.
func measure(ctx context.Context, c config, now func() time.Time) (*report, error) {
	perVoice := len(segmentLines())
	if c.quick {
		perVoice = 14
	}
	s, err := newStock(ctx, c.seed, c.voices, c.speech, perVoice)
	if err != nil {
		return nil, err
	}
	b := &bench{config: c, stock: s, cache: caller.NewCache(0), now: now, out: os.Stderr}
	r := &report{config: c}
	for _, v := range s.voices {
		r.voices = append(r.voices, v.name)
	}
	for _, l := range c.lines {
		if l != lineLoop && l != lineSIP && l != lineRoom {
			return nil, fmt.Errorf("there is no line %q; there are loop, sip and room", l)
		}
	}
	calls := report{config: c}
	phones := func() error {
		if err := b.ifWanted(ctx, lineSIP, &calls, b.phones); err != nil {
			return err
		}
		return b.ifWanted(ctx, lineRoom, &calls, b.rooms)
	}
	others := func() (err error) {
		if err = b.ifWanted(ctx, lineLoop, r, b.loops); err == nil && !c.noSegments {
			r.segments, err = measureSegments(c.seed, c.quick, c.speech)
		}
		return err
	}
	if c.quick {
		// Telephone calls take their time anyway, whatever is done meanwhile.
		var g errgroup.Group
		g.Go(phones)
		g.Go(others)
		err = g.Wait()
	} else if err = phones(); err == nil {
		err = others()
	}
	if err != nil {
		return nil, err
	}
	r.samples = append(r.samples, calls.samples...)
	for line, t := range calls.tallies {
		r.count(line, t.Calls, t.Void)
	}
	return r, nil
}

// ifWanted measures on a line if it was requested.
func (b *bench) ifWanted(ctx context.Context, line string, r *report, measure func(context.Context, *report) error) error {
	if !slices.Contains(b.lines, line) {
		return nil
	}
	return measure(ctx, r)
}

// jobs draws n calls for each condition; every voice speaks for the agent in turn.
func (b *bench) jobs(line string, n int) []job {
	var out []job
	salt := uint64(len(line))
	for k, c := range conditions() {
		if !strings.Contains(c.name, b.only) {
			continue
		}
		for i := range n {
			seed := b.seed*1_000_003 + uint64(k)*1009 + uint64(i)*17 + salt
			rng := newRand(seed, 0x706c616e)
			agent := b.stock.voices[(i+k)%len(b.stock.voices)]
			other := b.stock.voices[rng.IntN(len(b.stock.voices))]
			j := job{id: fmt.Sprintf("%s-%d-%d", line, k, i), cond: c, seed: seed, plan: drawPlan(rng, agent, other, b.quick)}
			if c.timed {
				j.plan.byTheClock(rng)
			}
			out = append(out, j)
		}
	}
	return out
}

// loops makes the calls in memory.
func (b *bench) loops(ctx context.Context, r *report) error {
	n := loopCalls
	if b.quick {
		n = loopCallsQuick
	}
	jobs := b.jobs(lineLoop, n)
	results := make([][]sample, len(jobs))
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	if b.quick {
		workers = max(workers-1, 1) // the telephone calls run at the same time
	}
	g.SetLimit(workers)
	for i, j := range jobs {
		g.Go(func() error {
			p, err := b.onLoop(ctx, j)
			if err == nil {
				results[i] = b.compare(p)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	r.samples = append(r.samples, slices.Concat(results...)...)
	r.count(lineLoop, len(jobs), 0)
	return nil
}

// phones makes the calls over SIP, many at a time.
func (b *bench) phones(ctx context.Context, r *report) error {
	n := sipCalls
	if b.quick {
		n = sipCallsQuick
	}
	p, err := openPhone(b.now)
	if err != nil {
		return err
	}
	defer p.close()
	return b.batches(ctx, network{lineSIP, atATime, n, func(ctx context.Context, s *stage) call.Attempt { return b.onSIP(ctx, p, s) }}, r)
}

// rooms makes the calls in rooms of a media server, fewer at a time.
func (b *bench) rooms(ctx context.Context, r *report) error {
	n := roomCalls
	if b.quick {
		n = roomCallsQuick
	}
	l, err := openLobby(ctx, b.now)
	if err != nil {
		return err
	}
	defer l.close()
	return b.batches(ctx, network{lineRoom, roomsAtATime, n, l.place}, r)
}

// network is a line in real time, with the number of calls over it.
type network struct {
	name          string
	atATime, each int
	place         func(context.Context, *stage) call.Attempt
}

// batches makes all calls over a line; every batch has some of each condition.
func (b *bench) batches(ctx context.Context, over network, r *report) error {
	jobs := b.jobs(over.name, over.each)
	newRand(b.seed, 1).Shuffle(len(jobs), func(i, k int) { jobs[i], jobs[k] = jobs[k], jobs[i] })
	for batch := range slices.Chunk(jobs, over.atATime) {
		if err := b.batch(ctx, over, batch, r); err != nil {
			return err
		}
	}
	return nil
}

// batch makes some calls at the same time and measures them when all are over.
func (b *bench) batch(ctx context.Context, over network, jobs []job, r *report) error {
	base := b.now()
	since := func() time.Duration { return b.now().Sub(base) }
	stages := make([]*stage, len(jobs))
	for i, j := range jobs {
		var err error
		if stages[i], err = b.newStage(ctx, j, since); err != nil {
			return err
		}
	}
	runtime.GC()
	attempts := make([]call.Attempt, len(jobs))
	var wg sync.WaitGroup
	pace := time.NewTicker(apart)
	defer pace.Stop()
	for i, s := range stages {
		<-pace.C
		wg.Go(func() { attempts[i] = over.place(ctx, s) })
	}
	wg.Wait()
	for i, s := range stages {
		c, err := s.finish(over.name, attempts[i])
		if err != nil {
			return err
		}
		void := 0
		if st := attempts[i].Stats; st.SendMissed > 0 || st.SendLateMax > lateAtMost {
			void = 1 // a review would not accept it as evidence
		}
		r.count(over.name, 1, void)
		if void > 0 {
			continue
		}
		r.samples = append(r.samples, b.compare(c)...)
	}
	return nil
}

// lateAtMost is how late a frame of ours may be sent in a call that is evidence.
const lateAtMost = 60 * time.Millisecond
