package calllog_test

import (
	"fmt"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/platforma"
	"github.com/ringtrue/ringtrue/internal/calllog/platformb"
)

const (
	ended     = `{"event":"call_ended","event_timestamp":1767261662000,"call":{"call_id":"c","disconnection_reason":"user_hangup","transcript":"Agent: Hello.\nUser: A refund."}}`
	analyzed  = `{"event":"call_analyzed","event_timestamp":%d,"call":{"call_id":"c","disconnection_reason":"user_hangup","call_analysis":{"call_summary":%q,"user_sentiment":%q,"call_successful":%t,"in_voicemail":%t,"custom_analysis_data":{"refund":%q}}}}`
	reportedB = `{"message":{"type":"end-of-call-report","timestamp":%d,"endedReason":"customer-ended-call","call":{"id":"c"},"analysis":{"summary":%q,"successEvaluation":"%t","structuredData":{"refund":%q}}}}`
)

// An opinion that the platform corrects later counts, in whatever order its webhooks come.
func TestALaterOpinionCorrectsAnEarlierOne(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reader    calllog.Reader
		bodies    []string
		word      string
		sentiment call.Sentiment
	}{
		"platform_a": {platforma.Reader(), []string{
			ended,
			fmt.Sprintf(analyzed, 1767261670000, "The caller was refunded in full.", "Positive", true, true, "in full"),
			fmt.Sprintf(analyzed, 1767261690000, "No refund.", "Neutral", false, false, "no"),
		}, "call_analysis.custom_analysis_data", call.Neutral},
		"platform_b": {platformb.Reader(), []string{
			fmt.Sprintf(reportedB, 1767261650000, "Nothing at all is known about this call yet.", true, "not known yet"),
			fmt.Sprintf(reportedB, 1767261670000, "The caller was refunded in full.", true, "in full"),
			fmt.Sprintf(reportedB, 1767261690000, "No refund.", false, "no"),
		}, "analysis.structuredData", ""},
	} {
		records := make([]calllog.Record, len(c.bodies))
		for i, body := range c.bodies {
			var err error
			if records[i], err = calllog.Read(c.reader, []byte(body)); err != nil {
				t.Fatal(err)
			}
		}
		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			r := calllog.Together([]calllog.Record{records[order[0]], records[order[1]], records[order[2]]})
			if r.Summary != "No refund." || r.Sentiment != c.sentiment || r.Successful == nil || *r.Successful || r.Voicemail != nil && *r.Voicemail ||
				r.End.Code != call.EndCallerHungUp || fmt.Sprint(r.Words[c.word]) != "map[refund:no]" {
				t.Errorf("%s, in the order %v: %+v %+v", name, order, r.End, r.Reported)
			}
		}
	}
}

// Without the times of two webhooks nobody knows which corrects the other.
func TestOpinionsOfUnknownAgeAreJoined(t *testing.T) {
	t.Parallel()
	read := func(body string) calllog.Record {
		r, err := calllog.Read(platforma.Reader(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	plain := read(fmt.Sprintf(analyzed, 0, "The caller was refunded in full.", "Positive", true, false, "in full"))
	dated := read(fmt.Sprintf(analyzed, 1767261690000, "No refund.", "Neutral", false, false, "no"))
	for _, r := range []calllog.Record{calllog.Merge(plain, dated), calllog.Merge(dated, plain)} {
		if r.Summary != plain.Summary || !*r.Successful {
			t.Errorf("%+v", r.Reported)
		}
	}
}
