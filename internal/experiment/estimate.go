package experiment

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/scenario"
)

// PastCall is an answered test call that came to its end.
type PastCall struct {
	ItemID                         string
	StartedAt, AnsweredAt, EndedAt time.Time
}

// Estimate is what a run is likely to take and cost.
type Estimate struct {
	Calls int
	// Talk is the answered time of all calls together, Until the time from the
	// start of the run until its last call has been scored.
	Talk, Until Span
	Cost        Cost
	// Notes say, in sentences, what the estimate rests on.
	Notes []string
}

// Span is the range from the lowest to the highest likely value.
type Span struct{ Low, High time.Duration }

func (s Span) plus(o Span) Span { return Span{s.Low + o.Low, s.High + o.High} }

const (
	// pastCalls is how many earlier calls an estimate looks at.
	pastCalls = 5000
	// enoughPast is how many past calls of an agent it takes to guess the length of another
	// scenario from them.
	enoughPast = 3
)

// Estimate tells what the run that Start would begin is likely to come to. It refuses whatever
// Start refuses, but does not check that trunk and engines answer.
func (s *Service) Estimate(ctx context.Context, workspaceID string, r StartRequest) (Estimate, error) {
	d, err := s.plan(ctx, workspaceID, r)
	if err != nil {
		return Estimate{}, err
	}
	var past []PastCall
	err = s.Store.Read(ctx, func(tx Tx) error {
		past, err = tx.PastCalls(ctx, workspaceID, d.experiment.AgentID, pastCalls)
		return err
	})
	if err != nil {
		return Estimate{}, err
	}
	return estimate(d, past), nil
}

func estimate(d draft, past []PastCall) Estimate {
	h := historyOf(past)
	repetitions := d.experiment.Plan.Defaults.Repetitions
	rates := *d.experiment.Plan.Rates
	out := Estimate{Calls: len(d.items) * repetitions, Cost: Cost{Currency: rates.Currency}}
	lengths := make([]Span, 0, out.Calls)
	bySelf, byAgent, models := 0, 0, 0
	for range repetitions {
		for _, item := range d.items {
			span, from := h.lengthOf(item)
			lengths = append(lengths, span)
			out.Talk = out.Talk.plus(span)
			judged := needsModel(d.experiment.Plan, item)
			out.Cost.Low.Charge(rates, span.Low, judged)
			out.Cost.High.Charge(rates, span.High, judged)
			switch from {
			case fromItem:
				bySelf++
			case fromAgent:
				byAgent++
			case fromScript:
			}
			if item.NeedsModel() {
				models++
			}
		}
	}
	perSecond := slowest(d.trunk.CallsPerSecond, d.experiment.Plan.Defaults.CallsPerSecond)
	places := fewest(d.trunk.ConcurrentCalls, d.experiment.Plan.Defaults.ConcurrentCalls)
	low := finished(lengths, h.ring.Low, perSecond, places, func(s Span) time.Duration { return s.Low })
	high := finished(lengths, h.ring.High, perSecond, places, func(s Span) time.Duration { return s.High })
	out.Until = Span{low, high}.plus(scoringTime())
	out.Notes = notesOf(out.Calls, bySelf, byAgent, models, perSecond, places)
	return out
}

// scoringTime is how long scoring the last call takes: transcription, and at most the wait for the
// agent's own record.
func scoringTime() Span { return Span{2 * time.Second, 45 * time.Second} }

func notesOf(calls, bySelf, byAgent, models int, perSecond float64, places int) []string {
	var out []string
	say := func(n int, what string) {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d of %s: as long as %s.", n, counted(float64(calls), "call"), what))
		}
	}
	say(bySelf, "earlier calls of the same scenario")
	say(byAgent, "earlier calls of other scenarios to this agent")
	say(calls-bySelf-byAgent, "the script suggests, because nothing like it has been called yet")
	if models > 0 {
		out = append(out, fmt.Sprintf("Calls without a script, whose length a language model decides: %d.", models))
	}
	var limits []string
	if perSecond > 0 {
		limits = append(limits, counted(perSecond, "call")+" per second")
	}
	if places > 0 {
		limits = append(limits, counted(float64(places), "call")+" at a time")
	}
	if len(limits) > 0 {
		out = append(out, "The limits of trunk and agent allow "+strings.Join(limits, " and ")+"; other runs share them.")
	}
	return out
}

// counted is a number and what it counts: "1 call", "2 calls".
func counted(n float64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%g %s", n, what)
}

// slowest is the lower of two limits, 0 meaning none.
func slowest(a, b float64) float64 {
	if a == 0 || b == 0 {
		return a + b
	}
	return min(a, b)
}

func fewest(a, b int) int { return int(slowest(float64(a), float64(b))) }

// history is how long earlier calls of an agent took.
type history struct {
	items map[string][]time.Duration
	all   []time.Duration
	// ring is how long it took until they were answered.
	ring Span
}

func historyOf(past []PastCall) history {
	h := history{items: map[string][]time.Duration{}, ring: Span{time.Second, 10 * time.Second}}
	var rings []time.Duration
	for _, c := range past {
		length := c.EndedAt.Sub(c.AnsweredAt)
		if length <= 0 {
			continue
		}
		h.items[c.ItemID] = append(h.items[c.ItemID], length)
		h.all = append(h.all, length)
		if ring := c.AnsweredAt.Sub(c.StartedAt); ring >= 0 && !c.StartedAt.IsZero() {
			rings = append(rings, ring)
		}
	}
	if len(rings) >= enoughPast {
		h.ring = middle(rings)
	}
	return h
}

// origin tells where a length comes from.
type origin int

const (
	fromScript origin = iota
	fromAgent
	fromItem
)

// lengthOf is the likely length of a call of the item.
func (h history) lengthOf(item scenario.Item) (Span, origin) {
	var span Span
	from := fromScript
	switch own := h.items[item.ID]; {
	case item.ID != "" && len(own) > 0:
		span, from = middle(own), fromItem
	case len(h.all) >= enoughPast:
		span, from = middle(h.all), fromAgent
	default:
		span = scriptTime(item)
	}
	longest := callTime(item)
	return Span{min(span.Low, longest), min(span.High, longest)}, from
}

// middle is the span of the middle half of the lengths; of fewer than four it is all of them, and a
// fifth more on either side.
func middle(list []time.Duration) Span {
	slices.SortFunc(list, cmp.Compare[time.Duration])
	n := len(list)
	low, high := list[n/4], list[n-1-n/4]
	if n < 4 {
		low, high = list[0]*4/5, list[n-1]*6/5
	}
	return Span{low, high}
}

// How long things in a script take.
const (
	wordTime      = 400 * time.Millisecond // 150 words a minute
	agentShort    = 2 * time.Second        // an agent's short answer
	agentLong     = 9 * time.Second
	goalShort     = 30 * time.Second // a call that a language model plays
	goalLong      = 3 * time.Minute
	keyTime       = 200 * time.Millisecond
	goodbyeLength = time.Second
)

// scriptTime is how long the item's script takes if the agent answers at once, with short or with
// long answers.
func scriptTime(item scenario.Item) Span {
	if item.NeedsModel() {
		return Span{goalShort, goalLong}
	}
	return stepsTime(item, item.Input.Script).plus(Span{goodbyeLength, goodbyeLength})
}

func stepsTime(item scenario.Item, steps []scenario.Step) (sum Span) {
	for i := range steps {
		sum = sum.plus(stepTime(item, &steps[i]))
	}
	return sum
}

func stepTime(item scenario.Item, s *scenario.Step) Span {
	exactly := func(d time.Duration) Span { return Span{d, d} }
	spoken := func(text string) time.Duration {
		return time.Duration(len(strings.Fields(item.Fill(text)))) * wordTime
	}
	answer := Span{agentShort, agentLong}
	switch {
	case s.Say != "":
		return exactly(spoken(s.Say))
	case s.WaitForAgent != nil:
		return answer
	case s.WaitForWords != nil:
		return answer
	case s.Press != "":
		return exactly(time.Duration(len(s.Press)) * keyTime)
	case s.StaySilentMS > 0:
		return exactly(time.Duration(s.StaySilentMS) * time.Millisecond)
	case s.Interrupt != nil:
		return exactly(time.Duration(s.Interrupt.AfterMS)*time.Millisecond + spoken(s.Interrupt.Say))
	case s.Backchannel != nil:
		return exactly(time.Duration(s.Backchannel.AfterMS) * time.Millisecond)
	case s.RepeatIfMisunderstood != nil:
		return answer
	case s.Branch != nil:
		return branchTime(item, s.Branch)
	}
	return Span{}
}

// branchTime is the span from the shortest to the longest path through a branch.
func branchTime(item scenario.Item, b *scenario.Branch) Span {
	out := stepsTime(item, b.Otherwise)
	for _, c := range b.Cases {
		way := stepsTime(item, c.Then)
		out = Span{min(out.Low, way.Low), max(out.High, way.High)}
	}
	return out
}

// finished simulates a run and returns when its last call is over, if each call is dialled as soon
// as the limits allow.
func finished(calls []Span, ring time.Duration, perSecond float64, places int, length func(Span) time.Duration) time.Duration {
	var spacing, next, last time.Duration
	if perSecond > 0 {
		spacing = time.Duration(float64(time.Second) / perSecond)
	}
	busy := &ends{}
	for _, c := range calls {
		start := next
		if places > 0 && busy.Len() >= places {
			if free, ok := heap.Pop(busy).(time.Duration); ok {
				start = max(start, free)
			}
		}
		end := start + ring + length(c)
		heap.Push(busy, end)
		last, next = max(last, end), start+spacing
	}
	return last
}

// ends is a heap of the times at which calls are over.
type ends []time.Duration

// Len implements heap.Interface.
func (e ends) Len() int { return len(e) }

// Less implements heap.Interface.
func (e ends) Less(i, j int) bool { return e[i] < e[j] }

// Swap implements heap.Interface.
func (e ends) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push implements heap.Interface.
func (e *ends) Push(x any) {
	if d, ok := x.(time.Duration); ok {
		*e = append(*e, d)
	}
}

// Pop implements heap.Interface.
func (e *ends) Pop() any {
	old := *e
	last := old[len(old)-1]
	*e = old[:len(old)-1]
	return last
}
