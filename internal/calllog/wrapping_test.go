package calllog_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// A webhook is found in any wrapping, and if parts of it are encoded as text, in a list
// of one, or with names in another style.
func TestHoweverAWebhookWasPassedOn(t *testing.T) {
	t.Parallel()
	const a = `{"event":"call_ended","call":{"call_id":"c1","start_timestamp":1760000000000,"end_timestamp":1760000060000,"disconnection_reason":"user_hangup","transcript":"Agent: Hello.\nUser: Hi.","metadata":{"myKey":"v"}}}`
	const b = `{"message":{"type":"end-of-call-report","startedAt":1760000000000,"endedAt":1760000060000,"endedReason":"customer-ended-call","call":{"id":"c1","metadata":{"myKey":"v"}},"artifact":{"transcript":"AI: Hello.\nUser: Hi."}}}`
	text := func(body string) string {
		quoted, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	}
	bodies := map[string]string{}
	for provider, body := range map[string]string{calllog.PlatformA: a, calllog.PlatformB: b} {
		for _, wrapped := range []string{
			body, `[` + body + `]`, text(body), text("[" + body + "]"), `{"data":` + body + `}`, `{"payload":` + body + `,"event":"forwarded"}`, `{"headers":{},"body":[` + body + `]}`,
			`{"version":"0","id":"e","source":"queue","detail":` + body + `}`, `{"Type":"Notification","MessageId":"m","Message":` + text(body) + `}`,
		} {
			bodies[wrapped] = provider
		}
	}
	const anew = `,"start_timestamp":1760000000000,"end_timestamp":1760000060000,"disconnection_reason":"USER_HANGUP","transcript_object":"[{\"role\":\"agent\",\"content\":\"Hello.\"},{\"role\":\"user\",\"content\":\"Hi.\"}]","metadata":{"myKey":"v"}}`
	bodies[`{"event":"call_ended","call":[{"call_id":"c1"`+anew+`]}`] = calllog.PlatformA
	bodies[`{"event":"call_ended","call":`+text(`{"call_id":"c1"`+anew)+`}`] = calllog.PlatformA
	bodies[`{"type":"call.ended","data":{"call_id":"c1"`+anew+`}`] = calllog.PlatformA
	bodies[`{"event":"call_ended","call":{"callId":"c1","startTimestamp":1760000000000,"endTimestamp":1760000060000,"disconnectionReason":"user_hangup","transcriptObject":[{"role":"agent","content":"Hello."},{"role":"user","content":"Hi."}],"metadata":{"myKey":"v"}}}`] = calllog.PlatformA
	bodies[`{"Event":"call_ended","Call":{"CallID":"c1","StartTimestamp":1760000000000,"EndTimestamp":1760000060000,"Disconnection Reason":"User Hangup","Transcript":"Agent: Hello.\nUser: Hi.","Metadata":{"myKey":"v"}}}`] = calllog.PlatformA
	bodies[`{"message":{"type":"end_of_call_report","call_id":"c1","started_at":1760000000000,"ended_at":1760000060000,"ended_reason":"customer_ended_call","metadata":{"myKey":"v"},"artifact":{"messages":[{"role":"bot","message":"Hello."},{"role":"user","message":"Hi."}]}}}`] = calllog.PlatformB
	bodies[`{"type":"end-of-call-report","call":{"callId":"c1"},"startedAt":1760000000000,"endedAt":1760000060000,"endedReason":"Customer Ended Call","metadata":{"myKey":"v"},"transcript":["AI: Hello.","User: Hi."]}`] = calllog.PlatformB
	const times = `"started_at":1760000000000,"ended_at":1760000060000,"ended_reason":"customer-ended-call"`
	bodies[`{"message":{"type":"end-of-call-report",`+times+`,"call":{"id":"c1","metadata":{"myKey":"v"}},"artifact":{"transcript":"AI: Hello.\nUser: Hi."}}}`] = calllog.PlatformB
	bodies[`{"Message":{"Type":"end-of-call-report","StartedAt":1760000000000,"EndedAt":1760000060000,"EndedReason":"customer-ended-call","Call":{"Id":"c1","Metadata":{"myKey":"v"}},"Transcript":"AI: Hello.\nUser: Hi."}}`] = calllog.PlatformB
	bodies[`{"id":"c1","status":"ended",`+times+`,"metadata":{"myKey":"v"},"transcript":"AI: Hello.\nUser: Hi."}`] = calllog.PlatformB
	for body, provider := range bodies {
		m := &memory{}
		if _, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(`{"provider":"`+provider+`","payload":`+body+`}`)); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		c := m.calls[0]
		r, _, err := (&m.rows).RecordOf(t.Context(), c.ID)
		if err != nil || c.ExternalID != "c1" || c.StartedAt.UnixMilli() != 1_760_000_000_000 || c.EndedAt.Sub(c.StartedAt) != time.Minute || c.EndReason.Code != call.EndCallerHungUp ||
			c.Metadata["myKey"] != "v" || len(r.Turns) != 2 || r.Turns[0].Text != "Hello." || r.Turns[1].Speaker != call.Caller {
			t.Errorf("%s: %v, %+v, %+v", body, err, c, r)
		}
	}
}

// A client's own payload is not guessed at.
func TestACustomPayloadIsAnObject(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{"provider":"custom","payload":[{}]}`, `{"provider":"custom","payload":"{}"}`, `{"provider":"platform_a","payload":[{},{}]}`, `{"provider":"platform_a","payload":"{"}`} {
		_, err := withPlatforms(&memory{}).Accept(t.Context(), "ws_1", []byte(body))
		if e := problem.As(err); e == nil || e.Fields[0].Path != "payload" {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// What a client adds beside a webhook or a bare call does not replace it, whatever its
// name.
func TestWhatIsLaidBesideAWebhook(t *testing.T) {
	t.Parallel()
	for provider, p := range platforms() {
		if provider == calllog.Custom {
			continue // never searched for calls
		}
		for name, payload := range readertest.Fixtures(t, p.folder) {
			plain := decode(t, payload)
			_, around := plain["call"].(map[string]any)
			if _, ok := plain["message"].(map[string]any); ok {
				around = true
			}
			if !around && plain["call_id"] == nil && plain["endedReason"] == nil {
				continue // it is within something else
			}
			want := p.reader(lenient.Of(plain))
			for _, place := range []string{"body", "json", "payload", "data", "detail", "Message"} {
				for _, mark := range []string{"headers", "query", "url", "path", "index", "method"} {
					laid := decode(t, payload)
					laid[place], laid[mark] = map[string]any{"crm": "7"}, "x"
					if around {
						laid[place] = map[string]any{"call_id": "other", "id": "other"}
					}
					o := lenient.Of(laid)
					r := p.reader(o)
					if err := o.Err(); err != nil || r.ExternalID != want.ExternalID || r.End != want.End || !slices.EqualFunc(r.Turns, want.Turns, sameText) || !maps.Equal(ids(r), ids(want)) {
						t.Errorf("%s with %s and %s: %v, %+v", name, place, mark, err, r)
					}
				}
			}
		}
	}
}

func sameText(a, b call.Turn) bool { return a.Speaker == b.Speaker && a.Text == b.Text }

func ids(r calllog.Record) map[string]string {
	return map[string]string{"from": r.From, "to": r.To, "agent": r.PlatformAgentID, "recording": r.RecordingURL, "summary": r.Summary}
}
