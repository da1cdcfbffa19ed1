package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/audio/activity"
	"github.com/ringtrue/ringtrue/internal/audio/echo"
	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/score/timing"
)

const (
	// maxRecording limits how many bytes of a recording are read: about 4 h of two channels at
	// 8 kHz.
	maxRecording = 512 << 20
	// utteranceGap is the longest pause over which segments of a turn are joined for the
	// recogniser, which understands sentences better than pieces.
	utteranceGap = 700 * time.Millisecond
)

// hearing is what was understood of a recording, together with the sound.
type hearing struct {
	heard call.Heard
	// caller and agent are the channels; empty if there is no recording.
	caller, agent audio.Clip
	// broken is a sentence saying what is wrong with the recording, "" if nothing is.
	broken string
	// mixed says that both channels hold the same mix of both sides.
	mixed bool
	// oneSided says that the mix really holds only one side.
	oneSided bool
	// unheard says that nobody is heard on the recording, although the transcript has words.
	unheard bool
	// mix is when anybody speaks in the mix.
	mix []call.Segment
	// offset is what was added to the times of the platform's transcript.
	offset time.Duration
	// unfit says that the words cannot be trusted, so that nothing may be judged by them.
	unfit bool
	// notes say what the review had to do without.
	notes []string
}

// timed reports whether the times of the turns are known.
func (h *hearing) timed() bool {
	return len(h.heard.Turns) > 0 && !slices.ContainsFunc(h.heard.Turns, func(t call.Turn) bool { return t.Start < 0 })
}

// hear reads the recording and finds out who spoke when, and what they said. A call without
// a recording is not heard; the gate decides whether that makes it void. An error means
// that something of ours failed and may work later.
func (s *Service) hear(ctx context.Context, m *material) (hearing, error) {
	if m.call.Origin == call.Production {
		return s.hearProduction(ctx, m)
	}
	var h hearing
	h.heard.Engines = map[string]string{}
	if m.call.Recording == nil {
		return h, nil
	}
	if err := s.open(ctx, m.call.Recording, &h); err != nil {
		return h, err
	}
	if h.broken != "" {
		return h, nil
	}
	kept, ok, err := s.kept(ctx, m.call.Recording.SHA256, s.engines())
	if err != nil {
		return h, err
	}
	if ok {
		h.heard = kept
		h.tellEcho()
		return h, nil
	}
	if err := s.listen(ctx, m, &h); err != nil {
		return h, err
	}
	h.tellEcho()
	return h, s.keep(ctx, m, s.engines(), h.heard)
}

// open reads both channels and checks the recording's digest.
func (s *Service) open(ctx context.Context, rec *call.Recording, h *hearing) error {
	r, err := s.o.Recordings.Open(ctx, rec.Key)
	if problem.Is(err, problem.NotFound) {
		s.o.Log.WarnContext(ctx, "a recording is not in the data folder: processes on one database need one folder for all of them", "recording", rec.Key)
		h.broken = "The recording is missing: it was removed, or another process keeps it in its own data folder."
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the recording: %w", err)
	}
	defer r.Close()
	sum := sha256.New()
	wav, err := audio.ReadWAV(io.TeeReader(r, sum), maxRecording)
	switch {
	case errors.Is(err, audio.ErrFormat) || errors.Is(err, audio.ErrTooLarge):
		h.broken = "The recording cannot be read."
		return nil
	case err != nil:
		return fmt.Errorf("read the recording: %w", err)
	case len(wav.Channels) != 2:
		h.broken = fmt.Sprintf("The recording has %d channels, not two.", len(wav.Channels))
		return nil
	}
	if _, err := io.Copy(sum, io.LimitReader(r, maxRecording)); err != nil {
		return fmt.Errorf("read the recording: %w", err)
	}
	if rec.SHA256 != "" && hex.EncodeToString(sum.Sum(nil)) != rec.SHA256 {
		h.broken = "The recording is not the one that was stored: its digest differs."
		return nil
	}
	h.caller = audio.Clip{PCM: wav.Channels[leg.CallerChannel], Rate: wav.Rate}
	h.agent = audio.Clip{PCM: wav.Channels[leg.AgentChannel], Rate: wav.Rate}
	return nil
}

// listen finds segments, turns and words.
func (s *Service) listen(ctx context.Context, m *material, h *hearing) error {
	h.heard = timing.Hear(m.attempt.Timeline, h.caller, h.agent)
	fillCaller(h.heard.Turns, timing.Said(m.attempt.Timeline))
	return s.transcribe(ctx, m, h)
}

// transcribe fills in the words of the agent's turns.
func (s *Service) transcribe(ctx context.Context, m *material, h *hearing) error {
	if s.o.Transcriber == nil {
		if len(h.heard.Agent) > 0 {
			return problem.New(problem.Unavailable, "no speech recognition is configured").
				WithHint("configure speech recognition; `ringtrue doctor` says what is missing")
		}
		return nil
	}
	h.heard.Engines["stt"], h.heard.SelfTestGrade = s.o.Transcriber.Engine()
	parts := utterances(h.heard.Turns, call.Agent)
	if len(parts) == 0 {
		return nil
	}
	segments := make([]call.Segment, len(parts))
	for i, p := range parts {
		segments[i] = p.segment
	}
	words, err := s.o.Transcriber.Transcribe(ctx, Speech{
		PCM: h.agent.PCM, Rate: h.agent.Rate, Segments: segments,
		Language: m.plan.Item.Language(), Hints: m.plan.Item.Words(), Maybe: m.plan.Item.Output.DoNotSay,
	})
	if err != nil {
		return fmt.Errorf("transcribe the agent: %w", err)
	}
	if len(words) != len(parts) {
		return fmt.Errorf("transcribe the agent: %d transcripts for %d stretches of speech", len(words), len(parts))
	}
	if err := looped(parts, words); err != nil {
		return err
	}
	for i, p := range parts {
		fillAgent(&h.heard.Turns[p.turn], words[i])
	}
	fillReadings(h.heard.Turns, parts, words)
	return s.control(ctx, m, h, words)
}

// control finds out whom to blame when not one word of the agent was understood. It gives the
// recogniser a line of our own caller, whose words are known. When that comes back empty too, the
// recogniser does not work, and nothing may be said about the agent's words.
func (s *Service) control(ctx context.Context, m *material, h *hearing, words []Transcript) error {
	if slices.ContainsFunc(words, func(t Transcript) bool { return strings.TrimSpace(t.Text) != "" }) {
		return nil
	}
	known := offHold(h.heard.Caller, m.attempt.Timeline)
	known = known[:min(len(known), controlLines)]
	if len(known) == 0 {
		return nil
	}
	words, err := s.o.Transcriber.Transcribe(ctx, Speech{
		PCM: h.caller.PCM, Rate: h.caller.Rate, Segments: known,
		Language: m.plan.Item.Language(), Hints: m.plan.Item.Words(),
	})
	if err != nil {
		return fmt.Errorf("transcribe the caller: %w", err)
	}
	if slices.ContainsFunc(words, func(t Transcript) bool { return strings.TrimSpace(t.Text) != "" }) {
		return nil
	}
	return problem.New(problem.Unavailable, "speech recognition did not understand a single word of the call, not even our own").
		WithHint("check the recogniser with `ringtrue doctor`")
}

// controlLines limits how many of the caller's lines are tried.
const controlLines = 3

// utterance is a stretch of a turn that is transcribed in one piece.
type utterance struct {
	turn    int
	segment call.Segment
}

// utterances joins the segments of each turn of a side over short pauses.
func utterances(turns []call.Turn, who call.Speaker) []utterance {
	var out []utterance
	for i, t := range turns {
		if t.Speaker != who {
			continue
		}
		first := len(out)
		for _, seg := range t.Segments {
			if n := len(out); n > first && seg.Start-out[n-1].segment.End <= utteranceGap {
				out[n-1].segment.End = seg.End
				continue
			}
			out = append(out, utterance{turn: i, segment: seg})
		}
	}
	return out
}

// fillAgent appends recognised text to a turn. The turn keeps words with times only if all
// of its parts have them.
func fillAgent(t *call.Turn, heard Transcript) {
	text := strings.Join(strings.Fields(heard.Text), " ")
	if text == "" {
		return
	}
	placed := t.Text == "" || len(t.Words) > 0
	t.Text = strings.TrimSpace(t.Text + " " + text)
	if placed && len(heard.Words) > 0 {
		t.Words = append(t.Words, heard.Words...)
		return
	}
	t.Words = nil
}

// fillReadings adds the alternative readings of turns: each reading of one part, combined
// with the best text of the other parts.
func fillReadings(turns []call.Turn, parts []utterance, heard []Transcript) {
	for i, p := range parts {
		before, behind := "", ""
		for j, other := range parts {
			switch {
			case other.turn != p.turn:
			case j < i:
				before += heard[j].Text + " "
			case j > i:
				behind += " " + heard[j].Text
			}
		}
		t := &turns[p.turn]
		for _, r := range heard[i].Readings {
			t.Readings = append(t.Readings, strings.Join(strings.Fields(before+r+behind), " "))
		}
	}
}

// fillCaller sets the texts of the caller's turns, which are known.
func fillCaller(turns []call.Turn, said []call.Event) {
	for i := range turns {
		t := &turns[i]
		if t.Speaker != call.Caller {
			continue
		}
		var parts []string
		for _, e := range said {
			if e.Manner == t.Manner && holds(t.Segments, e.At) {
				parts = append(parts, e.Text)
			}
		}
		t.Text = strings.Join(parts, " ")
	}
}

func holds(segments []call.Segment, at time.Duration) bool {
	for _, s := range segments {
		if at >= s.Start && at < s.End {
			return true
		}
	}
	return false
}

func place(sample, rate int) time.Duration {
	return time.Duration(sample) * time.Second / time.Duration(rate)
}

// kept finds what the same engines heard on the recording before.
func (s *Service) kept(ctx context.Context, digest, engines string) (h call.Heard, ok bool, err error) {
	if digest == "" {
		return h, false, nil
	}
	err = s.o.Store.Read(ctx, func(tx Tx) (err error) {
		h, ok, err = tx.HeardOf(ctx, digest, engines)
		return err
	})
	if err != nil {
		return h, false, fmt.Errorf("look for what was heard before: %w", err)
	}
	return h, ok, nil
}

// keep stores what was heard, unless the recording is no longer the call's: an opt-out that came
// meanwhile has erased everything, and this would stay for good.
func (s *Service) keep(ctx context.Context, m *material, engines string, h call.Heard) error {
	digest := m.call.Recording.SHA256
	if digest == "" {
		return nil
	}
	err := s.o.Store.Write(ctx, func(tx Tx) error {
		if err := tx.BeatReview(ctx, m.call.ID, s.o.BeatTime()); err != nil { // locks the call's row
			return err
		}
		c, err := tx.CallByID(ctx, "", m.call.ID)
		if err != nil || c.Recording == nil || c.Recording.SHA256 != digest {
			return err
		}
		return tx.KeepHeard(ctx, digest, engines, h)
	})
	if err != nil {
		return fmt.Errorf("keep what was heard: %w", err)
	}
	return nil
}

// engines names the engines whose change makes hearing a recording again worthwhile.
func (s *Service) engines() string {
	stt := "none"
	if s.o.Transcriber != nil {
		stt, _ = s.o.Transcriber.Engine()
	}
	return "segments " + activity.Engine + "; echo " + echo.Engine + "; stt " + stt
}

// tellEcho adds a note on an echo that was not taken for speech.
func (h *hearing) tellEcho() {
	if path := h.heard.Engines["echo"]; path != "" {
		h.notes = append(h.notes, "The voice of one side comes back on the other's channel ("+path+"). This echo was not taken for speech.")
	}
}
