package platformb_test

import (
	"testing"
	"time"
)

// A web call may be said to start seconds after its messages began to count. Nodes, and messages
// that only have a clock time, are placed where they are among the others.
func TestAStartBehindTheFirstMessage(t *testing.T) {
	t.Parallel()
	const asked = `{"role":"user","message":"An appointment.","time":1767261606000,"endTime":1767261608000,"secondsFromStart":6}`
	r := read(t, report(`,"startedAt":1767261604500,"endedAt":1767261620000,"artifact":{"messages":[
		{"role":"system","message":"Be kind.","time":1767261599600,"secondsFromStart":0},
		{"role":"bot","message":"Hello?","time":1767261601000,"endTime":1767261602000,"secondsFromStart":1},`+asked+`,
		{"role":"tool_calls","time":1767261609000,"toolCalls":[{"id":"t1","function":{"name":"find"}}]},
		{"role":"bot","message":"At ten?","time":1767261612000,"endTime":1767261613000,"secondsFromStart":12}],
		"nodes":[{"nodeName":"greet","messages":[{"role":"bot","time":1767261601000}]},{"nodeName":"book","messages":[`+asked+`]}]}`))
	if len(r.Stages) != 2 || r.Stages[0].At != time.Second || r.Stages[1].At != 6*time.Second || r.Stages[1].Turn != 1 {
		t.Errorf("stages: %+v", r.Stages)
	}
	if len(r.ToolCalls) != 1 || r.ToolCalls[0].At != 9*time.Second {
		t.Errorf("tool calls: %+v", r.ToolCalls)
	}
	if len(r.Turns) != 3 || r.Turns[1].Start != 6*time.Second || r.StartedAt.UnixMilli() != 1_767_261_604_500 {
		t.Errorf("begins at %v: %+v", r.StartedAt, r.Turns)
	}
}
