package review

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Limits on what may go wrong on our own side before a call is no evidence.
const (
	// maxLate is how late one of our frames may be sent, or one of the caller's lines may
	// begin.
	maxLate = 60 * time.Millisecond
	// maxLateMind is how late our other engines, such as the recogniser or the language
	// model, may answer during the call.
	maxLateMind = 2 * time.Second
	// maxLost is the share of our packets that may be lost on the way to the agent;
	// fewLost are tolerated in any call.
	maxLost = 0.01
	fewLost = 10
	// minCoverage is the least share of the call that must be on the caller's channel.
	minCoverage = 0.99
	// maxShort is how much shorter than the call its recording may be.
	maxShort = time.Second
	// quiet is the level in dBFS below which a stretch of the caller's channel holds no
	// speech.
	quiet = -50.0
	// stray is how far inside a line its first and last audible sound may lie: a soft
	// beginning gets quieter through G.711.
	stray = 150 * time.Millisecond
	// lastMoment is how shortly before the end of a call a line may be missing, because
	// the agent hung up before it could be heard.
	lastMoment = time.Second
)

// notEvidence returns a sentence saying why a call is no evidence, "" if it is.
// docs/metrics/evidence.md explains every rule. A production call is always evidence,
// because no side of it is ours.
func notEvidence(m *material, h hearing) string {
	if m.call.Origin == call.Production {
		return ""
	}
	for _, rule := range []func(*material, hearing) string{
		ourFault, ourEnd, ourPacing, ourPackets, theirPackets, ourEngines, ourRecording, ourWords, theirSpeech, ourEars, outOfTurn, offScript,
	} {
		if why := rule(m, h); why != "" {
			return why
		}
	}
	return ""
}

// ourFault: something on our own side failed before or during the call.
func ourFault(m *material, _ hearing) string {
	for _, e := range m.attempt.Timeline {
		if e.Kind != call.KindOurFault {
			continue
		}
		when := "at " + call.Clock(e.At)
		if m.call.AnsweredAt.IsZero() {
			when = "before the call was answered"
		}
		part, why := partOf(told(e.Data, "what", "what failed is not known"))
		if why != "" {
			why = ": " + why
		}
		return fmt.Sprintf("%s failed %s%s.", part, when, why)
	}
	return ""
}

// partOf names for people the part of our own side with which the what of an event begins, and
// returns what the event says of it.
func partOf(what string) (part, why string) {
	name, why, _ := strings.Cut(what, ", ")
	part, ok := map[string]string{
		"ears": "speech recognition", "mouth": "speech synthesis", "speech": "speech engine", "words": "speech recognition",
		"model": "language model", "recording": "recording", "line": "line",
	}[name]
	if !ok {
		return "Ringtrue", what
	}
	return "Ringtrue's " + part, why
}

// ourEnd: we ended the call, or the line between us and the agent did.
func ourEnd(m *material, _ hearing) string {
	r := m.call.EndReason
	switch r.Blame {
	case call.BlameRingtrue:
		return fmt.Sprintf("Ringtrue ended the call (%s%s).", r.Code, behind(r.Detail))
	case call.BlameLine:
		return fmt.Sprintf("The line failed (%s%s), which says nothing about the agent.", r.Code, behind(r.Detail))
	case call.BlameNobody, call.BlameCaller, call.BlameAgent, call.BlamePlatform, call.BlameUndecided:
	}
	return ""
}

// ourPacing checks that our speech was sent on time.
func ourPacing(m *material, _ hearing) string {
	st := m.attempt.Stats
	switch {
	case st.SendMissed > 0:
		return fmt.Sprintf("This machine was too busy to send %d of our 20 ms frames.", st.SendMissed)
	case st.SendLateMax > maxLate:
		whole := (st.SendLateMax + time.Millisecond - 1).Milliseconds() // rounded up: 60 ms are not more than 60
		return fmt.Sprintf("Our speech was sent up to %d ms late; more than %d ms makes the timing unreliable.", whole, maxLate.Milliseconds())
	}
	return ""
}

// ourPackets: what we said did not reach the agent, by its own count (RTCP). Nobody can tell where
// on the way it was lost, but an agent must not be judged by what it never got. One that does not
// count (-1) is judged all the same.
func ourPackets(m *material, _ hearing) string {
	st := m.attempt.Stats
	if st.RemoteLost <= fewLost || float64(st.RemoteLost) <= maxLost*float64(st.Sent) {
		return ""
	}
	return fmt.Sprintf("%d of our %d packets never reached the agent; with more than %g %% lost, it cannot hear us properly.", st.RemoteLost, st.Sent, 100*maxLost)
}

// theirPackets: what the agent said reached this machine and was thrown away, because nothing took
// it in time.
func theirPackets(m *material, _ hearing) string {
	st := m.attempt.Stats
	if st.ReceiveDropped <= fewLost || float64(st.ReceiveDropped) <= maxLost*float64(st.Received+st.ReceiveDropped) {
		return ""
	}
	return fmt.Sprintf("%d of the agent's packets reached this machine but were not read in time; %d were.", st.ReceiveDropped, st.Received)
}

// ourEngines checks that our speech synthesis, recognition and language model answered
// in time.
func ourEngines(m *material, _ hearing) string {
	for _, e := range m.attempt.Timeline {
		if e.Kind != call.KindLate {
			continue
		}
		what, late := told(e.Data, "what", "an engine"), lateness(e)
		bound := maxLate
		if what != "speech" && what != "line" && what != "mouth" {
			bound = maxLateMind
		}
		if late > bound {
			part, _ := partOf(what)
			if what == "model" { // a line is late when it is thought of late, or spoken late
				part = "Ringtrue's language model or speech synthesis"
			}
			return fmt.Sprintf("%s was %d ms late at %s; the limit is %d ms.", part, late.Milliseconds(), call.Clock(e.At), bound.Milliseconds())
		}
	}
	return ""
}

// offScript: the caller did not follow its scenario although the agent gave it the chance to.
func offScript(m *material, _ hearing) string {
	r := m.call.EndReason
	if r.Blame == call.BlameCaller && r.Code == call.EndSilence {
		return "It was our caller's turn to speak, but it stayed silent until the call ended."
	}
	if len(m.plan.Item.Input.Script) == 0 || m.call.AnsweredAt.IsZero() {
		return ""
	}
	t := m.attempt.Timeline
	if r.Code == call.EndCallerHungUp && !has(t, call.KindScriptDone, call.KindGaveUp, call.KindWordsMissed, call.KindGoalReached) {
		return "Our caller hung up before the end of its script without a reason."
	}
	return unsaid(m)
}

// unsaid checks the outermost steps that were begun: none may be skipped or differ from the script,
// every line must have been said, and the script must not have been taken for done before its end.
func unsaid(m *material) string {
	script, next, lasted := m.plan.Item.Input.Script, 0, m.call.Duration()
	for _, e := range m.attempt.Timeline {
		i, ok := outermost(e)
		if !ok {
			continue
		}
		if i > next {
			return fmt.Sprintf("Our caller left out step %d of its script.", next+1)
		}
		next = max(next, i+1)
		if i >= len(script) {
			return fmt.Sprintf("Our caller played step %d, which its script does not have.", i+1)
		}
		if action := script[i].Actions(); len(action) > 0 && told(e.Data, "step", action[0]) != action[0] {
			return fmt.Sprintf("At step %d of its script, our caller did %q instead of %q.", i+1, told(e.Data, "step", ""), action[0])
		}
		text := m.plan.Item.Fill(script[i].Say)
		if text != "" && e.At+lastMoment < lasted && !said(m.attempt.Timeline, e.At, text) {
			return fmt.Sprintf("Our caller did not say the line of step %d of its script at %s.", i+1, call.Clock(e.At))
		}
	}
	if next < len(script) && doneByCaller(m.attempt.Timeline) && (next == 0 || !leads(script[next-1])) {
		return fmt.Sprintf("Our caller finished its script too early, before step %d.", next+1)
	}
	return ""
}

// leads reports whether a step holds other steps, which may end the call.
func leads(s scenario.Step) bool { return s.Branch != nil || s.WaitForWords != nil }

// doneByCaller reports whether the caller reached the end of its script.
func doneByCaller(timeline []call.Event) bool {
	return slices.ContainsFunc(timeline, func(e call.Event) bool {
		return e.Kind == call.KindScriptDone && e.Data["by"] == nil
	})
}

// outermost returns the index of the top-level step that an event begins.
func outermost(e call.Event) (int, bool) {
	if e.Kind != call.KindStep || e.Data["missed"] != nil {
		return 0, false
	}
	path := told(e.Data, "path", "")
	digits, ok := strings.CutPrefix(path, "script[")
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(strings.TrimSuffix(digits, "]"))
	return i, err == nil && i >= 0
}

func said(timeline []call.Event, after time.Duration, text string) bool {
	for _, e := range timeline {
		if e.Kind == call.KindSaid && e.End >= after && e.Text == text {
			return true
		}
	}
	return false
}

func has(timeline []call.Event, kinds ...call.Kind) bool {
	for _, e := range timeline {
		if slices.Contains(kinds, e.Kind) {
			return true
		}
	}
	return false
}

// lateness reads late_ms, which is a float64 after a round trip through JSON.
func lateness(e call.Event) time.Duration {
	switch v := e.Data["late_ms"].(type) {
	case float64:
		return time.Duration(v * float64(time.Millisecond))
	case int:
		return time.Duration(v) * time.Millisecond
	case int64:
		return time.Duration(v) * time.Millisecond
	}
	return 0
}

// told returns a text from an event's data, or otherwise if there is none.
func told(data map[string]any, key, otherwise string) string {
	if text, ok := data[key].(string); ok && text != "" {
		return text
	}
	return otherwise
}

func behind(detail string) string {
	if detail == "" {
		return ""
	}
	return ", " + detail
}
