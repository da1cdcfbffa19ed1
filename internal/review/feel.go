package review

import (
	"fmt"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

// Talk is the input from which a caller's feeling is judged.
type Talk struct {
	// Turns are the turns of both sides with their words; Timed says that their times are known.
	Turns []call.Turn
	Timed bool
	// Caller is the caller's channel at 8 kHz, empty if there is none.
	Caller audio.Clip
	End    call.EndReason
	Length time.Duration
}

// feelRate is the sample rate at which voices are judged, in Hz.
const feelRate = 8000

// feelTurns limits how many turns of a call are judged.
const feelTurns = 2000

// feel works out how the caller felt, nil when nobody can tell. In a simulated call that is how our
// own caller sounded, which is what the agent had to deal with. note says what was left out.
func (s *Service) feel(m *material, h hearing) (felt *call.Feeling, note string) {
	if s.o.Feel == nil || m.call.AnsweredAt.IsZero() || len(h.heard.Turns) == 0 {
		return nil, ""
	}
	talk := Talk{Turns: h.heard.Turns, Timed: h.timed(), End: m.call.EndReason, Length: max(h.heard.Length, m.call.Duration())}
	if len(h.caller.PCM) > 0 && !h.mixed {
		talk.Caller = audio.Clip{PCM: audio.Resample(h.caller.PCM, h.caller.Rate, feelRate), Rate: feelRate}
	}
	if h.unfit {
		talk.Turns = wordless(talk.Turns)
	}
	if n := len(talk.Turns); n > feelTurns { // the turns judged then say nothing about how the call ended
		talk.Turns, talk.End = talk.Turns[:feelTurns], call.EndReason{}
		note = fmt.Sprintf("How the caller felt was read from the first %d of %d turns.", feelTurns, n)
	}
	f := s.o.Feel(talk)
	return &f, note
}

// wordless are the turns without their words, for calls whose words are not to be trusted.
func wordless(turns []call.Turn) []call.Turn {
	out := append([]call.Turn(nil), turns...)
	for i := range out {
		out[i].Text, out[i].Words, out[i].Readings = "", nil, nil
	}
	return out
}
