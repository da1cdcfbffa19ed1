package platforma

import (
	"strings"
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

const (
	maxItems  = 20_000
	maxText   = 1 << 20
	maxResult = 256 << 10
)

// readTranscript reads the transcript. If the platform has scrubbed it, only the scrubbed version
// counts. The platform also sends an empty scrubbed version when it was not asked to scrub; then
// the plain version is used, if it may be kept, and that of another record is not displaced.
func readTranscript(c lenient.Object, talk *calllog.Conversation, r *calllog.Record, words *calllog.Words) {
	for _, scrubbed := range []string{"scrubbed_", ""} {
		var heard calllog.Conversation
		calledAs(r.AgentName, &heard)
		given := readWords(c, scrubbed, &heard)
		settled := r.HasTranscript && (!talk.Empty() || heard.Empty() || r.Keep != calllog.KeepEverything)
		if !given || settled {
			continue
		}
		*talk = heard
		r.HasTranscript = true
		r.Scrubbed = scrubbed != "" && (!heard.Empty() || c.Said("scrubbed_transcript", 4*maxText) != "")
	}
	if talk.Turns() == 0 { // a text without recognisable speakers
		name := "transcript"
		if r.Scrubbed {
			name = "scrubbed_transcript"
		}
		keepText(c.Said(name, 4*maxText), words)
	}
	talk.Fill(r, words)
}

// calledAs sets the agent's name as a speaker in plain texts, unless it is a known word for a side.
func calledAs(name string, talk *calllog.Conversation) {
	if _, _, stands := calllog.SpeakerOf(name); !stands {
		talk.Called(name, call.Agent)
	}
}

func keepText(text string, words *calllog.Words) {
	if text != "" {
		words.Keep("transcript", text)
	}
}

// lists are the lists of one version of the transcript: the items, and the utterances where they
// come from another list.
type lists struct {
	items, said []lenient.Object
	// given says that there was a list.
	given bool
}

// readWords reads one version of the transcript; given is false if there is none. Lists may be cut
// short or have one side only; the plain text fills in what they lack.
func readWords(c lenient.Object, prefix string, talk *calllog.Conversation) (given bool) {
	l := readLists(c, prefix, talk)
	_, isText := c.Raw(prefix + "transcript").(string)
	talk.FillIn(c.Said(prefix+"transcript", 4*maxText), func(again *calllog.Conversation) { readItems(l.items, l.said, again) })
	return l.given || isText || talk.Turns() > 0
}

// readLists reads the lists. It prefers the one with tool calls, but takes the utterances of the
// other one if only that has any, or times.
func readLists(c lenient.Object, prefix string, talk *calllog.Conversation) (l lists) {
	_, full := c.List(prefix + "transcript_with_tool_calls")
	_, turns := c.List(prefix + "transcript_object")
	l.given, l.items = full || turns, c.Elements(prefix+"transcript_with_tool_calls", maxItems)
	readItems(l.items, nil, talk)
	utterances := c.Elements(prefix+"transcript_object", maxItems)
	plain := talk.Anew()
	readItems(utterances, nil, &plain)
	switch better := plain.Turns() > 0 && (talk.Turns() == 0 || plain.Timed() && !talk.Timed()); {
	case better && len(l.items) == 0:
		*talk, l.items = plain, utterances
	case better:
		*talk, l.said = talk.Anew(), utterances
		readItems(l.items, l.said, talk)
	}
	if talk.Turns() == 0 { // some payloads have the turns in the text's field
		l.items, l.said = c.Elements(prefix+"transcript", maxItems), nil
		readItems(l.items, nil, talk)
	}
	return l
}

// paceOf returns the unit of word times: usually seconds, but some senders write milliseconds. It
// looks at the first few words: none of them takes thirty seconds or just thirty milliseconds, nor
// are they that far apart. A single word may last longer.
func paceOf(items []lenient.Object) time.Duration {
	const enough, between, alone = 8, 30, 120
	var words, pauses, length, apart float64
	for _, item := range items {
		last := -1.0
		for _, w := range item.Elements("words", enough) {
			start, ok := w.Number("start")
			if !ok {
				continue
			}
			if last >= 0 {
				pauses, apart = pauses+1, apart+start-last
			}
			if end, ok := w.Number("end"); ok && end > start {
				words, length = words+1, length+end-start
			}
			last = start
		}
		if words+pauses >= enough {
			break
		}
	}
	switch {
	case words > 1 && length/words >= between, words == 1 && length >= alone, words == 0 && pauses > 1 && apart/pauses >= between:
		return time.Millisecond
	}
	return time.Second
}

// readItems reads the items of a transcript in order. If utterances is not nil, speech comes from
// there, and the items only tell the rest and where it belongs.
func readItems(items, utterances []lenient.Object, talk *calllog.Conversation) {
	next, unit := 0, paceOf(items)
	if utterances != nil {
		unit = paceOf(utterances)
	}
	talk.Expect(len(items))
	for _, item := range items {
		role := roleOf(item)
		_, _, speaks := calllog.SpeakerOf(role)
		switch {
		case speaks:
			if utterances == nil {
				say(item, role, unit, talk)
			} else if next < len(utterances) {
				say(utterances[next], roleOf(utterances[next]), unit, talk)
				next++
			}
			talk.Calls(calllog.CallsIn(item), calllog.Untold)
		default:
			happen(item, role, unit, talk)
		}
	}
	for ; next < len(utterances); next++ {
		say(utterances[next], roleOf(utterances[next]), unit, talk)
	}
}

// roleOf returns the speaker or kind of an item.
func roleOf(item lenient.Object) string {
	if role := item.Word("role", maxName); role != "" {
		return role
	}
	return item.Word("speaker", maxName)
}

func say(item lenient.Object, role string, unit time.Duration, talk *calllog.Conversation) {
	speaker, by, ok := calllog.SpeakerOf(role)
	if !ok {
		return
	}
	u := calllog.Utterance{Speaker: speaker, By: by, Start: calllog.Untold, End: calllog.Untold}
	for _, name := range []string{"content", "text", "message"} {
		if u.Text == "" {
			u.Text = item.Said(name, maxText)
		}
	}
	u.Words = wordsOf(item, unit)
	if n := len(u.Words); n > 0 {
		u.Start, u.End = u.Words[0].Start, u.Words[n-1].End
	}
	if u.Text == "" {
		u.Text = textOf(u.Words)
	}
	if breaksOff(u) {
		u.End = u.Start
	}
	talk.Say(u)
}

// breaksOff reports whether the timed words stop before the text does. Then the end of the speech
// is unknown, and replies must not be measured from there.
func breaksOff(u calllog.Utterance) bool {
	n, said := len(u.Words), 0
	if n == 0 {
		return false
	}
	for range strings.FieldsSeq(u.Text) {
		said++
	}
	if 5*n >= 4*said {
		return false
	}
	return !strings.HasSuffix(letters(u.Text), letters(u.Words[n-1].Text))
}

// letters returns the letters and numbers of a text in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// wordsOf returns the words of an utterance that have times, which are in unit.
func wordsOf(item lenient.Object, unit time.Duration) []call.Word {
	told := item.Elements("words", maxItems)
	words := make([]call.Word, 0, len(told))
	for _, w := range told {
		text := w.Word("word", maxName)
		start, ok := w.Span("start", unit)
		if text == "" || !ok {
			continue
		}
		end, ok := w.Span("end", unit)
		if !ok || end < start {
			end = start
		}
		words = append(words, call.Word{Text: text, Start: start, End: end})
	}
	return words
}

func textOf(words []call.Word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}

// happen reads an item that is not speech.
func happen(item lenient.Object, role string, unit time.Duration, talk *calllog.Conversation) {
	at, ok := item.Span("time_sec", time.Second)
	if later, told := item.Span("start", unit); told && !ok {
		at, ok = later, true
	}
	if !ok {
		at = calllog.Untold
	}
	switch spelled(role) {
	case "tool_call_invocation":
		name, id := item.Word("name", maxName), item.Word("tool_call_id", maxName)
		talk.Call(call.ToolCall{ID: id, Name: name, Arguments: calllog.ArgumentsOf(item, maxResult), At: at})
	case "tool_call_result", "tool":
		succeeded, told := item.Truth("successful")
		talk.Answer(calllog.Answer{
			ID: item.Word("tool_call_id", maxName), Name: item.Word("name", maxName),
			Result: item.Answer("content", maxResult), Failed: told && !succeeded, At: at,
		})
	case "node_transition":
		talk.Begin(item.Word("former_node_name", maxName))
		talk.Enter(item.Word("new_node_name", maxName), at)
	case "dtmf":
		talk.Press(item.Word("digit", maxName))
	default:
		talk.Wonder(item)
	}
}
