package caller

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/chat"
)

// TestToolCallsInTheTextAreDone checks that tool calls written in the text are executed and not
// spoken.
func TestToolCallsInTheTextAreDone(t *testing.T) {
	t.Parallel()
	for _, mute := range []bool{false, true} {
		model := &fakeModel{mute: mute, replies: []chat.Message{
			text("One moment, please. <tool_call>\n{\"name\": \"press_keys\", \"arguments\": {\"keys\": \"4\"}}\n</tool_call>"),
			text("Thank you, goodbye.\n<tool_call>{\"name\": \"hang_up\", \"arguments\": \"{\\\"goal_reached\\\": true}\"}"),
		}}
		o := (&stage{item: goal(), model: model, agent: clinic(1)}).play(t)
		o.wantSaid(t, "One moment, please.", "Thank you, goodbye.")
		o.wantEnd(t, call.EndCompleted, call.BlameNobody)
		if sent := o.of(call.KindDigitSent); len(sent) != 1 || sent[0].Data["digits"] != "4" {
			t.Errorf("pressed %+v, want 4 once", sent)
		}
	}
}

func TestWrittenCallsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, written := range []string{"", "hang up", "{", `{"name":5}`, `{"arguments":{}}`, `[]</tool_call>`} {
		if got := writtenCalls(written); len(got) != 0 {
			t.Errorf("%q gave %+v, want none", written, got)
		}
	}
	got := writtenCalls(`{"name":"wait"}</tool_call> and <tool_call>{"name":"hang_up","arguments":{}}`)
	if len(got) != 2 || got[0].ID == got[1].ID || got[1].Function.Arguments != "{}" {
		t.Errorf("gave %+v, want two with different ids", got)
	}
}

// TestWhatIsWrittenAroundToolCallsIsSaid checks that the caller says the text before, between and after the tool
// calls that a model writes into it.
func TestWhatIsWrittenAroundToolCallsIsSaid(t *testing.T) {
	t.Parallel()
	model := &fakeModel{replies: []chat.Message{
		text(`<tool_call>{"name": "press_keys", "arguments": {"keys": "1"}}</tool_call>` + "\nOne moment, please."),
		text(`Thank you. <tool_call>{"name": "hang_up", "arguments": {"goal_reached": true}}</tool_call> Goodbye. <tool_call>{`),
	}}
	s := stage{item: goal(), model: model, agent: clinic(1)}
	o := s.play(t)
	o.wantSaid(t, "One moment, please.", "Thank you. Goodbye.")
	o.wantEnd(t, call.EndCompleted, call.BlameNobody)
	if s.agent.digits != "1" {
		t.Errorf("the far end saw the keys %q, want 1", s.agent.digits)
	}
}
