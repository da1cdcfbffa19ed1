package speech

import "strings"

// The marks between which models think aloud before they answer, where nothing
// between them and us takes that out.
const thinkBegin, thinkEnd = "<think>", "</think>"

// thoughts takes what a model thinks aloud out of its answer, which comes in
// pieces: nobody should hear it from a caller, or read it for a verdict.
type thoughts struct {
	inside bool   // the model is thinking
	past   bool   // the answer itself has begun, and thinks no more
	held   string // what may be the beginning of a mark
}

// without gives what of the answer so far is no thought and has not been given yet.
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

// rest is what is left to give when no mark can come any more. Of a thought that
// did not end there is nothing.
func (t *thoughts) rest() (left string) {
	if !t.inside {
		left = t.held
	}
	t.past, t.held = true, ""
	return left
}
