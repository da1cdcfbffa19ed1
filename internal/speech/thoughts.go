package speech

import "strings"

// The tags around a model's reasoning, which reaches us if the server does not remove it.
const thinkBegin, thinkEnd = "<think>", "</think>"

// thoughts removes a model's reasoning from its streamed answer: a caller must not say it, and
// a verdict must not be read from it.
type thoughts struct {
	inside bool   // within the reasoning
	past   bool   // the answer has begun; no more reasoning is expected
	held   string // possibly the beginning of a tag
}

// without returns the part of the answer that has become known with piece, without reasoning.
func (t *thoughts) without(piece string) string {
	if t.past {
		return piece
	}
	t.held += piece
	for {
		if t.inside {
			_, after, over := strings.Cut(t.held, thinkEnd)
			if !over {
				t.held = t.held[max(0, len(t.held)-len(thinkEnd)+1):]
				return ""
			}
			t.inside, t.held = false, after
		}
		t.held = strings.TrimLeft(t.held, " \t\r\n")
		after, thinks := strings.CutPrefix(t.held, thinkBegin)
		switch {
		case thinks:
			t.inside, t.held = true, after
		case strings.HasPrefix(thinkBegin, t.held):
			return ""
		default:
			return t.rest()
		}
	}
}

// rest returns what was held back, once no more pieces come. Unfinished reasoning is dropped.
func (t *thoughts) rest() (left string) {
	if !t.inside {
		left = t.held
	}
	t.past, t.held = true, ""
	return left
}
