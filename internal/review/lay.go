package review

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// nearby is how far a told turn may lie from the speech that it describes.
const nearby = 1500 * time.Millisecond

// leastPlaced is how many turns must have times for a transcript with gaps to be laid by them; they
// must also be one in placedOf. A few times at the beginning of a long call say less than the order
// of all its turns.
const leastPlaced, placedOf = 4, 3

// hasTimes reports whether a transcript can be laid by its times: all of its turns have them, or
// many of both sides do, as where a platform cuts its list of times short.
func hasTimes(told *call.Reported) bool {
	sides := map[call.Speaker]int{}
	for i := range told.Turns {
		if told.Turns[i].Start >= 0 {
			sides[told.Turns[i].Speaker]++
		}
	}
	caller, agent := sides[call.Caller], sides[call.Agent]
	return told.Timed || caller > 0 && agent > 0 && caller+agent >= max(leastPlaced, len(told.Turns)/placedOf)
}

// tellOf reports whether the times of a transcript, moved by offset, match what was heard: half of
// the told turns that could meet a heard one do. Times in another unit, or of a clock that is
// minutes off, meet nothing.
func tellOf(told, heard []call.Turn, offset time.Duration) bool {
	met, timed := map[int]bool{}, 0
	for _, t := range told {
		if t.Start < 0 {
			continue
		}
		timed++
		t.By = "" // nobody has parted the heard turns of one side yet
		if at := nearest(heard, moved(t, offset)); at >= 0 {
			met[at] = true
		}
	}
	return len(met)*2 >= min(timed, len(heard))
}

// withoutTimes is a transcript without its times, of which only the order is trusted.
func withoutTimes(told *call.Reported) *call.Reported {
	out := *told
	out.Timed, out.Turns = false, slices.Clone(told.Turns)
	for i := range out.Turns {
		t := &out.Turns[i]
		t.Start, t.End, t.Words = -1, -1, nil
	}
	return &out
}

// layTurns writes the words of a transcript into the turns that were heard. Its times are moved by
// offset; turns without times follow the order. A turn that was told but not heard becomes one
// without length.
func layTurns(told *call.Reported, heard []call.Turn, offset time.Duration) []call.Turn {
	timed := hasTimes(told)
	if timed {
		heard = parted(told.Turns, heard, offset)
	}
	turns := slices.Clone(heard)
	var extra []call.Turn
	ordered, _ := []int(nil), 0.0
	if !told.Timed {
		ordered, _ = inOrder(told.Turns, heard)
	}
	last, ended := time.Duration(0), time.Duration(0)
	for i, t := range told.Turns {
		at := -1
		if timed && t.Start >= 0 {
			t = moved(t, offset)
			if split(turns, t) {
				last = max(last, t.Start)
				continue
			}
			at = nearest(turns, t)
			last = max(last, t.Start)
		} else if ordered != nil && (!timed || ordered[i] >= 0 && turns[ordered[i]].Start >= last) {
			at = ordered[i] // it must not precede a turn placed by its time
		}
		if at < 0 || !speaks(&turns[at], t.By) {
			t = unheard(t, timed, last, ended)
			extra, last = append(extra, t), max(last, t.Start)
			continue
		}
		add(&turns[at], t)
		last, ended = max(last, turns[at].Start), max(ended, turns[at].End)
	}
	return inTime(append(turns, extra...))
}

// unheard is a told turn that the recording does not hold. Without a time of its own it stands where the
// turn before it began; but somebody who takes the call over begins where that has ended, since all of
// it is the agent's.
func unheard(t call.Turn, timed bool, began, ended time.Duration) call.Turn {
	at := began
	switch {
	case timed && t.Start >= 0:
		at = t.Start
	case t.By != "":
		at = max(began, ended)
	}
	return call.Turn{Speaker: t.Speaker, By: t.By, Start: at, End: at, Text: t.Text}
}

// inTime sorts turns by their beginning and numbers them.
func inTime(turns []call.Turn) []call.Turn {
	slices.SortStableFunc(turns, func(a, b call.Turn) int { return cmp.Compare(a.Start, b.Start) })
	for i := range turns {
		turns[i].Index = i
	}
	return turns
}

// add appends the words of a told turn to a heard one.
func add(to *call.Turn, t call.Turn) {
	if to.Text == "" {
		to.Text, to.Words = t.Text, t.Words
		return
	}
	to.Text += " " + t.Text
	if len(to.Words) > 0 && len(t.Words) > 0 {
		to.Words = append(slices.Clone(to.Words), t.Words...)
		return
	}
	to.Words = nil
}

func moved(t call.Turn, by time.Duration) call.Turn {
	t.Start, t.End = max(0, t.Start+by), max(0, t.End+by)
	t.Words = slices.Clone(t.Words)
	for i := range t.Words {
		t.Words[i].Start, t.Words[i].End = max(0, t.Words[i].Start+by), max(0, t.Words[i].End+by)
	}
	return t
}

// nearest returns the index of the heard turn of the same speaker that overlaps the told one most,
// or else lies nearest to it; −1 if none is near.
func nearest(heard []call.Turn, t call.Turn) int {
	best, shared, away := -1, time.Duration(0), nearby
	end := endOf(t)
	for i, h := range heard {
		if h.Speaker != t.Speaker || h.By != t.By {
			continue
		}
		together := min(h.End, end) - max(h.Start, t.Start)
		switch {
		case together > shared:
			best, shared = i, together
		case shared == 0 && -together < away:
			best, away = i, -together
		}
	}
	return best
}

// endOf is when a told turn ends; where that is not told, it is guessed from the number of words.
func endOf(t call.Turn) time.Duration {
	if t.End > t.Start {
		return t.End
	}
	return t.Start + time.Duration(len(strings.Fields(t.Text)))*wordTime
}

// split distributes the words of a told turn over several heard ones, by the times of the words. It
// reports false, and does nothing, when all of them belong to one.
func split(heard []call.Turn, t call.Turn) bool {
	if len(t.Words) < 2 || len(t.Words) != len(strings.Fields(t.Text)) {
		return false
	}
	fields := strings.Fields(t.Text)
	at := make([]int, len(t.Words))
	for i, w := range t.Words {
		at[i] = nearest(heard, call.Turn{Speaker: t.Speaker, By: t.By, Start: w.Start, End: max(w.End, w.Start+1)})
		if at[i] < 0 && i > 0 {
			at[i] = at[i-1]
		}
	}
	if at[0] < 0 || at[0] == at[len(at)-1] {
		return false
	}
	for from := 0; from < len(at); {
		to := from + 1
		for to < len(at) && at[to] == at[from] {
			to++
		}
		add(&heard[at[from]], call.Turn{Text: strings.Join(fields[from:to], " "), Words: t.Words[from:to]})
		from = to
	}
	return true
}
