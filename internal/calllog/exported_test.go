package calllog_test

import (
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/lenient"
)

// A document database exports a body with numbers, times and ids in objects that name their type.
// It must be read like the original.
func TestAnExportOfADocumentDatabase(t *testing.T) {
	t.Parallel()
	for body, provider := range map[string]string{
		`{"_id":{"$oid":"66a0"},"event":"call_ended","call":{"call_id":"c1","start_timestamp":{"$numberLong":"1760000000000"},"end_timestamp":{"$numberLong":"1760000060000"},
			"transcript_object":[{"role":"agent","content":"Hello.","words":[{"word":"Hello.","start":{"$numberDouble":"0.5"},"end":{"$numberInt":"1"}}]}],"call_cost":{"combined_cost":{"$numberDecimal":"12.5"}}}}`: calllog.PlatformA,
		`{"message":{"type":"end-of-call-report","call":{"id":{"$oid":"c1"}},"cost":{"$numberDouble":"0.125"},"startedAt":{"$date":"2025-10-09T08:53:20Z"},"endedAt":{"$date":{"$numberLong":"1760000060000"}},
			"artifact":{"messages":[{"role":"bot","message":"Hello.","secondsFromStart":{"$numberDouble":"0.5"},"duration":{"$numberInt":"500"}}]}}}`: calllog.PlatformB,
		`"{\"message\":{\"type\":\"end-of-call-report\",\"call\":{\"id\":{\"$oid\":\"c1\"}},\"cost\":0.125,\"startedAt\":{\"$date\":1760000000000},\"endedAt\":{\"$date\":{\"$numberLong\":\"1760000060000\"}},\"artifact\":{\"messages\":[{\"role\":\"bot\",\"message\":\"Hello.\",\"secondsFromStart\":0.5,\"duration\":500}]}}}"`: calllog.PlatformB,
	} {
		m := &memory{}
		if _, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(`{"provider":"`+provider+`","payload":`+body+`}`)); err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		c := m.calls[0]
		r, _, err := (&m.rows).RecordOf(t.Context(), c.ID)
		if err != nil || c.ExternalID != "c1" || c.StartedAt.UnixMilli() != 1_760_000_000_000 || c.EndedAt.Sub(c.StartedAt) != time.Minute || r.Cost == nil || *r.Cost != 125_000 ||
			len(r.Turns) != 1 || r.Turns[0].Start != 500*time.Millisecond || r.Turns[0].End != time.Second {
			t.Errorf("%s: %v, %+v, %+v", body, err, c, r)
		}
	}
}

// A key-value database exports a body with a type around every value: as an item, in a line of an
// export, or in a stream record. It must be read like the original.
func TestAnItemOfAKeyValueDatabase(t *testing.T) {
	t.Parallel()
	const call = `{"M":{"call_id":{"S":"c1"},"start_timestamp":{"N":"1760000000000"},"end_timestamp":{"N":"1760000060000"},"public_log_url":{"NULL":true},"empty":{"M":{}},"tags":{"SS":["a","b"]},
		"transcript_object":{"L":[{"M":{"role":{"S":"agent"},"content":{"S":"Hello."},"words":{"L":[{"M":{"word":{"S":"Hello."},"start":{"N":"0.5"},"end":{"N":"1"}}}]}}}]},
		"call_cost":{"M":{"combined_cost":{"N":"12.5"}}},"metadata":{"M":{"vip":{"BOOL":true},"seats":{"N":"2"}}}}}`
	const text = `{\"event\":\"call_ended\",\"call\":{\"call_id\":\"c1\",\"start_timestamp\":1760000000000,\"end_timestamp\":1760000060000,\"call_cost\":{\"combined_cost\":12.5},\"transcript_object\":[{\"role\":\"agent\",\"content\":\"Hello.\",\"words\":[{\"word\":\"Hello.\",\"start\":0.5,\"end\":1}]}],\"metadata\":{\"vip\":true,\"seats\":2}}}`
	for _, item := range []string{
		`{"pk":{"S":"call#c1"},"event":{"S":"call_ended"},"call":` + call + `}`,
		`{"Item":{"pk":{"S":"call#c1"},"payload":{"M":{"event":{"S":"call_ended"},"call":` + call + `}}}}`,
		`{"Item":{"payload":{"S":"` + text + `"}}}`,
		`{"eventName":"INSERT","dynamodb":{"Keys":{"pk":{"S":"call#c1"}},"NewImage":{"event":{"S":"call_ended"},"call":` + call + `}}}`,
	} {
		m := &memory{}
		if _, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(`{"provider":"platform_a","payload":`+item+`}`)); err != nil {
			t.Errorf("%s: %v", item, err)
			continue
		}
		c := m.calls[0]
		r, _, err := (&m.rows).RecordOf(t.Context(), c.ID)
		if err != nil || c.ExternalID != "c1" || c.StartedAt.UnixMilli() != 1_760_000_000_000 || c.EndedAt.Sub(c.StartedAt) != time.Minute || r.Cost == nil || *r.Cost != 125_000 ||
			len(r.Turns) != 1 || r.Turns[0].Start != 500*time.Millisecond || c.Metadata["vip"] != true {
			t.Errorf("%s: %v, %+v, %+v", item, err, c, r)
		}
	}
	m := &memory{}
	body := `{"provider":"platform_a","payload":{"Item":{"opt_out_sensitive_data_storage":{"BOOL":true},"payload":{"S":"` + text + `"}}}}`
	if _, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(body)); err != nil || m.calls[0].Keep != calllog.KeepBasics {
		t.Errorf("%v, kept: %+v", err, m.calls)
	}
	for _, text := range []string{`{}`, `{"S":"x"}`, `{"a":{"S":"x"},"b":1}`, `{"a":{"S":"x","N":"1"}}`, `{"a":{"N":"x"},"b":{"S":""}}`, `{"a":{"M":{"b":"S"}}}`, `{"a":{"L":["S"]},"b":{"M":{}}}`} {
		if plain, ok := lenient.PlainItem([]byte(text)); ok {
			t.Errorf("%s is taken for %s", text, plain)
		}
	}
}

// Objects that only look like typed values are left alone.
func TestNoTypedValue(t *testing.T) {
	t.Parallel()
	m := &memory{}
	_, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(`{"provider":"platform_a","payload":{"event":"call_ended","call":{"call_id":"a",
		"x":{"$numberLong":"5","more":1},"y":{"$numberDouble":"Infinity"},"z":{"$date":["no"]},"$price":{"$ref":"5"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := (&m.rows).RecordOf(t.Context(), m.calls[0].ID)
	if x, ok := r.Words["x"].(map[string]any); err != nil || !ok || len(x) != 2 || r.Words["y"] != "Infinity" {
		t.Errorf("%v, %v", r.Words, err)
	}
	if z, ok := r.Words["z"].(map[string]any); !ok || z["$date"] == nil {
		t.Errorf("%v", r.Words)
	}
}
