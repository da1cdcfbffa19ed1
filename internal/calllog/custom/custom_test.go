package custom_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/calllog/custom"
	"github.com/ringtrue/ringtrue/internal/calllog/readertest"
	"github.com/ringtrue/ringtrue/internal/problem"
)

// payload returns a valid payload with additional fields.
func payload(more string) []byte {
	return []byte(`{"call_id":"c1","recording_url":"https://example.org/c1.wav","from_number":"+15550100","to_number":"+15550199",
		"start_timestamp":1760000000000,"end_timestamp":1760000060000,"status":"ended"` + more + `}`)
}

func read(t testing.TB, more string) calllog.Record {
	t.Helper()
	return readertest.Read(t, custom.Reader(nil), string(payload(more)))
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	readertest.Golden(t, custom.Reader(nil))
}

func TestRecord(t *testing.T) {
	t.Parallel()
	r := read(t, `,"prompt":"v3","tags":["a"],"transcript":{"kind":"chat_completion","messages":[
		{"role":"assistant","start":500,"content":"Hello"},{"role":"user","start":1760000002000,"content":"Hi"},{"role":"user","start":3000,"content":"there"},
		{"role":"assistant","start":4000,"content":"One moment","tool_calls":[{"id":"t1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},
		{"role":"tool","tool_call_id":"t1","content":"done"}]}`)
	if !r.Whole || !r.Timed || !r.HasTranscript || r.End != call.EndOf(call.EndCompleted, "ended") || r.EndedAt.Sub(r.StartedAt) != time.Minute || r.CallerChannel != -1 {
		t.Errorf("%+v", r)
	}
	if len(r.Turns) != 3 || r.Turns[1].Text != "Hi there" || r.Turns[1].Start != 2*time.Second || r.Turns[1].End != 3*time.Second {
		t.Errorf("turns %+v", r.Turns)
	}
	if len(r.ToolCalls) != 1 || r.ToolCalls[0].Result != "done" || r.ToolCalls[0].At != 4*time.Second {
		t.Errorf("tool calls %+v", r.ToolCalls)
	}
	if r.Words["prompt"] != "v3" || r.Words["tags"] == nil || len(r.Words) != 2 {
		t.Errorf("words %v", r.Words)
	}
	if r := read(t, `,"transcript":{"kind":"chat_completion","messages":[{"role":"assistant","start":500,"content":"Hello"},{"role":"user","content":"Hi"}]}`); r.Timed || r.Turns[1].Start >= 0 {
		t.Errorf("%+v", r.Turns)
	}
	if r := read(t, ""); r.HasTranscript || r.Timed || r.Words != nil {
		t.Errorf("%+v", r)
	}
}

// A message timed a moment after the call's end belongs to it; one that is hours off would falsify
// every metric.
func TestMessageTimesLieInTheCall(t *testing.T) {
	t.Parallel()
	for start, want := range map[string]time.Duration{
		"59000": 59 * time.Second, "60000": time.Minute, "75000": time.Minute, "1760000075000": time.Minute, "1759999990000": 0,
		"120000": time.Minute, "1760000120000": time.Minute, "1759999940000": 0, // up to a minute counts
		"120001": -1, "1760000120001": -1, "1759999939999": -1, "130000": -1, "3600000": -1, "1760003600000": -1, "1759996400000": -1, "-5": -1,
	} {
		r, err := calllog.Read(custom.Reader(nil), payload(`,"transcript":{"kind":"chat_completion","messages":[{"role":"user","start":`+start+`,"content":"Hi"}]}`))
		e := problem.As(err)
		switch {
		case want < 0 && (e == nil || len(e.Fields) != 1 || e.Fields[0].Path != "payload.transcript.messages[0].start"):
			t.Errorf("%s: %v", start, err)
		case want >= 0 && (err != nil || r.Turns[0].Start != want):
			t.Errorf("%s: %v, turns %+v", start, err, r.Turns)
		}
	}
}

// Where the call's own start cannot be read, messages timed since 1970 are no mistakes of their own.
func TestMessageTimesWithoutAStart(t *testing.T) {
	t.Parallel()
	const rest = `"call_id":"c","recording_url":"https://e.org/a","from_number":"+1","to_number":"+2","end_timestamp":1760000060000,"status":"ended",
		"transcript":{"kind":"chat_completion","messages":[{"role":"user","start":1760000001000,"content":"Hi"},{"role":"assistant","start":1760000002000,"content":"Hello"}]}}`
	for _, start := range []string{"", `"start_timestamp":1760000000,`, `"start_timestamp":"noon",`} {
		_, err := calllog.Read(custom.Reader(nil), []byte("{"+start+rest))
		if e := problem.As(err); e == nil || len(e.Fields) != 1 || e.Fields[0].Path != "payload.start_timestamp" {
			t.Errorf("%s: %v", start, err)
		}
	}
}

// Several messages outside the call were timed by another clock: they keep their distances, so
// that they can be aligned with the recording.
func TestMessagesOfAnotherClockKeepTheirDistances(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		starts [4]int64
		want   [4]time.Duration // in seconds
	}{
		"ahead":         {[4]int64{29_000, 50_000, 70_000, 85_000}, [4]time.Duration{29, 50, 70, 85}},
		"stamps ahead":  {[4]int64{1760000029000, 1760000050000, 1760000070000, 1760000085000}, [4]time.Duration{29, 50, 70, 85}},
		"stamps behind": {[4]int64{1759999975000, 1759999990000, 1760000005000, 1760000020000}, [4]time.Duration{0, 15, 30, 45}},
		"one before":    {[4]int64{1759999999000, 1760000005000, 1760000006000, 1760000007000}, [4]time.Duration{0, 5, 6, 7}},
		"one behind":    {[4]int64{1000, 5000, 6000, 61_000}, [4]time.Duration{1, 5, 6, 60}},
	} {
		messages := make([]string, len(c.starts))
		for i, at := range c.starts {
			messages[i] = fmt.Sprintf(`{"role":%q,"start":%d,"content":"Hi"}`, []string{"user", "assistant"}[i%2], at)
		}
		r, err := calllog.Read(custom.Reader(nil), payload(`,"transcript":{"kind":"chat_completion","messages":[`+strings.Join(messages, ",")+`]}`))
		if err != nil || len(r.Turns) != len(c.want) {
			t.Errorf("%s: %v, %+v", name, err, r.Turns)
			continue
		}
		for i, want := range c.want {
			if got := r.Turns[i].Start; got != want*time.Second {
				t.Errorf("%s: message %d began after %s", name, i, got)
			}
		}
	}
}

// Reading takes time proportional to the length of the transcript.
func TestOneEndlessTurn(t *testing.T) {
	t.Parallel()
	message := `{"role":"user","content":"` + strings.Repeat("word ", 60) + `"},`
	r := read(t, `,"transcript":{"kind":"chat_completion","messages":[`+strings.TrimSuffix(strings.Repeat(message, 9_000), ",")+`]}`)
	if len(r.Turns) != 1 || len(r.Turns[0].Text) < 9_000*300 {
		t.Errorf("%d turns", len(r.Turns))
	}
}

func FuzzReader(f *testing.F) {
	f.Add(payload(""))
	f.Add(payload(`,"transcript":{"kind":"chat_completion","messages":[{"role":"assistant","start":1e3,"tool_calls":[{"id":"t","type":"function","function":{"name":"f","arguments":"{"}}]},{"role":"tool","tool_call_id":"t","content":""}]}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		r, err := calllog.Read(custom.Reader(nil), payload)
		if err != nil {
			if e := problem.As(err); e == nil || e.Code != problem.InvalidFields && e.Code != problem.InvalidJSON {
				t.Fatalf("not a client's mistake: %v", err)
			}
			return
		}
		if r.ExternalID == "" || r.EndedAt.Before(r.StartedAt) {
			t.Fatalf("%+v", r)
		}
	})
}
