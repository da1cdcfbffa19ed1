package emotion

import (
	"strings"
	"testing"
)

// Each sharp word needs to know whom its turn is about. This must be computed once per turn: a log
// of nothing but "stupid" kept a core busy for minutes.
func TestWhomATurnSpeaksOfIsFoundOutOnce(t *testing.T) {
	t.Parallel()
	m := model(t)
	var x tokens
	x.cut(strings.Repeat("stupid ", maxTokens))
	m.spot(&x)
	if x.whom != (mentions{known: true}) {
		t.Fatalf("found %+v", x.whom)
	}
	x.whom.outside = true // the next call returns what was found
	if of := blamed(&x); of != outsider {
		t.Errorf("it was looked for again: %v", of)
	}
	x.cut("you are stupid, and so is my neighbour")
	if m.spot(&x); x.whom != (mentions{known: true, outside: true, you: true, addressed: true}) {
		t.Errorf("of the next turn %+v", x.whom)
	}
}
