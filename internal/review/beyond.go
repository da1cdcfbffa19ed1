package review

import (
	"fmt"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// inTimeOf is what a platform tells of a call of that length: a time that lies further after its end
// than clocks differ cannot be, and is no time. A turn that goes on to one has no end, which is not
// where its last believable word was. beyond is how many turns are without a time for that. A call
// of no length is one whose length is not known.
func inTimeOf(told call.Reported, length time.Duration) (out call.Reported, beyond int) {
	if length <= 0 {
		return told, 0
	}
	latest := length + fitReach
	told.Turns = slices.Clone(told.Turns)
	for i := range told.Turns {
		t := &told.Turns[i]
		lies := func(w call.Word) bool { return max(w.Start, w.End) > latest }
		switch {
		case t.Start > latest:
			t.Start, t.End = -1, -1
		case t.End > latest || slices.ContainsFunc(t.Words, lies):
			t.End = t.Start
		default:
			continue
		}
		t.Segments, t.Words = nil, nil
		told.Timed = told.Timed && t.Start >= 0
		beyond++
	}
	return told, beyond
}

// keepWithin takes what is told of the call as inTimeOf does, and so the times of its functions' calls. It says what that cost.
func (m *material) keepWithin(length time.Duration) (notes []string) {
	told, beyond := inTimeOf(m.reported, length)
	m.reported, m.tools = told, slices.Clone(m.tools)
	for i := range m.tools {
		if length > 0 && m.tools[i].At > length+fitReach {
			m.tools[i].At = -1
			beyond++
		}
	}
	if beyond == 0 {
		return nil
	}
	return []string{fmt.Sprintf("Turns or calls of functions with times long after the end of the call: %d. Such a time was taken for none.", beyond)}
}
