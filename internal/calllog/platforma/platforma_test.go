package platforma_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

func read(t testing.TB, payload string) calllog.Record {
	t.Helper()
	return readertest.Read(t, platforma.Reader(), payload)
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	readertest.Golden(t, platforma.Reader())
}

// ended returns the webhook of a call with additional fields.
func ended(more string) string {
	return `{"event":"call_ended","call":{"call_id":"c1"` + more + `}}`
}

func TestReasons(t *testing.T) {
	t.Parallel()
	type want struct {
		code  call.EndCode
		blame call.Blame
		never bool
	}
	for reason, w := range map[string]want{
		"user_hangup":                          {call.EndCallerHungUp, call.BlameCaller, false},
		"agent_hangup":                         {call.EndAgentHungUp, call.BlameAgent, false},
		"call_transfer":                        {call.EndTransferred, call.BlameNobody, false},
		"voicemail_reached":                    {call.EndVoicemail, call.BlameCaller, true},
		"ivr_reached":                          {call.EndVoicemail, call.BlameCaller, true},
		"inactivity":                           {call.EndSilence, call.BlameUndecided, false},
		"max_duration_reached":                 {call.EndMaxDuration, call.BlameUndecided, false},
		"concurrency_limit_reached":            {call.EndConfiguration, call.BlameAgent, true},
		"no_concurrency_fallback":              {call.EndConfiguration, call.BlameAgent, true},
		"no_valid_payment":                     {call.EndConfiguration, call.BlameAgent, true},
		"error_inbound_webhook":                {call.EndConfiguration, call.BlameAgent, true},
		"scam_detected":                        {call.EndDeclined, call.BlameCaller, true},
		"dial_busy":                            {call.EndBusy, call.BlameCaller, true},
		"dial_failed":                          {call.EndUnreachable, call.BlameLine, true},
		"dial_no_answer":                       {call.EndNoAnswer, call.BlameCaller, true},
		"invalid_destination":                  {call.EndUnreachable, call.BlameLine, true},
		"telephony_provider_permission_denied": {call.EndConfiguration, call.BlameAgent, true},
		"telephony_provider_unavailable":       {call.EndUnreachable, call.BlameLine, true},
		"sip_routing_error":                    {call.EndUnreachable, call.BlameLine, true},
		"marked_as_spam":                       {call.EndDeclined, call.BlameCaller, true},
		"user_declined":                        {call.EndDeclined, call.BlameCaller, true},
		"error_llm_websocket_open":             {call.EndAgentError, call.BlameAgent, false},
		"error_llm_websocket_lost_connection":  {call.EndAgentError, call.BlameAgent, false},
		"error_llm_websocket_runtime":          {call.EndAgentError, call.BlameAgent, false},
		"error_llm_websocket_corrupt_payload":  {call.EndAgentError, call.BlameAgent, false},
		"error_no_audio_received":              {call.EndMediaLost, call.BlameLine, false},
		"error_asr":                            {call.EndProviderError, call.BlamePlatform, false},
		"error_unknown":                        {call.EndPlatformError, call.BlamePlatform, false},
		"error_of_next_year":                   {call.EndPlatformError, call.BlamePlatform, false},
		"error_user_not_joined":                {call.EndNoAnswer, call.BlameCaller, true},
		"registered_call_timeout":              {call.EndNoAnswer, call.BlameCaller, true},
		"transfer_bridged":                     {call.EndTransferred, call.BlameNobody, false},
		"transfer_cancelled":                   {call.EndUnknown, call.BlameUndecided, false},
		"manual_stopped":                       {call.EndAgentHungUp, call.BlameNobody, false},
		"call_take_over":                       {call.EndTransferred, call.BlameNobody, false},
		"moon_in_the_way":                      {call.EndUnknown, call.BlameUndecided, false},
	} {
		r := read(t, ended(`,"disconnection_reason":"`+reason+`"`))
		if got := (want{r.End.Code, r.End.Blame, r.NeverAnswered}); got != w || r.End.Detail != reason {
			t.Errorf("%s: %+v with detail %q, want %+v", reason, got, r.End.Detail, w)
		}
	}
	for status, w := range map[string]want{
		"error":         {call.EndPlatformError, call.BlamePlatform, false},
		"not_connected": {call.EndUnreachable, call.BlameLine, true},
		"ended":         {call.EndUnknown, call.BlameUndecided, false},
	} {
		r := read(t, ended(`,"call_status":"`+status+`"`))
		if got := (want{r.End.Code, r.End.Blame, r.NeverAnswered}); got != w {
			t.Errorf("%s: %+v, want %+v", status, got, w)
		}
	}
}

func TestWhoWasDue(t *testing.T) {
	t.Parallel()
	for transcript, blame := range map[string]call.Blame{
		`Agent: Hello?`:                   call.BlameCaller,
		`Agent: Hello? \nUser: Hello!`:    call.BlameAgent,
		`nothing that has a speaker`:      call.BlameUndecided,
		`User: Hi. Agent: Hi. Who is it?`: call.BlameCaller,
	} {
		for _, reason := range []string{"inactivity", "max_duration_reached"} {
			if r := read(t, ended(`,"disconnection_reason":"`+reason+`","transcript":"`+transcript+`"`)); r.End.Blame != blame {
				t.Errorf("%s after %q: %s", reason, transcript, r.End.Blame)
			}
		}
	}
	keys := `{"role":"agent","content":"Press one."},{"role":"dtmf","digit":"1"}`
	if r := read(t, ended(`,"disconnection_reason":"inactivity","transcript_with_tool_calls":[`+keys+`]`)); r.End.Blame != call.BlameAgent {
		t.Errorf("after keys were pressed: %s", r.End.Blame)
	}
	// The agent is due to speak after a function's answer, in whichever order speech and call are
	// listed.
	const said, invoked, answered = `{"role":"agent","content":"One moment."},`, `{"role":"tool_call_invocation","tool_call_id":"t1","name":"find"}`, `{"role":"tool_call_result","tool_call_id":"t1","content":"10:00"}`
	for _, items := range []string{invoked + "," + answered, answered + "," + invoked, answered} {
		if r := read(t, ended(`,"disconnection_reason":"inactivity","transcript_with_tool_calls":[`+said+items+`]`)); r.End.Blame != call.BlameAgent {
			t.Errorf("after %s: %s", items, r.End.Blame)
		}
	}
}

// The platform's verdict decides whether a hang-up completed the call or was a drop-off.
func TestHangUpsByVerdict(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string][2]call.EndReason{
		"user_hangup":  {call.EndOf(call.EndCallerHungUp, "user_hangup"), call.EndOf(call.EndCompleted, "user_hangup")},
		"agent_hangup": {call.EndOf(call.EndAgentHungUp, "agent_hangup"), call.EndOf(call.EndAgentHungUp, "agent_hangup").Blaming(call.BlameNobody)},
	} {
		for i, verdict := range []string{"false", "true"} {
			if r := read(t, ended(`,"disconnection_reason":"`+reason+`","call_analysis":{"call_successful":`+verdict+`}`)); r.End != want[i] {
				t.Errorf("%s, %s: %+v", reason, verdict, r.End)
			}
		}
	}
}

// An agent that hangs up on a machine is right, even if its platform calls that no success.
func TestHangUpsOnVoicemail(t *testing.T) {
	t.Parallel()
	for analysis, blame := range map[string]call.Blame{
		`"in_voicemail":true`:                          call.BlameNobody,
		`"in_voicemail":true,"call_successful":false`:  call.BlameNobody,
		`"in_voicemail":false,"call_successful":false`: call.BlameAgent,
		`"in_voicemail":null`:                          call.BlameAgent,
	} {
		r := read(t, ended(`,"disconnection_reason":"agent_hangup","call_analysis":{`+analysis+`}`))
		if r.End != call.EndOf(call.EndAgentHungUp, "agent_hangup").Blaming(blame) {
			t.Errorf("%s: %+v", analysis, r.End)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for payload, want := range map[string]string{
		`{"event":"call_started","call":{"call_id":"c1","call_status":"ongoing"}}`:         "payload.event: event call_started is not a finished call; send call_ended and call_analyzed",
		`{"event":"transcript_updated","call":{"call_id":"c1"}}`:                           "payload.event: event transcript_updated is not a finished call",
		`{"event":"call_inbound","call_inbound":{"from_number":"+1"}}`:                     "payload.event: event call_inbound is not",
		`{"name":"book","args":{},"call":{"call_id":"c1","call_status":"ongoing"}}`:        "payload.call: a function's webhook is not a finished call",
		`{"name":"book","args":{},"call":{"call_id":"c1","call_status":"ended"}}`:          "payload.call: a function's webhook is not a finished call",
		`{"interaction_type":"call_details","call":{"call_id":"c1"}}`:                      "payload.call: a function's webhook",
		`{"call_id":"c1","call_status":"ongoing","start_timestamp":1767261600000}`:         "payload.call_status: a call that is ongoing is not a finished call",
		`{"call":{"call_id":"c1","call_status":"registered"}}`:                             "payload.call.call_status: a call that is registered",
		`{"message":{"type":"end-of-call-report","call":{"id":"c1"}}}`:                     "payload.message: is how platform B describes a call; set provider to match",
		`{"body":"{\"event\":\"call_ended\""}`:                                             "payload.call_status: must be ended",
		`{"call_id":"c1"}`:                                                                 "payload.call_status: must be ended",
		`{}`:                                                                               "payload.call_status: must be ended",
		`{"event":"call_ended"}`:                                                           "payload.call: is required",
		`{"event":"call_ended","call":{}}`:                                                 "payload.call_id: is required",
		`{"event":"call_ended","call":{"agent_id":"a"}}`:                                   "payload.call.call_id: is required",
		`{"event":"call_ended","call":{"call_id":null}}`:                                   "payload.call.call_id: is required",
		`{"event":"call_ended","call":{"call_id":["c1"]}}`:                                 "payload.call.call_id: must be text",
		`{"event":"call_ended","call":{"call_id":""}}`:                                     "payload.call.call_id: must not be empty",
		`{"event":"a very\nodd event","call":{"call_id":"c1"}}`:                            "payload.event: event a very odd event is not",
		`{"event":"call_ended","call":{"call_id":"` + strings.Repeat("c", 300) + `"}}`:     "payload.call.call_id: must not be longer",
		`{"call_id":"c1","call_status":"ongoing","end_timestamp":1767261600000,"event":7}`: "payload.event: event 7 is not",
	} {
		_, err := calllog.Read(platforma.Reader(), []byte(strings.ReplaceAll(payload, "\n", `\n`)))
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
		`"start_timestamp":1767261600000,"end_timestamp":1767261660000`:                                                               {at, at.Add(time.Minute)},
		`"start_timestamp":1767261600,"end_timestamp":1767261660.5`:                                                                   {at, at.Add(60*time.Second + 500*time.Millisecond)},
		`"start_timestamp":"1767261600000","end_timestamp":"2026-01-01T10:01Z"`:                                                       {at, at.Add(time.Minute)},
		`"start_timestamp":"1767261600000","end_timestamp":"2026-01-01 at ten"`:                                                       {at, at},
		`"start_timestamp":"2026-01-01T11:00:00+01:00","duration_ms":"60000"`:                                                         {at, at.Add(time.Minute)},
		`"end_timestamp":1767261660000,"duration_ms":60000`:                                                                           {at, at.Add(time.Minute)},
		`"end_timestamp":1767261660000,"call_cost":{"total_duration_seconds":60}`:                                                     {at, at.Add(time.Minute)},
		`"end_timestamp":1767261660000,"transcript_object":[{"role":"user","content":"a","words":[{"word":"a","start":1,"end":60}]}]`: {at, at.Add(time.Minute)},
		`"start_timestamp":1767261600000,"end_timestamp":1767261500000,"duration_ms":1000`:                                            {at, at.Add(time.Second)},
		`"start_timestamp":-5,"end_timestamp":1e300,"duration_ms":-1`:                                                                 {},
		`"duration_ms":60000`: {},
	} {
		r := read(t, ended(","+fields))
		if r.StartedAt != want[0] || r.EndedAt != want[1] {
			t.Errorf("%s: %v to %v", fields, r.StartedAt, r.EndedAt)
		}
	}
}

// The platform has no times for a call that nobody took. It gets the time of its webhook, and a
// later webhook does not lengthen it.
func TestSentTimeStandsIn(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	payload := func(event, sent string, duration int) string {
		return `{"event":"` + event + `","event_timestamp":` + sent + `,"call":{"call_id":"c1","call_status":"not_connected","duration_ms":` + strconv.Itoa(duration) + `}}`
	}
	ended, analyzed := read(t, payload("call_ended", "1767261600000", 0)), read(t, payload("call_analyzed", "1767261607000", 0))
	for _, r := range []calllog.Record{ended, calllog.Merge(ended, analyzed), calllog.Merge(analyzed, ended)} {
		if r.StartedAt != at || !r.EndedAt.IsZero() {
			t.Errorf("%v to %v", r.StartedAt, r.EndedAt)
		}
	}
	if r := read(t, payload("call_ended", "1767261600000", 5000)); r.StartedAt != at.Add(-5*time.Second) || r.EndedAt != at {
		t.Errorf("with a length: %v to %v", r.StartedAt, r.EndedAt)
	}
}

// The platform sends an empty scrubbed version if it was not asked to scrub.
func TestEmptyScrubbedTwin(t *testing.T) {
	t.Parallel()
	const words = `,"transcript":"Agent: Hi.\nUser: Hello.","scrubbed_transcript_with_tool_calls":[]`
	for fields, want := range map[string]int{
		words: 2,
		words + `,"data_storage_setting":"everything"`:            2,
		words + `,"data_storage_setting":"everything_except_pii"`: 0,
		words + `,"opt_out_sensitive_data_storage":true`:          0,
	} {
		r := read(t, ended(fields))
		if len(r.Turns) != want || r.Keep == calllog.KeepEverything && (!r.HasTranscript || r.Scrubbed) {
			t.Errorf("%s: %d turns, a transcript: %v, scrubbed: %v", fields, len(r.Turns), r.HasTranscript, r.Scrubbed)
		}
	}
	r := read(t, ended(`,"transcript":"","scrubbed_transcript_with_tool_calls":[]`))
	if !r.HasTranscript || len(r.Turns) != 0 {
		t.Errorf("nothing said: %+v", r)
	}
}

// Older calls have each component's figures in a field of the call.
func TestOlderLatency(t *testing.T) {
	t.Parallel()
	r := read(t, ended(`,"e2e_latency":{"p50":800,"num":10},"llm_latency":{"p50":300},"tts_latency":7,"latency":{"llm":{"p50":310}}`))
	if len(r.Latency) != 2 || *r.Latency["e2e"].P50 != 0.8 || r.Latency["e2e"].N != 10 || *r.Latency["llm"].P50 != 0.31 {
		t.Errorf("%+v", r.Latency)
	}
	if r.Words["tts_latency"] == nil || r.Words["e2e_latency"] != nil {
		t.Errorf("%v", r.Words)
	}
}

func TestHowMuchMayBeKept(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]calllog.Keep{
		`"opt_out_sensitive_data_storage":false`:                                                            calllog.KeepEverything,
		`"opt_out_sensitive_data_storage":null,"data_storage_setting":null`:                                 calllog.KeepEverything,
		`"opt_out_sensitive_data_storage":"false"`:                                                          calllog.KeepEverything,
		`"opt_out_sensitive_data_storage":true`:                                                             calllog.KeepBasics,
		`"opt_out_sensitive_data_storage":"True"`:                                                           calllog.KeepBasics,
		`"opt_out_sensitive_data_storage":1`:                                                                calllog.KeepBasics,
		`"opt_out_sensitive_data_storage":{}`:                                                               calllog.KeepBasics,
		`"data_storage_setting":"everything"`:                                                               calllog.KeepEverything,
		`"data_storage_setting":"everything_except_pii"`:                                                    calllog.KeepNoPeople,
		`"data_storage_setting":"basic_attributes_only"`:                                                    calllog.KeepBasics,
		`"data_storage_setting":"a word of next year"`:                                                      calllog.KeepBasics,
		`"data_storage_setting":"everything","opt_out_sensitive_data_storage":true`:                         calllog.KeepBasics,
		`"data_storage_setting":"everything_except_pii","opt_out_sensitive_data_storage":false`:             calllog.KeepNoPeople,
		`"data_storage_setting":"everything_except_pii","opt_out_sensitive_data_storage":"no idea, really"`: calllog.KeepBasics,
		`"agent":"[{\"opt_out_sensitive_data_storage\":true}]"`:                                             calllog.KeepBasics,
		`"agent":"[{\"opt_out_sensitive_data_storage\":true},{}]"`:                                          calllog.KeepEverything,
		`"agent":"{\"data_\\u0073torage_setting\":\"x\",\"\\u006fpt_out_sensitive_data_st\\u006frage\":0}"`: calllog.KeepBasics,
		`"agent":"{\"opt_out_sensitive_data_st\\u006frage\":1}"`:                                            calllog.KeepBasics,
	} {
		if r := read(t, ended(","+fields)); r.Keep != want {
			t.Errorf("%s: %q", fields, r.Keep)
		}
	}
}

func TestTestCall(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]string{
		`"custom_sip_headers":{"x-ringtrue-call":"call_01a"}`:                                    "call_01a",
		`"custom_sip_headers":{"X-Ringtrue-Call":" call_01a "}`:                                  "call_01a",
		`"metadata":{"ringtrue_call":"ringtrue-call_01a"}`:                                       "call_01a",
		`"metadata":{"sip":{"headers":{"SipHeader_X-Ringtrue-Call":"c"}}}`:                       "c",
		`"metadata":{"room_name":"ringtrue-call_01a"}`:                                           "call_01a",
		`"metadata":{"room_name":"lobby"}`:                                                       "",
		`"their_llm_dynamic_variables":{"x_ringtrue_call":"call_01a"}`:                           "call_01a",
		`"collected_dynamic_variables":{"ringtrueCall":"call_01a"}`:                              "call_01a",
		`"metadata":{"ringtrue_call":{"a":[1]}}`:                                                 "",
		`"custom_sip_headers":["X-Ringtrue-Call"],"metadata":"call_01a"`:                         "",
		`"metadata":{"ringtrue_call":"call_01a"},"data_storage_setting":"basic_attributes_only"`: "call_01a",
	} {
		if r := read(t, ended(","+fields)); r.TestCall != want {
			t.Errorf("%s: %q", fields, r.TestCall)
		}
	}
}

// Tokens are not kept among the platform's words, and the words are limited.
func TestWords(t *testing.T) {
	t.Parallel()
	many := strings.Repeat(`,"a`+strings.Repeat("b", 200)+`":"`+strings.Repeat("c", 20_000)+`"`, 1)
	r := read(t, ended(`,"access_token":"s3cr3t","x":{"y":[1]},"event_id":7`+many))
	text, err := json.Marshal(r.Words)
	if err != nil || strings.Contains(string(text), "s3cr3t") || len(text) > 1000 {
		t.Errorf("%v %.2000s", err, text)
	}
	if r.Words["event_id"] != json.Number("7") || r.Words["x"] == nil {
		t.Errorf("%v", r.Words)
	}
}

// Any amount of speech is merged into turns, in time proportional to its length.
func TestOneEndlessTurn(t *testing.T) {
	t.Parallel()
	item := `{"role":"agent","content":"` + strings.Repeat("word ", 30) + `"},`
	r := read(t, ended(`,"transcript_object":[`+strings.Repeat(item, 15_000)+`null]`))
	if len(r.Turns) != 1 || len(r.Turns[0].Text) != 15_000*150-1 {
		t.Errorf("%d turns, %d bytes", len(r.Turns), len(r.Turns[0].Text))
	}
	r = read(t, ended(`,"transcript":"`+strings.Repeat(`Agent: a\nUser: b\n`, 30_000)+`"`))
	if len(r.Turns) != 10_000 {
		t.Errorf("%d turns", len(r.Turns))
	}
}

func FuzzReader(f *testing.F) {
	for _, payload := range readertest.Fixtures(f, "testdata") {
		f.Add(payload)
	}
	f.Add([]byte(`{"event":"call_ended","call":{"call_id":"c","transcript_object":[{"role":"user","words":[{"word":"a","start":1e300,"end":-1}]}],"latency":{"e2e":{"values":[1e308,1e308]}}}}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := calllog.Read(platforma.Reader(), payload)
		if err != nil {
			if e := problem.As(err); e == nil || e.Code != problem.InvalidFields && e.Code != problem.InvalidJSON {
				t.Fatalf("not a client's mistake: %v", err)
			}
			return
		}
		if r.ExternalID == "" || r.EndedAt.Before(r.StartedAt) && !r.EndedAt.IsZero() {
			t.Fatalf("%+v", r)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Fatal(err)
		}
		if r.Keep != calllog.KeepEverything && (r.From+r.To+r.Summary+r.RecordingURL != "" || len(r.Metadata) > 0 || len(r.Turns) > 0 && !r.Scrubbed) {
			t.Fatalf("kept in spite of %s: %+v", r.Keep, r)
		}
	})
}
