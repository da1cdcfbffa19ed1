package timing

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// segs makes segments from pairs of seconds.
func segs(at ...float64) []call.Segment {
	var out []call.Segment
	for i := 0; i+1 < len(at); i += 2 {
		out = append(out, call.Segment{Start: sec(at[i]), End: sec(at[i+1])})
	}
	return out
}

func sec(s float64) time.Duration { return time.Duration(math.Round(s*1000)) * time.Millisecond }

// meaning returns the manners of segments by their beginning in seconds.
func meaning(m map[float64]call.Manner) func(call.Segment) call.Manner {
	return func(s call.Segment) call.Manner { return m[s.Start.Seconds()] }
}

// talk builds an input from segments.
func talk(length float64, caller, agent []call.Segment, manners map[float64]call.Manner) Input {
	return Input{Heard: call.Heard{Caller: caller, Agent: agent, Length: sec(length),
		Turns: Turns(caller, agent, meaning(manners))}}
}

// listed builds an input from a transcript's utterances: who, and the seconds at which each begins
// and ends.
func listed(utterances ...string) (in Input) {
	for _, u := range utterances {
		var who rune
		var from, to float64
		if _, err := fmt.Sscanf(u, "%c %g %g", &who, &from, &to); err != nil {
			panic(err)
		}
		t := call.Turn{Speaker: call.Caller, Start: sec(from), End: sec(to)}
		if who == 'a' {
			t.Speaker = call.Agent
		}
		in.Heard.Turns = append(in.Heard.Turns, t)
	}
	return in
}

// value returns a metric by name, NaN if it has no value.
func value(t *testing.T, metrics []call.Metric, name string) float64 {
	t.Helper()
	for _, m := range metrics {
		if m.Name != name {
			continue
		}
		if m.Value == nil {
			return math.NaN()
		}
		return *m.Value
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

const absent = -12345.0

// plan is a call with known results; absent means that there must be no value.
type plan struct {
	name string
	in   Input
	want map[string]float64
}

func plans() []plan {
	interrupt, aside := call.MannerInterrupt, call.MannerBackchannel
	tools := talk(10, segs(2, 3, 5, 6), segs(0, 1, 4, 4.5, 8, 9), nil)
	tools.HasRecord = true
	tools.ToolCalls = []call.ToolCall{{Name: "book", At: sec(7)}, {Name: "unknown place", At: -1}}
	words := talk(20, segs(3, 4), segs(0, 2, 5, 9), nil)
	words.Heard.Turns[0].Text = "good morning how can I help"
	words.Heard.Turns[2].Text = "we are open from nine to five"
	keys := talk(20, segs(14, 15), segs(0, 2, 8, 10), nil)
	keys.Pressed = segs(3, 3.1, 4.5, 4.6, 5, 5.1)
	typed := talk(20, segs(2, 3, 12, 13), segs(0, 1, 7, 8, 10, 11, 14, 15), nil)
	typed.Pressed = segs(1.2, 1.3, 3.4, 3.5, 6, 6.1, 9, 9.1)
	turnsOnly := Input{Heard: call.Heard{Length: sec(6), Turns: []call.Turn{
		{Speaker: call.Agent, Start: 0, End: sec(1), Text: "hello"}, {Speaker: call.Caller, Start: sec(2), End: sec(3)},
		{Speaker: call.Agent, Start: sec(3.5), End: sec(5)}}}}
	untimed := turnsOnly
	untimed.Heard.Turns = append(slices.Clone(turnsOnly.Heard.Turns), call.Turn{Speaker: call.Agent, Start: sec(5.5), End: -1, Text: "and this has no end"},
		call.Turn{Speaker: call.Agent, Start: -1, End: -1, Text: "nor has this a beginning"})
	return []plan{
		{"plain", talk(12, segs(2, 3, 6, 7), segs(0.5, 1.5, 3.8, 5, 8.2, 10), nil), map[string]float64{
			"time_to_first_word": 0.5, "turn_latency": 1.0, "turn_taking": 1, "turn_latency_tool": absent, "yield_time": absent,
			"barge_in_success": absent, "missed_barge_in": absent, "false_barge_in": absent, "backchannel_errors": absent,
			"agent_interruptions": 0, "overlap_seconds": 0, "overlap_ratio": 0, "dead_air_count": 0, "dead_air_longest": 0,
			"talk_ratio": 4.0 / 6, "longest_monologue": 1.8, "words_per_minute": absent, "loss": absent, "mos": absent, "level": absent}},
		{"silence everywhere", talk(20, segs(6, 7), segs(2.5, 3, 9.5, 10), nil), map[string]float64{
			"dead_air_count": 4, "dead_air_total": 2.5 + 3 + 2.5 + 10, "dead_air_longest": 10, "turn_latency": 2.5, "turn_taking": 2.0 / 3}},
		{"two seconds sharp are no dead air", talk(6, segs(3, 4), segs(0, 1), nil), map[string]float64{"dead_air_count": 0, "dead_air_total": 0}},
		{"keys are no dead air, the wait for their answer is", keys, map[string]float64{
			"dead_air_count": 3, "dead_air_total": 2.9 + 4 + 5, "dead_air_longest": 5, "turn_latency": absent}},
		{"a line that ends in keys", typed, map[string]float64{"turn_latency": (0.9 + 1) / 2, "turn_taking": 1}},
		{"a transcript with a word put in", listed("c 2 4", "a 4.5 7.1", "c 7 7.3", "a 7.3 10", "a 10.6 11.5", "c 12 13", "a 13.4 15"),
			map[string]float64{"turn_latency": 0.45, "longest_monologue": 7}},
		{"a transcript in another order", listed("a 4.15 5", "c 2 4", "c 6 7", "a 7.5 7.5", "a 8 9"),
			map[string]float64{"turn_latency": 0.575, "longest_monologue": 1}},
		{"tools apart", tools, map[string]float64{"turn_latency": 1, "turn_latency_tool": 2, "turn_taking": 1}},
		{"agent interrupts", talk(10, segs(2, 5), segs(0, 1, 3, 4, 6, 7), nil), map[string]float64{
			"agent_interruptions": 1, "overlap_seconds": 1, "overlap_ratio": 1.0 / 5, "turn_latency": 1, "turn_taking": 0.25}},
		{"agent interrupts twice", talk(12, segs(2, 7), segs(0, 1, 3, 3.5, 5, 5.5, 8, 9), nil), map[string]float64{
			"agent_interruptions": 2, "overlap_seconds": 1, "turn_taking": 0.25}},
		{"agent comes early and stays", talk(8, segs(2, 4), segs(0, 1, 3.8, 6), nil), map[string]float64{
			"turn_latency": -0.2, "agent_interruptions": 1, "overlap_seconds": 0.2, "turn_taking": 0.3}},
		{"a touch is no interruption", talk(8, segs(2, 4), segs(0, 1, 3.95, 6), nil), map[string]float64{
			"turn_latency": -0.05, "agent_interruptions": 0, "turn_taking": 0.45}},
		{"yields", talk(12, segs(3, 6), segs(0, 3.5, 7, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 0.5, "barge_in_success": 1, "missed_barge_in": 0, "turn_latency": 1, "turn_taking": 0.75, "agent_interruptions": 0}},
		{"does not yield", talk(14, segs(3, 5), segs(0, 8, 10, 12), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 5, "barge_in_success": 0, "missed_barge_in": 1, "turn_taking": 0, "overlap_seconds": 2, "longest_monologue": 12}},
		{"goes on after a breath", talk(14, segs(3, 6), segs(0, 4, 4.4, 5.5, 7, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 2.5, "missed_barge_in": 1, "agent_interruptions": 0}},
		{"breathes on beyond the caller's end", talk(14, segs(3, 5), segs(0, 5.5, 5.9, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 6, "missed_barge_in": 1, "turn_latency": absent}},
		{"a hitch across the caller's end", talk(14, segs(3, 5.1), segs(0, 5, 5.25, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 6, "turn_latency": absent}},
		{"stops and answers at once", talk(14, segs(3, 5.1), segs(0, 4.9, 5.3, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 1.9, "turn_latency": 0.2}},
		{"talks over with a breath", talk(12, segs(2, 6), segs(0, 1, 3, 3.5, 3.9, 4.5, 7, 8), nil), map[string]float64{
			"overlap_seconds": 1.5, "agent_interruptions": 1, "turn_latency": 1, "overlap_ratio": 1.5 / 6}},
		{"talks over and breathes at the caller's end", talk(12, segs(2, 6), segs(0, 1, 5, 5.8, 6.2, 8), nil), map[string]float64{
			"overlap_seconds": 1, "turn_latency": -1}},
		{"interrupts in a breath", talk(14, segs(3, 6), segs(0, 2.8, 3.2, 4.5, 7, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": 1.5, "barge_in_success": 1, "agent_interruptions": 0, "turn_latency": 1}},
		{"speaks after the agent has ended", talk(14, segs(3, 6), segs(0, 2.8, 7, 9), map[float64]call.Manner{3: interrupt}), map[string]float64{
			"yield_time": absent, "turn_latency": 1}},
		{"backchannel in a breath", talk(12, segs(3, 3.3), segs(0, 2.9, 3.2, 8), map[float64]call.Manner{3: aside}), map[string]float64{
			"backchannel_selectivity": 1, "backchannel_errors": 0}},
		{"hung up in the middle of an interruption", talk(5, segs(4, 5), segs(0, 5), map[float64]call.Manner{4: interrupt}), map[string]float64{
			"yield_time": absent}},
		{"short plain talk is no interruption", talk(12, segs(3, 3.5), segs(0, 8), nil), map[string]float64{"yield_time": absent}},
		{"long plain talk is one", talk(12, segs(3, 5), segs(0, 4, 6, 7), nil), map[string]float64{"yield_time": 1, "barge_in_success": 1}},
		{"backchannel ignored", talk(12, segs(3, 3.4), segs(0, 8), map[float64]call.Manner{3: aside}), map[string]float64{
			"backchannel_selectivity": 1, "backchannel_errors": 0, "false_barge_in": 0, "yield_time": absent, "turn_latency": absent, "longest_monologue": 8}},
		{"stops for a backchannel", talk(12, segs(3, 3.4), segs(0, 3.7, 6, 8), map[float64]call.Manner{3: aside}), map[string]float64{
			"backchannel_selectivity": 0, "backchannel_errors": 1, "false_barge_in": 1}},
		{"has ended before it can have heard a backchannel", talk(12, segs(3, 3.4), segs(0, 3.03, 4.5, 8), map[float64]call.Manner{3: aside}), map[string]float64{
			"backchannel_selectivity": absent, "backchannel_errors": absent, "false_barge_in": absent}},
		{"ends under one backchannel and ignores another", talk(12, segs(1, 1.4, 3, 3.4), segs(0, 3.03, 6, 8), map[float64]call.Manner{1: aside, 3: aside}), map[string]float64{
			"backchannel_selectivity": 1, "backchannel_errors": 0, "false_barge_in": 0}},
		{"answers what is said after a backchannel", talk(12, segs(4, 4.3, 4.6, 5.5), segs(0, 3, 6, 7), map[float64]call.Manner{4: aside}), map[string]float64{
			"backchannel_selectivity": 1, "backchannel_errors": 0}},
		{"breathes after a backchannel", talk(12, segs(3, 3.4), segs(0, 3.7, 4.1, 8), map[float64]call.Manner{3: aside}), map[string]float64{
			"backchannel_selectivity": 1, "false_barge_in": 0}},
		{"answers a backchannel", talk(12, segs(4, 4.3), segs(0, 3, 5.5, 7), map[float64]call.Manner{4: aside}), map[string]float64{
			"backchannel_selectivity": 0, "backchannel_errors": 1, "false_barge_in": 0}},
		{"speaks long after a backchannel", talk(12, segs(4, 4.3), segs(0, 3, 7, 8), map[float64]call.Manner{4: aside}), map[string]float64{
			"backchannel_selectivity": 1, "backchannel_errors": 0}},
		{"words", words, map[string]float64{"words_per_minute": 130, "talk_ratio": 6.0 / 7}},
		{"turns alone", turnsOnly, map[string]float64{"turn_latency": 0.5, "talk_ratio": 2.5 / 3.5, "time_to_first_word": 0}},
		{"turns alone, and some without times", untimed, map[string]float64{"words_per_minute": 60, "talk_ratio": 2.5 / 3.5}},
		{"nobody", talk(30, nil, nil, nil), map[string]float64{"time_to_first_word": absent, "turn_latency": absent, "turn_taking": absent,
			"dead_air_count": 1, "dead_air_longest": 30, "talk_ratio": absent, "overlap_ratio": absent, "longest_monologue": absent}},
		{"nothing at all", Input{}, map[string]float64{"dead_air_count": absent, "dead_air_total": absent, "agent_interruptions": absent}},
	}
}

func TestPlantedTruth(t *testing.T) {
	t.Parallel()
	for _, p := range plans() {
		got := Measure(p.in)
		for name, want := range p.want {
			v := value(t, got, name)
			if want == absent {
				if !math.IsNaN(v) {
					t.Errorf("%s: %s is %g where there is nothing to measure", p.name, name, v)
				}
				continue
			}
			if !(math.Abs(v-want) < 1e-9) {
				t.Errorf("%s: %s is %g, want %g", p.name, name, v, want)
			}
		}
	}
}

func TestEveryMetricComesWithValueOrReason(t *testing.T) {
	t.Parallel()
	for _, p := range plans() {
		got := Measure(p.in)
		if len(got) != len(Catalog()) {
			t.Fatalf("%d metrics of %d", len(got), len(Catalog()))
		}
		for i, m := range got {
			c := Catalog()[i]
			if m.Name != c.Name || m.Version != c.Version || m.Unit != c.Unit {
				t.Errorf("%+v is not %+v", m, c)
			}
			if (m.Value == nil) == (strings.TrimSpace(m.Reason) == "") {
				t.Errorf("%s: %s: value %v with reason %q", p.name, m.Name, m.Value, m.Reason)
			}
			if m.Spread != nil && (m.Spread.N != len(m.Spread.Values) || *m.Value != m.Spread.P50) {
				t.Errorf("%s: %s: senseless spread %+v", p.name, m.Name, m.Spread)
			}
		}
	}
}

// TestTurnTakingShowsTheWait checks that the place of a late answer reaches to the answer: a place
// within the caller's own words shows nothing that the agent did.
func TestTurnTakingShowsTheWait(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ caller, agent, want []call.Segment }{
		"late answer":    {segs(2, 3, 8, 9), segs(0, 1, 6, 7, 9.5, 10), segs(2, 6)},
		"early answer":   {segs(2, 5), segs(0, 1, 4, 7), segs(2, 5)},
		"an interrupted": {segs(2, 4), segs(0, 3.5, 6, 7), segs(2, 4)},
	} {
		for _, m := range Measure(talk(12, c.caller, c.agent, nil)) {
			if m.Name == "turn_taking" && !slices.Equal(m.Places, c.want) {
				t.Errorf("%s: %v, want %v", name, m.Places, c.want)
			}
		}
	}
}

func TestTurns(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name          string
		caller, agent []call.Segment
		manners       map[float64]call.Manner
		want          string
	}{
		{"one after the other", segs(2, 3), segs(0, 1, 4, 5), nil, "A0-1 C2-3 A4-5"},
		{"pauses stay inside", segs(2, 3, 3.5, 4), segs(0, 1, 1.5, 1.8, 5, 6), nil, "A0-1.8 C2-4 A5-6"},
		{"interruption", segs(4, 7), segs(0, 5, 8, 9), nil, "A0-5 C4-7 A8-9"},
		{"ignored interruption", segs(4, 7), segs(0, 10, 10.5, 12), nil, "A0-12 C4-7"},
		{"backchannel", segs(4, 4.5), segs(0, 4.2, 6, 8), map[float64]call.Manner{4: call.MannerBackchannel}, "A0-8 C4-4.5"},
		{"agent cuts in and is talked over", segs(0, 3, 3.5, 5), segs(2, 2.4, 6, 7), nil, "C0-5 A2-2.4 A6-7"},
		{"agent cuts in and stays", segs(0, 3, 4, 5), segs(2, 6), nil, "C0-3 A2-6 C4-5"},
		{"a breath at the other's end", segs(0, 3), segs(2, 2.8, 3.2, 5), nil, "C0-3 A2-5"},
		{"a breath within the other's speech", segs(2, 5), segs(0, 3, 3.5, 4, 6, 7), nil, "A0-4 C2-5 A6-7"},
		{"a hitch at the other's end", segs(2, 3), segs(0, 2.9, 3.1, 5), nil, "A0-5 C2-3"},
		{"stopped and answered", segs(2, 3), segs(0, 2.7, 3.1, 5), nil, "A0-2.7 C2-3 A3.1-5"},
		{"manners part", segs(1, 2, 2.5, 3), segs(0, 1.5), map[float64]call.Manner{1: call.MannerInterrupt}, "A0-1.5 C1-2 C2.5-3"},
		{"no order, nothing", segs(4, 5, 2, 3, 9, 9, 8, 7), nil, nil, "C2-5"},
		{"none", nil, nil, nil, ""},
	}
	for _, tt := range tests {
		var got []string
		for i, turn := range Turns(tt.caller, tt.agent, meaning(tt.manners)) {
			if turn.Index != i {
				t.Errorf("%s: turn %d has index %d", tt.name, i, turn.Index)
			}
			got = append(got, strings.ToUpper(string(turn.Speaker[:1]))+short(turn.Start)+"-"+short(turn.End))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, s, tt.want)
		}
	}
}

// TestKeysEndTheAgentsTurn checks that what a menu says before and after a key is not one turn. A key
// that the agent talks past ends nothing, like a word.
func TestKeysEndTheAgentsTurn(t *testing.T) {
	t.Parallel()
	for want, agent := range map[string][]call.Segment{
		"A0-2 A5-6":   segs(0, 2, 5, 6),
		"A0-4 C8-9":   segs(0, 3.2, 3.7, 4),
		"A0-6":        segs(0, 3.5, 5, 6),
		"A0-2 A3.5-6": segs(0, 2, 3.5, 6),
	} {
		var caller []call.Segment
		if strings.Contains(want, "C") {
			caller = segs(8, 9)
		}
		var got []string
		for _, turn := range turnsAround(segs(3, 3.1), caller, agent, nil) {
			got = append(got, strings.ToUpper(string(turn.Speaker[:1]))+short(turn.Start)+"-"+short(turn.End))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("turns of %v around a key at 3 s: %s, want %s", agent, s, want)
		}
	}
}

func short(d time.Duration) string {
	return strings.TrimSuffix(strings.TrimSuffix(d.Truncate(100*time.Millisecond).String(), "s"), ".0")
}
