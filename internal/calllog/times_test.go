package calllog_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// withPlatforms returns a service that also reads the platforms' payloads.
func withPlatforms(m *memory) *calllog.Service {
	s := setup(m)
	for name, p := range platforms() {
		s.Readers[name] = p.reader
	}
	return s
}

// A client that reports a call from the future has mixed something up and is told so.
func TestACustomCallOfTheFuture(t *testing.T) {
	t.Parallel()
	day := 24 * time.Hour.Milliseconds()
	for name, c := range map[string]struct {
		start, end int64
		field      string
	}{
		"now":                     {0, 60_000, ""},
		"a clock that is ahead":   {day - 60_000, day - 30_000, ""},
		"the day after tomorrow":  {2 * day, 2*day + 60_000, "payload.end_timestamp payload.start_timestamp"},
		"it ends after tomorrow":  {0, 2 * day, "payload.end_timestamp"},
		"it takes more than days": {-10 * day, -2 * day, "payload.end_timestamp"},
	} {
		m := &memory{}
		_, err := setup(m).Accept(t.Context(), "ws_1", log(t, func(_, payload map[string]any) {
			payload["start_timestamp"], payload["end_timestamp"] = received.UnixMilli()+c.start, received.UnixMilli()+c.end
		}))
		var fields []string
		if e := problem.As(err); e != nil {
			for _, f := range e.Fields {
				fields = append(fields, f.Path)
			}
		}
		if got := strings.Join(fields, " "); got != c.field || (c.field == "") != (len(m.calls) == 1) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A client cannot correct its platform's times: future times count as missing, so that no such call
// heads the lists. The call's length is used.
func TestAPlatformsCallOfTheFuture(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]time.Duration{
		`"start_timestamp":1790000000000,"end_timestamp":1790000060000`:                            {-time.Minute, 0},
		`"start_timestamp":1790000000000,"duration_ms":30000`:                                      {-30 * time.Second, 0},
		`"start_timestamp":1760000000000,"end_timestamp":1790000060000,"duration_ms":30000`:        {-100 * time.Second, -70 * time.Second},
		`"start_timestamp":1760000000000,"end_timestamp":1760259200000`:                            {-100 * time.Second, 0},
		`"start_timestamp":1760000090000,"end_timestamp":1760000400000`:                            {-10 * time.Second, 300 * time.Second},
		`"start_timestamp":1760000090000000,"end_timestamp":1760000091,"duration_ms":-5`:           {-10 * time.Second, -9 * time.Second},
		`"start_timestamp":"2025-10-09T08:53:20Z","end_timestamp":"2025-10-09T10:54:20.000+02:00"`: {-100 * time.Second, -40 * time.Second},
	} {
		m := &memory{}
		if _, err := withPlatforms(m).Accept(t.Context(), "ws_1", []byte(`{"provider":"platform_a","payload":{"event":"call_ended","call":{"call_id":"a",`+body+`}}}`)); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if c := m.calls[0]; c.StartedAt.Sub(received) != want[0] || c.EndedAt.Sub(received) != want[1] {
			t.Errorf("%s: from %v to %v", body, c.StartedAt.Sub(received), c.EndedAt.Sub(received))
		}
	}
}

// Times are read in the forms in which programming languages write them.
func TestTimesAsLanguagesWriteThem(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"2025-10-09T08:53:20Z", "2025-10-09t08:53:20z", "2025-10-09T08:53:20+00", "20251009T085320Z", "20251009T105320.000+0200", "2025-10-09T08:53:20.000Z[UTC]", "2025-10-09T10:53:20+02:00[Europe/Berlin]",
		"Thu Oct 09 2025 10:53:20 GMT+0200 (Central European Summer Time)", "Thu Oct 09 2025 04:53:20 GMT-0400", "Thu, 09 Oct 2025 08:53:20 GMT", "Thu, 09 Oct 2025 10:53:20 +0200",
		"2025-10-09 08:53:20.000000 +0000 UTC", "2025-10-09 10:53:20 +0200 CEST", "2025-10-09 10:53:20 +0200",
		"2025-10-09 10:53:20+0200", "2025-10-09 10:53:20.000000+0200", "2025-10-09 10:53:20.000 +02:00", "2025-10-09T10:53:20 +02:00",
		"Thu Oct  9 08:53:20 UTC 2025", "Thu, 9 Oct 2025 08:53:20 GMT", "Thu, 9 Oct 2025 10:53:20 +0200",
		"Thu Oct 09 08:53:20 UTC 2025", "Thu Oct 09 08:53:20 GMT 2025", "Thu, 09 Oct 2025 08:53:20 UTC",
	} {
		r, err := calllog.Read(platforma.Reader(), []byte(`{"event":"call_ended","call":{"call_id":"a","start_timestamp":"`+text+`"}}`))
		if err != nil || r.StartedAt.UnixMilli() != 1_760_000_000_000 {
			t.Errorf("%s: %v, %v", text, r.StartedAt, err)
		}
	}
	for _, text := range []string{"", "z", "[]", "(UTC)", "[UTC]", "09/10/2025 08:53:20", "2025-10-09 8:53 PM", "Thu Oct 09 08:53:20 CEST 2025", "Thu Oct 09 2025 10:53:20 (Central European Summer Time)"} { // ambiguous in day or zone
		r, err := calllog.Read(platforma.Reader(), []byte(`{"event":"call_ended","call":{"call_id":"a","start_timestamp":"`+text+`"}}`))
		if err != nil || !r.StartedAt.IsZero() {
			t.Errorf("%s: %v, %v", text, r.StartedAt, err)
		}
	}
}

// A byte order mark, as programs on Windows write, changes nothing.
func TestAByteOrderMark(t *testing.T) {
	t.Parallel()
	m := &memory{}
	s := withPlatforms(m)
	body := log(t, nil)
	for i, text := range []string{"\ufeff" + string(body), string(body)} {
		a, err := s.Accept(t.Context(), "ws_1", []byte(text))
		if err != nil || a.Duplicate != (i == 1) {
			t.Fatalf("%d: %+v, %v", i, a, err)
		}
	}
	if len(m.submissions) != 1 {
		t.Errorf("%d submissions", len(m.submissions))
	}
	wrapped := `{"provider":"platform_a","payload":{"headers":{},"body":"\ufeff{\"event\":\"call_ended\",\"call\":{\"call_id\":\"a\"}}"}}`
	if _, err := s.Accept(t.Context(), "ws_1", []byte(wrapped)); err != nil || len(m.calls) != 2 {
		t.Errorf("in an envelope: %v, %d calls", err, len(m.calls))
	}
	_, err := s.Accept(t.Context(), "ws_1", []byte(`{"provider":"custom","payload":{},"payload":{}}`))
	if e := problem.As(err); e == nil || !strings.Contains(e.Fields[0].Message, `"payload" stands twice`) {
		t.Errorf("a name twice: %v", err)
	}
}

// An impossible cost or length counts as missing.
func TestNegativeFigures(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int64{
		`{"combined_cost":-3}`: -1, `-3`: -1, `{"combined_cost":-1,"product_costs":[{"cost":5},{"cost":-1}]}`: 40_000, `{"product_costs":[{"cost":-5}]}`: -1, `0`: 0,
	} {
		r, err := calllog.Read(platforma.Reader(), []byte(`{"event":"call_ended","call":{"call_id":"a","start_timestamp":1760000000000,"duration_ms":-60000,"call_cost":`+body+`}}`))
		got := int64(-1)
		if r.Cost != nil {
			got = *r.Cost
		}
		if err != nil || got != want || r.EndedAt != r.StartedAt {
			t.Errorf("%s: %d, %v, to %v", body, got, err, r.EndedAt)
		}
	}
}

// An amount in another currency is not taken for dollars: the cost stays unknown, and what came is
// kept.
func TestACostInAnotherCurrency(t *testing.T) {
	t.Parallel()
	a, b := platforma.Reader(), platformb.Reader()
	for _, c := range []struct {
		reader calllog.Reader
		body   string
		word   string
	}{
		{a, `{"event":"call_ended","call":{"call_id":"a","call_cost":{"combined_cost":12,"currency":"%s"}}}`, "call_cost.combined_cost"},
		{a, `{"event":"call_ended","call":{"call_id":"a","call_cost":12,"cost_currency":"%s"}}`, "call_cost"},
		{b, `{"message":{"type":"end-of-call-report","cost":0.12,"currency":"%s","call":{"id":"b"}}}`, "cost"},
		{b, `{"message":{"type":"end-of-call-report","cost":0.12,"costBreakdown":{"total":0.12,"currency":"%s"},"call":{"id":"b"}}}`, "cost"},
		{a, `{"event":"call_ended","call":{"call_id":"a","call_cost":{"product_costs":[{"cost":4},{"cost":8,"currency":"%s"}]}}}`, "call_cost.product_costs"},
		{a, `{"event":"call_ended","call":{"call_id":"a","call_cost":{"combined_cost":12,"product_costs":[{"cost":12,"currency":"%s"}]}}}`, "call_cost.combined_cost"},
		{b, `{"message":{"type":"end-of-call-report","costs":[{"cost":0.04},{"cost":0.08,"currency":"%s"}],"call":{"id":"b"}}}`, "costs"},
		{b, `{"message":{"type":"end-of-call-report","cost":0.12,"call":{"id":"b","costs":[{"cost":0.12,"currency":"%s"}]}}}`, "cost"},
	} {
		for currency, dollars := range map[string]bool{"": true, "USD": true, "usd": true, "EUR": false, "inr": false, "€": false} {
			r, err := calllog.Read(c.reader, fmt.Appendf(nil, c.body, currency))
			if err != nil {
				t.Fatal(err)
			}
			parts := c.word == "call_cost.product_costs" || c.word == "costs" // which are always kept
			if _, kept := r.Words[c.word]; (r.Cost != nil) != dollars || kept != (parts || !dollars) || dollars && *r.Cost != 120_000 {
				t.Errorf("%s in %q: %v, %v", c.body, currency, r.Cost, r.Words)
			}
		}
	}
}
