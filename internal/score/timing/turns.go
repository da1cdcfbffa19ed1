package timing

import (
	"slices"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Turns builds turns out of the segments of both sides, in the order in which
// they begin. A side's turn goes on until the other takes over, that is: has
// spoken on after the side's last word. Speaking inside the other's speech (an
// interruption that is ignored, an "mm-hm") is a turn of its own and does not
// break the other's. A backchannel never takes over.
//
// manner tells what a segment of the caller's was meant to be; nil means that
// all was plain talk. Segments of different manners are different turns.
func Turns(caller, agent []call.Segment, manner func(call.Segment) call.Manner) []call.Turn {
	all := order(caller, agent, manner)
	var turns []call.Turn
	open := map[call.Speaker]int{}
	var ended map[call.Speaker]call.Segment = map[call.Speaker]call.Segment{}
	for _, p := range all {
		back := p.manner == call.MannerBackchannel
		i, has := open[p.speaker]
		if has && !back && turns[i].Manner == p.manner && !takenOver(turns[i], ended, p) {
			turns[i].Segments = append(turns[i].Segments, p.Segment)
			turns[i].End = max(turns[i].End, p.End)
		} else {
			turns = append(turns, call.Turn{Speaker: p.speaker, Start: p.Start, End: p.End, Manner: p.manner, Segments: []call.Segment{p.Segment}})
			if !back {
				open[p.speaker] = len(turns) - 1
			}
		}
		if last, ok := ended[p.speaker]; !back && (!ok || p.End > last.End) {
			ended[p.speaker] = p.Segment
		}
	}
	for i := range turns {
		turns[i].Index = i
	}
	return turns
}

// takenOver reports whether the other side has spoken on after the turn's last word.
func takenOver(t call.Turn, ended map[call.Speaker]call.Segment, p piece) bool {
	other := call.Caller
	if p.speaker == call.Caller {
		other = call.Agent
	}
	last, ok := ended[other]
	return ok && last.End > t.End
}

// piece is a segment with its side.
type piece struct {
	call.Segment
	speaker call.Speaker
	manner  call.Manner
}

func order(caller, agent []call.Segment, manner func(call.Segment) call.Manner) []piece {
	all := make([]piece, 0, len(caller)+len(agent))
	for _, s := range caller {
		p := piece{Segment: s, speaker: call.Caller}
		if manner != nil {
			p.manner = manner(s)
		}
		all = append(all, p)
	}
	for _, s := range agent {
		all = append(all, piece{Segment: s, speaker: call.Agent})
	}
	slices.SortStableFunc(all, func(a, b piece) int {
		if a.Start != b.Start {
			return int(min(max(a.Start-b.Start, -1), 1))
		}
		return int(min(max(a.End-b.End, -1), 1))
	})
	return all
}
