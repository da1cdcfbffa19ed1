package platformb_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func read(t testing.TB, payload string) calllog.Record {
	t.Helper()
	return readertest.Read(t, platformb.Reader(), payload)
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	readertest.Golden(t, platformb.Reader())
}

// report returns the webhook of a call with additional fields.
func report(more string) string {
	return `{"message":{"type":"end-of-call-report","call":{"id":"c1"}` + more + `}}`
}

func TestReasons(t *testing.T) {
	t.Parallel()
	type want struct {
		code  call.EndCode
		blame call.Blame
		never bool
	}
	agent, line, platform, nobody, caller := call.BlameAgent, call.BlameLine, call.BlamePlatform, call.BlameNobody, call.BlameCaller
	for reason, w := range map[string]want{
		"customer-ended-call":                                               {call.EndCallerHungUp, call.BlameCaller, false},
		"customer-ended-call-during-transfer":                               {call.EndCallerHungUp, call.BlameCaller, false},
		"call.ringing.sip-inbound-caller-hungup-before-call-connect":        {call.EndCallerHungUp, call.BlameCaller, true},
		"call.ringing.hook-executed-say":                                    {call.EndAgentHungUp, agent, true},
		"assistant-ended-call":                                              {call.EndAgentHungUp, agent, false},
		"assistant-ended-call-after-message-spoken":                         {call.EndAgentHungUp, agent, false},
		"assistant-ended-call-with-hangup-task":                             {call.EndAgentHungUp, agent, false},
		"assistant-said-end-call-phrase":                                    {call.EndAgentHungUp, agent, false},
		"manually-canceled":                                                 {call.EndAgentHungUp, nobody, false},
		"call.ending.hook-executed-say":                                     {call.EndAgentHungUp, agent, false},
		"call.ending.hook-executed-transfer":                                {call.EndTransferred, nobody, false},
		"assistant-forwarded-call":                                          {call.EndTransferred, nobody, false},
		"assistant-request-returned-forwarding-phone-number":                {call.EndTransferred, nobody, false},
		"call.in-progress.warm-transferred-somewhere":                       {call.EndTransferred, nobody, false},
		"call.in-progress.error-transfer-failed":                            {call.EndAgentError, agent, false},
		"call.forwarding.operator-busy":                                     {call.EndAgentError, agent, false},
		"call.forwarding.no-answer":                                         {call.EndAgentError, agent, false},
		"call.forwarding.customer-ended-call":                               {call.EndCallerHungUp, caller, false},
		"call.in-progress.error-warm-transfer-max-duration":                 {call.EndAgentError, agent, false},
		"call.in-progress.error-providerfault-outbound-sip-403-forbidden":   {call.EndProviderError, platform, true},
		"call.in-progress.error-providerfault-outbound-sip-404-not-found":   {call.EndUnreachable, line, true},
		"call.in-progress.error-providerfault-outbound-sip-408-timeout":     {call.EndNoAnswer, caller, true},
		"call.in-progress.error-providerfault-outbound-sip-480-unavailable": {call.EndNoAnswer, caller, true},
		"call.in-progress.error-providerfault-outbound-sip-486-busy-here":   {call.EndBusy, caller, true},
		"call.in-progress.error-providerfault-outbound-sip-603-decline":     {call.EndDeclined, caller, true},
		"call.start.error-somefault-database-error":                         {call.EndPlatformError, platform, true},
		"call.start.error-providerfault-database-error":                     {call.EndProviderError, platform, true},
		"call.start.error-default-assistant-missing":                        {call.EndConfiguration, agent, true},
		"call.in-progress.error-somefault-worker-not-available":             {call.EndPlatformError, platform, true},
		"customer-busy":                               {call.EndBusy, caller, true},
		"customer-did-not-answer":                     {call.EndNoAnswer, caller, true},
		"customer-did-not-give-microphone-permission": {call.EndDeclined, caller, true},
		"carrier-rejected":                            {call.EndDeclined, caller, true},
		"voicemail":                                   {call.EndVoicemail, caller, true},
		"carrier-failed-to-connect-call":              {call.EndUnreachable, line, true},
		"call.in-progress.error-sip-outbound-call-failed-to-connect":        {call.EndUnreachable, line, true},
		"carrier-reported-customer-misdialed":                               {call.EndUnreachable, line, true},
		"silence-timed-out":                                                 {call.EndSilence, call.BlameUndecided, false},
		"exceeded-max-duration":                                             {call.EndMaxDuration, call.BlameUndecided, false},
		"call.in-progress.error-providerfault-any-model-llm-failed":         {call.EndProviderError, platform, false},
		"call.in-progress.error-providerfault-transport-never-connected":    {call.EndProviderError, platform, true},
		"call.in-progress.error-providerfault-outbound-sip-503-unavailable": {call.EndProviderError, platform, true},
		"pipeline-error-any-voice-failed":                                   {call.EndProviderError, platform, false},
		"pipeline-error-any-401-unauthorized":                               {call.EndProviderError, platform, false},
		"call.in-progress.error-pipeline-no-available-llm-model":            {call.EndProviderError, platform, false},
		"call.in-progress.error-somefault-worker-died":                      {call.EndPlatformError, platform, false},
		"somefault-web-call-worker-setup-failed":                            {call.EndPlatformError, platform, false},
		"somefault-transport-never-connected":                               {call.EndPlatformError, platform, true},
		"providerfault-transport-never-connected":                           {call.EndProviderError, platform, true},
		"by-default-ended":                                                  {call.EndUnknown, call.BlameUndecided, false},
		"call.in-progress.error-somefault-any-429-exceeded-quota":           {call.EndPlatformError, platform, false},
		"call.in-progress.error-assistant-did-not-receive-customer-audio":   {call.EndMediaLost, line, false},
		"phone-call-provider-closed-websocket":                              {call.EndMediaLost, line, false},
		"call.start.error-get-assistant":                                    {call.EndConfiguration, agent, true},
		"call.start.error-subscription-insufficient-credits":                {call.EndConfiguration, agent, true},
		"call.start.assistant-version-error-validation":                     {call.EndConfiguration, agent, true},
		"call.start.squad-version-error-validation":                         {call.EndConfiguration, agent, true},
		"call.start.error-configfault-unknown-model":                        {call.EndConfiguration, agent, true},
		"call.in-progress.error-configfault-model-unsupported-in-squad":     {call.EndConfiguration, agent, false},
		"sip-outbound-unallocated-number":                                   {call.EndUnreachable, line, true},
		"call-start-error-neither-assistant-nor-server-set":                 {call.EndConfiguration, agent, true},
		"assistant-not-found":                                               {call.EndConfiguration, agent, true},
		"assistant-not-valid":                                               {call.EndConfiguration, agent, true},
		"assistant-request-failed":                                          {call.EndConfiguration, agent, true},
		"assistant-join-timed-out":                                          {call.EndAgentNeverCame, agent, true},
		"call.in-progress.carrier-completed-call":                           {call.EndCompleted, nobody, false},
		"carrier-completed":                                                 {call.EndCompleted, nobody, false},
		"carrier-disconnected":                                              {call.EndMediaLost, line, false},
		"unknown-error":                                                     {call.EndPlatformError, platform, false},
		"worker-shutdown":                                                   {call.EndPlatformError, platform, false},
		"scheduled-call-deleted":                                            {call.EndUnknown, call.BlameUndecided, true},
		"moon-in-the-way":                                                   {call.EndUnknown, call.BlameUndecided, false},
		"":                                                                  {call.EndUnknown, call.BlameUndecided, false},
		"Customer Ended Call":                                               {call.EndCallerHungUp, call.BlameCaller, false},
		"customer_did_not_answer":                                           {call.EndNoAnswer, caller, true},
		"Manually Canceled":                                                 {call.EndAgentHungUp, nobody, false},
	} {
		r := read(t, report(`,"endedReason":"`+reason+`"`))
		if got := (want{r.End.Code, r.End.Blame, r.NeverAnswered}); got != w || r.End.Detail != reason {
			t.Errorf("%s: %+v with detail %q, want %+v", reason, got, r.End.Detail, w)
		}
	}
}

func TestBlameByConversation(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]call.EndReason{
		`"endedReason":"silence-timed-out","artifact":{"transcript":"AI: Hello?"}`:             call.EndOf(call.EndSilence, "silence-timed-out").Blaming(call.BlameCaller),
		`"endedReason":"silence-timed-out","transcript":"AI: Hello?\nUser: Hello!"`:            call.EndOf(call.EndSilence, "silence-timed-out").Blaming(call.BlameAgent),
		`"endedReason":"exceeded-max-duration","messages":[{"role":"user","message":"Hello"}]`: call.EndOf(call.EndMaxDuration, "exceeded-max-duration").Blaming(call.BlameAgent),
		`"endedReason":"customer-ended-call","analysis":{"successEvaluation":true}`:            call.EndOf(call.EndCompleted, "customer-ended-call"),
		`"endedReason":"assistant-ended-call","analysis":{"successEvaluation":"pass"}`:         call.EndOf(call.EndAgentHungUp, "assistant-ended-call").Blaming(call.BlameNobody),
		`"endedReason":"customer-did-not-answer","transcript":"User: Hello?"`:                  call.EndOf(call.EndNoAnswer, "customer-did-not-answer").Blaming(call.BlameCaller),
	} {
		if r := read(t, report(","+fields)); r.End != want || r.NeverAnswered {
			t.Errorf("%s: %+v, never answered: %v", fields, r.End, r.NeverAnswered)
		}
	}
}

func TestSuccess(t *testing.T) {
	t.Parallel()
	yes, no := "yes", "no"
	for value, want := range map[string]string{
		`true`: yes, `"true"`: yes, `"Pass"`: yes, `"PASSED"`: yes, `"Excellent"`: yes, `"Good"`: yes, `"Strongly Agree"`: yes,
		`"Pass."`: yes, `"8/10"`: yes, `"8 out of 10"`: yes, `"3 / 10."`: no, `"85/100"`: yes, `"1/1"`: yes, `"11/10"`: "", `"n/a"`: "", `"1/0"`: "", `0.8`: yes, `8`: yes, `"9.5"`: yes, `85`: yes, `"85%"`: yes, `"85 %"`: yes, `{"passed":true}`: yes,
		`false`: no, `"false"`: no, `"Fail"`: no, `"Poor"`: no, `"Disagree"`: no, `0`: no, `0.2`: no, `3`: no, `"1%"`: no, `"20%"`: no, `30`: no, `{"success":false}`: no,
		`"{\"success\": true}"`: yes, `"{\"passed\":false,\"why\":\"late\"}"`: no, `"{broken"`: "",
		`1`: "", `"1"`: "", `1.0`: "", `"Fair"`: "", `"Neutral"`: "", `null`: "", `[]`: "", `{}`: "", `-1`: "", `1e300`: "", `"the caller was happy"`: "", `""`: "",
	} {
		r := read(t, report(`,"analysis":{"successEvaluation":`+value+`}`))
		got := ""
		if r.Successful != nil {
			if got = no; *r.Successful {
				got = yes
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]string{
		`{"message":{"type":"status-update","status":"ended","endedReason":"customer-ended-call","call":{"id":"c1"}}}`: "payload.message.type: type status-update is not a finished call; send end-of-call-report",
		`{"event":"call_ended","call":{"call_id":"c1","call_status":"ended"}}`:                                         "payload.call: is how platform A describes a call; set provider to match",
		`{"message":{"type":"tool-calls","toolCallList":[],"call":{"id":"c1"}}}`:                                       "payload.message.type: type tool-calls is not a finished call; send end-of-call-report",
		`{"message":{"type":"function-call","functionCall":{},"call":{"id":"c1","status":"ended"}}}`:                   "payload.message.type: type function-call is not",
		`{"message":{"toolCallList":[],"call":{"id":"c1","status":"ended"}}}`:                                          "payload.message.call: a function's webhook is not a finished call",
		`{"message":{"type":"transcript","id":"m1","call":{"id":"c1"}}}`:                                               "payload.message.type: type transcript is not",
		`{"type":"conversation-update","call":{"id":"c1"}}`:                                                            "payload.type: type conversation-update is not",
		`{"id":"c1","type":"webCall","status":"in-progress"}`:                                                          "payload.status: a call that is in-progress is not a finished call",
		`{"id":"c1","type":"webCall"}`:                                                                                 "payload.type: must be end-of-call-report",
		`{}`:                                                                                                           "payload.type: must be end-of-call-report",
		`{"message":{}}`:                                                                                               "payload.type: must be end-of-call-report",
		`{"message":{"type":"end-of-call-report"}}`:                                                                    "payload.message.call.id: is required",
		`{"message":{"type":"end-of-call-report","call":{}}}`:                                                          "payload.message.call.id: is required",
		`{"message":{"type":"end-of-call-report","call":"c1"}}`:                                                        "payload.message.call.id: is required",
		`{"message":{"type":"end-of-call-report","call":{"id":{}}}}`:                                                   "payload.message.call.id: must be text",
	} {
		_, err := calllog.Read(platformb.Reader(), []byte(payload))
		e := problem.As(err)
		if e == nil || e.Code != problem.InvalidFields || len(e.Fields) != 1 {
			t.Errorf("%s: %v", payload, err)
			continue
		}
		if got := e.Fields[0].Path + ": " + e.Fields[0].Message; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", payload, got)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	for fields, want := range map[string][2]time.Time{
		`"startedAt":"2026-01-01T10:00:00.000Z","endedAt":"2026-01-01T10:01:00.000Z"`:                                  {at, at.Add(time.Minute)},
		`"startedAt":"2026-01-01T10:00:00Z","durationSeconds":"60"`:                                                    {at, at.Add(time.Minute)},
		`"startedAt":1767261600000,"durationMs":60000`:                                                                 {at, at.Add(time.Minute)},
		`"endedAt":"2026-01-01T10:01:00Z","durationMinutes":1`:                                                         {at, at.Add(time.Minute)},
		`"messages":[{"role":"user","message":"a","time":1767261605000,"endTime":1767261660000,"secondsFromStart":5}]`: {at, at.Add(time.Minute)},
		`"endedAt":"2026-01-01T10:01:00Z","duration":60`:                                                               {at, at.Add(time.Minute)},
		`"messages":[{"role":"user","message":"a","time":1767261605000,"endTime":1767261606000,"secondsFromStart":5},{"role":"tool_calls","time":1767261660000,"secondsFromStart":60,"toolCalls":[{"function":{"name":"end"}}]}]`: {at, at.Add(time.Minute)},
		`"createdAt":"2026-01-01T10:00:00Z"`: {at, at},
		`"timestamp":1767261600000`:          {at, at},
		`"startedAt":"yesterday"`:            {},
	} {
		r := read(t, report(","+fields))
		if r.StartedAt != want[0] || r.EndedAt != want[1] {
			t.Errorf("%s: %v to %v", fields, r.StartedAt, r.EndedAt)
		}
	}
}

func TestNumbersAndTestCall(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string][4]string{
		`"call":{"id":"c1","type":"inboundPhoneCall","customer":{"number":"+1"},"phoneNumber":{"number":"+2"}}`:                                       {"inbound", "+1", "+2", ""},
		`"call":{"id":"c1","type":"outboundPhoneCall"},"customer":{"number":"+1"},"phoneNumber":{"twilioPhoneNumber":"+2"}`:                           {"outbound", "+2", "+1", ""},
		`"call":{"id":"c1","type":"inboundPhoneCall","transport":{"sip":{"headers":{"x-ringtrue-call":"call_01a"}}}},"customer":{"sipUri":"sip:a@b"}`: {"inbound", "sip:a@b", "", "call_01a"},
		`"call":{"id":"c1","type":"outbound_phone_call"},"customer":{"number":"+1"},"phoneNumber":{"number":"+2"}`:                                    {"outbound", "+2", "+1", ""},
		`"call":{"id":"c1","customer":{"number":"+1"},"phoneNumber":{"number":"+2"}},"customer":{"name":"A"},"phoneNumber":{"id":"p"}`:                {"", "+1", "+2", ""},
		`"call":{"id":"c1","assistantOverrides":{"variableValues":{"ringtrue_call":"call_01a"}}}`:                                                     {"", "", "", "call_01a"},
		`"call":{"id":"c1","phoneCallProviderDetails":{"sip":{"X-Ringtrue-Call":"call_01a"}}}`:                                                        {"", "", "", "call_01a"},
		`"call":{"id":"c1","metadata":{"roomName":"ringtrue-call_01a"}}`:                                                                              {"", "", "", "call_01a"},
	} {
		r := read(t, `{"message":{"type":"end-of-call-report",`+fields+`}}`)
		if got := [4]string{r.Direction, r.From, r.To, r.TestCall}; got != want {
			t.Errorf("%s: %v", fields, got)
		}
	}
}

func TestRecordings(t *testing.T) {
	t.Parallel()
	type want struct {
		link     string
		channels int
	}
	for fields, w := range map[string]want{
		`"recordingUrl":"https://e.org/m.wav"`:                                                                         {"https://e.org/m.wav", 0},
		`"recordingUrl":"https://e.org/m.wav","stereoRecordingUrl":"https://e.org/s.wav"`:                              {"https://e.org/s.wav", 2},
		`"artifact":{"recording":{"mono":{"combinedUrl":"https://e.org/m.wav"}}},"recordingUrl":"https://e.org/o.wav"`: {"https://e.org/m.wav", 1},
		`"artifact":{"recording":{"stereoUrl":"https://e.org/s.wav"}}`:                                                 {"https://e.org/s.wav", 2},
		`"artifact":{"recording":"https://e.org/r.wav"}`:                                                               {"https://e.org/r.wav", 0},
		`"artifact":{"recording":{"stereoUrl":"https://e.org/s.wav"},"presignedStereoUrl":"https://e.org/s.wav?k=1"}`:  {"https://e.org/s.wav?k=1", 2},
		`"artifact":{"recordingUrl":"https://e.org/m.wav","presignedMonoUrl":"https://e.org/m.wav?k=1"}`:               {"https://e.org/m.wav?k=1", 1},
		`"stereoRecordingUrl":"https://e.org/s.wav","presignedMonoUrl":"https://e.org/m.wav?k=1"`:                      {"https://e.org/s.wav", 2},
		`"recordingUrl":"file:///etc/passwd"`:                                                                          {"", 0},
		`"recordingUrl":"//e.org/m.wav"`:                                                                               {"", 0},
	} {
		r := read(t, report(","+fields))
		if got := (want{r.RecordingURL, r.Channels}); got != w || r.CallerChannel != -1 {
			t.Errorf("%s: %+v", fields, got)
		}
	}
}

// An answer without an id is matched with the call of the same name.
func TestAnAnswerThatTellsButAName(t *testing.T) {
	t.Parallel()
	r := read(t, report(`,"messages":[
		{"role":"tool_calls","toolCalls":[{"id":"t1","function":{"name":"find"}},{"id":"t2","function":{"name":"book"}},{"id":"t3","function":{"name":"find"}}]},
		{"role":"tool_call_result","name":"book","result":"booked"},
		{"role":"tool_call_result","name":"find","result":"one"},
		{"role":"tool_call_result","toolCallId":"t3","name":"find","result":"two"},
		{"role":"tool_call_result","name":"cancel","result":"gone"}]`))
	var got []string
	for _, c := range r.ToolCalls {
		got = append(got, c.ID+" "+c.Name+" "+c.Result)
	}
	if want := "t1 find one|t2 book booked|t3 find two| cancel gone"; strings.Join(got, "|") != want {
		t.Errorf("%s", strings.Join(got, "|"))
	}
}

// A report that carries the call from before it began has no cost.
func TestCosts(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]int64{
		`"call":{"id":"c1","status":"ringing","cost":0}`:                               -1,
		`"call":{"id":"c1","status":"queued","cost":0},"cost":0`:                       0,
		`"call":{"id":"c1","status":"queued","cost":0},"costs":[{"cost":0.5}]`:         500_000,
		`"call":{"id":"c1","status":"in-progress","cost":0.25}`:                        250_000,
		`"call":{"id":"c1","status":"ended","cost":0}`:                                 0,
		`"call":{"id":"c1","cost":"0.0345","costBreakdown":{"total":9}}`:               34_500,
		`"call":{"id":"c1","status":"ringing","cost":0,"costBreakdown":{"total":0.1}}`: 100_000,
	} {
		got := int64(-1)
		if r := read(t, `{"message":{"type":"end-of-call-report",`+fields+`}}`); r.Cost != nil {
			got = *r.Cost
		}
		if got != want {
			t.Errorf("%s: %d, want %d", fields, got, want)
		}
	}
	if r := read(t, `{"id":"c1","type":"webCall","status":"ended","endedReason":"x","cost":0}`); r.Cost == nil || *r.Cost != 0 {
		t.Errorf("%v", r.Cost)
	}
}

func FuzzReader(f *testing.F) {
	for _, payload := range readertest.Fixtures(f, "testdata") {
		f.Add(payload)
	}
	f.Add([]byte(`{"message":{"type":"end-of-call-report","call":{"id":"c"},"messages":[{"role":"bot","message":"a","time":1e300,"endTime":-1,"secondsFromStart":1e300}],"cost":1e308,"artifact":{"performanceMetrics":{"turnLatencies":[{"turnLatency":1e308},{"turnLatency":1e308}]}}}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := calllog.Read(platformb.Reader(), payload)
		if err != nil {
			if e := problem.As(err); e == nil || e.Code != problem.InvalidFields && e.Code != problem.InvalidJSON {
				t.Fatalf("not a client's mistake: %v", err)
			}
			return
		}
		if r.ExternalID == "" || r.EndedAt.Before(r.StartedAt) {
			t.Fatalf("%+v", r)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
	})
}

// Fields beside the message, from the platform or a forwarder, are kept.
func TestWhatStandsBesideTheMessage(t *testing.T) {
	t.Parallel()
	r := read(t, `{"message":{"type":"end-of-call-report","call":{"id":"c1"},"transcript":"AI: Hello!\\nUser: Hi there!"},"analysis":{"urgent":true},"type":"x","api_key":"k"}`)
	if len(r.Turns) != 2 || r.Turns[0].Text != "Hello!" || r.Turns[1].Text != "Hi there!" {
		t.Errorf("%+v", r.Turns)
	}
	if r.Words["webhook.analysis"] == nil || r.Words["webhook.type"] != nil || r.Words["webhook.api_key"] != nil || r.Words["webhook.message"] != nil {
		t.Errorf("%v", r.Words)
	}
}

// Squad members are kept as configured, except secrets of their tools' servers.
func TestHeadersOfTools(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"x-api-key", "X-Api-Key", "api key", "apikey", "X-Access-Token", "x-auth-token", "Authorization", "token", "callToken", "private_key"} {
		squad := `{"members":[{"assistant":{"name":"Desk","server":{"headers":{"` + header + `":"s3cr3t","x-tenant":"t1"}}}}],"maxTokens":5}`
		r := read(t, `{"message":{"type":"end-of-call-report","call":{"id":"c1","squad":`+squad+`}}}`)
		text, err := json.Marshal(r.Words)
		if err != nil || strings.Contains(string(text), "s3cr3t") || !strings.Contains(string(text), `"x-tenant":"t1"`) || !strings.Contains(string(text), "maxTokens") {
			t.Errorf("%s: %v %s", header, err, text)
		}
	}
}

// Messages that lack a side, or the end, are completed from the text.
func TestMessagesOfOneSide(t *testing.T) {
	t.Parallel()
	const text = `"transcript":"AI: Hello, the bakery.\nUser: Two loaves. And a cake.\nAI: For when?\nUser: Noon.\n"`
	const user = `{"role":"user","message":"Two loaves.","secondsFromStart":4,"time":1767261604000,"endTime":1767261605000},
		{"role":"tool_calls","secondsFromStart":5.5,"toolCalls":[{"id":"t1","function":{"name":"stock","arguments":"{}"}}]},
		{"role":"user","message":"And a cake.","secondsFromStart":6,"time":1767261606000,"endTime":1767261607000}`
	const whole = "agent@-1ns Hello, the bakery.|caller@%s Two loaves. And a cake.|agent@-1ns For when?|caller@%s Noon."
	for messages, want := range map[string]string{
		user: fmt.Sprintf(whole, "4s", "-1ns"),
		user + `,{"role":"user","message":"Noon.","secondsFromStart":12}`:           fmt.Sprintf(whole, "4s", "12s"),
		user + `,{"role":"user","message":"At noon I said.","secondsFromStart":12}`: fmt.Sprintf(whole, "-1ns", "-1ns"), // text and messages contradict each other
		user + `,{"role":"bot","message":"Which cake?","secondsFromStart":12}`:      "caller@4s Two loaves. And a cake.|agent@12s Which cake?",
	} {
		for _, form := range []string{`,"artifact":{"messages":[%s],%s}`, `,"messages":[%s],%s`} {
			r := read(t, report(fmt.Sprintf(form, messages, text)))
			var said []string
			for _, turn := range r.Turns {
				said = append(said, fmt.Sprintf("%s@%s %s", turn.Speaker, turn.Start, turn.Text))
			}
			if got := strings.Join(said, "|"); got != want || len(r.ToolCalls) != 1 || r.ToolCalls[0].At != 5500*time.Millisecond || r.Timed && strings.Contains(got, "-1ns") {
				t.Errorf("%s: %s, %+v", messages, got, r.ToolCalls)
			}
		}
	}
}

func TestTheReportInOtherSpellings(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"end_of_call_report", "endOfCallReport", "END-OF-CALL-REPORT", "End of call report", "end.of.call.report"} {
		r := read(t, `{"message":{"type":"`+kind+`","call":{"id":"c1","type":"webCall"},"endedReason":"customer-ended-call"}}`)
		if r.ExternalID != "c1" || r.Medium != "web" || r.End.Detail != "customer-ended-call" {
			t.Errorf("%s: %+v", kind, r)
		}
	}
	for _, kind := range []string{"status-update", "call.started", "tool-calls", "end-of-call", "conversation-update", "hang"} {
		if r, err := calllog.Read(platformb.Reader(), []byte(`{"message":{"type":"`+kind+`","call":{"id":"c1"},"endedReason":"x"}}`)); err == nil {
			t.Errorf("%s: %+v", kind, r)
		}
	}
}

// A failed function may still answer, and one without a failure may report an empty error.
func TestAnswersBesideAnError(t *testing.T) {
	t.Parallel()
	for fields, failed := range map[string]bool{
		`"result":"none","error":"timed out"`: true, `"error":"timed out"`: true, `"result":"none","error":{"code":504}`: true, `"result":"none","error":true`: true,
		`"result":"one"`: false, `"result":"one","error":null`: false, `"result":"one","error":""`: false, `"result":"one","error":false`: false, `"result":"one","error":{}`: false,
	} {
		r := read(t, report(`,"messages":[{"role":"tool_calls","toolCalls":[{"id":"t1","function":{"name":"find"}}]},{"role":"tool_call_result","toolCallId":"t1",`+fields+`}]`))
		if len(r.ToolCalls) != 1 || r.ToolCalls[0].Failed != failed || r.ToolCalls[0].Result == "" {
			t.Errorf("%s: %+v", fields, r.ToolCalls)
		}
	}
}

// A function that returns nothing has not failed unless it reports an error.
func TestAnswersOfNothing(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		`"result":""`: "", `"result":"","error":""`: "", `"result":null,"error":false`: "", `"error":null`: "", `"error":[]`: "",
		`"error":false,"content":"moved"`:                  "moved",
		`"error":{}`:                                       "{} failed",
		`"result":"","error":"timed out"`:                  "timed out failed",
		`"error":"` + strings.Repeat("x", 300<<10) + `"`:   strings.Repeat("x", 256<<10) + " failed",
		`"error":["` + strings.Repeat("x", 300<<10) + `"]`: " failed",
	} {
		r := read(t, report(`,"messages":[{"role":"tool_calls","toolCalls":[{"id":"t1","function":{"name":"hand_over"}}]},{"role":"tool_call_result","toolCallId":"t1",`+fields+`}]`))
		got := r.ToolCalls[0].Result
		if r.ToolCalls[0].Failed {
			got += " failed"
		}
		if len(r.ToolCalls) != 1 || got != want {
			t.Errorf("%.80s: %.80s", fields, got)
		}
	}
}

// A name within speech does not begin an utterance of a single-line text.
func TestNamesInOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"AI: Hi, this is for our customer: Ann. Please call back.": "agent@1s Hi, this is for our customer: Ann. Please call back.",
		"AI: Hi, I am your Assistant: Ann.":                        "agent@1s Hi, I am your Assistant: Ann.",
	} {
		_, said, _ := strings.Cut(text, "AI: ")
		r := read(t, report(`,"artifact":{"messages":[{"role":"bot","message":"`+said+`","secondsFromStart":1}],"transcript":"`+text+`\n"}`))
		if len(r.Turns) != 1 || fmt.Sprintf("%s@%s %s", r.Turns[0].Speaker, r.Turns[0].Start, r.Turns[0].Text) != want {
			t.Errorf("%s: %+v", text, r.Turns)
		}
	}
}

// Some payloads have the messages in the transcript's field, as a list or as text.
func TestMessagesInPlaceOfTheText(t *testing.T) {
	t.Parallel()
	for _, transcript := range []string{
		`[{"role":"assistant","content":"Hello."},{"role":"user","content":"Hi."}]`,
		`"[{\"role\":\"assistant\",\"content\":\"Hello.\"},{\"role\":\"user\",\"content\":\"Hi.\"}]"`,
		`["AI: Hello.","User: Hi."]`,
	} {
		r := read(t, report(`,"artifact":{"messages":[],"transcript":`+transcript+`}`))
		if len(r.Turns) != 2 || r.Turns[0].Text != "Hello." || r.Turns[1].Speaker != call.Caller || !r.HasTranscript || r.Words["artifact.transcript"] != nil {
			t.Errorf("%s: %+v, %v", transcript, r.Turns, r.Words)
		}
	}
}

// A client may configure the names before the lines of a text, also with the sides' names
// swapped, or have only the assistant's name written.
func TestNamesOfAText(t *testing.T) {
	t.Parallel()
	const plan = `"artifactPlan":{"transcriptPlan":{"assistantName":"Customer","userName":"Dr. O'Neil-Ray"}}`
	const named = `Dr. O'Neil-Ray: Good day.\nCustomer: Hello.\nDr. O'Neil-Ray: At 5: yes.\n`
	for more, want := range map[string]string{
		`,"assistant":{` + plan + `},"artifact":{"transcript":"` + named + `"}`:                                                               "caller: Good day.|agent: Hello.|caller: At 5: yes.",
		`,"assistantOverrides":{` + plan + `},"transcript":"` + named + `"`:                                                                   "caller: Good day.|agent: Hello.|caller: At 5: yes.",
		`,"squad":{"members":[{"assistant":{}},{"assistant":{` + plan + `}}]},"transcript":"` + named + `"`:                                   "caller: Good day.|agent: Hello.|caller: At 5: yes.",
		`,"assistant":{` + plan + `},"artifact":{"messages":[{"role":"user","message":"Good day."}],"transcript":"` + named + `"}`:            "caller: Good day.|agent: Hello.|caller: At 5: yes.",
		`,"assistant":{"name":"Alex"},"transcript":"Alex: Hi.\nCaller: Hello, Alex: hi.\nAlex: Well."`:                                        "agent: Hi.|caller: Hello, Alex: hi.|agent: Well.",
		`,"assistant":{"name":"Customer"},"transcript":"AI: Hi.\nCustomer: Hello.\n"`:                                                         "agent: Hi.|caller: Hello.",
		`,"assistant":{"artifactPlan":{"transcriptPlan":{"assistantName":"Buyer"}}},"transcript":"User: Hi.\n**Buyer**: No.\nBuyers: two.\n"`: "caller: Hi.|agent: No. Buyers: two.",
	} {
		var said []string
		for _, turn := range read(t, report(more)).Turns {
			said = append(said, string(turn.Speaker)+": "+turn.Text)
		}
		if got := strings.Join(said, "|"); got != want {
			t.Errorf("%s: %s", more, got)
		}
	}
}
