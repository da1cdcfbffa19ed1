package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/client"
	"github.com/ringtrue/ringtrue/internal/audio"
)

// saying is what is said in the planted call, from one ms to another.
type saying struct {
	role     string
	from, to int
	text     string
}

func plantedCall() []saying {
	return []saying{
		{"assistant", 500, 2000, "Willow clinic, how can I help you?"},
		{"user", 3000, 5000, "This is the third time I call, nobody ever calls me back!"},
		{"assistant", 5800, 7500, "I am sorry to hear that. What is it about?"},
		{"user", 8500, 11000, "I already told you, my bill is wrong. This is ridiculous."},
		{"assistant", 12000, 14000, "Let me look into your bill."},
	}
}

// plantedSound is a recording of it: mixed, or with a side per channel.
func plantedSound(t *testing.T, callerLeft, mixed bool) []byte {
	t.Helper()
	const rate = 8000
	left, right := make([]int16, 15*rate), make([]int16, 15*rate)
	if mixed {
		right = left
	}
	for _, s := range plantedCall() {
		side, hz := right, 700.0
		if (s.role == "user") == callerLeft {
			side = left
		}
		if s.role == "user" {
			hz = 300
		}
		audio.Mix(side[s.from*rate/1000:], audio.Tone(hz, 8000, time.Duration(s.to-s.from)*time.Millisecond, rate))
	}
	var w bytes.Buffer
	if mixed {
		must(t, audio.WriteWAV(&w, rate, left))
	} else {
		must(t, audio.WriteWAV(&w, rate, left, right))
	}
	return w.Bytes()
}

// submitted hands the planted call in and waits until it is scored.
func (r *rig) submitted(t *testing.T, id, address string) client.Call {
	t.Helper()
	return r.scored(t, r.handIn(t, id, address), func(client.Call) bool { return true })
}

// scored waits until a call is scored and as wanted.
func (r *rig) scored(t *testing.T, id string, as func(client.Call) bool) client.Call {
	t.Helper()
	deadline := time.Now().Add(4 * time.Minute) // reviews take only time that nobody else wants
	for {
		c, err := r.mine.api.Call(t.Context(), id)
		must(t, err)
		if c.ScoringStatus == "SCORED" && as(c) {
			return c
		}
		if time.Now().After(deadline) {
			t.Fatalf("the call is %s, notes %q", c.ScoringStatus, c.Notes)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestProductionCalls hands in call logs and looks at what becomes of them.
// It needs real time, because a server is asked over the network.
func TestProductionCalls(t *testing.T) {
	t.Parallel()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, ok := map[string][]byte{
			"/left.wav": plantedSound(t, true, false), "/right.wav": plantedSound(t, false, false), "/mono.wav": plantedSound(t, true, true),
			"/junk.wav": []byte(strings.Repeat("<html>no recording</html>", 200)),
		}[req.URL.Path]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(far.Close)
	r := newRig(t, func(o *Options) { o.FetchAllow = []string{"127.0.0.1"} })
	for _, c := range []struct {
		name      string
		address   string
		recording bool
		note      string
		latencies int
	}{
		{"stereo", far.URL + "/left.wav", true, "", 2},
		{"swapped", far.URL + "/right.wav", true, "", 2},
		{"mono", far.URL + "/mono.wav", true, "share one channel", 0},
		{"gone", far.URL + "/none.wav", false, "(404)", 0},
		{"junk", far.URL + "/junk.wav", false, "not a readable recording", 0},
		{"private", "http://10.255.0.1/secret.wav", false, "blocked", 0},
	} {
		got := r.submitted(t, c.name, c.address)
		if (got.RecordingURL != nil) != c.recording || *got.Verdict == "void" || got.AgentID == nil {
			t.Errorf("%s: recording %v, %s because %s", c.name, got.RecordingURL, *got.Verdict, got.VerdictReason)
		}
		if c.note == "" && len(got.Notes) != 0 || c.note != "" && !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, c.note) }) {
			t.Errorf("%s: the notes are %q", c.name, got.Notes)
		}
		if m := got.Metrics["turn_latency"]; c.latencies > 0 && (m.Spread == nil || m.Spread.N != c.latencies || m.Spread.Min < 0.75 || m.Spread.Min > 0.85) {
			t.Errorf("%s: the latencies are %+v", c.name, m.Spread)
		}
		if f := got.Feeling; f == nil || f.Sentiment == nil || *f.Sentiment != "negative" || *f.Frustration < 0.3 {
			t.Errorf("%s: the feeling is %+v", c.name, f)
		}
		if len(got.Turns) != 5 || got.Turns[1].Feeling == nil || got.Turns[3].Speaker != "caller" || !strings.Contains(got.Turns[3].Text, "told you") {
			t.Errorf("%s: the turns are %+v", c.name, got.Turns)
		}
		if s := got.Scores; !slices.ContainsFunc(s, func(s client.Score) bool { return s.Name == "end_reason" && s.Verdict == "passed" }) {
			t.Errorf("%s: the scores are %+v", c.name, s)
		}
	}
	r.replays(t)
	r.conforms(t)
	r.checkLog(t)
}

// replays has history reviewed again, and lists the calls by feeling.
func (r *rig) replays(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	sad, err := r.mine.api.Calls(ctx, client.CallFilter{Sentiment: "negative"}, client.PageOptions{})
	must(t, err)
	none, err := r.mine.api.Calls(ctx, client.CallFilter{Sentiment: "positive", Upset: "true"}, client.PageOptions{})
	must(t, err)
	if len(sad.Data) != 6 || len(none.Data) != 0 {
		t.Errorf("%d calls of sad callers, %d of glad ones that are upset", len(sad.Data), len(none.Data))
	}
	before, err := r.mine.api.Call(ctx, sad.Data[0].ID)
	must(t, err)
	replay := func(s client.ReplayScope) client.Replay {
		begun, err := r.mine.api.StartReplay(ctx, s, client.IdempotencyKey(fmt.Sprint(s)))
		must(t, err)
		same, err := r.mine.api.StartReplay(ctx, s, client.IdempotencyKey(fmt.Sprint(s)))
		must(t, err)
		if same.ID != begun.ID {
			t.Errorf("one key began %s and %s", begun.ID, same.ID)
		}
		done, err := r.mine.api.WaitReplay(ctx, begun.ID, nil)
		must(t, err)
		return done
	}
	if done := replay(client.ReplayScope{Origin: "production"}); done.Status != "FINISHED" || done.Total != 6 || done.Reviewed != 6 {
		t.Errorf("the replay came to %+v", done)
	}
	if done := replay(client.ReplayScope{Origin: "production", OnlyOlderThanEngines: true}); done.Reviewed != 0 || done.Skipped != 6 {
		t.Errorf("the replay of what is older came to %+v", done)
	}
	after, err := r.mine.api.Call(ctx, before.ID)
	must(t, err)
	x, err := json.Marshal(before)
	must(t, err)
	if y, err := json.Marshal(after); err != nil || !bytes.Equal(x, y) {
		t.Errorf("a replay found something else:\n%s\n%s", x, y)
	}
	must(t, r.mine.api.ReviewCall(ctx, before.ID))
}
