package calllog_test

import (
	"os"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
)

// The two events of a call tell the same together, in whatever order they come.
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
	// Who was due to speak is known from the transcript that came later.
	silent, heard := ended, ended
	silent.End = call.EndOf(call.EndSilence, "inactivity").Blaming(call.BlameUndecided)
	heard.End = silent.End.Blaming(call.BlameAgent)
	for _, r := range []calllog.Record{calllog.Merge(silent, heard), calllog.Merge(heard, silent)} {
		if r.End.Blame != call.BlameAgent {
			t.Errorf("%+v", r.End)
		}
	}
	// Words that were scrubbed later replace those that were not.
	plain, scrubbed := ended, read("scrubbed_twins.json")
	for _, r := range []calllog.Record{calllog.Merge(plain, scrubbed), calllog.Merge(scrubbed, plain), calllog.Merge(calllog.Merge(plain, scrubbed), plain)} {
		if !r.Scrubbed || len(r.Turns) != 2 || r.Turns[1].Text != "This is [NAME]." {
			t.Errorf("%+v", r.Turns)
		}
	}
}
