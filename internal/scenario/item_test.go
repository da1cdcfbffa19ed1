package scenario

import (
	"reflect"
	"strings"
	"testing"
)

func TestNeeds(t *testing.T) {
	t.Parallel()
	goal := Item{Input: Input{Goal: "book"}}
	plain := Item{Input: Input{Goal: "book", Script: []Step{{Say: "hi"}}}}
	nested := Item{Input: Input{Script: []Step{{Branch: &Branch{}}}}}
	rubric := Item{Input: Input{Script: []Step{{Say: "hi"}}}, Output: Output{Rubric: []string{"polite"}}}
	for name, test := range map[string]struct {
		it                 Item
		model, ears, judge bool
	}{
		"goal": {goal, true, true, false}, "script": {plain, false, false, false},
		"branch": {nested, false, true, false}, "rubric": {rubric, false, false, true},
		"words":  {script(Step{WaitForWords: &WaitForWords{}}), false, true, false},
		"repeat": {script(Step{RepeatIfMisunderstood: &Repeat{}}), false, true, false},
	} {
		if got := test.it.NeedsModel(); got != test.model {
			t.Errorf("%s: needs a model %v", name, got)
		}
		if got := test.it.NeedsEars(); got != test.ears {
			t.Errorf("%s: needs ears %v", name, got)
		}
		if got := test.it.NeedsJudge(); got != test.judge {
			t.Errorf("%s: needs a judge %v", name, got)
		}
	}
}

func script(steps ...Step) Item { return Item{Input: Input{Script: steps}} }

func TestLinesAndWords(t *testing.T) {
	t.Parallel()
	it := script(
		Step{Say: "I am {persona.name}"}, Step{Say: "on {day}"}, Step{Say: "on {day}"},
		Step{WaitForWords: &WaitForWords{Any: []string{"hold"}, Otherwise: []Step{{Say: "other"}}}},
		Step{Branch: &Branch{
			Cases:     []Case{{Any: []string{"yes"}, Then: []Step{{Interrupt: &Interject{Say: "stop"}}}}},
			Otherwise: []Step{{Backchannel: &Interject{Say: "mm-hm"}}},
		}},
	)
	it.Input.Persona.Name = "Ann"
	it.Input.Facts = map[string]string{"day": "Monday"}
	it.Output = Output{Say: []string{"booked"}, FactsStated: map[string]string{"price": "40 dollars"}, DoNotSay: []string{"refund"}}
	lines := []string{"I am Ann", "on Monday", "other", "stop", "mm-hm"}
	if got := it.Lines(); !reflect.DeepEqual(got, lines) {
		t.Errorf("lines %q, want %q", got, lines)
	}
	words := append(lines, "hold", "yes", "booked", "40 dollars", "Monday", "Ann")
	if got := it.Words(); !reflect.DeepEqual(got, words) {
		t.Errorf("words %q, want %q", got, words)
	}
}

func TestLanguageHasADefault(t *testing.T) {
	t.Parallel()
	if got := (Item{}).Language(); got != "en-US" {
		t.Errorf("default language %q", got)
	}
	if got := (Item{Input: Input{Language: "de-DE"}}).Language(); got != "de-DE" {
		t.Errorf("language %q", got)
	}
}

func TestNamesOfFactsAreMeasuredInCharacters(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{200: "", 201: "is longer than 200 characters"} {
		found := (Item{Input: Input{Goal: "a", Facts: map[string]string{strings.Repeat("é", n): "x"}}}).Validate("")
		if len(found) > 1 || len(found) == 1 && found[0].Message != want || len(found) == 0 && want != "" {
			t.Errorf("a name of %d characters: %q, want %q", n, found, want)
		}
	}
}

func TestNumbersAndNames(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]bool{
		"+15551234567": true, "+4912345678": true, "15551234567": false, "+05551234567": false, "+1555": false,
		"+1555123456789012": false, "+1 555 123 4567": false, "": false, "+1555123456a": false, "+15551234567\n": false,
	} {
		if got := ValidE164(number); got != want {
			t.Errorf("ValidE164(%q) = %v", number, got)
		}
	}
	for ref, want := range map[string]bool{
		"polite": true, "polite@production": true, "polite@3": true, "polite@": false, "polite@0": false, "@3": false,
		"Polite": false, "a-b_c": true, "-a": false, "a-": false, "a@b@c": false,
	} {
		if got := ValidRef(ref); got != want {
			t.Errorf("ValidRef(%q) = %v", ref, got)
		}
	}
	if ValidLabel("3") || !ValidLabel("production") || !ValidSlug("a") || ValidSlug(strings.Repeat("a", 65)) {
		t.Error("labels or slugs are judged wrongly")
	}
}

func TestAgentPromptDatasetAreChecked(t *testing.T) {
	t.Parallel()
	bad := Agent{Defaults: TestDefaults{
		ToNumber: "555", CallerPrompt: "A B", Scorers: []string{"x", "x", ""}, Repetitions: -1, ConcurrentCalls: -1,
		CallsPerSecond: -1, RingTimeoutMS: 1, PassThreshold: 1.5, MinEvaluated: -1,
	}}
	want := "name defaults.to_number defaults.caller_prompt defaults.scorers[1] defaults.scorers[2] defaults.repetitions " +
		"defaults.concurrent_calls defaults.calls_per_second defaults.ring_timeout_ms defaults.pass_threshold defaults.min_evaluated"
	var got []string
	for _, f := range bad.Validate("") {
		got = append(got, f.Path)
	}
	if strings.Join(got, " ") != want {
		t.Errorf("problems at %v", got)
	}
	low := Agent{Name: "Desk", Defaults: TestDefaults{PassThreshold: 1e-9}}.Validate("")
	if len(low) != 1 || !strings.Contains(low[0].Message, "between 0.000001 and 1") {
		t.Errorf("a threshold that is too low: %v", low)
	}
	if f := (Agent{Name: "Desk"}).Validate("agent"); f != nil {
		t.Errorf("a good agent has %v", f)
	}
	if f := (Prompt{Slug: "Bad", Labels: []string{"1"}}).Validate(""); len(f) != 3 {
		t.Errorf("a bad prompt has %v", f)
	}
	if f := (Prompt{Slug: "caller", Text: "Be kind"}).Validate(""); f != nil {
		t.Errorf("a good prompt has %v", f)
	}
	if f := (Dataset{}).Validate(""); len(f) != 1 {
		t.Errorf("a dataset without a name has %v", f)
	}
}
