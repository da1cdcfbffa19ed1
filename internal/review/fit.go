package review

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// fit is how the turns of a transcript match the channels of a recording.
type fit struct {
	// swapped says that the left channel is the agent's, and sure how certain that is, 0 to 1.
	swapped bool
	sure    float64
	// offset is what to add to a time of the transcript to get the time in the recording.
	offset time.Duration
	// score is how well the turns match at that offset, 0 to 1.
	score float64
}

const (
	// fitStep is the resolution at which speech and turns are compared.
	fitStep = 50 * time.Millisecond
	// fitReach is how far the clocks of a transcript and its recording may differ.
	fitReach = 30 * time.Second
	// fitLength limits how much of a call is compared.
	fitLength = 20 * time.Minute
	// leastFit is the score below which a fit proves nothing.
	leastFit = 0.25
	// fitGain is by how much another offset must fit better than none to be believed.
	fitGain = 0.05
	// wordTime is the approximate length of a spoken word.
	wordTime = 330 * time.Millisecond
)

// fitOf matches the turns of a transcript with what was heard on the left and right channel.
func fitOf(told *call.Reported, left, right []call.Segment) fit {
	switch {
	case !told.HasTranscript || len(left)+len(right) == 0:
		return fit{}
	case hasTimes(told):
		if f := fitByTime(told.Turns, left, right); f.sure >= leastSure {
			return f
		}
	}
	return fitByOrder(told.Turns, left, right) // also where times match nowhere
}

// fitByTime correlates who speaks by the transcript (caller +1, agent −1) with who speaks on the
// channels (left +1, right −1). If the channels are swapped, the correlation is negative.
func fitByTime(turns []call.Turn, left, right []call.Segment) fit {
	caller, agent := spokenBy(turns, call.Caller), spokenBy(turns, call.Agent)
	said := grid(caller, agent)
	heard := grid(left, right)
	norm := math.Sqrt(power(said) * power(heard))
	if norm == 0 {
		return fit{}
	}
	reach := int(fitReach / fitStep)
	best, worst, bestAt, worstAt := math.Inf(-1), math.Inf(1), 0, 0
	for d := -reach; d <= reach; d++ {
		// Of two offsets that match equally well, the smaller is more likely.
		near := 1 - 0.1*math.Abs(float64(d))/float64(reach)
		r := correlation(said, heard, d) / norm * near
		if r > best {
			best, bestAt = r, d
		}
		if r < worst {
			worst, worstAt = r, d
		}
	}
	out := fit{sure: best + worst, offset: time.Duration(bestAt) * fitStep, score: best}
	if -worst > best {
		out = fit{swapped: true, sure: -worst - best, offset: time.Duration(worstAt) * fitStep, score: -worst}
	}
	if out.score < leastFit {
		return fit{}
	}
	return out
}

// offsetOf is the difference between the times of a transcript and those of a recording whose
// channels are known, 0 where that cannot be told.
func offsetOf(turns []call.Turn, caller, agent []call.Segment) time.Duration {
	said, heard := grid(spokenBy(turns, call.Caller), spokenBy(turns, call.Agent)), grid(caller, agent)
	norm := math.Sqrt(power(said) * power(heard))
	if norm == 0 {
		return 0
	}
	here := correlation(said, heard, 0) / norm
	reach := int(fitReach / fitStep)
	best, worst, at := here, here, 0
	for d := -reach; d <= reach; d++ {
		r := correlation(said, heard, d) / norm
		worst = min(worst, r)
		if r > best {
			best, at = r, d
		}
	}
	// A match that is as good with the sides swapped is due to chance.
	if best < leastFit || best-here < fitGain || best+worst < leastSure {
		return 0
	}
	return time.Duration(at) * fitStep
}

// spokenBy are the stretches in which a side speaks according to the transcript: by its words where
// these have times, else by its turns. A turn that has only a beginning gets a length guessed from
// its number of words.
func spokenBy(turns []call.Turn, who call.Speaker) []call.Segment {
	var out []call.Segment
	for i, t := range turns {
		switch {
		case t.Speaker != who || t.Start < 0:
		case len(t.Words) > 0 && t.Words[len(t.Words)-1].End > t.Words[0].Start:
			for _, w := range t.Words {
				out = append(out, call.Segment{Start: w.Start, End: max(w.End, w.Start)})
			}
		case t.End > t.Start:
			out = append(out, t.Span())
		default:
			end := t.Start + time.Duration(len(strings.Fields(t.Text)))*wordTime
			if i+1 < len(turns) && turns[i+1].Start > t.Start {
				end = min(end, turns[i+1].Start)
			}
			out = append(out, call.Segment{Start: t.Start, End: end})
		}
	}
	return out
}

// grid returns, per fitStep, +1 where only the first side speaks, −1 where only the second does,
// and 0 elsewhere.
func grid(plus, minus []call.Segment) []int8 {
	end := time.Duration(0)
	for _, s := range slices.Concat(plus, minus) {
		end = max(end, s.End)
	}
	out := make([]int8, min(end, fitLength)/fitStep+1)
	mark := func(segments []call.Segment, by int8) {
		for _, s := range segments {
			for i := max(s.Start, 0) / fitStep; i < min(s.End/fitStep+1, time.Duration(len(out))); i++ {
				out[i] += by
			}
		}
	}
	mark(plus, 1)
	mark(minus, -1)
	for i, v := range out {
		out[i] = max(-1, min(1, v))
	}
	return out
}

func power(x []int8) float64 {
	n := 0
	for _, v := range x {
		n += int(v) * int(v)
	}
	return float64(n)
}

// correlation returns the sum of a[i]·b[i+d].
func correlation(a, b []int8, d int) float64 {
	from, to := max(0, -d), min(len(a), len(b)-d)
	n := 0
	for i := from; i < to; i++ {
		n += int(a[i]) * int(b[i+d])
	}
	return float64(n)
}

// fitByOrder tries both assignments of the channels and takes the one in which the lengths of the
// turns match their numbers of words better.
func fitByOrder(turns []call.Turn, left, right []call.Segment) fit {
	_, straight := inOrder(turns, timing.Turns(left, right, nil))
	_, crossed := inOrder(turns, timing.Turns(right, left, nil))
	sure := math.Abs(straight-crossed) / max(straight, crossed, 1)
	return fit{swapped: crossed < straight, sure: sure}
}

const (
	// unmatched is the cost of a turn without counterpart.
	unmatched = 1.0
	// maxOrdered limits how many turns are aligned.
	maxOrdered = 1500
)

// inOrder pairs told turns with heard ones, keeping the order of both: each pair has the same
// speaker, and a length that goes with its number of words. at is the index of the heard turn for
// each told one, −1 for none. cost is 0 when all of them match.
func inOrder(told, heard []call.Turn) (at []int, cost float64) {
	at = make([]int, len(told))
	for i := range at {
		at[i] = -1
	}
	n, m := min(len(told), maxOrdered), min(len(heard), maxOrdered)
	cell := make([]float32, (n+1)*(m+1))
	place := func(i, j int) *float32 { return &cell[i*(m+1)+j] }
	for i := 0; i <= n; i++ {
		for j := 0; j <= m; j++ {
			*place(i, j) = cheapest(told, heard, i, j, place)
		}
	}
	for i, j := n, m; i > 0 && j > 0; {
		switch here := *place(i, j); {
		case told[i-1].Speaker == heard[j-1].Speaker && here == *place(i-1, j-1)+mismatch(&told[i-1], &heard[j-1]):
			i, j = i-1, j-1
			at[i] = j
		case here == *place(i-1, j)+unmatched:
			i--
		default:
			j--
		}
	}
	return at, float64(*place(n, m))
}

func cheapest(told, heard []call.Turn, i, j int, place func(i, j int) *float32) float32 {
	if i == 0 && j == 0 {
		return 0
	}
	best := float32(math.Inf(1))
	if i > 0 {
		best = *place(i-1, j) + unmatched
	}
	if j > 0 {
		best = min(best, *place(i, j-1)+missing(&heard[j-1]))
	}
	if i > 0 && j > 0 && told[i-1].Speaker == heard[j-1].Speaker {
		best = min(best, *place(i-1, j-1)+mismatch(&told[i-1], &heard[j-1]))
	}
	return best
}

// missing is the cost of a heard turn that the transcript lacks: a short one is often noise.
func missing(t *call.Turn) float32 {
	return float32(min(unmatched, t.Span().Length().Seconds()))
}

// mismatch is how badly a length goes with a number of words, from 0 to the cost of two unmatched
// turns.
func mismatch(told, heard *call.Turn) float32 {
	want := float64(len(strings.Fields(told.Text)))*wordTime.Seconds() + 0.3
	have := heard.Span().Length().Seconds() + 0.3
	return float32(min(2*unmatched, math.Abs(math.Log(have/want))))
}
