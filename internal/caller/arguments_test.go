package caller

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
)

// TestToolArgumentsMeanTheSameHoweverTheyAreQuoted checks that arguments mean the same with and
// without superfluous quotes, which some models add.
func TestToolArgumentsMeanTheSameHoweverTheyAreQuoted(t *testing.T) {
	t.Parallel()
	for _, arguments := range []string{`{"goal_reached":"true"}`, `{"goal_reached":"True"}`, `{"goal_reached":true,"keys":null}`} {
		model := &fakeModel{replies: []chat.Message{using("Goodbye.", toolHangUp, arguments)}}
		o := (&stage{item: goal(), model: model, agent: clinic(1)}).play(t)
		o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	}
	model := &fakeModel{replies: []chat.Message{
		using("", toolPress, `{"keys":4}`), using("", toolWait, `{"seconds":"3"}`),
		using("Goodbye.", toolHangUp, `{"goal_reached":"false"}`),
	}}
	o := (&stage{item: goal(), model: model, agent: clinic(2)}).play(t)
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
	if sent := o.of(call.KindDigitSent); len(sent) != 1 || sent[0].Data["digits"] != "4" {
		t.Errorf("pressed %+v, want 4 once", sent)
	}
}

func TestArgumentsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "null", "[]", `"x"`, `{"goal_reached":`, `{"goal_reached":{"a":true},"keys":["1"],"seconds":"soon"}`} {
		if got := argumentsOf(text); got != (arguments{}) {
			t.Errorf("%s gave %+v, want nothing", text, got)
		}
	}
}
