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

// TestHalfArgumentsAreAskedForAgain checks that a tool call that broke off is not carried out as if it said
// that the goal was missed, and that it is told to the model in a form that its server takes.
func TestHalfArgumentsAreAskedForAgain(t *testing.T) {
	t.Parallel()
	model := &fakeModel{replies: []chat.Message{
		using("", toolHangUp, `{"goal_reached": tr`), using("Goodbye.", toolHangUp, `{"goal_reached": true}`),
	}}
	o := (&stage{item: goal(), model: model, agent: clinic(0)}).play(t)
	o.wantSaid(t, "Goodbye.")
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	told := model.asked[1].Messages
	if call, answer := told[2].ToolCalls[0], told[3].Content; call.Function.Arguments != "{}" || answer != "error: the arguments are not JSON" {
		t.Errorf("the model was told %+v and %q", call, answer)
	}

	o = (&stage{item: goal(), model: &fakeModel{replies: []chat.Message{using("Bye.", toolHangUp, "")}}, agent: clinic(0)}).play(t)
	o.wantEnd(t, call.EndCallerHungUp, call.BlameCaller)
}

func TestArgumentsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "null", "[]", `"x"`, `{"goal_reached":`, `{"goal_reached":{"a":true},"keys":["1"],"seconds":"soon"}`} {
		if got := argumentsOf(text); got != (arguments{}) {
			t.Errorf("%s gave %+v, want nothing", text, got)
		}
	}
}
