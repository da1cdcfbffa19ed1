package timing

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audio"
	"github.com/ringtrue/ringtrue/internal/call"
)

var update = flag.Bool("update", false, "write the golden file anew; refused where a result changed and its version did not")

// golden is a result as it was when its version was made.
type golden struct {
	Version int          `json:"version"`
	Value   *float64     `json:"value"`
	Spread  *call.Spread `json:"spread,omitempty"`
}

// cases returns the inputs of the golden file: the planted calls and some random ones.
func cases() map[string]Input {
	out := map[string]Input{}
	for _, p := range plans() {
		out[p.name] = p.in
	}
	for seed := range uint64(8) {
		out[fmt.Sprintf("drawn call %d", seed)] = drawn(seed)
	}
	return out
}

// drawn returns a random call with everything a call can have.
func drawn(seed uint64) Input {
	rng := rand.New(rand.NewPCG(seed, 3))
	side := func() (s []call.Segment) {
		at := rng.Float64() * 3
		for range rng.IntN(12) {
			n := 0.2 + rng.Float64()*4
			s = append(s, call.Segment{Start: sec(at), End: sec(at + n)})
			at += n + 0.2 + rng.Float64()*5
		}
		return s
	}
	in := Input{HasStats: seed%2 == 0, HasRecord: seed%3 == 0, Concealed: seed%4 == 0}
	caller, agent := side(), side()
	kinds := []call.Manner{call.MannerPlain, call.MannerPlain, call.MannerInterrupt, call.MannerBackchannel}
	in.Heard = call.Heard{Caller: caller, Agent: agent, Length: sec(60), Turns: Turns(caller, agent,
		func(s call.Segment) call.Manner { return kinds[int(s.Start/time.Millisecond)%len(kinds)] })}
	words := rand.New(rand.NewPCG(seed, 4)) // a source of their own, so that they do not affect what follows
	for i := range in.Heard.Turns {
		in.Heard.Turns[i].Text = strings.Repeat("word ", words.IntN(9))
	}
	for range rng.IntN(4) {
		in.ToolCalls = append(in.ToolCalls, call.ToolCall{At: sec(rng.Float64() * 60)})
	}
	n := rng.Int64N(3000)
	in.Stats = call.LineStats{Sent: 3000, Received: 3000 - n/20, Lost: n / 20, Late: n / 100, Bursts: n / 60,
		Jitter: time.Duration(rng.IntN(50)) * time.Millisecond, RoundTrip: time.Duration(rng.IntN(700)) * time.Millisecond}
	pcm := make([]int16, 60*8000)
	audio.NewNoise(seed).White(pcm, -55)
	for _, s := range agent {
		audio.Mix(pcm[min(int(s.Start.Seconds()*8000), len(pcm)):], audio.Tone(300, 9000, s.Length(), 8000))
	}
	in.Agent = audio.Clip{PCM: pcm, Rate: 8000}
	return in
}

// TestResultsChangeOnlyWithTheirVersion compares the metrics of a set of calls with stored
// results. If one changes, raise its version in definitions, document it on its page, and run
// the test with -update.
func TestResultsChangeOnlyWithTheirVersion(t *testing.T) {
	t.Parallel()
	path := filepath.Join("testdata", "golden.json")
	want := map[string]map[string]golden{}
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &want); err != nil {
			t.Fatal(err)
		}
	} else if !*update {
		t.Fatal(err)
	}
	now := map[string]map[string]golden{}
	for name, in := range cases() {
		now[name] = map[string]golden{}
		for _, m := range Measure(in) {
			g := golden{m.Version, m.Value, m.Spread}
			now[name][m.Name] = g
			old, ok := want[name][m.Name]
			switch {
			case !ok && !*update:
				t.Errorf("%s: %s is not in the golden file: run with -update", name, m.Name)
			case ok && old.Version == g.Version && !alike(old, g):
				t.Errorf("%s: %s changed and is still version %d", name, m.Name, g.Version)
			case ok && old.Version != g.Version && !*update:
				t.Errorf("%s: %s is version %d, the golden file has %d: run with -update", name, m.Name, g.Version, old.Version)
			}
		}
	}
	if *update && !t.Failed() {
		data, err := json.MarshalIndent(now, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func alike(a, b golden) bool {
	if (a.Value == nil) != (b.Value == nil) || (a.Spread == nil) != (b.Spread == nil) {
		return false
	}
	same := func(x, y float64) bool { return math.Abs(x-y) <= 1e-9*max(1, math.Abs(x)) }
	if a.Value != nil && !same(*a.Value, *b.Value) {
		return false
	}
	if a.Spread == nil {
		return true
	}
	p, q := a.Spread, b.Spread
	return p.N == q.N && same(p.Mean, q.Mean) && same(p.P50, q.P50) && same(p.P90, q.P90) && same(p.P95, q.P95) &&
		same(p.P99, q.P99) && same(p.Min, q.Min) && same(p.Max, q.Max)
}

func TestFiguresAreAlwaysNumbers(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	wild := func() time.Duration {
		edge := []int64{0, -1, 1, math.MaxInt64, math.MinInt64, int64(time.Hour)}
		if rng.IntN(4) == 0 {
			return time.Duration(edge[rng.IntN(len(edge))])
		}
		return time.Duration(rng.Int64N(int64(20 * time.Second)))
	}
	for range 3000 {
		var in Input
		for range rng.IntN(6) {
			in.Heard.Caller = append(in.Heard.Caller, call.Segment{Start: wild(), End: wild()})
			in.Heard.Agent = append(in.Heard.Agent, call.Segment{Start: wild(), End: wild()})
			in.Heard.Turns = append(in.Heard.Turns, call.Turn{Speaker: []call.Speaker{call.Caller, call.Agent}[rng.IntN(2)],
				Start: wild(), End: wild(), Text: "a b", Manner: []call.Manner{"", call.MannerInterrupt, call.MannerBackchannel}[rng.IntN(3)]})
			in.ToolCalls = append(in.ToolCalls, call.ToolCall{At: wild()})
		}
		if rng.IntN(2) == 0 {
			in.Heard.Turns = nil
		}
		in.HasStats, in.HasRecord, in.Concealed = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
		in.Heard.Length, in.JitterBuffer = wild(), wild()
		in.Stats = call.LineStats{Sent: int64(wild()), Received: int64(wild()), Lost: int64(wild()), Late: int64(wild()),
			Bursts: int64(wild()), Jitter: wild(), RoundTrip: wild(), LongestGap: wild()}
		in.Agent = audio.Clip{PCM: make([]int16, rng.IntN(500)), Rate: []int{0, 8000, 1, -5}[rng.IntN(4)]}
		for _, m := range Measure(in) {
			checkNumber(t, m)
		}
	}
}

func checkNumber(t *testing.T, m call.Metric) {
	t.Helper()
	bad := func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }
	if m.Value == nil && m.Reason == "" {
		t.Fatalf("%s has neither value nor reason", m.Name)
	}
	if m.Value != nil && bad(*m.Value) {
		t.Fatalf("%s is %g", m.Name, *m.Value)
	}
	if s := m.Spread; s != nil && (bad(s.Mean) || bad(s.P50) || bad(s.P99) || bad(s.Min) || bad(s.Max)) {
		t.Fatalf("%s: %+v", m.Name, s)
	}
	if m.Value != nil && m.Unit == "ratio" && (*m.Value < 0 || *m.Value > 1) {
		t.Fatalf("the ratio %s is %g", m.Name, *m.Value)
	}
	if m.Value != nil && m.Unit == "MOS" && (*m.Value < 1 || *m.Value > 4.5) {
		t.Fatalf("MOS is %g", *m.Value)
	}
}

func TestEveryMetricHasItsPage(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "docs", "metrics")
	index, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Catalog() {
		page, err := os.ReadFile(filepath.Join(root, c.Page))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		row := regexp.MustCompile(fmt.Sprintf("(?m)^\\| `%s` \\| %d \\| %s \\|", c.Name, c.Version, regexp.QuoteMeta(c.Unit)))
		if !row.Match(page) {
			t.Errorf("%s has no row with version %d and unit %s", c.Page, c.Version, c.Unit)
		}
		for _, part := range []string{"## Meaning", "## Formula", "## Needs", "## Limits", "## Validation"} {
			if !strings.Contains(string(page), part) {
				t.Errorf("%s has no part %q", c.Page, part)
			}
		}
		if !strings.Contains(string(index), "`"+c.Name+"`") || !strings.Contains(string(index), "("+c.Page+")") {
			t.Errorf("the index does not name %s", c.Name)
		}
	}
}
