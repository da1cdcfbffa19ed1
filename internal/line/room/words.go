package room

import (
	"cmp"
	"slices"
	"time"
)

// words are a piece of transcription: what is heard of a segment so far, or all of it.
// What is not told in pieces has no segment.
type words struct {
	of, segment, text string
	final             bool
	sent              int64 // by the clock of whoever sent it, in ms, 0 when that is not said
	at                int64 // when it came, by the pacer's clock
}

// segment is one that somebody speaks.
type segment struct{ of, id string }

// overtaking is by how much a piece may come after one that was sent later: they are sent
// and read side by side, and wait for a network that is busy. Beyond, the sender's clock
// is not to be believed.
const overtaking = 5 * time.Second

// transcripts find the whole in pieces. Frameworks send a segment anew with every word, in
// two forms at a time, and at last the whole: that alone is kept, or the newest when
// it never came. What is kept is known when the call is over.
type transcripts struct {
	kept     []*words
	segments map[segment]*words
}

// take takes a piece. It comes in any order.
func (t *transcripts) take(said words) {
	id := segment{said.of, said.segment}
	known := t.segments[id]
	switch {
	case said.text == "" || known != nil && (known.final || !said.final && said.sent < known.sent):
	case known != nil:
		said.sent = cmp.Or(said.sent, known.sent)
		*known = said
	case len(t.kept) < mostTranscripts:
		t.kept = append(t.kept, &said)
		if said.segment != "" {
			t.segments[id] = &said
		}
	}
}

// told gives what is kept, each side's in the order in which it was sent.
func (t *transcripts) told() []words {
	slices.SortStableFunc(t.kept, func(a, b *words) int { return cmp.Compare(a.at, b.at) })
	sides := map[string][]words{}
	for _, w := range t.kept {
		sides[w.of] = put(sides[w.of], *w)
	}
	return append(sides["agent"], sides["caller"]...)
}

// put puts a piece before those of its side that have overtaken it: it was said no later than they.
func put(side []words, w words) []words {
	i := len(side)
	for i > 0 && w.sent != 0 && side[i-1].sent > w.sent && w.at-side[i-1].at < int64(overtaking) {
		i--
	}
	if i < len(side) {
		w.at = side[i].at
	}
	return slices.Insert(side, i, w)
}
