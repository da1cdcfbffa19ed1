package review

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/audio/echo"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

// platformTranscript stands as the engine of whatever comes from the platform's transcript alone.
const platformTranscript = "platform transcript"

// hearProduction finds out who spoke when, and what, in a production call: from its recording where
// there is one, and from what its platform tells.
func (s *Service) hearProduction(ctx context.Context, m *material) (hearing, error) {
	h := hearing{}
	h.heard.Engines = map[string]string{}
	if err := s.forget(ctx, &m.call); err != nil {
		return h, err
	}
	if m.call.AnsweredAt.IsZero() {
		return h, nil
	}
	if rec := m.call.Recording; rec != nil {
		if err := s.open(ctx, rec, &h); err != nil {
			return h, err
		}
	}
	late := m.keepWithin(max(m.call.Duration(), h.agent.Duration()))
	if m.call.Recording != nil {
		if err := s.speech(ctx, m, &h); err != nil {
			return h, err
		}
	}
	h.notes = append(append(h.notes, missingRecording(m, &h)...), late...)
	if h.separate() {
		h.heard.Turns = timing.Turns(h.heard.Caller, h.heard.Agent, nil)
	}
	err := s.words(ctx, m, &h)
	return h, err
}

// separate reports whether each side has a channel of its own and at least one of them is heard.
func (h *hearing) separate() bool { return len(h.agent.PCM) > 0 && !h.mixed && !h.unheard }

// isSilent reports whether nobody speaks on the recording.
func (h *hearing) isSilent() bool { return len(h.mix)+len(h.heard.Caller)+len(h.heard.Agent) == 0 }

// missingRecording are the notes on why a call is reviewed without its sound, or with a part of it.
func missingRecording(m *material, h *hearing) []string {
	f := m.fetch
	switch {
	case h.broken != "":
		return []string{h.broken}
	case len(h.agent.PCM) > 0 && f.State == FetchHad && f.Reason != "":
		return []string{fmt.Sprintf("The recording is incomplete: %s.", f.Reason)}
	case len(h.agent.PCM) > 0:
		return shortRecording(h.agent.Duration(), m.call.Duration())
	case m.reported.RecordingURL == "" && m.call.Keep == call.KeepBasics:
		return []string{"The call's data storage setting allows neither its recording nor its words to be kept."}
	case m.reported.RecordingURL == "" && m.call.Keep != call.KeepEverything:
		return []string{"The call's data storage setting does not allow its recording to be kept, so the review uses the transcript alone."}
	case m.reported.RecordingURL == "":
		return []string{"The platform gave no http or https address of a recording, so the review uses the transcript alone."}
	case f.State == FetchFailed:
		return []string{fmt.Sprintf("There is no usable recording: %s.", f.Reason)}
	case f.State == FetchWanted && f.Tries > 0:
		return []string{fmt.Sprintf("There is no usable recording yet: %s. It will be tried again.", f.Reason)}
	}
	return []string{"The recording was not fetched."}
}

// shortRecording is a note on a file that is whole, and yet lacks so much of its call that clocks
// cannot be the reason.
func shortRecording(length, lasted time.Duration) []string {
	if length+fitReach >= lasted {
		return nil
	}
	return []string{fmt.Sprintf("The recording is %.1f s long, but the call lasted %.1f s. What the recording lacks is not measured.", length.Seconds(), lasted.Seconds())}
}

// speech takes the segments of a fetched recording, which were stored when it came, and decides
// again which channel is whose where that was not certain.
func (s *Service) speech(ctx context.Context, m *material, h *hearing) error {
	if h.broken != "" {
		return nil
	}
	rec := m.call.Recording
	h.mixed = rec.Mixed
	kept, ok, err := s.kept(ctx, rec.SHA256, fetchedEngines)
	if err != nil {
		return err
	}
	if !ok {
		t := taken{rate: h.agent.Rate, caller: h.caller.PCM, agent: h.agent.PCM, mixed: rec.Mixed}
		t.listen()
		kept = t.heard()
		if err := s.keep(ctx, m, fetchedEngines, kept); err != nil {
			return err
		}
	}
	h.heard = kept
	if h.heard.Engines == nil {
		h.heard.Engines = map[string]string{}
	}
	if h.mixed {
		h.mix, h.heard.Agent = h.heard.Agent, nil
		h.oneSided = lacksSide(&m.reported, h.mix)
	}
	h.unheard = h.isSilent() && saidBy(m.reported.Turns, call.Caller)+saidBy(m.reported.Turns, call.Agent) >= leastSaid
	if err := s.recast(ctx, m, h); err != nil {
		return err
	}
	h.tellChannels(m.call.Recording)
	h.tellEcho()
	return nil
}

// tellChannels adds a note on how it was decided which channel is whose.
func (h *hearing) tellChannels(rec *call.Recording) {
	switch {
	case h.oneSided:
		h.heard.Engines["channels"] = "one, for one side"
		h.notes = append(h.notes, "According to the transcript the recording has only one side, and it is not known which, so nothing is measured on it.")
		return
	case h.unheard:
		h.heard.Engines["channels"] = "nobody heard"
		h.notes = append(h.notes, "Nobody is heard on the recording, although the transcript has words, so nothing is measured on it.")
		return
	case rec.Mixed && h.isSilent():
		h.heard.Engines["channels"] = "one for both sides"
		h.notes = append(h.notes, "Nobody is heard on the recording.")
		return
	case rec.Mixed:
		h.heard.Engines["channels"] = "one for both sides"
		h.notes = append(h.notes, "Both sides share one channel of the recording, so figures that need to tell them apart are not evaluated.")
		return
	case rec.Roles == call.RolesTold:
		h.heard.Engines["channels"] = "as the platform tells"
	case rec.Roles == call.RolesTranscript:
		h.heard.Engines["channels"] = fmt.Sprintf("by the transcript, sure to %.2f", rec.Sure)
	case rec.Roles == call.RolesGreeting:
		h.heard.Engines["channels"] = "by who speaks first"
		h.notes = append(h.notes, "It is not known which channel of the recording is the caller's; whoever speaks first was taken to be the agent.")
	case rec.Roles == call.RolesAssumed:
		h.heard.Engines["channels"] = "assumed"
		h.notes = append(h.notes, "It is not known which channel of the recording is the caller's; the left one was assumed.")
	}
	for _, side := range []struct {
		who      call.Speaker
		segments []call.Segment
	}{{call.Caller, h.heard.Caller}, {call.Agent, h.heard.Agent}} {
		if len(side.segments) == 0 {
			h.notes = append(h.notes, fmt.Sprintf("The %s is not heard on the recording.", side.who))
		}
	}
}

// words finds out what was said: from the platform's transcript, or else by the recogniser.
func (s *Service) words(ctx context.Context, m *material, h *hearing) error {
	switch {
	case m.reported.HasTranscript:
		h.told(m)
		return nil
	case s.o.Transcriber == nil || !h.separate():
		h.unfit = true
		if m.call.Keep == call.KeepBasics { // the note on its recording says so
			return nil
		}
		h.notes = append(h.notes, "The words of this call are not known: its platform gave no transcript, and none could be made from the recording.")
		return nil
	case m.noWords != "":
		h.unfit = true
		h.notes = append(h.notes, fmt.Sprintf("The words of this call are not known: its platform gave no transcript, and the recording could not be transcribed (%s). A later review tries again.", m.noWords))
		return nil
	}
	return s.transcribeBoth(ctx, m, h)
}

// noWords is a recogniser's failure to transcribe a production call.
type noWords struct{ error }

// Unwrap returns the recogniser's own error.
func (n noWords) Unwrap() error { return n.error }

// told makes the turns of the platform's transcript those of the call. Its tool calls go by the same
// clock, and are moved with them.
func (h *hearing) told(m *material) {
	told := &m.reported
	h.heard.Engines["stt"] = platformTranscript
	if h.separate() {
		if hasTimes(told) {
			h.offset = offsetOf(told.Turns, h.heard.Caller, h.heard.Agent)
			if !tellOf(told.Turns, h.heard.Turns, h.offset) {
				told, h.offset = withoutTimes(told), 0
				m.moveTools(func(time.Duration) time.Duration { return -1 })
				h.notes = append(h.notes, "The times of the transcript do not match the recording, so its words were placed on it in order.")
			}
		}
		if h.offset != 0 {
			m.moveTools(func(at time.Duration) time.Duration { return max(0, at+h.offset) })
			h.notes = append(h.notes, fmt.Sprintf("The times of the transcript and the recording differed by %.1f s, which was corrected.", h.offset.Seconds()))
		}
		h.heard.Turns = layTurns(told, h.heard.Turns, h.offset)
		return
	}
	h.heard.Turns = slices.Clone(told.Turns)
	for i := range h.heard.Turns {
		t := &h.heard.Turns[i]
		t.Index = i
		if !slices.ContainsFunc(t.Segments, func(s call.Segment) bool { return s.End >= t.End }) {
			t.End, t.Segments = t.Start, nil // the last of several messages has only a beginning
		}
	}
	if _, ends := h.ends(); ends {
		h.heard.Engines["turns"] = platformTranscript
	}
}

// ends reports whether turns have times, and whether nearly all of them have an end as well.
func (h *hearing) ends() (times, ends bool) {
	n := 0
	for _, t := range h.heard.Turns {
		if t.Start >= 0 && t.End > t.Start {
			n++
		}
	}
	return h.timed(), h.timed() && n*10 >= len(h.heard.Turns)*9
}

// transcribeBoth transcribes both channels.
func (s *Service) transcribeBoth(ctx context.Context, m *material, h *hearing) error {
	name, selfTest := s.o.Transcriber.Engine()
	h.heard.Engines["stt"], h.heard.SelfTestGrade, h.unfit = name, selfTest, selfTest
	if selfTest {
		h.notes = append(h.notes, "The platform gave no transcript. The words come from a recogniser that is fit for synthetic voices only, so nothing is judged by them.")
	}
	engines := "fetched; " + s.engines()
	kept, ok, err := s.kept(ctx, m.call.Recording.SHA256, engines)
	if err != nil {
		return err
	}
	if ok && len(kept.Turns) == len(h.heard.Turns) {
		h.heard.Turns = kept.Turns
		return nil
	}
	for _, side := range []struct {
		who  call.Speaker
		clip audio.Clip
	}{{call.Caller, h.caller}, {call.Agent, h.agent}} {
		if err := s.transcribeSide(ctx, m, h, side.who, side.clip); err != nil {
			return err
		}
	}
	return s.keep(ctx, m, engines, h.heard)
}

func (s *Service) transcribeSide(ctx context.Context, m *material, h *hearing, who call.Speaker, clip audio.Clip) error {
	parts := utterances(h.heard.Turns, who)
	if len(parts) == 0 {
		return nil
	}
	segments := make([]call.Segment, len(parts))
	for i, p := range parts {
		segments[i] = p.segment
	}
	words, err := s.o.Transcriber.Transcribe(ctx, Speech{PCM: clip.PCM, Rate: clip.Rate, Segments: segments, Language: m.plan.Item.Language()})
	if err != nil {
		return noWords{fmt.Errorf("transcribe the %s: %w", who, err)}
	}
	if len(words) != len(parts) {
		return noWords{fmt.Errorf("transcribe the %s: %d transcripts for %d stretches of speech", who, len(words), len(parts))}
	}
	if err := looped(parts, words); err != nil {
		return noWords{fmt.Errorf("transcribe the %s: %w", who, err)}
	}
	for i, p := range parts {
		fillAgent(&h.heard.Turns[p.turn], words[i])
	}
	return nil
}

// recast decides again which channel is whose, with what the platform has told since the recording
// came. If they were the other way round, the recording is stored again with its sides exchanged.
func (s *Service) recast(ctx context.Context, m *material, h *hearing) error {
	rec := m.call.Recording
	if rec.Mixed || rec.Roles == call.RolesTold || rec.Roles == "" || s.o.Shelf == nil {
		return nil
	}
	roles, sure, swapped := rolesOf(&m.reported, h.heard.Caller, h.heard.Agent)
	if roles == call.RolesGreeting || roles == call.RolesAssumed || roles == rec.Roles && !swapped {
		return nil
	}
	better, heard := *rec, (*call.Heard)(nil)
	if swapped {
		h.caller, h.agent = h.agent, h.caller
		h.heard.Caller, h.heard.Agent = h.heard.Agent, h.heard.Caller
		key, exchanged := strings.CutSuffix(rec.Key, "-exchanged.wav")
		if exchanged {
			key += ".wav"
		} else {
			key = strings.TrimSuffix(rec.Key, ".wav") + "-exchanged.wav"
		}
		var err error
		if better, err = s.o.Shelf.KeepSound(ctx, key, h.agent.Rate, h.caller.PCM, h.agent.PCM); err != nil {
			return err
		}
		heard = &call.Heard{Caller: h.heard.Caller, Agent: h.heard.Agent, Length: h.heard.Length, Engines: h.heard.Engines}
	}
	better.Roles, better.Sure = roles, sure
	if err := s.had(ctx, m, brought{better, heard, false}); err != nil {
		return err
	}
	m.call.Recording = &better
	return nil
}

// fetchedEngines names the engines that found the segments of fetched recordings.
const fetchedEngines = "fetched; segments " + activity.Engine + "; echo " + echo.Engine
