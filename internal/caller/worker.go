package caller

import (
	"context"
	"strings"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/leg"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

const (
	// temperature is low so that a rerun with the same seed says nearly the same.
	temperature = 0.3
	// maxTokens bounds a reply: people on the telephone are brief.
	maxTokens = 300
	// maxReply bounds the spoken part of a reply, in bytes.
	maxReply = 3000
)

// worker produces one reply outside the media loop. It asks the model and synthesises each sentence
// as soon as it is complete, so that the first one can be played while the rest is being generated.
type worker struct {
	ctx     context.Context
	model   chat.Model
	mouth   Mouth
	item    scenario.Item
	rate    int
	request chat.Request
	letters []*leg.Letter[part]

	sent    int
	pending string
	taken   int
	err     error
}

// run delivers the sentences and then the end of the reply, which also fills the letters left
// over, so that nothing waits for them.
func (w *worker) run() {
	message, err := w.model.Complete(w.ctx, w.request, w.text)
	if err == nil && w.taken == 0 {
		w.text(message.Content)
	}
	said, written := apart(w.pending)
	if message.Cut {
		said = complete(said)
	}
	if err == nil {
		w.speak(said)
		err = w.err
	}
	if err == nil && message.Cut && w.sent == 0 && len(message.ToolCalls) == 0 {
		err = problem.New(problem.Unavailable, "the language model's answer was cut off within its first sentence")
	}
	end := part{last: true, calls: append(message.ToolCalls, writtenCalls(written)...), err: err}
	for ; w.sent < len(w.letters); w.sent++ {
		w.letters[w.sent].Deliver(end)
	}
}

// text takes the next piece of the model's text.
func (w *worker) text(piece string) {
	if room := maxReply - w.taken; len(piece) > room {
		piece = strings.ToValidUTF8(piece[:room], "")
	}
	w.taken += len(piece)
	w.pending += piece
	// The last letter but one takes all remaining text; the last one is for the end of the reply.
	for w.sent < len(w.letters)-2 {
		end := sentenceEnd(beforeCalls(w.pending))
		if end < 0 {
			return
		}
		w.speak(w.pending[:end])
		w.pending = w.pending[end:]
	}
}

// speak synthesises a sentence and delivers it.
func (w *worker) speak(sentence string) {
	sentence = spoken(sentence)
	if w.err != nil || !strings.ContainsFunc(sentence, isWord) {
		return
	}
	clip, err := sound(w.ctx, w.mouth, w.item.Input.Persona, w.item.Language(), sentence)
	if err != nil {
		w.err = &mouthError{err}
		return
	}
	said := newTake(clip, w.rate)
	if len(said.pcm) == 0 {
		w.err = &mouthError{silence(clip)}
		return
	}
	w.letters[w.sent].Deliver(part{text: sentence, sound: said})
	w.sent++
}

// mouthError means that a reply could not be spoken, which is not the model's fault.
type mouthError struct{ err error }

func (e *mouthError) Error() string { return "speak a reply: " + e.err.Error() }
func (e *mouthError) Unwrap() error { return e.err }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// sentenceEnd returns the index after the first complete sentence of text, -1 if none is complete. A full
// stop ends a sentence only before a space and not after a short word such as "Dr." or a single figure.
func sentenceEnd(text string) int {
	runes := []rune(text)
	bytes := 0
	for i, r := range runes {
		bytes += len(string(r))
		if r == '\n' && strings.ContainsFunc(string(runes[:i]), isWord) {
			return bytes
		}
		if !strings.ContainsRune(".!?…", r) || i+1 >= len(runes) || !unicode.IsSpace(runes[i+1]) {
			continue
		}
		if r != '.' || wordBefore(runes[:i]) > 3 {
			return bytes
		}
	}
	return -1
}

// complete returns the beginning of a text that was cut off, up to the end of its last complete sentence.
// Half a sentence would be our mistake, which an agent may not understand.
func complete(text string) string {
	end := 0
	for next := 0; next >= 0; next = sentenceEnd(text[end:] + " ") {
		end = min(end+next, len(text))
	}
	if at := strings.LastIndexAny(text, "。！？।"); at >= end { // no space need follow these
		end = at + len("。")
	}
	return text[:end]
}

// wordBefore returns the length in runes of the word at the end of the text.
func wordBefore(runes []rune) int {
	n := 0
	for n < len(runes) && !unicode.IsSpace(runes[len(runes)-1-n]) {
		n++
	}
	return n
}
