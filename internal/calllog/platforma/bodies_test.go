package platforma_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
)

// A scrubbed analysis is used like the plain one, and first if there are both.
func TestScrubbedAnalysis(t *testing.T) {
	t.Parallel()
	const scrubbed = `,"scrubbed_call_analysis":{"call_summary":"[name] booked","user_sentiment":"Positive","call_successful":true,"in_voicemail":false},"scrubbed_metadata":{"order":"7"}`
	r := read(t, ended(scrubbed))
	if r.Summary != "[name] booked" || r.Sentiment != call.Positive || r.Successful == nil || !*r.Successful || r.Voicemail == nil || *r.Voicemail || r.Metadata["order"] != "7" {
		t.Errorf("%+v", r)
	}
	r = read(t, ended(scrubbed+`,"call_analysis":{"call_summary":"Maria Schmidt booked","user_sentiment":"Negative","custom_analysis_data":{"a":1}},"metadata":{"order":"8"}`))
	if r.Summary != "[name] booked" || r.Sentiment != call.Positive || r.Metadata["order"] != "8" || r.Words["call_analysis.custom_analysis_data"] == nil {
		t.Errorf("%+v", r)
	}
	r = read(t, ended(`,"scrubbed_call_analysis":{"call_summary":"[name] booked"},"call_analysis":{"call_summary":"Maria booked","call_successful":false}`))
	if r.Summary != "[name] booked" || r.Successful == nil || *r.Successful {
		t.Errorf("%+v", r)
	}
	r = read(t, ended(scrubbed+`,"data_storage_setting":"everything_except_pii"`))
	if r.Summary != "" || r.Metadata != nil || r.Sentiment != call.Positive || r.Successful == nil || !*r.Successful {
		t.Errorf("%+v", r)
	}
}

func TestCosts(t *testing.T) {
	t.Parallel()
	for cost, want := range map[string]int64{
		`{"combined_cost":12.5,"product_costs":[{"cost":99}]}`:          125_000,
		`{"product_costs":[{"product":"a","cost":10},{"cost":"5.5"}]}`:  155_000,
		`{"combined_cost":null,"product_costs":[{"cost":1},7,{"x":1}]}`: 10_000,
		`{"combined_cost":0,"product_costs":[]}`:                        0,
		`15.5`:                                                          155_000,
		`{"product_costs":[]}`:                                          -1,
		`{}`:                                                            -1,
		`"free"`:                                                        -1,
	} {
		got := int64(-1)
		if r := read(t, ended(`,"call_cost":`+cost)); r.Cost != nil {
			got = *r.Cost
		}
		if got != want {
			t.Errorf("%s: %d, want %d", cost, got, want)
		}
	}
}

// Some of many values say nothing about the whole, so the platform's own figures stand alone.
func TestSomeOfTheLatencies(t *testing.T) {
	t.Parallel()
	r := read(t, ended(`,"latency":{"e2e":{"p50":800,"min":500,"num":10,"values":[123]},"llm":{"num":2,"values":[100,300]},"tts":{"num":3,"values":[100]},"asr":{"num":3,"values":[100,null,300]}}`))
	e2e, llm, tts, asr := r.Latency["e2e"], r.Latency["llm"], r.Latency["tts"], r.Latency["asr"]
	if e2e.N != 10 || *e2e.P50 != 0.8 || *e2e.Min != 0.5 || e2e.Mean != nil || e2e.P95 != nil || e2e.Values != nil {
		t.Errorf("e2e: %+v", e2e)
	}
	if llm.N != 2 || *llm.Mean != 0.2 || len(llm.Values) != 2 {
		t.Errorf("llm: %+v", llm)
	}
	if tts.N != 3 || tts.Mean != nil {
		t.Errorf("tts: %+v", tts)
	}
	if asr.N != 3 || asr.Mean == nil || *asr.Mean != 0.2 || len(asr.Values) != 2 {
		t.Errorf("asr: %+v", asr)
	}
}

// A component that was never measured has zeros, which are no figures.
func TestLatencyOfNothing(t *testing.T) {
	t.Parallel()
	const none = `{"p50":0,"p90":0,"p95":0,"p99":0,"min":0,"max":0,"num":0,"values":[]}`
	r := read(t, ended(`,"latency":{"e2e":`+none+`,"llm":{"p50":300,"num":0},"tts":{"p50":0,"num":2},"asr":{"min":0,"max":9}},"s2s_latency":`+none))
	if len(r.Latency) != 3 || r.Latency["llm"].P50 == nil || r.Latency["tts"].N != 2 || r.Latency["asr"].Max == nil {
		t.Errorf("%+v", r.Latency)
	}
}

// A list that ends before the text is continued from the text.
func TestAListThatIsCutShort(t *testing.T) {
	t.Parallel()
	const text = `,"transcript":"Agent: Good morning, this is the clinic.\nUser: Hello.\nAgent: What can I do for you today?\nUser: I need an appointment, please.\n"`
	item := func(role, content string) string {
		return `{"role":"` + role + `","content":"` + content + `","words":[{"word":"x","start":1,"end":2}]}`
	}
	first, second := item("agent", "Good morning, this is the clinic."), item("user", "Hello.")
	tool := `{"role":"tool_call_invocation","tool_call_id":"t","name":"find","arguments":"{}"},{"role":"tool_call_result","tool_call_id":"t","content":"` + strings.Repeat("x", 500) + `"}`
	for list, want := range map[string]string{
		`,"transcript_with_tool_calls":[` + strings.Join([]string{first, second, tool, item("agent", "What can I do for you today?")}, ",") + `]`: "Good morning, this is the clinic.|Hello.|What can I do for you today?|I need an appointment, please.",
		`,"transcript_object":[` + first + `]`:                                             "Good morning, this is the clinic.|Hello.|What can I do for you today?|I need an appointment, please.",
		`,"transcript_with_tool_calls":[` + first + `,` + second + `]`:                     "Good morning, this is the clinic.|Hello.|What can I do for you today?|I need an appointment, please.",
		`,"transcript_object":[` + item("agent", "Good morning, this") + `]`:               "Good morning, this is the clinic.|Hello.|What can I do for you today?|I need an appointment, please.",
		`,"transcript_object":[` + item("agent", "Good mor") + `]`:                         "Good mor",
		`,"transcript_object":[` + item("agent", "Something else.") + `,` + second + `]`:   "Something else.|Hello.",
		`,"transcript_object":[` + item("user", "Good morning, this is the clinic.") + `]`: "Good morning, this is the clinic.",
	} {
		r := read(t, ended(text+list))
		var said []string
		for _, turn := range r.Turns {
			said = append(said, turn.Text)
		}
		if got := strings.Join(said, "|"); got != want {
			t.Errorf("%s: %s", list, got)
		}
		if r.Turns[0].Start != time.Second || r.Timed != (len(r.Turns) < 3) {
			t.Errorf("%s: begins at %v, timed: %v", list, r.Turns[0].Start, r.Timed)
		}
	}
}

// Other places of a recording follow the best one; plain recordings are ignored beside a scrubbed
// one.
func TestOtherRecordings(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		`,"recording_url":"https://e.org/1","recording_multi_channel_url":"https://e.org/2"`:                                            "https://e.org/2 https://e.org/1",
		`,"recording_url":"https://e.org/1","recording_multi_channel_url":"https://e.org/1"`:                                            "https://e.org/1",
		`,"recording_url":"https://e.org/1","scrubbed_recording_url":"https://e.org/3","recording_multi_channel_url":"https://e.org/2"`: "https://e.org/3",
	} {
		r := read(t, ended(fields))
		links := []string{r.RecordingURL}
		for _, other := range r.OtherRecordings {
			links = append(links, other.URL)
		}
		if got := strings.Join(links, " "); got != want {
			t.Errorf("%s: %s", fields, got)
		}
		if r = read(t, ended(fields+`,"data_storage_setting":"everything_except_pii"`)); r.RecordingURL != "" || r.OtherRecordings != nil {
			t.Errorf("%s: kept %s %v", fields, r.RecordingURL, r.OtherRecordings)
		}
	}
}

// Metadata that is no object, or too large, is not lost silently.
func TestStrangeMetadata(t *testing.T) {
	t.Parallel()
	r := read(t, ended(`,"metadata":{"a":"`+strings.Repeat("x", 70_000)+`"}`))
	if word, _ := r.Words["metadata"].(string); r.Metadata != nil || !strings.Contains(word, "left out") {
		t.Errorf("%v", r.Words)
	}
	if r = read(t, ended(`,"metadata":"order 7"`)); r.Metadata != nil || r.Words["metadata"] != "order 7" {
		t.Errorf("%v", r.Words)
	}
	if r = read(t, ended(`,"metadata":{}`)); len(r.Metadata) != 0 || r.Words["metadata"] != nil {
		t.Errorf("%v", r.Words)
	}
}

// An answer is matched with its call even if only answers have ids.
func TestAnswersWithIDsOfCallsWithout(t *testing.T) {
	t.Parallel()
	r := read(t, ended(`,"transcript_with_tool_calls":[
		{"role":"tool_call_invocation","name":"open","time_sec":0.5},
		{"role":"tool_call_result","tool_call_id":"t1","successful":true,"content":"yes"},
		{"role":"tool_call_invocation","name":"book"},
		{"role":"tool_call_invocation","name":"send"},
		{"role":"tool_call_result","tool_call_id":"t3","name":"send","content":"sent"},
		{"role":"tool_call_result","tool_call_id":"t2","content":"booked"},
		{"role":"tool_call_result","tool_call_id":"t4","content":"more"}]`))
	var got []string
	for _, c := range r.ToolCalls {
		got = append(got, c.ID+" "+c.Name+" "+c.Result)
	}
	if want := " open yes| book booked| send sent|t4  more"; strings.Join(got, "|") != want {
		t.Errorf("%s", strings.Join(got, "|"))
	}
}

// A gateway passes on the body as text, beside the rest of the request.
func TestABodyThatIsText(t *testing.T) {
	t.Parallel()
	const body = `"{\"event\":\"call_ended\",\"call\":{\"call_id\":\"c1\",\"disconnection_reason\":\"user_hangup\",\"transcript\":\"Agent: a\\u0000b \\ud800.\"}}"`
	for _, payload := range []string{`{"body":` + body + `}`, `{"version":"2.0","headers":{"host":"x"},"isBase64Encoded":false,"body":` + body + `}`} {
		r := read(t, payload)
		if r.ExternalID != "c1" || r.End.Detail != "user_hangup" || len(r.Turns) != 1 || r.Turns[0].Text != "ab \ufffd." {
			t.Errorf("%s: %+v", payload, r)
		}
	}
}

// What has no time comes after what happened before it, whether that was speech or not.
func TestWhatHasNoTimeAmongWhatHas(t *testing.T) {
	t.Parallel()
	const stage, told = `{"role":"node_transition","new_node_name":"booking","time_sec":6.5}`, 6500 * time.Millisecond
	const asked = `{"role":"tool_call_invocation","tool_call_id":"t1","name":"find","time_sec":6.5}`
	for items, want := range map[string][2]time.Duration{
		stage + `,{"role":"tool_call_invocation","name":"find"}`:                                                                      {told, told},
		stage + `,{"role":"node_transition","new_node_name":"farewell"}`:                                                              {told, -1},
		asked + `,{"role":"node_transition","new_node_name":"farewell"}`:                                                              {told, told},
		asked + `,{"role":"tool_call_result","tool_call_id":"t1","time_sec":8},{"role":"node_transition","new_node_name":"farewell"}`: {8 * time.Second, told},
	} {
		r := read(t, ended(`,"transcript_with_tool_calls":[{"role":"agent","content":"Hello.","words":[{"word":"Hello.","start":1,"end":1.5}]},`+items+`]`))
		got := [2]time.Duration{r.Stages[len(r.Stages)-1].At, -1}
		if len(r.ToolCalls) > 0 {
			got[1] = r.ToolCalls[0].At
		}
		if got != want {
			t.Errorf("%s: %v", items, got)
		}
	}
}

// In a single-line text, speakers are recognised by how the first one is written.
func TestATextInOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`Agent: Is this our customer: Ann Smith?\n`:            "agent: Is this our customer: Ann Smith?",
		`Agent: I am your AI: Max. User: Hi. Agent: Hello.`:    "agent: I am your AI: Max.|caller: Hi.|agent: Hello.",
		`agent: hi user: hello agent: bye`:                     "agent: hi|caller: hello|agent: bye",
		`agent: hi User: hello`:                                "agent: hi|caller: hello",
		`Agent: Hi.\\nUser: Hello.\\nTransfer Target: Yes?\\n`: `agent: Hi.|caller: Hello.|agent: Yes?\n`,
	} {
		if got := saidIn(t, text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// saidIn returns who said what in a plain-text transcript.
func saidIn(t *testing.T, text string) string {
	t.Helper()
	var said []string
	for _, turn := range read(t, ended(`,"transcript":"`+text+`"`)).Turns {
		said = append(said, string(turn.Speaker)+": "+turn.Text)
	}
	return strings.Join(said, "|")
}

// The speaker before a line is recognised with markup around it, and lines that nobody spoke are no
// speech.
func TestSpeakersOfAText(t *testing.T) {
	t.Parallel()
	const plain = "agent: Hello.|caller: At 10:30: Hi."
	for text, want := range map[string]string{
		`Agent (Anna): Hello.\nUser (Mr. X): At 10:30: Hi.`:                                                   plain,
		`**Agent** [0:01]: Hello.\n**User** [0:03]: At 10:30: Hi.`:                                            plain,
		`AI Agent: Hello.\nClient: At 10:30: Hi.`:                                                             plain,
		`Virtual Assistant: Hello.\nCustomer: At 10:30: Hi.`:                                                  plain,
		`2026-01-01T10:00:00Z AI: Hello.\n[2026-01-01T10:00:04.000Z] User: At 10:30: Hi.`:                     plain,
		`● AI： Hello.\n● User： At 10:30: Hi.`:                                                                 plain,
		`System: Be kind.\nAI: Hello.\nTool Call: find({\"a\": 1})\nUser: At 10:30: Hi.\nTool: {}\nno speech`: plain,
		`Agent: Hello.\nZoe: hi`:                                                                              "agent: Hello. Zoe: hi",
		`Agent: Hello.\nUser (that is`:                                                                        "agent: Hello. User (that is",
		`Agent: Hello.\nThe tool: a hammer`:                                                                   "agent: Hello. The tool: a hammer",
		`Agent: Hello.\nUser (he said: no) is gone`:                                                           "agent: Hello. User (he said: no) is gone",
		`Agent: Hello.\n12:T\n3Z\nUser:\nuser()\n(:`:                                                          "agent: Hello. 12:T 3Z|caller: user() (:",
	} {
		if got := saidIn(t, text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// Some texts have the agent's own name before its lines.
func TestTheAgentsNameInAText(t *testing.T) {
	t.Parallel()
	r := read(t, ended(`,"agent_name":"Anna","transcript":"Anna: Hello.\nUser: Hi.\nAnna: Bye."`))
	if len(r.Turns) != 3 || r.Turns[1].Speaker != call.Caller || r.Turns[1].Text != "Hi." || r.Turns[2].Speaker != call.Agent {
		t.Errorf("%+v", r.Turns)
	}
}

// Forwarders spell the events in their own way. Events of unfinished calls remain refused.
func TestEventsInOtherSpellings(t *testing.T) {
	t.Parallel()
	const rest = `"call":{"call_id":"c1","call_status":"ended","disconnection_reason":"user_hangup"}`
	for event, whole := range map[string]bool{
		"call.ended": false, "call-ended": false, "callEnded": false, "CALL_ENDED": false, "Call Ended": false, "call.completed": false, "call_finished": false,
		"phone_call.ended": false, "web-call:completed": false, "call.analyzed": true, "callAnalysed": true, "call_analysis": true,
		"call_ended": false, "call_analyzed": true,
	} {
		for _, name := range []string{"event", "event_type", "event_name", "type"} {
			r := read(t, `{"`+name+`":"`+event+`",`+rest+`}`)
			if r.ExternalID != "c1" || r.End.Detail != "user_hangup" || r.Whole != whole || len(r.Words) != 1 {
				t.Errorf("%s: %+v", event, r)
			}
			r = read(t, `{"`+name+`":"`+event+`","data":{"call_id":"c1"}}`)
			if r.ExternalID != "c1" {
				t.Errorf("%s with data: %+v", event, r)
			}
		}
	}
	for _, payload := range []string{
		`{"event":"call.ended","call":{"call_id":"c1","call_status":"ongoing"}}`,
		`{"event":"endCall","name":"end_call","args":{},"call":{"call_id":"c1"}}`,
		`{"event":"call.started",` + rest + `}`, `{"event":"call.updated",` + rest + `}`, `{"event":"transfer_ended",` + rest + `}`,
		`{"event":"chat_ended",` + rest + `}`, `{"event_type":"call.ringing",` + rest + `}`, `{"event":"call.ended"}`,
	} {
		if r, err := calllog.Read(platforma.Reader(), []byte(payload)); err == nil {
			t.Errorf("%s: %+v", payload, r)
		}
	}
}

// A list that has only one side, or begins late, is completed from the text: items keep their times
// and their order.
func TestAListThatLacksASide(t *testing.T) {
	t.Parallel()
	const text = `,"transcript":"Agent: Good morning, this is the clinic.\nUser: Hello. I need an appointment.\nAgent: For which day?\nUser: Friday.\n"`
	item := func(role, content, start string) string {
		return `{"role":"` + role + `","content":"` + content + `","words":[{"word":"x","start":` + start + `,"end":` + start + `.5}]}`
	}
	const all = "agent@%s Good morning, this is the clinic.|caller@%s Hello. I need an appointment.|agent@%s For which day?|caller@%s Friday."
	user := item("user", "Hello.", "5") + `,{"role":"tool_call_invocation","name":"find","time_sec":6},` + item("user", "I need an appointment.", "7") + `,` + item("user", "Friday.", "12")
	for list, want := range map[string]string{
		`[` + user + `]`: fmt.Sprintf(all, "-", "5s", "-", "12s"),
		`[` + item("agent", "Good morning, this is the clinic.", "1") + `,` + item("agent", "For which day?", "9") + `]`: fmt.Sprintf(all, "1s", "-", "9s", "-"),
		`[` + item("agent", "For which day?", "9") + `,` + item("user", "Friday.", "12") + `]`:                           fmt.Sprintf(all, "-", "-", "9s", "12s"),
		`[` + item("user", "Hello.", "5") + `,` + item("user", "Monday.", "12") + `]`:                                    "caller@5s Hello. Monday.",
	} {
		r := read(t, ended(text+`,"transcript_with_tool_calls":`+list))
		var said []string
		for _, turn := range r.Turns {
			at := turn.Start.String()
			if turn.Start < 0 {
				at = "-"
			}
			said = append(said, string(turn.Speaker)+"@"+at+" "+turn.Text)
		}
		if got := strings.Join(said, "|"); got != want || r.Timed && strings.Contains(got, "@-") {
			t.Errorf("%s: %s, timed: %v", list, got, r.Timed)
		}
		if strings.Contains(list, "find") && (len(r.ToolCalls) != 1 || r.ToolCalls[0].At != 6*time.Second) {
			t.Errorf("%+v", r.ToolCalls)
		}
	}
}

// If the timed words stop before the text does, the end of the speech is unknown.
func TestWordsThatAreCutShort(t *testing.T) {
	t.Parallel()
	words := func(texts ...string) string {
		var all []string
		for i, text := range texts {
			all = append(all, fmt.Sprintf(`{"word":%q,"start":%d,"end":%d.5}`, text, i+1, i+1))
		}
		return `"words":[` + strings.Join(all, ",") + `]`
	}
	for item, end := range map[string]time.Duration{
		`"content":"One two three four five, six.",` + words("One", "two"):                                   time.Second,
		`"content":"One two three four five, six.",` + words("One", "two", "three", "four", "five,", "six."): 6500 * time.Millisecond,
		`"content":"One two three four five, six!",` + words("Six"):                                          1500 * time.Millisecond,
		`"content":"One two three four five, six.",` + words("One", "two", "three", "four", "five"):          5500 * time.Millisecond, // nearly all of it
		`"content":"我想预约明天",` + words("我想"):                                                                  1500 * time.Millisecond, // text without spaces
		words("One", "two"): 2500 * time.Millisecond,
	} {
		r := read(t, ended(`,"transcript_object":[{"role":"agent",`+item+`}]`))
		if len(r.Turns) != 1 || r.Turns[0].Start != time.Second || r.Turns[0].End != end || !r.Timed {
			t.Errorf("%s: %+v", item, r.Turns)
		}
	}
}

// Times of words are in seconds, but milliseconds are recognised.
func TestWordsInMilliseconds(t *testing.T) {
	t.Parallel()
	item := func(role string, words ...string) string {
		return `{"role":"` + role + `","content":"Good morning you","words":[` + strings.Join(words, ",") + `]}`
	}
	word := func(text, start, end string) string {
		return `{"word":"` + text + `","start":` + start + `,"end":` + end + `}`
	}
	for items, want := range map[string][3]time.Duration{
		item("agent", word("Good", "500", "720"), word("morning", "720", "1100"), word("you", "1100", "1300")) + "," + item("user", word("Good", "700000", "700200"), word("morning", "700200", "700900"), word("you", "701000", "701500")): {500 * time.Millisecond, 1300 * time.Millisecond, 701500 * time.Millisecond},
		item("agent", word("Good", "0.5", "0.72"), word("morning", "0.72", "1.1"), word("you", "1.1", "1.3")) + "," + item("user", word("Good", "700", "700.2"), word("morning", "700.2", "700.9"), word("you", "701", "701.5")):            {500 * time.Millisecond, 1300 * time.Millisecond, 701500 * time.Millisecond},
		item("agent", word("Good", "1", "1.5"), word("morning", "2", "40"), word("you", "41", "42")) + "," + item("user", word("Good", "700", "700.2"), word("morning", "700.2", "700.9"), word("you", "701", "701.5")):                     {time.Second, 42 * time.Second, 701500 * time.Millisecond},
		item("agent", word("Good", `"400"`, "null"), word("morning", `"800"`, "null"), word("you", `"1200"`, "null")) + "," + item("user", word("Good", "2000", "0"), word("morning", "2100", "0"), word("you", "2500", "0")):               {400 * time.Millisecond, 1200 * time.Millisecond, 2500 * time.Millisecond},
	} {
		for _, list := range []string{"transcript_object", "transcript_with_tool_calls"} {
			r := read(t, ended(`,"`+list+`":[`+items+`]`))
			if got := [3]time.Duration{r.Turns[0].Start, r.Turns[0].End, r.Turns[1].End}; got != want || !r.Timed {
				t.Errorf("%s: %v, want %v", items, got, want)
			}
		}
	}
}
