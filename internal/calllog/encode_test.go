package calllog

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// TestWhatIsWrittenByHand encodes a record with every field of a turn and
// compares it with encoding/json's result, so that no new field gets lost.
func TestWhatIsWrittenByHand(t *testing.T) {
	t.Parallel()
	segments := []call.Segment{{Start: 1, End: 2}, {Start: 3, End: 4}}
	whole := call.Turn{
		Index: 1, Speaker: call.Agent, By: "transfer_target", Start: time.Second, End: 2 * time.Second,
		Text: "a \"b\" \\ <c>\n\u2028 é \x7f", Segments: segments, Manner: call.MannerInterrupt,
	}
	withWords := whole
	withWords.Words, withWords.Readings = []call.Word{{Text: "a"}}, []string{"b"}
	for v, i := reflect.ValueOf(withWords), 0; i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Fatalf("%s is not tried", v.Type().Field(i).Name)
		}
	}
	for _, turns := range [][]call.Turn{nil, {whole}, {{Start: Untold, End: Untold}, whole, {Text: "plain", Segments: segments[:1]}}, {whole, withWords}} {
		r := Record{Metadata: map[string]any{"k": "v"}, Reported: call.Reported{ExternalID: "c1", Turns: turns, ToolCalls: []call.ToolCall{{ID: "t"}}, CallerChannel: -1}}
		text, err := encode(r)
		if err != nil {
			t.Fatal(err)
		}
		var got Record
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		if !reflect.DeepEqual(got, r) {
			t.Errorf("got  %+v\nwant %+v", got, r)
		}
	}
}
