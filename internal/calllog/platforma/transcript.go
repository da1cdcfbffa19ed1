package platforma

import (
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
)

const (
	maxItems  = 20_000
	maxText   = 1 << 20
	maxResult = 256 << 10
)

// readTranscript reads the words of the call. Where the platform has scrubbed
// them of people only those count. It sends a scrubbed twin with nothing in it
// too, where it was not asked to scrub: then the plain words do, if they may be kept.
func readTranscript(c calllog.Object, talk *calllog.Conversation, r *calllog.Record, words *calllog.Words) {
	for _, scrubbed := range []string{"scrubbed_", ""} {
		var heard calllog.Conversation
		given := readWords(c, scrubbed, &heard)
		settled := r.HasTranscript && (!talk.Empty() || heard.Empty() || r.Keep != calllog.KeepEverything)
		if !given || settled {
			continue
		}
		*talk = heard
		r.HasTranscript, r.Scrubbed = true, scrubbed != ""
	}
	if talk.Turns() == 0 { // words of which nobody can tell who said them
		name := "transcript"
		if r.Scrubbed {
			name = "scrubbed_transcript"
		}
		keepText(c.Said(name, 4*maxText), words)
	}
	talk.Fill(r, words)
}

func keepText(text string, words *calllog.Words) {
	if text != "" {
		words.Keep("transcript", text)
	}
}

// readWords reads one set of transcripts; given is false when there is none. The fullest
// one counts, but turns with times are better than turns without.
func readWords(c calllog.Object, prefix string, talk *calllog.Conversation) (given bool) {
	var plain calllog.Conversation
	_, full := c.List(prefix + "transcript_with_tool_calls")
	_, turns := c.List(prefix + "transcript_object")
	items := c.Elements(prefix+"transcript_with_tool_calls", maxItems)
	readItems(items, nil, talk)
	utterances := c.Elements(prefix+"transcript_object", maxItems)
	if turns {
		readItems(utterances, nil, &plain)
		switch better := plain.Turns() > 0 && (talk.Turns() == 0 || plain.Timed() && !talk.Timed()); {
		case better && len(items) == 0:
			*talk = plain
		case better:
			*talk = calllog.Conversation{}
			readItems(items, utterances, talk)
		}
	}
	if talk.Turns() == 0 { // some have the turns in place of the text
		readItems(c.Elements(prefix+"transcript", maxItems), nil, talk)
	}
	_, isText := c.Raw(prefix + "transcript").(string)
	if text := c.Said(prefix+"transcript", 4*maxText); talk.Turns() == 0 {
		talk.Read(text)
	} else {
		talk.GoOn(text, len(items)+len(utterances)) // lists are cut short at times
	}
	return full || turns || isText || talk.Turns() > 0
}

// readItems reads the items of a transcript in order. Where utterances is not nil, those
// are what was said, and the items tell only the rest and where it belongs.
func readItems(items, utterances []calllog.Object, talk *calllog.Conversation) {
	next := 0
	for _, item := range items {
		role := roleOf(item)
		_, _, speaks := calllog.SpeakerOf(role)
		switch {
		case speaks && utterances == nil:
			say(item, role, talk)
		case speaks:
			if next < len(utterances) {
				say(utterances[next], roleOf(utterances[next]), talk)
				next++
			}
		default:
			happen(item, role, talk)
		}
	}
	for ; next < len(utterances); next++ {
		say(utterances[next], roleOf(utterances[next]), talk)
	}
}

// roleOf is who speaks, or what an item is.
func roleOf(item calllog.Object) string {
	if role := item.Word("role", maxName); role != "" {
		return role
	}
	return item.Word("speaker", maxName)
}

func say(item calllog.Object, role string, talk *calllog.Conversation) {
	speaker, by, ok := calllog.SpeakerOf(role)
	if !ok {
		return
	}
	u := calllog.Utterance{Speaker: speaker, By: by, Start: calllog.Untold, End: calllog.Untold, Text: item.Said("content", maxText)}
	if u.Text == "" {
		u.Text = item.Said("text", maxText)
	}
	u.Words = wordsOf(item)
	if n := len(u.Words); n > 0 {
		u.Start, u.End = u.Words[0].Start, u.Words[n-1].End
	}
	if u.Text == "" {
		u.Text = textOf(u.Words)
	}
	talk.Say(u)
}

// wordsOf are the words of an utterance with their times; those without are left out.
func wordsOf(item calllog.Object) []call.Word {
	var words []call.Word
	for _, w := range item.Elements("words", maxItems) {
		text := w.Word("word", maxName)
		start, ok := w.Span("start", time.Second)
		if text == "" || !ok {
			continue
		}
		end, ok := w.Span("end", time.Second)
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

// happen reads an item that is no speech.
func happen(item calllog.Object, role string, talk *calllog.Conversation) {
	at := calllog.Untold
	for _, name := range []string{"time_sec", "start"} {
		if d, ok := item.Span(name, time.Second); ok && at < 0 {
			at = d
		}
	}
	switch role {
	case "tool_call_invocation":
		name, id := item.Word("name", maxName), item.Word("tool_call_id", maxName)
		if name != "" || id != "" {
			talk.Call(call.ToolCall{ID: id, Name: name, Arguments: item.JSON("arguments", maxResult), At: at})
		}
	case "tool_call_result":
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
