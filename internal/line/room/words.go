package room

import (
	"cmp"
	"slices"
	"time"
)

// words is a piece of transcription: the words of a segment so far, or all of it. Transcription
// that is not sent in pieces has no segment.
type words struct {
	of, segment, text string
	final             bool
	sent              int64 // by the sender's clock, in ms, 0 if unknown
	at                int64 // when it arrived, by the Pacer's clock
}

// segment identifies a segment and its speaker.
type segment struct{ of, id string }

// overtaking is by how much a piece may arrive after one that was sent later: pieces are sent and
// read concurrently, and delayed by a busy network. Beyond that, the sender's clock is not trusted.
const overtaking = 5 * time.Second

// transcripts assembles complete transcriptions from pieces. Frameworks send a segment again
// with every word, in two forms at once, and finally as a whole. Only that is kept, or the
// newest piece if it never arrived. The result is known when the call is over.
type transcripts struct {
	kept     []*words
	segments map[segment]*words
}

// take adds a piece. Pieces may come in any order.
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

// told returns what was kept, for each side in the order in which it was sent.
func (t *transcripts) told() []words {
	slices.SortStableFunc(t.kept, func(a, b *words) int { return cmp.Compare(a.at, b.at) })
	sides := map[string][]words{}
	for _, w := range t.kept {
		sides[w.of] = put(sides[w.of], *w)
	}
	return append(sides["agent"], sides["caller"]...)
}

// put inserts a piece before those of its side that overtook it, since it was said no later than they were.
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
