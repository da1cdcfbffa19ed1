package scenario

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
)

const wholeYAML = `
name: Front desk
description: What people call a clinic for
items:
  - key: book
    input:
      goal: Book an appointment
      language: en-GB
      persona: {name: Ann Lee, voice: slt, pitch: 1.1, pace: 0.9, patience_ms: 900, accent: en-gb}
      facts:
        day: next Tuesday
        code: 0042
      limits: {max_duration_ms: 60000, max_silence_ms: 5000}
      script:
        - wait_for_agent
        - say: My name is {persona.name}, I need {day}.
        - wait_for_agent: {timeout_ms: 4000}
        - wait_for_words:
            any: [date of birth]
            timeout_ms: 9000
            otherwise: [hang_up]
        - press: 12#
        - stay_silent_ms: 500
        - interrupt: {after_ms: 700, say: No wait}
        - backchannel: {after_ms: 300, say: mm-hm}
        - repeat_if_misunderstood
        - repeat_if_misunderstood: {words: [pardon], times: 3}
        - branch:
            cases:
              - any: ["yes"]
                then: [{say: Good}]
            otherwise: ["say: Pity"]
        - hang_up
    output:
      say: [appointment]
      do_not_say: [refund]
      facts_stated: {price: 40 dollars}
      tool_calls:
        - name: book
          arguments: {day: tuesday, count: 2, exact: true, note: null, slots: [1, 2.5]}
        - {name: cancel, never: true}
      outcome: {end_reasons: [completed], script_done: true}
      timing: {turn_latency_p95_ms: 3000, duration_max_ms: 60000, time_to_first_word_ms: 1, turn_latency_p50_ms: 2,
        turn_latency_max_ms: 3, longest_dead_air_ms: 4, overlap_ms: 5, yield_time_ms: 6, duration_min_ms: 7}
      rubric: [The agent is polite]
    metadata: {any: thing, deep: {list: [1, a]}}
`

func TestParseEverything(t *testing.T) {
	t.Parallel()
	f, bad := ParseFile([]byte(wholeYAML), YAML)
	if bad != nil {
		t.Fatal(bad)
	}
	if f.Name != "Front desk" || f.Description == "" || len(f.Items) != 1 {
		t.Fatalf("read %+v", f)
	}
	in := f.Items[0].Input
	if in.Facts["code"] != "0042" {
		t.Errorf("a fact must stay as it is written, got %q", in.Facts["code"])
	}
	var got []string
	for i := range in.Script {
		got = append(got, in.Script[i].Actions()...)
	}
	want := "wait_for_agent say wait_for_agent wait_for_words press stay_silent_ms interrupt backchannel " +
		"repeat_if_misunderstood repeat_if_misunderstood branch hang_up"
	if strings.Join(got, " ") != want {
		t.Errorf("steps %v", got)
	}
	if in.Script[10].Branch.Otherwise[0].Say != "Pity" || !in.Script[3].WaitForWords.Otherwise[0].HangUp {
		t.Error("short forms inside other steps were not understood")
	}
	for _, format := range []Format{JSON, JSONL, YAML} {
		roundTrip(t, f.Items, format)
	}
}

func roundTrip(t *testing.T, items []Item, format Format) {
	t.Helper()
	text, err := encodeItems(items, format)
	if err != nil {
		t.Fatal(err)
	}
	again, bad := ParseItems(text, format)
	if bad != nil {
		t.Fatalf("%s: what was written cannot be read: %v\n%s", format, bad, text)
	}
	if !reflect.DeepEqual(items, again) {
		t.Errorf("%s round trip:\n%+v\n%+v\n%s", format, items, again, text)
	}
}

// problems are the fields as "line path: message (suggestion)".
func problems(fields []problem.Field) []string {
	var list []string
	for _, f := range fields {
		s := fmt.Sprintf("%d %s: %s", f.Line, f.Path, f.Message)
		if f.Suggestion != "" {
			s += " (" + f.Suggestion + ")"
		}
		list = append(list, s)
	}
	return list
}

func TestAllProblemsAtOnceWithLines(t *testing.T) {
	t.Parallel()
	want := []string{
		`4 items[0].input.persona.pich: is not a known key (pitch)`,
		`5 items[0].input.script[0].sey: is not a known key (say)`,
		`6 items[0].input.script[1]: has 2 actions (say, press); a step has exactly one`,
		`7 items[0].input.script[2].say: quotes {dya}, which is not among the facts (day)`,
		`8 items[0].input.script[3].press: must be up to 64 telephone keys: 0-9, *, #, A-D`,
		`9 items[0].input.script[4].stay_silent_ms: must be a whole number, not text`,
		`12 items[0].output.outcome.end_reasons[0]: "complete" is not a way a call can end (completed)`,
		`15 items[1].key: is also the key of items[0]`,
	}
	yamlText := `items:
  - key: a
    input:
      persona: {pich: 2}
      script: [{sey: hi},
        {say: a, press: "1"},
        {say: "on {dya}"},
        {press: "1-2"},
        {stay_silent_ms: soon}]
      facts: {day: Monday}
    output:
      outcome: {end_reasons: [complete]}
  - input: {goal: g}

    key: a
`
	jsonText := `{"items": [
  {"key": "a",
   "input": {
      "persona": {"pich": 2},
      "script": [{"sey": "hi"},
        {"say": "a", "press": "1"},
        {"say": "on {dya}"},
        {"press": "1-2"},
        {"stay_silent_ms": "soon"}],
      "facts": {"day": "Monday"}},
    "output": {
      "outcome": {"end_reasons": ["complete"]}}},
  {"input": {"goal": "g"},

    "key": "a"}
]}`
	for format, text := range map[Format]string{YAML: yamlText, JSON: jsonText} {
		_, bad := ParseItems([]byte(text), format)
		if bad == nil {
			t.Fatalf("%s was accepted", format)
		}
		got := problems(bad.Fields)
		for _, w := range want {
			found := false
			for _, g := range got {
				found = found || g == w
			}
			if !found {
				t.Errorf("%s: %q is not among\n%s", format, w, strings.Join(got, "\n"))
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d problems, want %d:\n%s", format, len(got), len(want), strings.Join(got, "\n"))
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"branch":{"cases":[{"any":["a"],"then":[`, 8) + `{"say":"x"}` + strings.Repeat(`]}]}}`, 8)
	tests := []struct {
		name   string
		format Format
		text   string
		want   string
	}{
		{"empty", JSON, ``, "1 file: is not valid JSON"},
		{"empty yaml", YAML, ``, "1 file: the file is empty"},
		{"no items", JSON, `[]`, "holds no items"},
		{"not a list", JSON, `3`, "must be a list of items"},
		{"items missing", YAML, `name: x`, "items: is missing"},
		{"unknown top key", YAML, "itemz: []", "itemz: is not a known key (items)"},
		{"broken json", JSON, "[\n{\"input\": {,}}]", "2 file: is not valid JSON"},
		{"cut json", JSON, "[\n{", "2 file: is not valid JSON: it ends in the middle"},
		{"trailing", JSON, "[]\n[]", "2 file: is not valid JSON: something follows"},
		{"broken yaml", YAML, "a: b\n  c: d", "file: is not valid YAML"},
		{"bare question", YAML, "- input:\n    script:\n      [{say: Are you open? }]", "3 file: is not valid YAML: did not find expected ',' or '}'; between brackets a text with ? or , in it has to stand in quotes"},
		{"bad indent", YAML, "a:\n  - b\n c: d", "3 file: is not valid YAML"},
		{"two documents", YAML, "[]\n---\n[]", "more than one YAML document"},
		{"duplicate key", JSON, `[{"input":{"goal":"a","goal":"b"}}]`, "items[0].input.goal: appears twice; the first time on line 1"},
		{"duplicate yaml", YAML, "- input: {goal: a}\n  key: x\n  key: y", "3 items[0].key: appears twice"},
		{"null item", JSON, `[null]`, "items[0]: is empty"},
		{"nothing to do", JSON, `[{"key":"x"}]`, "items[0].input: needs a script, or a goal"},
		{"bool as text", JSON, `[{"key":true,"input":{"goal":"x"}}]`, "items[0].key: must be text, not true or false"},
		{"float for int", JSON, `[{"input":{"goal":"x","limits":{"max_turns":1.5}}}]`, "must be a whole number, not the number 1.5"},
		{"huge int", JSON, `[{"input":{"goal":"x","limits":{"max_turns":99999999999999999999}}}]`, "must be a whole number"},
		{"range", JSON, `[{"input":{"goal":"x","persona":{"pitch":3}}}]`, "pitch: must be between 0.5 and 2, not 3"},
		{"object for list", JSON, `[{"input":{"script":{}}}]`, "script: must be a list, not an object"},
		{"fact object", JSON, `[{"input":{"goal":"x","facts":{"a":{}}}}]`, "facts.a: must be text or a number, not an object"},
		{"empty say", JSON, `[{"input":{"script":[{"say":""}]}}]`, "script[0].say: is empty"},
		{"hang_up false", JSON, `[{"input":{"script":[{"hang_up":false}]}}]`, "script[0].hang_up: is empty"},
		{"silent say", JSON, `[{"input":{"script":[{"say":"..."}]}}]`, "script[0].say: holds no word"},
		{"bare word", YAML, `[{input: {script: [wait_for_agnet]}}]`, "is not a step; a bare word is wait_for_agent, repeat_if_misunderstood or hang_up (wait_for_agent)"},
		{"no words", YAML, `[{input: {script: [{wait_for_words: {any: []}}]}}]`, "wait_for_words.any: needs at least one phrase"},
		{"silent fact", YAML, `[{input: {facts: {day: "..."}, script: [{say: "{day}!"}]}}]`, "script[0].say: holds no word once its facts are filled in"},
		{"empty fact", YAML, `[{input: {facts: {day: ""}, script: [{interrupt: {after_ms: 1, say: "{day}"}}]}}]`, "interrupt.say: holds no word once its facts are filled in"},
		{"long fact", YAML, `[{input: {facts: {story: "` + strings.Repeat("very ", 500) + `long"}, script: [{say: "{story} {story}"}]}}]`, "script[0].say: is longer than 4000 bytes once its facts are filled in"},
		{"brace", YAML, `[{input: {script: [{say: "a } b"}]}}]`, "has a brace without the name of a fact"},
		{"no name", YAML, `[{input: {script: [{say: "{persona.name}"}]}}]`, "the persona has no name"},
		{"after hang up", YAML, `[{input: {script: [hang_up, wait_for_agent]}}]`, "script[1]: is never reached"},
		{"max turns", YAML, `[{input: {script: [hang_up], limits: {max_turns: 3}}}]`, "this one has a script"},
		{"control", JSON, `[{"input":{"goal":"a\u0007b"}}]`, "goal: holds a control character"},
		{"long", JSON, `[{"input":{"goal":"` + strings.Repeat("a", 4001) + `"}}]`, "is longer than 4000 characters"},
		{"voice", JSON, `[{"input":{"goal":"a","persona":{"voice":"-o /etc/x"}}}]`, "is not the name of a voice"},
		{"deep script", JSON, `[{"input":{"script":[` + deep + `]}}]`, "is nested more than 6 deep"},
		{"deep metadata", JSON, `[{"input":{"goal":"a"},"metadata":{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}}]`, "nested more than 60 deep"},
		{"big number", JSON, `[{"input":{"goal":"a"},"metadata":{"id":12345678901234567890}}]`, "too large to be stored exactly"},
		{"big number with a point", JSON, `[{"input":{"goal":"a"},"metadata":{"id":9007199254740993.0}}]`, "too large to be stored exactly"},
		{"big number with an exponent", YAML, `[{input: {goal: a}, metadata: {id: -1e16}}]`, "too large to be stored exactly"},
		{"octal number", YAML, `[{input: {goal: a}, metadata: {zip: 02134}}]`, "metadata.zip: would lose what it begins with as a number; write it as text"},
		{"leading zero", YAML, `[{input: {goal: a}, output: {tool_calls: [{name: x, arguments: {zip: 08540}}]}}]`, "arguments.zip: would lose what it begins with as a number"},
		{"plus sign", CSV, "goal,output.tool_calls\na,\"[{name: x, arguments: {to: +15550123}}]\"\n", "arguments.to: would lose what it begins with as a number"},
		{"merge", YAML, "- &a {input: {goal: x}}\n- {<<: *a}", "merge keys are not supported"},
		{"bad utf8", JSON, "[\"\xff\"]", "not valid UTF-8"},
		{"jsonl line", JSONL, "{\"input\":{\"goal\":\"a\"}}\n\n{\"input\":{\"goal\":}}", "3 items[1]: is not valid JSON"},
		{"jsonl second bad line", JSONL, "x\ny", "2 items[1]: is not valid JSON"},
		{"jsonl after a bad line", JSONL, "x\n{\"inputt\":{\"goal\":\"b\"}}", "2 items[1].inputt: is not a known key (input)"},
		{"jsonl field", JSONL, "{\"input\":{\"goal\":\"a\"}}\n{\"inputt\":{\"goal\":\"b\"}}", "2 items[1].inputt: is not a known key (input)"},
		{"tool name", JSON, `[{"input":{"goal":"a"},"output":{"tool_calls":[{}]}}]`, "tool_calls[0].name: is missing"},
		{"tool forbidden", JSON, `[{"input":{"goal":"a"},"output":{"tool_calls":[{"name":"x","arguments":{"a":1}},{"name":"x","never":true}]}}]`, "tool_calls[1]: forbids what another one expects"},
		{"phrase forbidden", JSON, `[{"input":{"goal":"a"},"output":{"say":["Refund"],"do_not_say":["x","refund "]}}]`, "do_not_say[1]: is also in say"},
		{"no bound", JSON, `[{"input":{"goal":"a"},"output":{"timing":{"overlap_ms":0}}}]`, "overlap_ms: must be between 1 and 3600000, not 0; leave it out"},
		{"no wait for words", JSON, `[{"input":{"script":[{"wait_for_words":{"any":["x"],"timeout_ms":0}}]}}]`, "wait_for_words.timeout_ms: must not be 0; leave it out for the default"},
		{"no wait", YAML, `[{input: {script: [{wait_for_agent: {timeout_ms: 0}}]}}]`, "wait_for_agent.timeout_ms: must not be 0; leave it out"},
		{"no repeats", YAML, `[{input: {script: [{repeat_if_misunderstood: {times: 0}}]}}]`, "repeat_if_misunderstood.times: must not be 0; leave it out"},
		{"no patience", YAML, `[{input: {goal: a, persona: {name: "", patience_ms: 0}}}]`, "persona.patience_ms: must not be 0; leave it out"},
		{"no pitch", JSON, `[{"input":{"goal":"a","persona":{"pitch":0}}}]`, "persona.pitch: must not be 0; leave it out"},
		{"no pace", CSV, "goal,persona.pace\na,0.0\n", "persona.pace: must not be 0; leave it out"},
		{"no time at all", JSON, `[{"input":{"goal":"a","limits":{"max_duration_ms":0}}}]`, "limits.max_duration_ms: must not be 0; leave it out"},
		{"duration", JSON, `[{"input":{"goal":"a"},"output":{"timing":{"duration_min_ms":9,"duration_max_ms":8}}}]`, "is more than duration_max_ms"},
		{"csv column", CSV, "gaol\nx", "1 header.gaol: is not a known column (goal)"},
		{"csv by semicolons", CSV, "key;goal;say\na;b;c", "1 file: is separated by semicolons, not by commas"},
		{"csv by semicolons, quoted", CSV, "\"key\";\"goal, in short\";\"say\"\na;b;c", "1 file: is separated by semicolons, not by commas"},
		{"csv by tabs", CSV, "facts.name\tgoal\na\tb", "1 file: is separated by tabs, not by commas"},
		{"csv by bars", CSV, "say|gaol|goal\na|b|c", "1 file: is separated by vertical bars, not by commas"},
		{"csv clash", CSV, "say,script\nx,y", "appears twice, or next to"},
		{"csv quote", CSV, "goal\n\"x", "file: is not valid CSV"},
		{"csv cells", CSV, "goal\nx,y", "2 items[0]: has more cells"},
		{"csv cell", CSV, "key,script\na,\"- wait_for_agent\n- sya: b\"", "3 items[0].input.script[1].sya: is not a known key (say)"},
		{"csv number", CSV, "goal,persona.pitch\nx,high", "2 items[0].input.persona.pitch: must be a number, not text"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			items, bad := ParseItems([]byte(test.text), test.format)
			if bad == nil {
				t.Fatalf("accepted as %+v", items)
			}
			got := bad.Message + "\n" + strings.Join(problems(bad.Fields), "\n")
			if !strings.Contains(got, test.want) {
				t.Errorf("said\n%s\nwant %s", got, test.want)
			}
		})
	}
}

func TestAliasesAreFollowedAndBounded(t *testing.T) {
	t.Parallel()
	items, bad := ParseItems([]byte("- input: {goal: x, facts: &f {day: Monday}}\n- input: {goal: y, facts: *f}\n"), YAML)
	if bad != nil || items[1].Input.Facts["day"] != "Monday" {
		t.Errorf("an alias gave %+v, %v", items, bad)
	}
	var bomb strings.Builder
	bomb.WriteString("- input: {goal: x}\n  metadata:\n    a: &a [1,1,1,1,1,1,1,1,1,1]\n")
	for c := 'b'; c < 'j'; c++ {
		bomb.WriteString(fmt.Sprintf("    %c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*%c,", c-1), 10), ",")))
	}
	if _, bad = ParseItems([]byte(bomb.String()), YAML); bad == nil || !strings.Contains(bad.Error(), "values larger than it is") {
		t.Errorf("a bomb of aliases gave %v", bad)
	}
	if _, bad = ParseItems([]byte("- input: {goal: x}\n  metadata: &m {a: *m}\n"), YAML); bad == nil {
		t.Error("a value inside itself was accepted")
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	if _, bad := ParseItems(bytes.Repeat([]byte(" "), maxFile+1), JSON); bad == nil || bad.Code != problem.TooLarge {
		t.Errorf("a huge file gave %v", bad)
	}
	many := []byte("[" + strings.TrimSuffix(strings.Repeat(`{"input":{"goal":"x"}},`, MaxItems+1), ",") + "]")
	if _, bad := ParseItems(many, JSON); bad == nil || !strings.Contains(bad.Error(), "at most 10000 are allowed") {
		t.Errorf("too many items gave %v", bad)
	}
	if _, bad := ParseItems([]byte("x"), "xml"); bad == nil || bad.Code != problem.UnsupportedType {
		t.Errorf("an unknown format gave %v", bad)
	}
}

// A file of lines or rows may hold no more than one that is a single tree.
func TestValuesAreCountedOverTheWholeFile(t *testing.T) {
	t.Parallel()
	const line = `{"input":{"goal":"x"},"metadata":{"list":[1,2,3]}}` + "\n"
	for _, left := range []int{30, 20} { // each line has 12 values, each row 3
		d := newDecoder()
		d.held = maxValues - left
		items := d.jsonLines([]byte(line + line))
		if over := left < 24; over != (items == nil) || over && (len(d.fields) != 1 || d.fields[0].Line != 2 || d.fields[0].Message != tooMany) {
			t.Errorf("lines with %d values left: %d items, %v", left, len(items), d.fields)
		}
	}
	for _, left := range []int{6, 5} {
		d := newDecoder()
		d.held = maxValues - left
		items := d.csvRows([]byte("goal,output.say\nx,[hi]\ny,[ho]\n"))
		if over := left < 6; over != (items == nil) || over && (len(d.fields) != 1 || d.fields[0].Line != 3 || d.fields[0].Message != tooMany) {
			t.Errorf("rows with %d values left: %d items, %v", left, len(items), d.fields)
		}
	}
}

func TestBlockTextEndsWithItsLastWord(t *testing.T) {
	t.Parallel()
	items, bad := ParseItems([]byte("- input:\n    goal: |\n      Book it.\n      Soon.\n    facts:\n      a: >\n        b\n"), YAML)
	if bad != nil || items[0].Input.Goal != "Book it.\nSoon." || items[0].Input.Facts["a"] != "b" {
		t.Errorf("read %+v, %v", items, bad)
	}
}

func TestHopelessFileIsCutShort(t *testing.T) {
	t.Parallel()
	_, bad := ParseItems([]byte("["+strings.Repeat(`{"a":1},`, 5000)+`{"a":1}]`), JSON)
	if bad == nil || len(bad.Fields) > maxProblems+2 || !strings.Contains(bad.Error(), "may have more problems") {
		t.Errorf("gave %d problems", len(bad.Fields))
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	text := "\ufeffkey,say,persona.name,facts.day,facts.a.b,persona.pace,output.say,output.rubric,metadata.team,output.outcome.script_done\n" +
		"one,Hello | I need {day},Ann,Monday,x,1.2,appointment,\"[polite, brief]\",desk,true\n" +
		"two,Hi,,,,,,,,\n"
	items, bad := ParseItems([]byte(text), CSV)
	if bad != nil {
		t.Fatal(bad)
	}
	want := Item{
		Key: "one",
		Input: Input{
			Persona: Persona{Name: "Ann", Pace: 1.2}, Facts: map[string]string{"day": "Monday", "a.b": "x"},
			Script: []Step{
				{WaitForAgent: &WaitForAgent{}}, {Say: "Hello"}, {WaitForAgent: &WaitForAgent{}}, {Say: "I need {day}"},
				{WaitForAgent: &WaitForAgent{}}, {HangUp: true},
			},
		},
		Output:   Output{Say: []string{"appointment"}, Rubric: []string{"polite", "brief"}, Outcome: Outcome{ScriptDone: true}},
		Metadata: map[string]any{"team": "desk"},
	}
	if !reflect.DeepEqual(want, items[0]) {
		t.Errorf("read %+v, want %+v", items[0], want)
	}
	if len(items) != 2 || items[1].Key != "two" {
		t.Errorf("read %d items", len(items))
	}
}

func TestDecodeItem(t *testing.T) {
	t.Parallel()
	it, fields := DecodeItem([]byte(`{"key":"a","input":{"goal":"g"}}`), "")
	if fields != nil || it.Key != "a" {
		t.Errorf("%+v %v", it, fields)
	}
	_, fields = DecodeItem([]byte(`{"input":{"goall":"g"}}`), "items[2]")
	if got := problems(fields); len(got) != 1 || got[0] != "0 items[2].input.goall: is not a known key (goal)" {
		t.Errorf("said %v", got)
	}
	if _, fields = DecodeItem([]byte(`{`), "body"); len(fields) != 1 || fields[0].Path != "body" {
		t.Errorf("said %v", fields)
	}
}

func FuzzParseItems(f *testing.F) {
	f.Add([]byte(wholeYAML), uint8(2))
	f.Add([]byte(`[{"key":"a","input":{"goal":"g","facts":{"a":1}},"metadata":{"x":[1,null,"y"]}}]`), uint8(0))
	f.Add([]byte("{\"input\":{\"script\":[\"hang_up\"]}}\n"), uint8(1))
	f.Add([]byte("key,say,facts.x,script\na,b|c,d,\n"), uint8(3))
	f.Add([]byte("- &a [*a]\n- {<<: *a}\n- !!binary aGk=\n- 2001-01-01\n- ? [x]\n  : y"), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		formats := []Format{JSON, JSONL, YAML, CSV}
		format := formats[int(which)%len(formats)]
		items, bad := ParseItems(data, format)
		if (bad == nil) == (len(items) == 0) {
			t.Fatalf("gave %d items and %v", len(items), bad)
		}
		if bad != nil {
			return
		}
		for _, to := range []Format{JSON, JSONL, YAML} {
			text, err := encodeItems(items, to)
			if err != nil {
				t.Fatal(err)
			}
			again, bad := ParseItems(text, to)
			if bad != nil {
				t.Fatalf("%s cannot be read again: %v\n%s", to, bad, text)
			}
			first, _ := encodeJSON(items)
			second, _ := encodeJSON(again)
			if !bytes.Equal(first, second) {
				t.Fatalf("%s changed\n%s\ninto\n%s", to, first, second)
			}
		}
	})
}

// 1500.0 is the number 1500, whoever writes it so; what is a text stays as it is written.
func TestWholeNumbersMayHaveAPoint(t *testing.T) {
	t.Parallel()
	for _, number := range []string{"1500", "1500.0", "1.5e3"} {
		for format, text := range map[Format]string{
			JSON: `[{"input":{"script":[{"stay_silent_ms":N},"hang_up"],"facts":{"price":5.0},"language":"en-US"},"output":{"timing":{"turn_latency_p95_ms":N}}}]`,
			YAML: "- input: {script: [{stay_silent_ms: N}, hang_up], facts: {price: 5.0}}\n  output: {timing: {turn_latency_p95_ms: N}}\n",
			CSV:  "script,facts.price,output.timing.turn_latency_p95_ms\n\"[{stay_silent_ms: N}, hang_up]\",5.0,N\n",
		} {
			items, bad := ParseItems([]byte(strings.ReplaceAll(text, "N", number)), format)
			if bad != nil || len(items) != 1 {
				t.Errorf("%v of %s: %v", format, number, bad)
				continue
			}
			it := items[0]
			if it.Output.Timing.TurnLatencyP95MS != 1500 || it.Input.Script[0].StaySilentMS != 1500 || it.Input.Facts["price"] != "5.0" {
				t.Errorf("%v of %s: %+v", format, number, it)
			}
		}
	}
}
