package draft

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

func turn(who call.Speaker, from, until float64, text string) call.Turn {
	at := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
	return call.Turn{Speaker: who, Start: at(from), End: at(until), Text: text}
}

// told is a turn whose time nobody knows.
func told(who call.Speaker, text string) call.Turn {
	return call.Turn{Speaker: who, Start: -1, End: -1, Text: text}
}

func ended(code call.EndCode) call.Call {
	return call.Call{ID: "call_1", Origin: call.Production, EndReason: call.EndOf(code, "")}
}

// script writes steps as one word or line each.
func script(steps []scenario.Step) (out []string) {
	for _, s := range steps {
		switch {
		case s.Say != "":
			out = append(out, s.Say)
		case s.Interrupt != nil:
			out = append(out, "interrupt: "+s.Interrupt.Say)
		case s.Backchannel != nil:
			out = append(out, "backchannel: "+s.Backchannel.Say)
		case s.Press != "":
			out = append(out, "press: "+s.Press)
		default:
			out = append(out, s.Actions()...)
		}
	}
	return out
}

func TestItem(t *testing.T) {
	t.Parallel()
	hum := turn(call.Caller, 4, 4.3, "mm-hm")
	hum.Manner = call.MannerBackchannel
	for name, c := range map[string]struct {
		source Source
		want   []string
	}{
		"the agent greets": {
			Source{Call: ended(call.EndCompleted), Turns: []call.Turn{turn(call.Agent, 0, 2, "Hello?"), turn(call.Caller, 3, 5, "A table,  please.\n"), turn(call.Agent, 6, 8, "Done.")}},
			[]string{"wait_for_agent", "A table, please.", "wait_for_agent"},
		},
		"the caller begins and hangs up": {
			Source{Call: ended(call.EndCallerHungUp), Turns: []call.Turn{turn(call.Caller, 1, 2, "Hello?"), turn(call.Agent, 3, 9, "Welcome to")}},
			[]string{"Hello?", "wait_for_agent", "hang_up"},
		},
		"a test call whose caller came to its end": {
			Source{
				Call:  call.Call{ID: "call_1", Origin: call.Simulated, EndReason: call.EndOf(call.EndCompleted, "")},
				Turns: []call.Turn{turn(call.Caller, 1, 2, "Hello?"), turn(call.Agent, 3, 9, "Welcome.")},
			},
			[]string{"Hello?", "wait_for_agent", "hang_up"},
		},
		"without times": {
			Source{Call: ended(call.EndAgentHungUp), Turns: []call.Turn{told(call.Agent, "Hi."), told(call.Caller, "One."), told(call.Caller, "Two."), told(call.Agent, "Bye.")}},
			[]string{"wait_for_agent", "One.", "Two.", "wait_for_agent"},
		},
		"talked over, hummed into and fallen silent": {
			Source{Call: ended(call.EndCompleted), Turns: []call.Turn{
				turn(call.Agent, 0, 6, "We have"), hum, turn(call.Caller, 5, 7, "Stop."), turn(call.Caller, 12, 13, "Hello?"),
			}},
			[]string{"backchannel: mm-hm", "interrupt: Stop.", "stay_silent_ms", "Hello?"},
		},
		"keys": {
			Source{
				Call: ended(call.EndCompleted), Turns: []call.Turn{turn(call.Agent, 0, 2, "Press one."), turn(call.Agent, 5, 6, "Thanks."), turn(call.Caller, 7, 8, "Bye.")},
				Timeline: []call.Event{
					{At: 3 * time.Second, Kind: call.KindDigitSent, Data: map[string]any{"digits": "1#"}},
					{At: 3 * time.Second, Kind: call.KindDigitSent, Data: map[string]any{"digit": "1"}},
				},
			},
			[]string{"wait_for_agent", "press: 1#", "wait_for_agent", "Bye."},
		},
		"as many keys as a step may press": {
			Source{
				Call: ended(call.EndCompleted), Turns: []call.Turn{turn(call.Caller, 0, 1, "Hello.")},
				Timeline: []call.Event{
					{At: 3 * time.Second, Kind: call.KindDigitSent, Data: map[string]any{"digits": strings.Repeat("1", 64)}},
					{At: 20 * time.Second, Kind: call.KindDigitSent, Data: map[string]any{"digits": "2"}},
				},
			},
			[]string{"Hello.", "press: " + strings.Repeat("1", 64), "press: 2"},
		},
		"words that nobody heard": {
			Source{Call: ended(call.EndCompleted), Turns: []call.Turn{turn(call.Caller, 0, 1, " … "), turn(call.Agent, 1, 2, ""), turn(call.Caller, 3, 4, "{Yes}\x07")}},
			[]string{"wait_for_agent", "(Yes)"},
		},
	} {
		item, notes, why := Item(c.source)
		if got := script(item.Input.Script); why != "" || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, want %q; %v %s", name, got, c.want, notes, why)
		}
		if bad := item.Validate(""); len(bad) > 0 || item.Key != "call_1" {
			t.Errorf("%s: %v", name, bad)
		}
		if name == "words that nobody heard" && !reflect.DeepEqual(notes, []string{"The caller spoke once without words that are known; the script leaves that out."}) {
			t.Errorf("notes %q", notes)
		}
	}
	for name, turns := range map[string][]call.Turn{"nothing": nil, "the agent alone": {told(call.Agent, "Hi.")}, "no words": {told(call.Caller, "?!")}} {
		if _, _, why := Item(Source{Call: ended(call.EndCompleted), Turns: turns}); why == "" {
			t.Errorf("%s makes a scenario", name)
		}
	}
}

func TestWhatIsTakenOver(t *testing.T) {
	t.Parallel()
	turns := []call.Turn{told(call.Agent, "Hi."), told(call.Caller, "Book a table.")}
	c := ended(call.EndCompleted)
	c.AnsweredAt, c.EndedAt = time.Unix(0, 0).Add(time.Hour), time.Unix(0, 0).Add(time.Hour+10*time.Minute)
	c.Metadata = map[string]any{
		"goal": " Book a table. ", "locale": "de_DE", "plan": "gold",
		"facts": map[string]any{"name": "Ada", "people": json.Number("4"), "member": true, "{bad}": "x", "empty": "", "braces": "{x}", "list": []any{1}},
	}
	item, _, _ := Item(Source{Call: c, Turns: turns})
	in := item.Input
	if in.Goal != "Book a table." || in.Language != "de-DE" || !reflect.DeepEqual(in.Facts, map[string]string{"name": "Ada", "people": "4", "member": "yes"}) {
		t.Errorf("%+v", in)
	}
	if in.Limits.MaxDurationMS != 900_000 || !item.Output.Outcome.ScriptDone || !reflect.DeepEqual(item.Metadata, map[string]any{"from_call": "call_1"}) {
		t.Errorf("%+v", item)
	}
	for code, want := range map[call.EndCode]bool{call.EndCompleted: true, call.EndAgentHungUp: true, call.EndSilence: true, call.EndCallerHungUp: false, call.EndTransferred: false, call.EndUnknown: false} {
		if item, _, _ := Item(Source{Call: ended(code), Turns: turns}); item.Output.Outcome.ScriptDone != want {
			t.Errorf("%s expects %+v", code, item.Output.Outcome)
		}
	}
	played := scenario.Item{Input: scenario.Input{
		Goal: "g", Persona: scenario.Persona{Name: "Ada", Voice: "slt"}, Language: "en-GB", Limits: scenario.Limits{MaxTurns: 4, MaxSilenceMS: 900},
	}, Output: scenario.Output{Say: []string{"booked"}}}
	item, _, _ = Item(Source{Call: c, Turns: turns, Played: &played})
	if item.Input.Persona.Voice != "slt" || item.Input.Language != "en-GB" || item.Input.Goal != "g" || item.Output.Say[0] != "booked" || item.Output.Outcome.ScriptDone {
		t.Errorf("a test call keeps what it played: %+v", item)
	}
	if bad := item.Validate(""); len(bad) > 0 {
		t.Errorf("%v", bad)
	}
	c.Metadata = map[string]any{"goal": strings.Repeat("x", 5000), "language": "Klingon!", "facts": "none"}
	if item, _, why := Item(Source{Call: c, Turns: turns}); why != "" || item.Input.Goal != "" || item.Input.Language != "" || len(item.Validate("")) > 0 {
		t.Errorf("%+v", item)
	}
}

// TestAnAnswerToKeysIsWaitedFor checks that the caller hears out what the agent says to its keys, which part
// no turns: the menu and the answer are one turn of the agent.
func TestAnAnswerToKeysIsWaitedFor(t *testing.T) {
	t.Parallel()
	keys := []call.Event{{At: 4 * time.Second, End: 4200 * time.Millisecond, Kind: call.KindDigitSent, Data: map[string]any{"digits": "1"}}}
	for until, want := range map[float64][]string{
		8:   {"wait_for_agent", "press: 1", "wait_for_agent", "Thank you.", "hang_up"},
		4.3: {"wait_for_agent", "press: 1", "Thank you.", "hang_up"},
		3:   {"wait_for_agent", "press: 1", "Thank you.", "hang_up"},
	} {
		item, _, _ := Item(Source{Call: ended(call.EndCallerHungUp), Timeline: keys, Turns: []call.Turn{
			turn(call.Agent, 0, until, "For hours press one. We are open."), turn(call.Caller, 9, 10, "Thank you."),
		}})
		if steps := script(item.Input.Script); !slices.Equal(steps, want) {
			t.Errorf("the agent spoke until %g: %q, want %q", until, steps, want)
		}
	}
}

// TestKeysWithoutAnAnswerAreNotWaitedFor checks that keys in a row stay in a row when the agent answers the last.
func TestKeysWithoutAnAnswerAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	key := func(at time.Duration, digits string) call.Event {
		return call.Event{At: at, End: at + 200*time.Millisecond, Kind: call.KindDigitSent, Data: map[string]any{"digits": digits}}
	}
	agent := turn(call.Agent, 0, 8, "For hours press one. We are open.")
	agent.Segments = []call.Segment{{End: 3 * time.Second}, {Start: 6 * time.Second, End: 8 * time.Second}}
	item, _, _ := Item(Source{
		Call: ended(call.EndCallerHungUp), Timeline: []call.Event{key(4*time.Second, "1"), key(5*time.Second, "2")},
		Turns: []call.Turn{agent, turn(call.Caller, 9, 10, "Thank you.")},
	})
	want := []string{"wait_for_agent", "press: 1", "press: 2", "wait_for_agent", "Thank you.", "hang_up"}
	if steps := script(item.Input.Script); !slices.Equal(steps, want) {
		t.Errorf("%q, want %q", steps, want)
	}
}

// TestPausesBetweenLinesOfATurnAreKept checks that lines which one turn holds, since the agent was silent
// between them, are said apart, as in the call.
func TestPausesBetweenLinesOfATurnAreKept(t *testing.T) {
	t.Parallel()
	said := func(from, until float64, text string) call.Event {
		s := turn(call.Caller, from, until, text)
		return call.Event{At: s.Start, End: s.End, Kind: call.KindSaid, Text: text}
	}
	silence := call.Call{ID: "call_1", Origin: call.Simulated, EndReason: call.EndOf(call.EndSilence, "")}
	want := []string{"wait_for_agent", "When is it?", "stay_silent_ms", "Are you there?", "Hello?"}
	lines := []call.Event{said(3, 4, "When is it?"), said(8, 9, "Are you there?"), said(9.5, 10, "Hello?")}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"as said":          {"When is it? Are you there? Hello?", want},
		"with other words": {"When is what?", []string{"wait_for_agent", "When is what?"}},
	} {
		item, _, _ := Item(Source{Call: silence, Timeline: lines, Turns: []call.Turn{
			turn(call.Agent, 0, 2, "Hello."), turn(call.Caller, 3, 10, c.text),
		}})
		if steps := script(item.Input.Script); !slices.Equal(steps, c.want) {
			t.Errorf("%s: %q, want %q", name, steps, c.want)
		}
	}
}

func TestPatienceIsThatOfTheCaller(t *testing.T) {
	t.Parallel()
	var turns []call.Turn
	for i := range 4 {
		at := float64(10 * i)
		turns = append(turns, turn(call.Agent, at, at+3, "Hi."), turn(call.Caller, at+4.25, at+6, "Yes."))
	}
	if item, _, _ := Item(Source{Call: ended(call.EndCompleted), Turns: turns}); item.Input.Persona.PatienceMS != 1200 {
		t.Errorf("patience %d", item.Input.Persona.PatienceMS)
	}
}

func TestLongLinesAreCutBetweenWords(t *testing.T) {
	t.Parallel()
	text := strings.TrimSpace(strings.Repeat("I would like to book a table for four people. ", 60))
	item, _, _ := Item(Source{Call: ended(call.EndCompleted), Turns: []call.Turn{told(call.Caller, text)}})
	lines := script(item.Input.Script)
	if len(lines) < 3 || strings.Join(lines, " ") != text || len(item.Validate("")) > 0 {
		t.Errorf("%d lines", len(lines))
	}
	for _, l := range lines {
		if !strings.HasSuffix(l, ".") {
			t.Errorf("cut in a sentence: %q", l)
		}
	}
	many := make([]call.Turn, 3000)
	for i := range many {
		many[i] = told([]call.Speaker{call.Caller, call.Agent}[i%2], "word")
	}
	item, notes, _ := Item(Source{Call: ended(call.EndCompleted), Turns: many})
	if len(item.Input.Script) != maxSteps || len(notes) != 1 || len(item.Validate("")) > 0 {
		t.Errorf("%d steps, %v", len(item.Input.Script), notes)
	}
}

func TestWithoutNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"My number is 212-867-5309.":        "My number is 555-010-0555.",
		"call +1 212 867 5309 please":       "call +5 550 100 5550 please",
		"it's two one two eight six, seven": "it's five five five zero one, zero",
		"a table for four at 7 30":          "a table for four at 7 30",
		"order A12345 and B12":              "order A55501 and B12",
		"one two three":                     "one two three",
		"":                                  "",
	} {
		if got := withoutNumbers(text); strings.ReplaceAll(got, ",", "") != strings.ReplaceAll(want, ",", "") {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	c := ended(call.EndCompleted)
	c.Metadata = map[string]any{"facts": map[string]any{"phone": "5309"}, "goal": "Cancel policy 8675309 at 10:30."}
	item, _, _ := Item(Source{Call: c, Turns: []call.Turn{told(call.Caller, "It is 8675309.")}, RedactNumbers: true})
	if text, _ := json.Marshal(item); strings.Contains(string(text), "5309") {
		t.Errorf("the number is still there: %s", text)
	}
}

func TestNumbersOfAGoalInLines(t *testing.T) {
	t.Parallel()
	c := ended(call.EndCompleted)
	c.Metadata = map[string]any{"goal": "Cancel it.\nPhone:\n212 867 5309\nPIN\t12 34"}
	item, _, _ := Item(Source{Call: c, Turns: []call.Turn{told(call.Caller, "Hello.")}, RedactNumbers: true})
	if want := "Cancel it. Phone: 555 010 0555 PIN 55 50"; item.Input.Goal != want {
		t.Errorf("the goal is %q, want %q", item.Input.Goal, want)
	}
}

// Whatever a platform tells of a call, the scenario passes the validation.
func FuzzItem(f *testing.F) {
	f.Add("Hello.", "Hi {name}.", "goal", "en_US", int64(1_000_000_000), int64(3_000_000_000), uint8(3), true)
	f.Add("\xff\x00", strings.Repeat("a ", 4000), "\x07", "x", int64(-5), int64(1<<62), uint8(255), false)
	f.Fuzz(func(t *testing.T, a, b, fact, language string, from, until int64, shape uint8, redact bool) {
		c := ended([]call.EndCode{call.EndCompleted, call.EndCallerHungUp, call.EndAgentHungUp, ""}[shape%4])
		c.AnsweredAt, c.EndedAt = time.Unix(0, 1), time.Unix(0, 1).Add(time.Duration(from))
		c.Metadata = map[string]any{"goal": a, "language": language, "facts": map[string]any{fact: b, a: fact}}
		manners := []call.Manner{call.MannerPlain, call.MannerInterrupt, call.MannerBackchannel}
		turns := []call.Turn{
			{Speaker: call.Agent, Start: time.Duration(from), End: time.Duration(until), Text: a},
			{Speaker: call.Caller, Start: time.Duration(until), End: time.Duration(from), Text: b, Manner: manners[shape%3]},
			{Speaker: call.Agent, Start: time.Duration(from) / 2, End: time.Duration(until) / 2, Text: b},
			{Speaker: call.Caller, Start: time.Duration(until) / 3, End: time.Duration(until), Text: a, Manner: manners[shape/3%3]},
		}
		if shape > 128 {
			slices.Reverse(turns)
		}
		keys := []call.Event{{At: time.Duration(until) / 2, Kind: call.KindDigitSent, Data: map[string]any{"digits": fact}}}
		item, _, why := Item(Source{Call: c, Turns: turns, Timeline: keys, RedactNumbers: redact})
		if why != "" {
			return
		}
		if bad := item.Validate(""); len(bad) > 0 {
			t.Fatalf("%v in %+v", bad, item.Input)
		}
	})
}
