package score

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// endingParams are the settings of end_reason.
type endingParams struct {
	AnyOf      []string `json:"any_of,omitempty"`
	ScriptDone bool     `json:"script_done,omitempty"`
}

// noScript is why what a caller of ours came to cannot be told of a production call.
const noScript = "A production call has no script and no goal."

// ending checks how the call ended.
type ending struct {
	mark Mark
	want endingParams
}

func buildEnding(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p endingParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	var wrong []problem.Field
	for i, code := range p.AnyOf {
		if !slices.Contains(call.EndCodes(), code) {
			wrong = append(wrong, problem.Field{
				Path: fmt.Sprintf("params.any_of[%d]", i), Message: "there is no end reason " + quoted(code),
				Suggestion: problem.Nearest(code, call.EndCodes()),
			})
		}
	}
	if len(wrong) > 0 {
		return nil, problem.Invalid(wrong...)
	}
	return ending{mark: m, want: p}, nil
}

// Score implements Scorer.
func (e ending) Score(ctx context.Context, in *Input) call.Score {
	if e.want.ScriptDone && in.Call.Origin == call.Production {
		rest := e
		rest.want.ScriptDone = false
		if s := rest.Score(ctx, in); s.Verdict == call.NotPassed {
			return s
		}
		return e.mark.Score(call.NotEvaluated, noScript)
	}
	place := endEvidence(in)
	if e.want.ScriptDone && !happened(in, call.KindScriptDone) {
		return e.mark.Score(call.NotPassed, "The caller did not reach the end of its script: "+how(in)+".", place)
	}
	code := string(in.Call.EndReason.Code)
	switch {
	case len(e.want.AnyOf) > 0 && slices.Contains(e.want.AnyOf, code):
		return e.mark.Score(call.Passed, "The call ended as it should: "+how(in)+".", place)
	case len(e.want.AnyOf) > 0:
		return e.mark.Score(call.NotPassed, fmt.Sprintf("The call should have ended as %s, but %s.", strings.Join(e.want.AnyOf, " or "), how(in)), place)
	case e.want.ScriptDone:
		return e.mark.Score(call.Passed, "The caller reached the end of its script, and "+how(in)+".", place)
	}
	return e.blame(in, place)
}

// blame makes the check without parameters.
func (e ending) blame(in *Input, place call.Evidence) call.Score {
	switch in.Call.EndReason.Blame {
	case call.BlameAgent:
		return e.mark.Score(call.NotPassed, "The agent was at fault for how the call ended: "+how(in)+".", place)
	case call.BlamePlatform:
		return e.mark.Score(call.NotPassed, "The agent's platform was at fault for how the call ended: "+how(in)+".", place)
	case call.BlameNobody, call.BlameCaller:
		return e.mark.Score(call.Passed, "The agent was not at fault for how the call ended: "+how(in)+".", place)
	case call.BlameLine:
		return e.mark.Score(call.NotEvaluated, "The line was at fault for how the call ended, which says nothing about the agent: "+how(in)+".", place)
	case call.BlameRingtrue, call.BlameUndecided:
	}
	return e.mark.Score(call.NotEvaluated, "It is not known who was at fault for how the call ended: "+how(in)+".", place)
}

// how says how the call ended, with the line's own detail.
func how(in *Input) string {
	words, ok := map[call.EndCode]string{
		call.EndCompleted: "it was completed", call.EndTransferred: "the caller was transferred",
		call.EndCallerHungUp: "the caller hung up", call.EndAgentHungUp: "the agent hung up",
		call.EndMaxDuration: "it reached its maximum duration", call.EndSilence: "nobody spoke any more",
		call.EndBusy: "the agent's line was busy", call.EndNoAnswer: "nobody answered",
		call.EndDeclined: "the call was declined", call.EndVoicemail: "voicemail answered",
		call.EndAgentNeverCame: "the agent never joined", call.EndUnreachable: "the number could not be reached",
		call.EndMediaLost: "the sound was lost", call.EndCodecMismatch: "the two sides had no codec in common",
		call.EndAgentError: "the agent failed", call.EndConfiguration: "the agent is misconfigured",
		call.EndProviderError: "a speech or language service of the agent failed", call.EndPlatformError: "the agent's platform failed",
		call.EndInterrupted: "Ringtrue was interrupted", call.EndRingtrueError: "Ringtrue failed",
	}[in.Call.EndReason.Code]
	if !ok {
		words = "how it ended is not known"
	}
	if d := in.Call.Duration(); d > 0 {
		words += " after " + lasting(d)
	}
	if heldToTheEnd(in) {
		words += ", with the caller on hold"
	}
	if in.Call.EndReason.Detail != "" {
		words += " (" + clip(in.Call.EndReason.Detail, 120) + ")"
	}
	return words
}

// heldToTheEnd reports whether the agent had the caller on hold when the call ended, so that it did
// not hear the end.
func heldToTheEnd(in *Input) bool {
	held := false
	for _, e := range in.Attempt.Timeline {
		held = e.Kind == call.KindHeld || held && e.Kind != call.KindResumed
	}
	return held
}

// endEvidence returns the end of the call, with the turn that went on the longest: the last one to begin may
// have been over long before.
func endEvidence(in *Input) call.Evidence {
	d := in.Call.Duration()
	e := call.Evidence{Turn: -1, Start: d, End: d}
	if n := len(in.Heard.Turns); n > 0 {
		last := in.Heard.Turns[n-1]
		for _, t := range in.Heard.Turns {
			if last.End >= 0 && t.End > last.End {
				last = t
			}
		}
		e.Turn, e.Quote = last.Index, tail(last.Text, 300)
	}
	return e
}

func happened(in *Input, k call.Kind) bool {
	for _, e := range in.Attempt.Timeline {
		if e.Kind == k {
			return true
		}
	}
	return false
}

// durationParams are the settings of duration.
type durationParams struct {
	MinMS int64 `json:"min_ms,omitempty"`
	MaxMS int64 `json:"max_ms,omitempty"`
}

// duration checks how long the call lasted.
type duration struct {
	mark     Mark
	min, max time.Duration
}

func buildDuration(params json.RawMessage, m Mark, _ Deps) (Scorer, *problem.Error) {
	var p durationParams
	if e := decode(params, &p); e != nil {
		return nil, e
	}
	const day = int64(24 * time.Hour / time.Millisecond)
	switch {
	case p.MinMS == 0 && p.MaxMS == 0:
		return nil, invalid("params", "min_ms or max_ms is needed")
	case p.MinMS < 0 || p.MinMS > day:
		return nil, invalid("params.min_ms", "the bound lies between 0 and 86400000")
	case p.MaxMS < 0 || p.MaxMS > day:
		return nil, invalid("params.max_ms", "the bound lies between 0 and 86400000")
	case p.MaxMS > 0 && p.MinMS > p.MaxMS:
		return nil, invalid("params.min_ms", "the lower bound is above the upper one")
	}
	return duration{m, time.Duration(p.MinMS) * time.Millisecond, time.Duration(p.MaxMS) * time.Millisecond}, nil
}

// Score implements Scorer.
func (d duration) Score(_ context.Context, in *Input) call.Score {
	length := in.Call.Duration()
	if length == 0 {
		return d.mark.Score(call.NotEvaluated, "The call was never answered, so it has no duration.")
	}
	var s call.Score
	switch {
	case d.max > 0 && length > d.max:
		s = d.mark.Score(call.NotPassed, fmt.Sprintf("The call lasted %s, longer than the %s allowed.", missing(length, d.max)...), endEvidence(in))
	case length < d.min:
		s = d.mark.Score(call.NotPassed, fmt.Sprintf("The call lasted %s, shorter than the %s required.", missing(length, d.min)...), endEvidence(in))
	default:
		s = d.mark.Score(call.Passed, fmt.Sprintf("The call lasted %s, within its limits.", seconds(length.Seconds())))
	}
	value := length.Seconds()
	s.Value, s.Unit = &value, "s"
	return s
}

// lasting formats a duration for people: long ones in minutes and seconds.
func lasting(d time.Duration) string {
	if d < 2*time.Minute {
		return seconds(d.Seconds())
	}
	whole := d.Round(time.Second)
	return fmt.Sprintf("%d min %d s", whole/time.Minute, whole%time.Minute/time.Second)
}

func seconds(s float64) string { return fmt.Sprintf("%.2f s", s) }

// missing formats a duration and the limit that it misses.
func missing(d, limit time.Duration) []any {
	decimals := apart(d.Seconds(), limit.Seconds(), 2)
	return []any{fmt.Sprintf("%.*f s", decimals, d.Seconds()), fmt.Sprintf("%.*f s", decimals, limit.Seconds())}
}
