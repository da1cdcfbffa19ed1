package calllog_test

import (
	"os"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
)

// A record without times is placed when its platform created or reported the call. If another
// record has times, that guess must not move or lengthen the call.
func TestGuessedTimesGiveWay(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)
	const minute, end = `"startedAt":"2026-01-01T10:00:00Z","endedAt":"2026-01-01T10:01:00Z"`, `"start_timestamp":1767261600000,"end_timestamp":1767261660000`
	b := func(more string) string {
		return `{"message":{"type":"end-of-call-report","call":{"id":"c1"},` + more + `}}`
	}
	a := func(sent int64, more string) string {
		return `{"event":"call_ended","event_timestamp":` + strconv.FormatInt(sent, 10) + `,"call":{"call_id":"c1",` + more + `}}`
	}
	for name, c := range map[string]struct {
		reader calllog.Reader
		bodies []string
	}{
		"made":           {platformb.Reader(), []string{b(`"createdAt":"2026-01-01T09:00:00Z"`), b(minute)}},
		"told of":        {platformb.Reader(), []string{b(`"timestamp":1767261700000,"durationSeconds":60`), b(minute)}},
		"sent":           {platforma.Reader(), []string{a(1767261700000, `"duration_ms":60000`), a(1767261670000, end), a(1767261800000, `"call_type":"web_call"`)}},
		"start and span": {platforma.Reader(), []string{a(1767261700000, `"duration_ms":60000`), a(1767261670000, `"start_timestamp":1767261600000`)}},
		"sent twice":     {platforma.Reader(), []string{a(1767261660000, `"duration_ms":60000`), a(1767261700000, `"duration_ms":60000`), a(1767261600000, `"call_type":"web_call"`)}},
	} {
		var records []calllog.Record
		for _, body := range c.bodies {
			r, err := calllog.Read(c.reader, []byte(body))
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
		for range 2 {
			var all calllog.Record
			for _, r := range records {
				all = calllog.Merge(all, r)
			}
			if from, to := calllog.When(all, at.Add(time.Hour)); from != at || to != at.Add(time.Minute) {
				t.Errorf("%s: %v to %v", name, from, to)
			}
			slices.Reverse(records)
		}
	}
}

// Some agents reuse the ids of tool calls. Each call must stay as it was when it is reported
// again.
func TestToolCallsOfOneID(t *testing.T) {
	t.Parallel()
	told := calllog.Record{Reported: call.Reported{ToolCalls: []call.ToolCall{
		{ID: "1", Name: "find", Arguments: []byte(`{"day":"thursday"}`), Result: "no such day", Failed: true}, {ID: "1", Name: "find", Arguments: []byte(`{}`), Result: "10:00"}, {ID: "2", Name: "end"},
	}}}
	first := told
	first.ToolCalls = told.ToolCalls[:1]
	for _, r := range []calllog.Record{calllog.Merge(told, told), calllog.Merge(first, told), calllog.Merge(told, first)} {
		if !reflect.DeepEqual(r.ToolCalls, told.ToolCalls) {
			t.Errorf("%+v", r.ToolCalls)
		}
	}
}

// The two events of a call give the same result in any order.
func TestEventsInAnyOrder(t *testing.T) {
	t.Parallel()
	read := func(name string) calllog.Record {
		text, err := os.ReadFile("platforma/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := calllog.Read(platforma.Reader(), text)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ended, analyzed := read("inbound_ended.json"), read("inbound_analyzed.json")
	for _, r := range []calllog.Record{calllog.Merge(ended, analyzed), calllog.Merge(analyzed, ended), calllog.Merge(calllog.Merge(ended, analyzed), ended)} {
		if r.End != call.EndOf(call.EndCompleted, "user_hangup") || !r.Whole || len(r.Turns) != 7 || len(r.ToolCalls) != 2 || !r.ToolCalls[1].Failed || r.Sentiment != call.Positive {
			t.Errorf("%+v", r)
		}
	}
	// The later transcript shows who was due to speak.
	silent, heard := ended, ended
	silent.End = call.EndOf(call.EndSilence, "inactivity").Blaming(call.BlameUndecided)
	heard.End = silent.End.Blaming(call.BlameAgent)
	for _, r := range []calllog.Record{calllog.Merge(silent, heard), calllog.Merge(heard, silent)} {
		if r.End.Blame != call.BlameAgent {
			t.Errorf("%+v", r.End)
		}
	}
	// Words scrubbed later replace the plain ones.
	plain, scrubbed := ended, read("scrubbed_twins.json")
	for _, r := range []calllog.Record{calllog.Merge(plain, scrubbed), calllog.Merge(scrubbed, plain), calllog.Merge(calllog.Merge(plain, scrubbed), plain)} {
		if !r.Scrubbed || len(r.Turns) != 2 || r.Turns[1].Text != "This is [NAME]." {
			t.Errorf("%+v", r.Turns)
		}
	}
}

// An empty scrubbed twin says nothing about the words of another record.
func TestAnEmptyScrubbedTwinTakesNoWords(t *testing.T) {
	t.Parallel()
	read := func(fields string) calllog.Record {
		r, err := calllog.Read(platforma.Reader(), []byte(`{"event":"call_ended","call":{"call_id":"a"`+fields+`}}`))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	words := read(`,"transcript":"Agent: Hi.\nUser: Hello."`)
	for _, fields := range []string{
		`,"scrubbed_transcript_with_tool_calls":[]`, `,"transcript":"","transcript_object":[],"scrubbed_transcript_with_tool_calls":[]`, `,"transcript":"","scrubbed_transcript":""`,
	} {
		empty := read(fields)
		for _, r := range []calllog.Record{calllog.Merge(words, empty), calllog.Merge(empty, words)} {
			if len(r.Turns) != 2 || !r.HasTranscript {
				t.Errorf("%s: %d turns are left", fields, len(r.Turns))
			}
		}
	}
}
