package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/archive"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/monitor"
	"github.com/ringtrue/ringtrue/internal/store"
)

// counted are calls with the facts that monitoring keeps of them, the latest first.
type counted struct {
	calls []call.Call
	facts []monitor.Fact
	marks []monitor.Mark
}

// add appends a call that is a minute older than the one before, and its fact.
func (c *counted) add(change func(*call.Call, *monitor.Fact)) string {
	one := aCall("")
	one.CreatedAt = start.Add(-time.Duration(len(c.calls)) * time.Minute)
	one.Origin, one.Status = call.Production, call.Ended
	f := aFact(0)
	f.CallID, f.At, f.Dims = one.ID, one.CreatedAt, nil
	change(&one, &f)
	f.WorkspaceID = one.WorkspaceID
	c.calls, c.facts = append(c.calls, one), append(c.facts, f)
	return one.ID
}

func (c *counted) keep(t *testing.T, b *bench) {
	t.Helper()
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertCalls(ctx, c.calls, nil); err != nil {
			return err
		}
		return errors.Join(tx.PutFacts(ctx, c.facts), tx.PutMarks(ctx, c.marks))
	})
}

// mark says of each hour with a call that it is yet to be counted.
func (c *counted) mark() *counted {
	for i := range c.facts {
		f := &c.facts[i]
		m := monitor.Mark{WorkspaceID: f.WorkspaceID, Origin: string(f.Origin), Hour: f.At.Truncate(time.Hour)}
		if !slices.Contains(c.marks, m) {
			c.marks = append(c.marks, m)
		}
	}
	return c
}

func failing(key string) func(*call.Call, *monitor.Fact) {
	return func(_ *call.Call, f *monitor.Fact) { f.Failure = key }
}

// callsFailing: calls are listed by what monitoring says of how they failed, page by page.
func callsFailing(t *testing.T, b *bench) {
	var c counted
	first, good, second := c.add(failing("busy")), c.add(failing("")), c.add(failing("say"))
	again, other := c.add(failing("busy")), c.add(func(one *call.Call, f *monitor.Fact) { one.AgentID, f.Failure = "agt_2", "busy" })
	c.add(func(one *call.Call, f *monitor.Fact) { one.WorkspaceID, f.Failure = theirs, "busy" })
	c.keep(t, b)
	uncounted := aCall("")
	b.insert(t, uncounted)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindFailure, ID: 1, Text: "busy"}, {Kind: monitor.KindFailure, ID: 2, Text: "say"}, {Kind: monitor.KindAct, ID: 3, Text: "busy"}})
	})
	for name, list := range map[string]struct {
		filter archive.Filter
		want   []string
	}{
		"failing":               {archive.Filter{Failing: true}, []string{first, second, again, other}},
		"of a group":            {archive.Filter{Alike: []int{1}}, []string{first, again, other}},
		"of two groups":         {archive.Filter{Failing: true, Alike: []int{2, 1}}, []string{first, second, again, other}},
		"of one that is known":  {archive.Filter{Alike: []int{2, 99}}, []string{second}},
		"of none that is known": {archive.Filter{Alike: []int{99}}, nil},
		"of another kind":       {archive.Filter{Alike: []int{3}}, nil},
		"of an agent":           {archive.Filter{Alike: []int{1}, AgentID: "agt_2"}, []string{other}},
		"since":                 {archive.Filter{Failing: true, From: start.Add(-2 * time.Minute)}, []string{first, second}},
		"all, without a filter": {archive.Filter{Origin: call.Production}, []string{first, good, second, again, other}},
	} {
		for _, size := range []int{1, 2, 10} {
			got, _ := b.paged(t, list.filter, size, nil)
			same(t, fmt.Sprintf("%s, pages of %d", name, size), got, list.want)
		}
	}
}

// callsFailingMany: what more calls are like than are looked up at once is told apart all the same.
func callsFailingMany(t *testing.T, b *bench) {
	const many = 2050
	var c counted
	var busy []string
	for i := range many {
		if id := c.add(failing([]string{"say", "busy"}[i/(many-3)])); i >= many-3 {
			busy = append(busy, id)
		}
	}
	fine := c.add(failing(""))
	c.keep(t, b)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindFailure, ID: 1, Text: "busy"}, {Kind: monitor.KindFailure, ID: 2, Text: "say"}})
	})
	all, _ := b.paged(t, archive.Filter{Failing: true}, 500, nil)
	if len(all) != many || slices.Contains(all, fine) {
		t.Errorf("%d calls of %d are listed, the one that did not fail: %v", len(all), many, slices.Contains(all, fine))
	}
	both, _ := b.paged(t, archive.Filter{Alike: []int{1, 2}}, 700, nil)
	same(t, "of both groups", both, all)
	got, _ := b.paged(t, archive.Filter{Alike: []int{1}}, 2, nil)
	same(t, "of the small group", got, busy)
}

// callsOfDimension: calls are listed by the value of a dimension that monitoring
// counted them under, and by where the caller left, also far down the list.
func callsOfDimension(t *testing.T, b *bench) {
	const many = 2050 // more than are looked at in one query
	var c counted
	with := func(value string, left bool) func(*call.Call, *monitor.Fact) {
		return func(one *call.Call, f *monitor.Fact) {
			one.EndReason = call.EndOf(call.EndCallerHungUp, "")
			f.Dims, f.Dropped, f.Turns, f.Act = map[string]string{"model": value}, left, 3, "your number please"
		}
	}
	early := c.add(with("m-2", true))
	for range many {
		c.add(with("m-1", false))
	}
	late, stayed := c.add(with("m-2", true)), c.add(with("m-2", false))
	c.add(func(_ *call.Call, f *monitor.Fact) { f.Dims = map[string]string{"prompt": "m-2"} })
	c.add(func(one *call.Call, f *monitor.Fact) {
		one.WorkspaceID, f.Dims = theirs, map[string]string{"model": "m-2"}
	})
	c.mark().keep(t, b)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutTexts(ctx, ours, []monitor.Value{{Kind: monitor.KindAct, ID: 4, Text: "your number please"}})
	})
	for name, list := range map[string]struct {
		filter archive.Filter
		want   []string
	}{
		"a value":              {archive.Filter{Dimension: "model", Value: "m-2"}, []string{early, late, stayed}},
		"a value nobody has":   {archive.Filter{Dimension: "model", Value: "m-3"}, nil},
		"who left":             {archive.Filter{Left: &archive.Left{}}, []string{early, late}},
		"who left, by turns":   {archive.Filter{Left: &archive.Left{Turns: &archive.Range{From: 3, Below: 4}}, Dimension: "model", Value: "m-2"}, []string{early, late}},
		"who left later":       {archive.Filter{Left: &archive.Left{Turns: &archive.Range{From: 4}}}, nil},
		"after words":          {archive.Filter{Left: &archive.Left{Words: []int{4}}}, []string{early, late}},
		"after words not said": {archive.Filter{Left: &archive.Left{Words: []int{5}}}, nil},
		"of a value, until":    {archive.Filter{Dimension: "model", Value: "m-2", Until: start}, []string{late, stayed}},
	} {
		for _, size := range []int{1, 2, 10} {
			got, _ := b.paged(t, list.filter, size, nil)
			same(t, fmt.Sprintf("%s, pages of %d", name, size), got, list.want)
		}
	}
}

// callsBehindUnreviewed: calls that came in numbers and are yet to be reviewed do not end a list.
func callsBehindUnreviewed(t *testing.T, b *bench) {
	const many = 4100 // more than are looked at in two queries
	waiting := make([]call.Call, many)
	for i := range waiting {
		waiting[i] = aCall("")
		waiting[i].Origin, waiting[i].Status, waiting[i].CreatedAt = call.Production, call.Ended, start.Add(time.Duration(i+1)*time.Second)
		waiting[i].EndReason = call.EndOf(call.EndCallerHungUp, "")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertCalls(ctx, waiting, nil) })
	var c counted
	left := func(one *call.Call, f *monitor.Fact) {
		one.EndReason = call.EndOf(call.EndCallerHungUp, "")
		f.Dims, f.Dropped = map[string]string{"model": "m-2"}, true
	}
	want := []string{c.add(left), c.add(left)}
	c.mark().keep(t, b)
	for name, filter := range map[string]archive.Filter{
		"a value": {Dimension: "model", Value: "m-2"}, "who left": {Left: &archive.Left{}},
	} {
		got, _ := b.paged(t, filter, 1, nil)
		same(t, name+", behind calls without a review", got, want)
	}
}

// callsCountedTogether: "other" lists the calls whose value, or whose stage, has no number of its
// own, and those of a value that is called so.
func callsCountedTogether(t *testing.T, b *bench) {
	var c counted
	in := func(value, stage string) string {
		return c.add(func(one *call.Call, f *monitor.Fact) {
			one.EndReason = call.EndOf(call.EndCallerHungUp, "")
			f.Dims, f.Stages, f.Dropped = map[string]string{"model": value}, []string{"greeting", stage}, true
			if value == "" {
				f.Dims, f.Stages = nil, nil
			}
		})
	}
	known, late, later, named := in("m-1", "booking"), in("m-101", "fare"), in("m-102", "tax"), in(monitor.Other, monitor.Other)
	in("", "")
	c.mark().keep(t, b)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.PutTexts(ctx, ours, []monitor.Value{
			{Kind: monitor.KindDim + "model", ID: 1, Text: "m-1"}, {Kind: monitor.KindStage, ID: 1, Text: "booking"}, {Kind: monitor.KindStage, ID: 2, Text: "m-102"},
		})
	})
	for name, list := range map[string]struct {
		filter archive.Filter
		want   []string
	}{
		"a value":               {archive.Filter{Dimension: "model", Value: "m-1"}, []string{known}},
		"all later values":      {archive.Filter{Dimension: "model", Value: monitor.Other}, []string{late, later, named}},
		"one of them":           {archive.Filter{Dimension: "model", Value: "m-102"}, []string{later}},
		"left in a stage":       {archive.Filter{Left: &archive.Left{Stage: "booking"}}, []string{known}},
		"left in a later stage": {archive.Filter{Left: &archive.Left{Stage: monitor.Other}}, []string{late, later, named}},
	} {
		got, _ := b.paged(t, list.filter, 2, nil)
		same(t, name, got, list.want)
	}
}
