package review

import (
	"fmt"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// inTimeOf is what a platform tells of a call of that length without its impossible times: those
// that lie further after the call's end than clocks differ count as unknown. A turn with such an
// end has no end, rather than one at its last believable word. beyond is how many turns lost a
// time. Length 0 means that the length is not known.
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

// keepWithin applies inTimeOf to what is told of the call and to the times of its tool calls. The
// notes say what was lost.
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
	return []string{fmt.Sprintf("Turns or tool calls with a time long after the end of the call: %d. These times were ignored.", beyond)}
}

// moveTools changes the known times of the tool calls, of which the material has its own copy.
func (m *material) moveTools(to func(at time.Duration) time.Duration) {
	for i := range m.tools {
		if m.tools[i].At >= 0 {
			m.tools[i].At = to(m.tools[i].At)
		}
	}
}
