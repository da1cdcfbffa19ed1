package monitor

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// DropOff is where callers left before reaching their goal.
type DropOff struct {
	About
	Left   Rate   `json:"left" doc:"Calls whose caller left before the goal, out of the answered ones"`
	Turns  Funnel `json:"turns" doc:"By how many turns had been spoken, of both sides together. Calls whose words must not be kept are missing here"`
	Time   Funnel `json:"seconds" doc:"By how long the call had lasted"`
	Stages Funnel `json:"stages" doc:"By stage of the platform's flow, the most visited first; empty when no platform reports stages"`
	Acts   []Act  `json:"last_acts" doc:"The agent's last sentences before callers left, most frequent first; what is particular to one call is masked"`
	// OtherActs counts drop-offs after other sentences, or where the last one is unknown.
	OtherActs int64 `json:"other_acts" doc:"Callers who left after sentences that are not shown, or when the last sentence is not known"`
}

// Funnel is how many callers leave, place by place.
type Funnel struct {
	Places []FunnelPlace `json:"places" doc:"The places that calls came to"`
	// Steepest is the index of the place that loses significantly more than the others.
	Steepest *int   `json:"steepest" doc:"Index in places of the place that loses significantly more callers than the others; null when there is none"`
	Reason   string `json:"reason" doc:"Why steepest is what it is, for people"`
}

// FunnelPlace is one place in the conversation.
type FunnelPlace struct {
	Place   string   `json:"place" doc:"The place: a number of turns (3), a stretch of seconds (10-15), or the name of a stage. It is what GET /calls takes as left_turns, left_seconds or left_stage"`
	Reached int64    `json:"reached" doc:"Answered calls that came to this place"`
	Left    Rate     `json:"left" doc:"Calls whose caller left here before the goal, out of those that came to this place"`
	Staying *float64 `json:"staying" doc:"Share of all callers, 0 to 1, who would still be there after this place if calls ended in no other way (Kaplan-Meier); null for stages"`
}

// Act is a last sentence of the agent.
type Act struct {
	Words string `json:"words" doc:"The sentence, masked: # stands for numbers, * for names, @ for addresses"`
	Left  int64  `json:"left" doc:"Callers who left after it before their goal"`
	// Numbers identify the calls behind it, including those of similar sentences.
	Numbers []int `json:"numbers" doc:"What to give GET /calls as left_words, with commas between, to list these calls"`
}

const maxActsShown = 30

// DropOff returns where callers leave.
func (s *Service) DropOff(ctx context.Context, workspaceID string, q Query) (DropOff, error) {
	return ask(ctx, s, workspaceID, q, maxDayWindow, func(tx Tx, p span) (DropOff, error) {
		b, err := p.bucket(ctx, tx, p.Series, bucket.WithPlaces)
		if err != nil {
			return DropOff{}, err
		}
		texts, err := tx.Texts(ctx, workspaceID, KindStage, KindAct)
		if err != nil {
			return DropOff{}, err
		}
		out := DropOff{About: p.about(), Left: rateOf(b.Counts[bucket.Dropped], b.Counts[bucket.Answered])}
		out.Turns = ordered(b.Spoken, b.LeftAfter, maxTurns, turnName)
		out.Time = ordered(b.Lasted, b.LeftAt, len(secondEdges), secondName)
		out.Stages = stages(b, texts)
		out.Acts, out.OtherActs = acts(b, texts)
		return out, nil
	})
}

// ordered returns the funnel of consecutive places, up to the last one reached.
func ordered(all, dropped bucket.Tally, last int, name func(int) string) Funnel {
	var names []string
	var left, ended []int64
	end := -1
	for at := range all {
		end = max(end, min(at, last))
	}
	for at := 0; at <= end; at++ {
		names = append(names, name(at))
		left, ended = append(left, dropped[at]), append(ended, all[at]-dropped[at])
	}
	return funnelOf(trend.DropOff(trend.InOrder(names, left, ended), true), true)
}

func turnName(at int) string {
	if at == maxTurns {
		return strconv.Itoa(at) + "+"
	}
	return strconv.Itoa(at)
}

func secondName(at int) string {
	from := 0
	if at > 0 {
		from = secondEdges[at-1]
	}
	if at == len(secondEdges) {
		return strconv.Itoa(from) + "+"
	}
	return strconv.Itoa(from) + "-" + strconv.Itoa(secondEdges[at])
}

func funnelOf(f trend.Funnel, inOrder bool) Funnel {
	out := Funnel{Places: []FunnelPlace{}, Reason: f.Reason}
	for _, l := range f.Leaks {
		place := FunnelPlace{Place: l.Name, Reached: l.Reached, Left: rateOf(l.Left, l.Reached)}
		if inOrder && l.Reached > 0 {
			place.Staying = &l.Staying
		}
		out.Places = append(out.Places, place)
	}
	if f.Steepest >= 0 {
		out.Steepest = &f.Steepest
	}
	return out
}

func stages(b *bucket.Bucket, texts []Value) Funnel {
	names := textsOf(texts, KindStage)
	byName := make(map[string]trend.Place, len(b.Reached))
	for id, n := range b.Reached {
		p := byName[names[id]] // a stage may happen to be named like Other
		byName[names[id]] = trend.Place{Name: names[id], Reached: p.Reached + n, Left: p.Left + b.LeftIn[id]}
	}
	places := slices.Collect(maps.Values(byName))
	slices.SortFunc(places, func(x, y trend.Place) int {
		return cmp.Or(cmp.Compare(y.Reached, x.Reached), cmp.Compare(x.Name, y.Name))
	})
	return funnelOf(trend.DropOff(places, false), false)
}

// textsOf returns the texts of a kind by number. Erased texts are Other.
func textsOf(texts []Value, kind string) map[int]string {
	out := map[int]string{otherNumber: Other}
	for _, v := range texts {
		if v.Kind != kind {
			continue
		}
		if out[v.ID] = v.Text; strings.HasPrefix(v.Text, Erased) {
			out[v.ID] = Other
		}
	}
	return out
}

// acts returns the last sentences, with similar ones combined, and the number of drop-offs
// after others.
func acts(b *bucket.Bucket, texts []Value) ([]Act, int64) {
	var shapes []trend.Counted
	numbers := map[string][]int{}
	for id, words := range textsOf(texts, KindAct) {
		if n := b.Acts[id]; n > 0 && id != otherNumber && words != Other {
			shape := trend.ShapeOf(trend.Failure{Words: words})
			shape.Words = words
			numbers[shape.Key] = append(numbers[shape.Key], id)
			shapes = append(shapes, trend.Counted{Shape: shape, Count: n})
		}
	}
	out, other := []Act{}, b.Counts[bucket.Dropped]
	for _, g := range trend.GroupAlike(shapes) {
		if len(out) == maxActsShown {
			break
		}
		act := Act{Words: g.Words, Left: g.Count}
		for _, key := range g.Keys {
			act.Numbers = append(act.Numbers, numbers[key]...)
		}
		slices.Sort(act.Numbers)
		out = append(out, act)
		other -= g.Count
	}
	return out, other
}
