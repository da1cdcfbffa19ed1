package monitor

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ringtrue/ringtrue/internal/bucket"
	"github.com/ringtrue/ringtrue/internal/trend"
)

// DropOff is where callers left before reaching their goal.
type DropOff struct {
	About
	Left   Rate   `json:"left" doc:"Answered calls whose caller left before the goal"`
	Turns  Funnel `json:"turns" doc:"By the number of turns that had been spoken, by both; of calls whose words must not be kept nobody knows it"`
	Time   Funnel `json:"seconds" doc:"By how long the call had lasted"`
	Stages Funnel `json:"stages" doc:"By stage of the platform's flow, the most visited first; empty where none is told"`
	Acts   []Act  `json:"last_acts" doc:"The agent's last sentences before callers left, masked; the most frequent first"`
	// OtherActs counts drop-offs after other sentences, or where the last one is unknown.
	OtherActs int64 `json:"other_acts" doc:"Drop-offs after sentences that are not shown, or where none is known"`
}

// Funnel is how many callers leave, place by place.
type Funnel struct {
	Places []FunnelPlace `json:"places"`
	// Steepest is the index of the place that loses significantly more than the others.
	Steepest *int   `json:"steepest" doc:"Index of the place that surely loses more callers than the others; null when none does"`
	Reason   string `json:"reason"`
}

// FunnelPlace is one place in the conversation.
type FunnelPlace struct {
	Place   string   `json:"place" doc:"A number of turns, a stretch of seconds, or a stage"`
	Reached int64    `json:"reached" doc:"Answered calls that came there"`
	Left    Rate     `json:"left" doc:"Those whose caller left there before the goal"`
	Staying *float64 `json:"staying" doc:"Share of all callers still there after this place if nobody ended otherwise (Kaplan-Meier); null for stages"`
}

// Act is a last sentence of the agent.
type Act struct {
	Words string `json:"words"`
	Left  int64  `json:"left" doc:"Callers who left after it before their goal"`
	// Numbers identify the calls behind it, including those of similar sentences.
	Numbers []int `json:"numbers" doc:"What GET /calls takes as left_words to list these calls"`
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
	return funnelOf(trend.DropOff(trend.InOrder(names, left, ended), true, 0), true)
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
		if inOrder && l.Reached > 0 && !math.IsNaN(l.Staying) {
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
	return funnelOf(trend.DropOff(places, false, b.Counts[bucket.Answered]), false)
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
