package records

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// Stores of webhooks, such as log shippers, queues and search indexes, wrap them under names of
// their own.
func TestRecordsInWhatKeepsThem(t *testing.T) {
	t.Parallel()
	const (
		a       = `{"event":"call_ended","call":{"call_id":"c1"}}`
		b       = `{"message":{"type":"end-of-call-report","call":{"id":"c1"}}}`
		custom  = `{"provider":"custom","payload":{"call_id":"c1"}}`
		forA    = `{"provider":"platform_a","payload":` + a + `}`
		forB    = `{"provider":"platform_b","payload":` + b + `}`
		asText  = `"{\"event\":\"call_ended\",\"call\":{\"call_id\":\"c1\"}}\n"`
		bAsText = `"{\"message\":{\"type\":\"end-of-call-report\",\"call\":{\"id\":\"c1\"}}}"`
	)
	for text, want := range map[string][]string{
		`{"timestamp":"x","level":"info","message":` + asText + `}`:                           {forA},
		`{"timestamp":"x","message":` + a + `}`:                                               {forA},
		`{"timestamp":"x","message":` + bAsText + `}`:                                         {forB},
		`{"timestamp":"x","message":` + b + `}`:                                               {forB},
		`{"timestamp":"x","message":` + custom + `}`:                                          {custom},
		`{"message":"{\"type\":\"end-of-call-report\",\"call\":{\"id\":\"c1\"}}"}`:            {`{"provider":"platform_b","payload":{"message":"{\"type\":\"end-of-call-report\",\"call\":{\"id\":\"c1\"}}"}}`},
		`{"log":` + asText + `,"stream":"stdout"}`:                                            {forA},
		`{"preview":false,"result":{"_raw":` + bAsText + `}}`:                                 {forB},
		`{"hits":{"total":{"value":2},"hits":[{"_source":` + a + `},{"_source":` + b + `}]}}`: {forA, forB},
		`{"Messages":[{"MessageId":"1","Body":` + asText + `}]}`:                              {forA},
		`{"events":[{"message":"START"},{"message":` + asText + `}]}`:                         {"", forA},
		`{"log":` + asText + `,"opt_out_sensitive_data_storage":true}`:                        {`{"opt_out_sensitive_data_storage":true,` + forA[1:]},
		asText:                             {forA},
		`[` + asText + `,` + bAsText + `]`: {forA, forB},
		`{"timestamp":"x","message":"webhook received: {\"event\":\"call_ended\"}"}`:               {""},
		`{"message":{"type":"access","status":200},"other":1}`:                                     {`{"provider":"platform_b","payload":{"message":{"type":"access","status":200},"other":1}}`},
		`{"log":{"message":{"type":"access"}}}`:                                                    {""},
		`{"request":{"id":7},"hook":` + a + `,"context":{"data":{"x":1}}}`:                         {forA},
		`{"before":` + a + `,"after":` + a + `}`:                                                   {""},
		`{"call_id":"c1","transcript":{"messages":[{"content":` + asText + `,"tool":` + a + `}]}}`: {""},
	} {
		var got []string
		r := Reader{
			Found: func(_ int, submission []byte) error { got = append(got, ordered(t, string(submission))); return nil },
			Refused: func(_ int, why string) {
				if got = append(got, ""); why != untold {
					t.Errorf("%s: %s", text, why)
				}
			},
		}
		for i := range want {
			want[i] = ordered(t, want[i])
		}
		if err := r.Read(strings.NewReader(text)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q: %v", text, got, want, err)
		}
	}
}

// ordered returns a JSON object with its names sorted.
func ordered(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		return ""
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &members); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(sorted)
}
