package score

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/score/phrase"
)

var update = flag.Bool("update", false, "rewrite the golden file; refused where a result changed and its version did not")

// golden is the result of the scorers for a fixed call, with the versions that
// produced it.
type golden struct {
	Normaliser int               `json:"normaliser"`
	Words      map[string]string `json:"words"`
	// Kinds has the version of each kind, Verdicts its results.
	Kinds    map[string]int               `json:"kinds"`
	Verdicts map[string]map[string]string `json:"verdicts"`
}

// A changed result needs a new version of what produced it.
func TestVersionsChangeWithResults(t *testing.T) {
	t.Parallel()
	now := presentResults(t)
	path := filepath.Join("testdata", "golden.json")
	data, err := os.ReadFile(path)
	if err != nil && !*update {
		t.Fatal(err)
	}
	var before golden
	if err == nil {
		if err := json.Unmarshal(data, &before); err != nil {
			t.Fatal(err)
		}
		compareResults(t, before, now)
	}
	if *update && !t.Failed() {
		out, err := json.MarshalIndent(now, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(out, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func compareResults(t *testing.T, before, now golden) {
	t.Helper()
	for in, want := range before.Words {
		if got := now.Words[in]; got != want && before.Normaliser == now.Normaliser {
			t.Errorf("%q is now %q and was %q, but the normaliser is still version %d", in, got, want, now.Normaliser)
		}
	}
	for kind, results := range before.Verdicts {
		for params, want := range results {
			got := now.Verdicts[kind][params]
			if got != want && before.Kinds[kind] == now.Kinds[kind] && before.Normaliser == now.Normaliser {
				t.Errorf("%s %s is now %q and was %q, but the kind is still version %d", kind, params, got, want, now.Kinds[kind])
			}
		}
	}
	for kind, v := range now.Kinds {
		if old, ok := before.Kinds[kind]; ok && old != v && !*update {
			t.Errorf("%s is version %d, the golden file is of version %d: run with -update", kind, v, old)
		}
	}
}

// tokensOf returns the normalised form of a text, with other tokens than words in
// brackets.
func tokensOf(text string) string {
	tokens := phrase.Normalise(text)
	out := make([]string, len(tokens))
	for i, t := range tokens {
		if out[i] = t.String(); t.Kind != phrase.Word {
			out[i] = "<" + out[i] + ">"
		}
	}
	return strings.Join(out, " ")
}

func presentResults(t *testing.T) golden {
	t.Helper()
	g := golden{Normaliser: phrase.Version, Words: map[string]string{}, Kinds: map[string]int{}, Verdicts: map[string]map[string]string{}}
	for _, text := range []string{
		"I don't think it's $45.50, Dr. Miller", "ten thirty a m on the third of march", "one hundred and forty five dollars", "18:30 to 19:05",
		"four five seven one", "half past nine in the evening", "twenty twenty six", "B12 costs 4.5%", "at to fifteen", "2-3 days at $40/month", "March 3, 2026, half an hour at -5°C",
	} {
		g.Words[text] = tokensOf(text)
	}
	for _, k := range Kinds() {
		g.Kinds[k.Kind] = k.Version
	}
	in := goldenCall()
	for kind, all := range goldenParams() {
		g.Verdicts[kind] = map[string]string{}
		for _, params := range all {
			s, bad := Build(Config{Kind: kind, Params: json.RawMessage(params)}, Deps{})
			if bad != nil {
				t.Fatal(bad)
			}
			got := s.Score(context.Background(), in)
			var result strings.Builder
			result.WriteString(string(got.Verdict))
			for _, e := range got.Evidence {
				result.WriteString(fmt.Sprintf(" [%d %s %s]", e.Turn, e.Start, e.Quote))
			}
			g.Verdicts[kind][params] = result.String()
		}
	}
	return g
}

func goldenCall() *Input {
	answered := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	value := 0.75
	return &Input{
		Call: call.Call{AnsweredAt: answered, EndedAt: answered.Add(20 * time.Second), EndReason: call.EndOf(call.EndCompleted, "")},
		Heard: call.Heard{Turns: []call.Turn{
			{Index: 0, Speaker: call.Agent, End: 2 * time.Second, Text: "thanks for call in the clinic how can i help"},
			{Index: 1, Speaker: call.Agent, Start: 5 * time.Second, End: 9 * time.Second, Text: "a visit is not available on tuesday at ten thirty it costs one forty five"},
		}},
		Metrics: []call.Metric{
			{Name: "turn_taking", Unit: "ratio", Value: &value},
			{Name: "turn_latency", Unit: "s", Spread: &call.Spread{N: 2, Mean: 1, P50: 1, P90: 1.4, P95: 1.45, P99: 1.49, Min: 0.5, Max: 1.5, Values: []float64{0.5, 1.5}}},
		},
		HasRecord: true, ToolCalls: []call.ToolCall{{Name: "book", Arguments: json.RawMessage(`{"day":"Tuesday","n":1}`), At: 6 * time.Second}},
	}
}

func goldenParams() map[string][]string {
	phrases := []string{
		`{"phrase":"thank you for calling the clinic"}`, `{"phrase":"how can I help you"}`, `{"phrase":"available on tuesday"}`, `{"phrase":"45"}`, `{"phrase":"how may we help"}`,
	}
	return map[string][]string{
		KindSay: phrases, KindDoNotSay: phrases,
		KindFactStated: {`{"value":"$145"}`, `{"value":"$45"}`, `{"value":"10:30"}`, `{"value":"10:00"}`, `{"value":"Tuesday"}`, `{"value":"Monday"}`},
		KindRegex:      {`{"pattern":"ten (thirty|forty)"}`, `{"pattern":"clinic","never":true}`},
		KindToolCalled: {`{"name":"book","arguments":{"day":"tuesday","n":1.0}}`, `{"name":"book","arguments":{"n":2}}`, `{"name":"book","never":true}`},
		KindEndReason:  {`{}`, `{"any_of":["transferred"]}`, `{"script_done":true}`},
		KindTiming:     {`{"metric":"turn_latency","max":1.45}`, `{"metric":"turn_latency","stat":"max","max":1.45}`, `{"metric":"turn_taking","min":0.8}`},
		KindDuration:   {`{"max_ms":20000}`, `{"max_ms":19999}`},
		KindCEL:        {`{"expression":"call.turns == 2 && call.turn_latency.p50 <= 1"}`, `{"expression":"call.tool_calls.size() > 1"}`},
	}
}

func BenchmarkScoreLongCall(b *testing.B) {
	in := goldenCall()
	turn := in.Heard.Turns[1]
	for i := range 600 {
		turn.Index = i + 2
		in.Heard.Turns = append(in.Heard.Turns, turn)
	}
	s, bad := Build(Config{Kind: KindFactStated, Params: json.RawMessage(`{"value":"$99"}`)}, Deps{})
	if bad != nil {
		b.Fatal(bad)
	}
	for b.Loop() {
		s.Score(context.Background(), in)
	}
}
