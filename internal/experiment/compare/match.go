package compare

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// pair is a scenario in both experiments; base is nil when it was added, with
// when it was removed.
type pair struct {
	base, with *row
	// how the two were found to be the same: "id", "key" or "content".
	how string
	// edited says that the scenario itself is not what it was.
	edited bool
}

// match finds the scenarios that are the same in both: by their id, else by the
// client's own key, else by what they say. They come in the order of the later
// experiment, those that were removed at the end.
func match(base, with []row) []pair {
	taken := make([]bool, len(base))
	pairs := make([]pair, len(with))
	for i := range with {
		pairs[i] = pair{with: &with[i]}
	}
	for _, way := range []struct {
		how string
		of  func(scenario.Item) string
	}{
		{"id", func(i scenario.Item) string { return i.ID }},
		{"key", func(i scenario.Item) string { return i.Key }},
		{"content", contentOf},
	} {
		open := map[string][]int{}
		for i := range base {
			if taken[i] {
				continue
			}
			if name := way.of(base[i].item); name != "" {
				open[name] = append(open[name], i)
			}
		}
		for i := range pairs {
			if pairs[i].base != nil {
				continue
			}
			name := way.of(with[i].item)
			if len(open[name]) == 0 {
				continue
			}
			at := open[name][0]
			open[name] = open[name][1:]
			taken[at] = true
			pairs[i].base, pairs[i].how = &base[at], way.how
		}
	}
	for i := range base {
		if !taken[i] {
			pairs = append(pairs, pair{base: &base[i]})
		}
	}
	for i := range pairs {
		pairs[i].edited = pairs[i].isEdited()
	}
	return pairs
}

// contentOf is what a scenario says, whatever its names; "" when it says nothing.
func contentOf(item scenario.Item) string {
	if item.Input.Goal == "" && len(item.Input.Script) == 0 {
		return ""
	}
	text, err := json.Marshal([]any{item.Input, item.Output})
	if err != nil {
		return ""
	}
	return string(text)
}

func (p pair) isEdited() bool {
	return p.base != nil && p.with != nil && p.how != "content" && contentOf(p.base.item) != contentOf(p.with.item)
}

func (p pair) compared() ScenarioCompared {
	verdict := func(r experiment.Result) call.Verdict { return r.Call.Verdict }
	out := ScenarioCompared{
		Base: countOf(p.base, verdict), With: countOf(p.with, verdict), Matched: orNull(p.how), Edited: p.edited,
		BaseCalls: callIDs(p.base), WithCalls: callIDs(p.with),
	}
	if p.base != nil {
		out.BaseItemID, out.Key, out.Title = &p.base.item.ID, p.base.item.Key, titleOf(p.base.item)
	}
	if p.with != nil {
		out.WithItemID, out.Key, out.Title = &p.with.item.ID, p.with.item.Key, titleOf(p.with.item)
	}
	b, w := out.Base.share(), out.With.share()
	out.Difference = shiftOf(trend.CompareShares(b, w, leastShare))
	switch {
	case p.base == nil:
		out.Change = "added"
	case p.with == nil:
		out.Change = "removed"
	case b.N == 0 || w.N == 0:
		out.Change = "unclear"
	default:
		out.Change = []string{"worse", "same", "better"}[1+cmp.Compare(w.Value(), b.Value())]
	}
	return out
}

func callIDs(r *row) []string {
	ids := []string{}
	if r != nil {
		for _, c := range r.calls {
			ids = append(ids, c.Call.ID)
		}
	}
	return ids
}

// changes are the calls whose verdict changed, those that fail now first.
func changes(pairs []pair) []VerdictChange {
	out := []VerdictChange{}
	for _, p := range pairs {
		if p.base == nil || p.with == nil {
			continue
		}
		for _, same := range p.repetitions() {
			b, w := same[0], same[1]
			if b.Verdict == w.Verdict || b.Verdict == "" || w.Verdict == "" {
				continue
			}
			out = append(out, VerdictChange{
				DatasetItemID: p.with.item.ID, Title: titleOf(p.with.item), Repetition: w.Repetition,
				BaseCallID: b.ID, WithCallID: w.ID, From: string(b.Verdict), To: string(w.Verdict), Change: turned(b.Verdict, w.Verdict),
			})
		}
	}
	slices.SortStableFunc(out, func(a, b VerdictChange) int { return cmp.Compare(rank(a.Change), rank(b.Change)) })
	return out
}

// repetitions are the calls of base and with that are the same repetition, whichever of them
// either side lacks.
func (p pair) repetitions() [][2]*call.Call {
	first := map[int]*call.Call{}
	for i := range p.base.calls {
		c := &p.base.calls[i].Call
		first[c.Repetition] = c
	}
	var same [][2]*call.Call
	for i := range p.with.calls {
		c := &p.with.calls[i].Call
		if b := first[c.Repetition]; b != nil {
			same = append(same, [2]*call.Call{b, c})
		}
	}
	return same
}

func turned(from, to call.Verdict) string {
	switch {
	case from == call.Passed && to == call.NotPassed:
		return "worse"
	case from == call.NotPassed && to == call.Passed:
		return "better"
	}
	return "other"
}
