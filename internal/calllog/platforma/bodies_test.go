package platforma_test

import (
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// An analysis that was scrubbed of people stands where the plain one would, and
// before it where both came.
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

// A few of many values say nothing of the whole, and the platform's own figures stand alone.
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

// A list that stops before the text does goes on with the text.
func TestAListThatIsCutShort(t *testing.T) {
	t.Parallel()
	const text = `,"transcript":"Agent: Good morning, this is the clinic.\nUser: Hello.\nAgent: What can I do for you today?\nUser: I need an appointment, please.\n"`
	item := func(role, content string) string {
		return `{"role":"` + role + `","content":"` + content + `","words":[{"word":"x","start":1,"end":2}]}`
	}
	first, second := item("agent", "Good morning, this is the clinic."), item("user", "Hello.")
	for list, want := range map[string]string{
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

// Where a recording may be as well stands behind the best place; a plain one is
// none beside one that was scrubbed of people.
func TestOtherRecordings(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		`,"recording_url":"https://e.org/1","recording_multi_channel_url":"https://e.org/2"`:                                            "https://e.org/2 https://e.org/1",
		`,"recording_url":"https://e.org/1","recording_multi_channel_url":"https://e.org/1"`:                                            "https://e.org/1",
		`,"recording_url":"https://e.org/1","scrubbed_recording_url":"https://e.org/3","recording_multi_channel_url":"https://e.org/2"`: "https://e.org/3",
	} {
		r := read(t, ended(fields))
		if got := strings.Join(append([]string{r.RecordingURL}, r.OtherRecordings...), " "); got != want {
			t.Errorf("%s: %s", fields, got)
		}
		if r = read(t, ended(fields+`,"data_storage_setting":"everything_except_pii"`)); r.RecordingURL != "" || r.OtherRecordings != nil {
			t.Errorf("%s: kept %s %s", fields, r.RecordingURL, r.OtherRecordings)
		}
	}
}

// Metadata that is no object, or more than is kept as such, is not lost without a word.
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

// An answer finds its call where only the answers have ids.
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

// A gateway hands the body on as text, beside what else came with the request.
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
