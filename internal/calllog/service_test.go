package calllog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

var received = time.UnixMilli(1_760_000_100_000).UTC()

func setup(m *memory) *calllog.Service {
	n := 0
	return calllog.New(calllog.Options{
		Store: m, Readers: map[string]calllog.Reader{calllog.Custom: custom.Reader(map[string]string{"their_kind": custom.TranscriptKind})},
		Aliases: map[string]string{"own": calllog.Custom, "brand": calllog.PlatformA},
		NewID:   func(prefix string) string { n++; return fmt.Sprintf("%s_%d", prefix, n) },
		Now:     func() time.Time { return received },
	})
}

// log returns a valid body, changed by the test.
func log(t *testing.T, change func(envelope, payload map[string]any)) []byte {
	t.Helper()
	payload := map[string]any{
		"call_id": "c-1", "recording_url": "https://example.org/c-1.wav", "from_number": "+15550100", "to_number": "+15550199",
		"start_timestamp": 1_760_000_000_000, "end_timestamp": 1_760_000_060_000, "status": "ended",
	}
	envelope := map[string]any{"provider": "custom", "payload": payload}
	if change != nil {
		change(envelope, payload)
	}
	text, err := json.Marshal(envelope)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func transcript(messages ...map[string]any) map[string]any {
	return map[string]any{"kind": "chat_completion", "messages": messages}
}

func booking() map[string]any {
	return transcript(
		map[string]any{"role": "assistant", "start": 100, "content": "Hello."},
		map[string]any{"role": "assistant", "start": 900, "content": "How can I help?"},
		map[string]any{"role": "user", "start": 1_760_000_002_000, "content": "An appointment please."},
		map[string]any{"role": "assistant", "start": 4000, "content": nil, "tool_calls": []any{map[string]any{
			"id": "t1", "type": "function", "function": map[string]any{"name": "book", "arguments": `{"day":"monday"}`},
		}}},
		map[string]any{"role": "tool", "content": "done", "tool_call_id": "t1"},
		map[string]any{"role": "assistant", "content": "Booked."},
	)
}

func TestProductionCallIsStoredWhole(t *testing.T) {
	t.Parallel()
	m := &memory{rows: rows{agents: []scenario.Agent{{ID: "agt_1", WorkspaceID: "ws_1", SourceID: "front"}, {ID: "agt_2", WorkspaceID: "ws_2", SourceID: "other"}}}}
	s := setup(m)
	body := log(t, func(e, p map[string]any) {
		e["externalAgentId"], e["metadata"] = " front ", map[string]any{"campaign": "spring"}
		p["transcript"] = booking()
	})
	a, err := s.Accept(t.Context(), "ws_1", body)
	if err != nil {
		t.Fatal(err)
	}
	if a.Status != "accepted" || a.Duplicate || a.AgentID == nil || *a.AgentID != "agt_1" {
		t.Fatalf("answer %+v", a)
	}
	if len(m.calls) != 1 || len(m.submissions) != 1 || len(m.jobs) != 1 || m.jobs[0] != "review_log "+a.ID {
		t.Fatalf("%d calls, %d submissions, jobs %v", len(m.calls), len(m.submissions), m.jobs)
	}
	c, sub, said := m.calls[0], m.submissions[0], m.record(0)
	if c.ID != a.ID || c.Origin != call.Production || c.Status != call.Ended || c.ScoringStatus != call.ScoringPending ||
		c.ExternalID != "c-1" || c.Duration() != time.Minute || c.Metadata["campaign"] != "spring" || c.AgentID != "agt_1" ||
		c.EndReason != call.EndOf(call.EndCompleted, "ended") {
		t.Errorf("call %+v", c)
	}
	if _, raw := packed(&sub); sub.CallID != c.ID || raw != string(body) || !sub.HasTranscript || sub.ReceivedAt != received {
		t.Errorf("submission %+v", sub)
	}
	wantTurns := []call.Turn{
		{Index: 0, Speaker: call.Agent, Start: 100 * time.Millisecond, End: 900 * time.Millisecond, Text: "Hello. How can I help?"},
		{Index: 1, Speaker: call.Caller, Start: 2 * time.Second, End: 2 * time.Second, Text: "An appointment please."},
		{Index: 2, Speaker: call.Agent, Start: -1, End: -1, Text: "Booked."},
	}
	if fmt.Sprint(said.Turns) != fmt.Sprint(wantTurns) {
		t.Errorf("turns %v", said.Turns)
	}
	if tools := said.ToolCalls; len(tools) != 1 || tools[0].Name != "book" || tools[0].Result != "done" || tools[0].At != 4*time.Second {
		t.Errorf("tool calls %+v", tools)
	}
}

func TestUnknownAgentIsNoFault(t *testing.T) {
	t.Parallel()
	m := &memory{rows: rows{agents: []scenario.Agent{{ID: "agt_2", WorkspaceID: "ws_2", SourceID: "front"}}}}
	a, err := setup(m).Accept(t.Context(), "ws_1", log(t, func(e, _ map[string]any) { e["externalAgentId"] = "front" }))
	if err != nil || a.AgentID != nil || m.calls[0].AgentID != "" {
		t.Fatalf("%+v %v: another workspace's agent must not be linked", a, err)
	}
}

func TestRecordJoinsItsTestCall(t *testing.T) {
	t.Parallel()
	test := call.Call{
		ID: "call_t", WorkspaceID: "ws_1", Origin: call.Simulated, AgentID: "agt_1", From: "+15550100", To: "+15550199",
		StartedAt: time.UnixMilli(1_760_000_000_000 - 90_000),
	}
	byID := func(e, _ map[string]any) { e["metadata"] = map[string]any{"ringtrue_call": "call_t"} }
	byRoom := func(e, _ map[string]any) { e["metadata"] = map[string]any{"ringtrue_call": "ringtrue-call_t"} }
	for name, change := range map[string]func(e, p map[string]any){"by id": byID, "by room": byRoom, "by numbers and time": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &memory{rows: rows{calls: []call.Call{test}}}
			s := setup(m)
			a, err := s.Accept(t.Context(), "ws_1", log(t, change))
			if err != nil || a.ID != "call_t" || a.AgentID == nil || *a.AgentID != "agt_1" {
				t.Fatalf("%+v %v", a, err)
			}
			if len(m.calls) != 1 || len(m.submissions) != 1 || len(m.jobs) != 1 || m.jobs[0] != "review call_t" {
				t.Fatalf("%d calls, %d submissions, jobs %v", len(m.calls), len(m.submissions), m.jobs)
			}
		})
	}
}

// An opt-out in the agent's own record of a test call also erases what the database keeps
// outside its rows; our caller's recording stays.
func TestAnOptOutOfATestCallIsErasedToo(t *testing.T) {
	t.Parallel()
	m := &memory{rows: rows{calls: []call.Call{{ID: "call_t", WorkspaceID: "ws_1", Origin: call.Simulated, Recording: &call.Recording{Key: "a"}}}}}
	s := setup(m)
	for _, optOut := range []bool{false, true} {
		if _, err := s.Accept(t.Context(), "ws_1", log(t, func(e, _ map[string]any) {
			e["metadata"] = map[string]any{"ringtrue_call": "call_t", "opt_out_sensitive_data_storage": optOut}
		})); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Contains(m.jobs, "erase call_t") || m.calls[0].Recording == nil {
		t.Errorf("jobs %q, recording %v", m.jobs, m.calls[0].Recording)
	}
}

// An agent whose platform keeps little is tested like any other: its record is matched by the numbers,
// which are then not kept.
func TestARecordThatMayNotBeKeptJoinsItsTestCall(t *testing.T) {
	t.Parallel()
	const at = 1_760_000_000_000
	test := call.Call{ID: "call_t", WorkspaceID: "ws_1", Origin: call.Simulated, From: "+15550100", To: "+15550199", StartedAt: time.UnixMilli(at)}
	const a = `{"provider":"platform_a","payload":{"event":"call_ended","opt_out_sensitive_data_storage":true,"call":{"call_id":"a","from_number":"+15550100","to_number":"+15550199","start_timestamp":1760000000000}}}`
	beside := func(e, _ map[string]any) { e["metadata"] = map[string]any{"opt_out_sensitive_data_storage": true} }
	for name, body := range map[string][]byte{"in the payload": []byte(a), "beside it": log(t, beside)} {
		m := &memory{rows: rows{calls: []call.Call{test}}}
		accepted, err := withPlatforms(m).Accept(t.Context(), "ws_1", body)
		if err != nil || accepted.ID != test.ID || len(m.calls) != 1 || len(m.submissions) != 1 {
			t.Errorf("%s: %+v %v, %d calls", name, accepted, err, len(m.calls))
			continue
		}
		if record, raw := packed(&m.submissions[0]); strings.Contains(record+raw, "+1555") {
			t.Errorf("%s: its numbers are kept: %s%s", name, record, raw)
		}
	}
}

func TestRecordOfUnknownTestCallIsRefused(t *testing.T) {
	t.Parallel()
	m := &memory{rows: rows{calls: []call.Call{{ID: "call_t", WorkspaceID: "ws_2", Origin: call.Simulated}}}}
	_, err := setup(m).Accept(t.Context(), "ws_1", log(t, func(e, _ map[string]any) {
		e["metadata"] = map[string]any{"ringtrue_call": "call_t"}
	}))
	wantPaths(t, err, "metadata.ringtrue_call")
	if len(m.submissions) != 0 || len(m.calls) != 1 {
		t.Error("something was stored")
	}
}

func TestDuplicatesKeepTheFirstID(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := setup(m)
	first, err := s.Accept(t.Context(), "ws_1", log(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	same, err := s.Accept(t.Context(), "ws_1", log(t, nil))
	if err != nil || !same.Duplicate || same.ID != first.ID {
		t.Fatalf("%+v %v", same, err)
	}
	if len(m.submissions) != 1 || len(m.calls) != 1 {
		t.Errorf("the same record again was stored again")
	}
	more, err := s.Accept(t.Context(), "ws_1", log(t, func(_, p map[string]any) { p["transcript"] = booking() }))
	if err != nil || !more.Duplicate || more.ID != first.ID || len(m.submissions) != 2 || len(m.calls) != 1 {
		t.Fatalf("a later record that says more was not appended: %+v %v", more, err)
	}
	other, err := s.Accept(t.Context(), "ws_2", log(t, nil))
	if err != nil || other.Duplicate || other.ID == first.ID {
		t.Fatalf("another workspace's call with the same id: %+v %v", other, err)
	}
}

func TestNothingIsAcceptedThatIsNotOnDisk(t *testing.T) {
	t.Parallel()
	if a, err := setup(&memory{failWrites: true}).Accept(t.Context(), "ws_1", log(t, nil)); err == nil {
		t.Fatalf("accepted %+v although the commit failed", a)
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	m := &memory{}
	_, err := setup(m).Accept(t.Context(), "ws_1", log(t, func(e, p map[string]any) {
		e["provider"] = "own"
		p["transcript"] = map[string]any{"kind": "their_kind", "messages": []any{}}
	}))
	if err != nil || m.submissions[0].Provider != calllog.Custom || !m.submissions[0].HasTranscript {
		t.Fatalf("%v %+v", err, m.submissions)
	}
	_, err = setup(m).Accept(t.Context(), "ws_1", log(t, func(e, _ map[string]any) { e["provider"] = "brand" }))
	wantPaths(t, err, "provider")
	if !strings.Contains(err.Error(), "must be custom") {
		t.Error(err)
	}
}

func TestEveryFaultIsNamed(t *testing.T) {
	t.Parallel()
	message := func(p map[string]any, m map[string]any) { p["transcript"] = transcript(m) }
	tool := func(id, kind, arguments any) map[string]any {
		return map[string]any{"id": id, "type": kind, "function": map[string]any{"name": "f", "arguments": arguments}}
	}
	cases := map[string]struct {
		change func(e, p map[string]any)
		want   []string
	}{
		"nothing":          {func(e, _ map[string]any) { clear(e) }, []string{"payload", "provider"}},
		"empty payload":    {func(_, p map[string]any) { clear(p) }, []string{"payload.call_id", "payload.end_timestamp", "payload.from_number", "payload.recording_url", "payload.start_timestamp", "payload.status", "payload.to_number"}},
		"unknown provider": {func(e, _ map[string]any) { e["provider"] = "x" }, []string{"provider"}},
		"platform":         {func(e, _ map[string]any) { e["provider"] = "platform_b" }, []string{"provider"}},
		"kinds":            {func(e, p map[string]any) { e["metadata"], e["externalAgentId"] = 1, 2; p["call_id"] = 3 }, []string{"externalAgentId", "metadata", "payload.call_id"}},
		"end before start": {func(_, p map[string]any) { p["end_timestamp"] = 1_759_999_999_999 }, []string{"payload.end_timestamp"}},
		"seconds":          {func(_, p map[string]any) { p["start_timestamp"] = 1_760_000_000 }, []string{"payload.start_timestamp"}},
		"fraction":         {func(_, p map[string]any) { p["start_timestamp"] = 1_760_000_000_000.5 }, []string{"payload.start_timestamp"}},
		"status":           {func(_, p map[string]any) { p["status"] = "ongoing" }, []string{"payload.status"}},
		"url":              {func(_, p map[string]any) { p["recording_url"] = "ftp://example.org/a" }, []string{"payload.recording_url"}},
		"no host":          {func(_, p map[string]any) { p["recording_url"] = "https:///a" }, []string{"payload.recording_url"}},
		"line break":       {func(_, p map[string]any) { p["call_id"] = "a\nb" }, []string{"payload.call_id"}},
		"nul":              {func(e, _ map[string]any) { e["metadata"] = map[string]any{"a": []any{"x\x00"}} }, []string{"metadata.a[0]"}},
		"kind":             {func(_, p map[string]any) { p["transcript"] = map[string]any{"kind": "x"} }, []string{"payload.transcript.kind", "payload.transcript.messages"}},
		"role":             {func(_, p map[string]any) { message(p, map[string]any{"role": "system", "content": ""}) }, []string{"payload.transcript.messages[0].role"}},
		"content":          {func(_, p map[string]any) { message(p, map[string]any{"role": "user"}) }, []string{"payload.transcript.messages[0].content"}},
		"start":            {func(_, p map[string]any) { message(p, map[string]any{"role": "user", "content": "", "start": -1}) }, []string{"payload.transcript.messages[0].start"}},
		"answer to nothing": {func(_, p map[string]any) {
			message(p, map[string]any{"role": "tool", "content": "", "tool_call_id": "t9"})
		}, []string{"payload.transcript.messages[0].tool_call_id"}},
		"tool call": {func(_, p map[string]any) {
			message(p, map[string]any{"role": "assistant", "tool_calls": []any{tool("a", "x", "{}"), tool("a", "function", "{}"), tool("b", "function", map[string]any{}), 7}})
		}, []string{"payload.transcript.messages[0].tool_calls[0].type", "payload.transcript.messages[0].tool_calls[1].id", "payload.transcript.messages[0].tool_calls[2].function.arguments", "payload.transcript.messages[0].tool_calls[3]"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &memory{}
			_, err := setup(m).Accept(t.Context(), "ws_1", log(t, c.change))
			wantPaths(t, err, c.want...)
			if len(m.submissions)+len(m.calls)+len(m.jobs) != 0 {
				t.Error("a refused submission left something behind")
			}
		})
	}
}

func TestNotJSON(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"[]", "null", "7"} {
		_, err := setup(&memory{}).Accept(t.Context(), "ws_1", []byte(body))
		wantPaths(t, err, "body")
	}
	for _, body := range []string{"", `{"a":1}{}`, `{"a":1,"a":2}`, `{"a":"\ud800"}`, `{"metadata":{"a":1e1000}}`, "\ufeff\ufeff{}", "{\n  \"a\": }", strings.Repeat("[", 100_000), `{"a":` + strings.Repeat(`{"a":`, 80)} {
		_, err := setup(&memory{}).Accept(t.Context(), "ws_1", []byte(body))
		if !problem.Is(err, problem.InvalidJSON) {
			t.Errorf("%.20q: %v", body, err)
		}
	}
	_, err := setup(&memory{}).Accept(t.Context(), "ws_1", []byte("{\n  \"a\": }"))
	if !strings.Contains(fmt.Sprint(err), "line 2, column 8") {
		t.Errorf("the place is missing: %v", err)
	}
}

func TestBrokenArgumentsAreKept(t *testing.T) {
	t.Parallel()
	m := &memory{}
	_, err := setup(m).Accept(t.Context(), "ws_1", log(t, func(_, p map[string]any) {
		p["transcript"] = transcript(map[string]any{"role": "assistant", "content": "", "tool_calls": []any{
			map[string]any{"id": "a", "type": "function", "function": map[string]any{"name": "f", "arguments": `{"x":`}},
		}})
	}))
	if err != nil || string(m.record(0).ToolCalls[0].Arguments) != `"{\"x\":"` {
		t.Fatalf("%v %+v", err, m.submissions)
	}
}

func wantPaths(t *testing.T, err error, want ...string) {
	t.Helper()
	e := problem.As(err)
	if e == nil || e.Code != problem.InvalidFields {
		t.Fatalf("got %v, want faults at %v", err, want)
	}
	var got []string
	for _, f := range e.Fields {
		got = append(got, f.Path)
		if f.Message == "" {
			t.Errorf("%s has no message", f.Path)
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("faults at %v, want %v", got, want)
	}
}

func FuzzAccept(f *testing.F) {
	f.Add([]byte(`{"provider":"custom","payload":{"call_id":"a","recording_url":"https://e.org/a","from_number":"1","to_number":"2","start_timestamp":1760000000000,"end_timestamp":1760000060000,"status":"ended"}}`))
	f.Add([]byte(`{"provider":"custom","metadata":{"a":[{}]},"payload":{"transcript":{"kind":"chat_completion","messages":[{"role":"assistant","start":1e3,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"t","content":""},{"role":"user","start":1760000000001,"content":"\ud800"}]}}}`))
	f.Add([]byte(`{"provider":"platform_a","payload":{"event":"call_ended"}}`))
	f.Add([]byte("{\"a\":\"\\u0000\",\"\\\"\":[[[["))
	f.Fuzz(func(t *testing.T, body []byte) {
		m := &memory{}
		s := setup(m)
		a, err := s.Accept(t.Context(), "ws_1", body)
		if err != nil {
			if e := problem.As(err); e == nil || e.Code != problem.InvalidFields && e.Code != problem.InvalidJSON {
				t.Fatalf("%q: not a client's mistake: %v", body, err)
			}
			if len(m.submissions)+len(m.calls) != 0 {
				t.Fatalf("%q: refused and stored", body)
			}
			return
		}
		if len(m.calls) != 1 || m.calls[0].ID != a.ID || m.calls[0].EndedAt.Before(m.calls[0].StartedAt) {
			t.Fatalf("%q: %+v", body, m.calls)
		}
		again, err := s.Accept(t.Context(), "ws_1", body)
		if err != nil || again.ID != a.ID || !again.Duplicate || len(m.submissions) != 1 {
			t.Fatalf("%q: the second time %+v %v", body, again, err)
		}
	})
}

// An imported history has jobs of its own, whether its calls arrive one by one or together
// with a current call.
func TestNoCallOfNowWaitsBehindThePast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		hold := make(chan struct{})
		m := &memory{before: func() { <-hold }}
		s := setup(m)
		long := received.Add(-time.Hour - time.Second).UnixMilli()
		send := func(id string, ended int64) {
			if _, err := s.Accept(t.Context(), "ws_1", log(t, func(_, p map[string]any) {
				p["call_id"], p["start_timestamp"], p["end_timestamp"] = id, ended-60_000, ended
			})); err != nil {
				t.Error(err)
			}
		}
		var all sync.WaitGroup
		for i := range 12 {
			all.Go(func() { send(fmt.Sprint("past", i), long) })
			synctest.Wait() // the first is alone, the others form a group after it
		}
		all.Go(func() { send("now", received.UnixMilli()) })
		synctest.Wait()
		close(hold)
		all.Wait()
		id := map[string]string{}
		for _, c := range m.calls {
			id[c.ExternalID] = c.ID
		}
		if len(m.jobs) != 3 || m.jobs[0] != "review_past "+id["past0"] || m.jobs[1] != "spread "+id["now"] || !strings.HasPrefix(m.jobs[2], "spread_past "+id["past1"]+" ") {
			t.Fatalf("jobs %q of calls %v", m.jobs, id)
		}
		if err := s.SpreadPast(t.Context(), strings.TrimPrefix(m.jobs[2], "spread_past ")); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(m.jobs, "review_past "+id["past11"]) || slices.Contains(m.jobs, "review_log "+id["past11"]) {
			t.Errorf("jobs %q", m.jobs)
		}
	})
}

// All submissions of a call are read whenever another arrives, so their total size is
// limited; the first few, and any that are stored already, are always accepted.
func TestSubmissionsAreBoundedTogether(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := setup(m)
	accept := func(i, megabytes int) error {
		_, err := s.Accept(t.Context(), "ws_1", log(t, func(_, payload map[string]any) {
			payload["note"] = strconv.Itoa(i) + strings.Repeat("x", megabytes<<20)
		}))
		return err
	}
	for i := range 3 {
		if err := accept(i, 6); err != nil {
			t.Fatal(err)
		}
	}
	if err := accept(3, 0); !problem.Is(err, problem.Conflict) {
		t.Errorf("a fourth: %v", err)
	}
	if err := accept(0, 6); err != nil || len(m.submissions) != 3 {
		t.Errorf("the first again: %v, %d submissions", err, len(m.submissions))
	}
}
