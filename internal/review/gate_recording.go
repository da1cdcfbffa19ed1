package review

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// ourRecording checks that an answered call was recorded, with our channel complete.
func ourRecording(m *material, h hearing) string {
	if m.call.AnsweredAt.IsZero() {
		return ""
	}
	rec := m.call.Recording
	switch {
	case rec == nil:
		return "The call was answered, but there is no recording of it."
	case h.broken != "":
		return h.broken
	}
	length, lasted := h.agent.Duration(), m.call.Duration()
	if held := ourShare(*rec, length, lasted); held < minCoverage && lasted-time.Duration(held*float64(lasted)) > maxLate {
		return fmt.Sprintf("The recording holds only %.1f %% of our side of the call.", 100*held)
	}
	if length+maxShort < lasted {
		return fmt.Sprintf("The recording is %.1f s long, but the call lasted %.1f s.", length.Seconds(), lasted.Seconds())
	}
	return ""
}

// ourShare is how much of the call the caller's channel holds, 0 to 1. The recording of an agent
// that sends its sound faster than it can be heard goes on after the end of the call, where we have
// said nothing. A call that was hung up at once has nothing to hold.
func ourShare(rec call.Recording, length, lasted time.Duration) float64 {
	if within := min(length, lasted); within > 0 {
		return min(1, rec.CallerCoverage*float64(length)/float64(within))
	}
	return rec.CallerCoverage
}

// ourWords: every line of ours on the timeline must be on our channel of the recording.
func ourWords(m *material, h hearing) string {
	if len(h.caller.PCM) == 0 {
		return ""
	}
	holds := onHold(m.attempt.Timeline)
	for _, e := range timing.Said(m.attempt.Timeline) {
		if meets(holds, call.Segment{Start: e.At, End: e.End}) {
			continue // the agent did not listen
		}
		if e.Data["complete"] == false && e.End-e.At <= stray {
			continue // cut off before anything could be heard
		}
		from, to := sampleAt(h.caller, e.At), sampleAt(h.caller, e.End)
		first, last, ok := audio.Clip{PCM: h.caller.PCM[from:to], Rate: h.caller.Rate}.Audible()
		if !ok || audio.Level(h.caller.PCM[from:to]) < quiet {
			return fmt.Sprintf("The recording is missing what we said at %s.", call.Clock(e.At))
		}
		if place(first, h.caller.Rate) > stray || place(to-from-last, h.caller.Rate) > stray+short(e, h) {
			return fmt.Sprintf("What we said at %s is not at that time in the recording.", call.Clock(e.At))
		}
	}
	return ""
}

// onHold are the stretches in which the agent had put us on hold: nothing is sent then, and silence
// is recorded.
func onHold(timeline []call.Event) []call.Segment {
	var out []call.Segment
	for _, e := range timeline {
		switch e.Kind { //nolint:exhaustive // the others do not concern holds
		case call.KindHeld:
			out = append(out, call.Segment{Start: e.At, End: math.MaxInt64})
		case call.KindResumed:
			if len(out) > 0 {
				out[len(out)-1].End = e.At
			}
		}
	}
	return out
}

// meets reports whether a stretch overlaps any of the others.
func meets(others []call.Segment, s call.Segment) bool {
	return slices.ContainsFunc(others, func(o call.Segment) bool { return o.Start < s.End && o.End > s.Start })
}

// offHold are those of our lines that the recording holds whole, because no hold interrupted them.
func offHold(lines []call.Segment, timeline []call.Event) []call.Segment {
	holds := onHold(timeline)
	return slices.DeleteFunc(slices.Clone(lines), func(s call.Segment) bool { return meets(holds, s) })
}

// short returns how much of a line lies after the end of the recording, which a far end that hangs
// up cuts off.
func short(e call.Event, h hearing) time.Duration {
	return max(0, e.End-h.caller.Duration())
}

const (
	// leastTalk is how long the agent must have been heard live for its speech to be looked for in the
	// recording.
	leastTalk = 400 * time.Millisecond
	// behindTape is how much earlier than it was heard something may stand in the recording, which
	// goes by arrival: the longest jitter buffer.
	behindTape = 500 * time.Millisecond
	// leastNoticed is how long the agent must speak for our caller to have to notice.
	leastNoticed = time.Second
	// leastStill is how long the agent must be silent for our caller to have to notice.
	leastStill = 3 * time.Second
)

// theirSpeech: where our caller heard the agent speak, the recording must hold sound. If it does
// not, the recording failed, and not the agent.
func theirSpeech(m *material, h hearing) string {
	if len(h.agent.PCM) == 0 {
		return ""
	}
	for _, s := range heardLive(m.attempt.Timeline, h.agent.Duration(), leastTalk) {
		from, to := sampleAt(h.agent, s.Start-behindTape), sampleAt(h.agent, s.End)
		if _, _, ok := (audio.Clip{PCM: h.agent.PCM[from:to], Rate: h.agent.Rate}).Audible(); !ok {
			return fmt.Sprintf("The recording is missing what we heard from the agent at %s.", call.Clock(s.Start))
		}
	}
	return ""
}

// ourEars: a long stretch of the agent's speech must have been noticed during the call. If it was
// not, our caller was deaf or had stopped, and how the agent took its silence says nothing about
// the agent.
func ourEars(m *material, h hearing) string {
	if len(h.agent.PCM) == 0 {
		return ""
	}
	live := heardLive(m.attempt.Timeline, h.agent.Duration(), 0)
	for _, s := range h.heard.Agent {
		noticed := slices.ContainsFunc(live, func(l call.Segment) bool { return l.Start < s.End+behindTape && l.End > s.Start })
		if s.Length() >= leastNoticed && s.End+behindTape < m.call.Duration() && !noticed {
			return fmt.Sprintf("Our caller did not notice what the agent said at %s.", call.Clock(s.Start))
		}
	}
	return unheeded(m, h)
}

// outOfTurn: a caller that went on after waiting for the agent must have heard the agent, and not a
// noise that began on the line. What it says too early, it says over the agent.
func outOfTurn(m *material, h hearing) string {
	if len(h.agent.PCM) == 0 {
		return ""
	}
	waiting, since := false, time.Duration(0)
	for _, e := range m.attempt.Timeline {
		if e.Kind != call.KindStep {
			continue
		}
		spoke := func(s call.Segment) bool { return s.Start < e.At && s.End+behindTape > since }
		if waiting && !slices.ContainsFunc(h.heard.Agent, spoke) {
			return fmt.Sprintf("Our caller took noise for the agent's answer and went on at %s.", call.Clock(e.At))
		}
		waiting, since = told(e.Data, "step", "") == "wait_for_agent", lastSpoke(m.attempt.Timeline, e.At)
	}
	return ""
}

// lastSpoke returns when the caller last began a line that asks for an answer, or pressed a key,
// before a time; 0 if it did not. What the agent says from then on answers it.
func lastSpoke(timeline []call.Event, before time.Duration) (last time.Duration) {
	for _, e := range timeline {
		if (e.Kind == call.KindSaid && e.Manner != call.MannerBackchannel || e.Kind == call.KindDigitSent) && e.At < before {
			last = max(last, e.At)
		}
	}
	return last
}

// unheeded: where our caller heard the agent speak up to the end of the call, the recording must
// not hold a long silence there. A caller that did not notice the silence had stopped, and would
// have waited for ever.
func unheeded(m *material, h hearing) string {
	since, open := speaking(m.attempt.Timeline)
	if !open {
		return ""
	}
	spoke := since
	for _, s := range append(slices.Clone(h.heard.Agent), call.Segment{Start: m.call.Duration()}) {
		if s.Start >= spoke+leastStill {
			return fmt.Sprintf("Our caller did not notice that the agent stopped speaking at %s.", call.Clock(spoke))
		}
		spoke = max(spoke, s.End)
	}
	return ""
}

// speaking is since when live voice activity heard the agent speak at the end of the call.
func speaking(timeline []call.Event) (since time.Duration, open bool) {
	for _, e := range timeline {
		switch e.Kind { //nolint:exhaustive // the others do not concern the agent's speech
		case call.KindAgentStarted:
			since, open = e.At, true
		case call.KindAgentEnded:
			open = false
		}
	}
	return since, open
}

// heardLive returns when live voice activity heard the agent for at least the given time.
func heardLive(timeline []call.Event, length, least time.Duration) []call.Segment {
	var out []call.Segment
	began, open := time.Duration(0), false
	ends := func(at time.Duration) {
		if at = min(at, length); open && at-began >= least {
			out = append(out, call.Segment{Start: began, End: at})
		}
		open = false
	}
	for _, e := range timeline {
		switch e.Kind { //nolint:exhaustive // the others do not concern the agent's speech
		case call.KindAgentStarted:
			began, open = e.At, true
		case call.KindAgentEnded:
			ends(e.At)
		}
	}
	ends(length)
	return out
}

func sampleAt(c audio.Clip, at time.Duration) int {
	return min(max(int(at*time.Duration(c.Rate)/time.Second), 0), len(c.PCM))
}
