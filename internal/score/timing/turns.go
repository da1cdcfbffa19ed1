package timing

import (
	"cmp"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Turns builds turns from the segments of both sides, in the order in which they begin. A side's
// turn goes on until the other takes over, that is, speaks on beyond the side's last word. Speech
// during the other's speech (an ignored interruption, an "mm-hm") is a turn of its own and does not
// end the other's. A hitch does not end a turn, whatever the other says; nor does a breath during
// the other's speech, or in a turn that began during the other's. A backchannel never takes over.
//
// manner returns what a segment of the caller was meant to be; nil means that all was plain speech.
// Segments of different manners are different turns. Text and words are left empty.
func Turns(caller, agent []call.Segment, manner func(call.Segment) call.Manner) []call.Turn {
	return turnsAround(nil, caller, agent, manner)
}

// turnsAround is Turns of a call in which the caller pressed keys. They are no turns, but the caller
// takes over with them as with words.
func turnsAround(keys, caller, agent []call.Segment, manner func(call.Segment) call.Manner) []call.Turn {
	b := builder{open: map[call.Speaker]int{}, lastEnd: map[call.Speaker]time.Duration{}}
	for _, p := range order(keys, caller, agent, manner) {
		b.add(p)
	}
	for i := range b.turns {
		b.turns[i].Index = i
	}
	return b.turns
}

// builder builds turns from pieces in the order in which they begin.
type builder struct {
	turns []call.Turn
	// open is the index of each side's latest turn, lastEnd the end of each side's speech so far, both
	// without backchannels.
	open    map[call.Speaker]int
	lastEnd map[call.Speaker]time.Duration
}

func (b *builder) add(p piece) {
	if p.key {
		b.lastEnd[p.speaker] = max(b.lastEnd[p.speaker], p.End)
		return
	}
	aside := p.manner == call.MannerBackchannel
	if i, ok := b.open[p.speaker]; ok && !aside && b.goesOn(b.turns[i], p) {
		b.turns[i].Segments = append(b.turns[i].Segments, p.Segment)
		b.turns[i].End = max(b.turns[i].End, p.End)
	} else {
		b.turns = append(b.turns, call.Turn{Speaker: p.speaker, Start: p.Start, End: p.End,
			Manner: p.manner, Segments: []call.Segment{p.Segment}})
		if !aside {
			b.open[p.speaker] = len(b.turns) - 1
		}
	}
	if !aside {
		b.lastEnd[p.speaker] = max(b.lastEnd[p.speaker], p.End)
	}
}

// goesOn reports whether the piece continues the side's latest turn: the other side has not spoken
// on beyond it, or the silence is too short.
func (b *builder) goesOn(t call.Turn, p piece) bool {
	other := call.Caller
	if p.speaker == call.Caller {
		other = call.Agent
	}
	if t.Manner != p.manner {
		return false
	}
	silence := p.Start - t.End
	if b.lastEnd[other] <= t.End || silence < hitch {
		return true
	}
	i, ok := b.open[other]
	return ok && silence < pause && (p.Start < b.lastEnd[other] || b.turns[i].Start < t.Start)
}

// piece is a segment with its side and manner.
type piece struct {
	call.Segment
	speaker call.Speaker
	manner  call.Manner
	key     bool
}

func order(keys, caller, agent []call.Segment, manner func(call.Segment) call.Manner) []piece {
	all := make([]piece, 0, len(keys)+len(caller)+len(agent))
	for _, s := range keys {
		all = append(all, piece{Segment: s, speaker: call.Caller, key: true})
	}
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
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return slices.DeleteFunc(all, func(p piece) bool { return p.End <= p.Start })
}
