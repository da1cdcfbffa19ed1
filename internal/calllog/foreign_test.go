package calllog_test

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// foreign returns a service that reads platform A.
func foreign(m *memory) *calllog.Service {
	s := setup(m)
	s.Readers[calllog.PlatformA] = platforma.Reader()
	return s
}

// A client cannot correct what a platform wrote, so odd characters are accepted.
func TestOddCharactersOfPlatforms(t *testing.T) {
	t.Parallel()
	for name, said := range map[string]string{
		"half a character": `Hello \ud83d there`,
		"NUL":              `Hel\u0000lo`,
		"a pair":           `Hello \ud83d\ude00`,
		"escapes":          `Hello \\ud83d \" \\`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &memory{}
			body := `{"provider":"brand","payload":{"event":"call_ended","call":{"call_id":"c1","transcript":"Agent: ` + said + `","me\u0000ta":{"a\u0000":["\u0000"]}}}}`
			if _, err := foreign(m).Accept(t.Context(), "ws_1", []byte(body)); err != nil {
				t.Fatal(err)
			}
			if len(m.calls) != 1 || m.calls[0].ExternalID != "c1" {
				t.Errorf("%+v", m.calls)
			}
		})
	}
}

// The client may name the agent, and takes precedence over the platform.
func TestTheNameOfTheAgent(t *testing.T) {
	t.Parallel()
	for call, want := range map[string]string{
		`"call_id":"c1"`: "Front desk",
		`"call_id":"c1","agent_name":"Night desk"`:                      "Night desk",
		`"call_id":"c1","agent_name":null`:                              "Front desk",
		`"call_id":"c1","data_storage_setting":"basic_attributes_only"`: "Front desk",
	} {
		m := &memory{}
		body := `{"provider":"platform_a","metadata":{"agent_name":"Front desk"},"payload":{"event":"call_ended","call":{` + call + `}}}`
		if _, err := foreign(m).Accept(t.Context(), "ws_1", []byte(body)); err != nil {
			t.Fatal(err)
		}
		if r := m.record(0); r.AgentName != want || r.Metadata["agent_name"] != "Front desk" {
			t.Errorf("%s: %q, %v", call, r.AgentName, r.Metadata)
		}
	}
}

func TestTortureOfPlatforms(t *testing.T) {
	t.Parallel()
	wrap := func(call string) string {
		return `{"provider":"platform_a","payload":{"event":"call_ended","call":` + call + `}}`
	}
	deep := func(n int) string {
		return wrap(`{"call_id":"c1","x":` + strings.Repeat(`{"x":[`, n) + strings.Repeat(`]}`, n) + `}`)
	}
	for name, c := range map[string]struct {
		body    string
		refused problem.Code
	}{
		"deep":                  {deep(25), ""},
		"too deep":              {deep(50), problem.InvalidJSON},
		"name twice":            {wrap(`{"call_id":"c1","call_id":"c2"}`), problem.InvalidJSON},
		"number too large":      {wrap(`{"call_id":"c1","cost":1e400}`), problem.InvalidJSON},
		"large number":          {wrap(`{"call_id":"c1","start_timestamp":1e300,"duration_ms":-1e300,"call_cost":{"combined_cost":1e308},"latency":{"e2e":{"p50":1e308,"num":1e308}}}`), ""},
		"long number":           {wrap(`{"call_id":"c1","duration_ms":` + strings.Repeat("9", 250) + `}`), ""},
		"id is a number":        {wrap(`{"call_id":12}`), ""},
		"id is half":            {wrap(`{"call_id":"\ud800"}`), ""},
		"id is long":            {wrap(`{"call_id":"` + strings.Repeat("x", 300) + `"}`), problem.InvalidFields},
		"id is empty":           {wrap(`{"call_id":" "}`), problem.InvalidFields},
		"id is NUL":             {wrap(`{"call_id":"\u0000"}`), problem.InvalidFields},
		"half in metadata":      {`{"provider":"custom","metadata":{"a":"\ud800"},"payload":{}}`, problem.InvalidJSON},
		"NUL in metadata":       {`{"provider":"platform_a","metadata":{"a":"\u0000"},"payload":{"event":"call_ended","call":{"call_id":"c1"}}}`, problem.InvalidFields},
		"payload is no object":  {`{"provider":"platform_a","payload":"{}"}`, problem.InvalidFields},
		"nothing but a payload": {`{"provider":"platform_a","payload":{}}`, problem.InvalidFields},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := foreign(&memory{}).Accept(t.Context(), "ws_1", []byte(c.body))
			if c.refused == "" && err != nil || c.refused != "" && !problem.Is(err, c.refused) {
				t.Errorf("got %v, want %q", err, c.refused)
			}
		})
	}
}
