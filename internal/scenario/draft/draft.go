// Package draft makes a scenario from a past call: what the caller said becomes the script,
// with waits for the agent in between. It is computed from the turns that a review heard or a
// platform reported, without a language model. Package catalog passes them in and stores the
// result. Every item that it makes passes the validation of its parent package scenario.
package draft

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Source is what is known about a call.
type Source struct {
	Call  call.Call
	Turns []call.Turn
	// Timeline is the timeline of the last attempt of a test call, from which pressed keys are taken.
	Timeline []call.Event
	// Played is the item that a test call played, nil for a production call.
	Played *scenario.Item
	// RedactNumbers replaces the digits of spoken numbers by made-up ones.
	RedactNumbers bool
}

// Limits of what is taken over from a call.
const (
	maxSteps = 400
	maxLine  = 900
	maxFacts = 100
	maxText  = 4000
	maxKeys  = 64
	// maxWait is the longest pause in a script.
	maxWait = 10 * time.Minute
)

// Item makes the scenario, without an id. notes are sentences about what was left out of it. If
// no scenario can be made, why is a clause that says why, otherwise "".
func Item(s Source) (item scenario.Item, notes []string, why string) {
	w := writer{source: s}
	w.play()
	if !w.spoke {
		return item, nil, "what its caller said is not known"
	}
	item = scenario.Item{Key: s.Call.ID, Metadata: map[string]any{"from_call": s.Call.ID}}
	if s.Played != nil {
		item.Input.Persona, item.Input.Language, item.Input.Facts = s.Played.Input.Persona, s.Played.Input.Language, s.Played.Input.Facts
		item.Input.Goal, item.Output = s.Played.Input.Goal, s.Played.Output
		item.Input.Limits = s.Played.Input.Limits
		item.Input.Limits.MaxTurns = 0 // limits only callers without a script
	} else {
		item.Output.Outcome.ScriptDone = expectsEnd(s.Call.EndReason)
		item.Input.Persona.PatienceMS = patience(s.Turns)
		w.told(&item)
	}
	if length := s.Call.Duration(); length > usualLimit && item.Input.Limits.MaxDurationMS == 0 {
		item.Input.Limits.MaxDurationMS = int(min(length*3/2, time.Hour).Milliseconds())
	}
	item.Input.Script = w.steps
	if len(item.Validate("")) > 0 { // a client's metadata may be invalid
		item.Input.Facts, item.Input.Goal, item.Input.Language, item.Output = nil, "", "", scenario.Output{}
		item.Input.Persona = scenario.Persona{}
		w.notes = append(w.notes, "Its metadata does not fit a scenario and was left out.")
	}
	return item, w.notes, ""
}

// usualLimit is the maximum duration of a call whose scenario sets none.
const usualLimit = 5 * time.Minute

// expectsEnd reports whether the end of the call suggests the expectation that the script is
// completed: the agent stayed on the line to the end, or should have.
func expectsEnd(r call.EndReason) bool {
	switch r.Code { //nolint:exhaustive // of the others nothing follows
	case call.EndCompleted:
		return true
	case call.EndAgentHungUp, call.EndSilence, call.EndMaxDuration, call.EndAgentError:
		return r.Blame == call.BlameAgent
	}
	return false
}

// writer turns a conversation into steps.
type writer struct {
	source Source
	steps  []scenario.Step
	notes  []string
	// spoke is true once a line was written.
	spoke bool
	// waits is true if the agent has spoken since the caller last did.
	waits bool
	agent call.Turn // the agent's last turn
	until time.Duration
	keys  []call.Event
	full  bool
}

func (w *writer) play() {
	for _, e := range w.source.Timeline {
		if _, whole := e.Data["digits"].(string); whole && e.Kind == call.KindDigitSent { // the line also records each key on its own
			w.keys = append(w.keys, e)
		}
	}
	unheard := 0
	for _, t := range w.parts() {
		if t.Start >= 0 {
			w.press(t.Start)
		}
		if t.Speaker == call.Agent {
			w.waits, w.agent = true, t
			w.until = max(w.until, t.End)
			continue
		}
		text := w.clean(t.Text)
		if text == "" {
			unheard++
			continue
		}
		w.line(t, text)
		w.until = max(w.until, t.End)
	}
	w.press(1 << 62)
	w.end()
	if unheard > 0 && w.spoke {
		w.notes = append(w.notes, fmt.Sprintf("The caller spoke %s without words that are known; the script leaves that out.", times(unheard)))
	}
	if w.full {
		w.notes = append(w.notes, fmt.Sprintf("The call is longer than a script may be; everything after step %d was left out.", maxSteps))
	}
}

// parts returns the turns, those of a test call's caller as the lines that were said: a turn holds all lines
// between which the agent was silent. Where numbers are disguised turns stay whole, since a number may go on
// in the next line.
func (w *writer) parts() []call.Turn {
	if w.source.RedactNumbers {
		return w.source.Turns
	}
	var out []call.Turn
	for _, t := range w.source.Turns {
		var lines []call.Turn
		var texts []string
		for _, e := range w.source.Timeline {
			if e.Kind == call.KindSaid && t.Speaker == call.Caller && e.Manner == t.Manner && e.At >= t.Start && e.End <= t.End {
				lines = append(lines, call.Turn{Speaker: t.Speaker, Manner: t.Manner, Start: e.At, End: e.End, Text: e.Text})
				texts = append(texts, e.Text)
			}
		}
		if len(lines) == 0 || strings.Join(texts, " ") != t.Text {
			lines = []call.Turn{t}
		}
		out = append(out, lines...)
	}
	return out
}

// times returns n as a word or phrase.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (w *writer) add(s scenario.Step) {
	if len(w.steps) >= maxSteps {
		w.full = true
		return
	}
	w.steps = append(w.steps, s)
}

// wait adds a wait for the agent if it has spoken.
func (w *writer) wait() {
	if w.waits {
		w.add(scenario.Step{WaitForAgent: &scenario.WaitForAgent{}})
	}
	w.waits = false
}

// The shortest overlap and pause that are reproduced.
const (
	leastOverlap = 400 * time.Millisecond
	leastPause   = 1500 * time.Millisecond
)

// line adds what the caller said in a turn.
func (w *writer) line(t call.Turn, text string) {
	parts := split(text, maxLine)
	switch {
	case t.Manner == call.MannerBackchannel && w.waits:
		w.add(scenario.Step{Backchannel: &scenario.Interject{AfterMS: w.into(t), Say: parts[0]}})
		return
	case w.waits && (t.Manner == call.MannerInterrupt || w.over(t)):
		w.add(scenario.Step{Interrupt: &scenario.Interject{AfterMS: w.into(t), Say: parts[0]}})
		w.waits, w.spoke, parts = false, true, parts[1:]
	case w.waits:
		w.wait()
	case w.spoke && t.Start-w.until >= leastPause && t.Start < t.End:
		w.add(scenario.Step{StaySilentMS: int(min(t.Start-w.until, maxWait).Milliseconds())})
	}
	for _, part := range parts {
		w.add(scenario.Step{Say: part})
		w.spoke = true
	}
}

// over reports whether the turn began while the agent spoke.
func (w *writer) over(t call.Turn) bool {
	return t.Start > w.agent.Start && w.agent.End > w.agent.Start && t.End > t.Start && w.agent.End-t.Start >= leastOverlap
}

// into returns how far into the agent's turn another turn began, in ms.
func (w *writer) into(t call.Turn) int {
	if t.Start < 0 || w.agent.Start < 0 {
		return 0
	}
	return int(min(max(t.Start-w.agent.Start, 0), maxWait).Milliseconds())
}

// press adds the keys that were pressed before a time.
func (w *writer) press(before time.Duration) {
	for len(w.keys) > 0 && w.keys[0].At < before {
		key := w.keys[0]
		digits, _ := key.Data["digits"].(string)
		w.keys = w.keys[1:]
		if digits != "" && len(digits) <= maxKeys && strings.Trim(digits, "0123456789*#ABCD") == "" {
			w.wait()
			w.add(scenario.Step{Press: digits})
			next := before
			if len(w.keys) > 0 {
				next = min(next, w.keys[0].At)
			}
			w.waits = w.answered(max(key.At, key.End), next)
		}
	}
}

// answered reports whether the agent's last turn went on between two moments: keys part no turns.
func (w *writer) answered(from, to time.Duration) bool {
	spoken := w.agent.Segments
	if len(spoken) == 0 {
		spoken = []call.Segment{w.agent.Span()}
	}
	return slices.ContainsFunc(spoken, func(s call.Segment) bool { return min(s.End, to)-max(s.Start, from) >= leastOverlap })
}

// end lets the agent finish, and hangs up if the caller did. A test call is completed by its caller.
func (w *writer) end() {
	if !w.spoke {
		return
	}
	w.wait()
	c := w.source.Call
	if c.EndReason.Code == call.EndCallerHungUp || c.EndReason.Code == call.EndCompleted && c.Origin == call.Simulated {
		w.add(scenario.Step{HangUp: true})
	}
}

// clean returns what was said in a form fit for a script, "" if no word is left.
func (w *writer) clean(text string) string {
	text = strings.ToValidUTF8(text, "")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '{':
			return '('
		case r == '}':
			return ')'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if w.source.RedactNumbers {
		text = withoutNumbers(text)
	}
	if !hasWord(text) {
		return ""
	}
	return text
}

func hasWord(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// split cuts a long line at the ends of sentences, or else between words. Each part contains a word.
func split(text string, most int) []string {
	var parts []string
	runes := []rune(text)
	for len(runes) > most {
		at, sentence := 0, 0
		for i := range most {
			if runes[i] != ' ' {
				continue
			}
			at = i
			if i > 0 && strings.ContainsRune(".!?", runes[i-1]) {
				sentence = i
			}
		}
		if sentence > most/4 {
			at = sentence
		}
		if at == 0 {
			at = most
		}
		parts = append(parts, strings.TrimSpace(string(runes[:at])))
		runes = []rune(strings.TrimSpace(string(runes[at:])))
	}
	parts = append(parts, string(runes))
	spoken := parts[:0]
	for _, p := range parts {
		if hasWord(p) {
			spoken = append(spoken, p)
		}
	}
	return spoken
}

// patience returns the median pause of this caller after the agent's turns in ms, rounded down
// to 100 ms and limited to 200 to 5000; 0 if fewer than three pauses are known.
func patience(turns []call.Turn) int {
	var pauses []time.Duration
	for i := 1; i < len(turns); i++ {
		a, c := turns[i-1], turns[i]
		if a.Speaker == call.Agent && c.Speaker == call.Caller && a.End > a.Start && c.End > c.Start && c.Start > a.End {
			pauses = append(pauses, c.Start-a.End)
		}
	}
	if len(pauses) < 3 {
		return 0
	}
	middle := middleOf(pauses)
	return int(min(max(middle, 200*time.Millisecond), 5*time.Second)/(100*time.Millisecond)) * 100
}
