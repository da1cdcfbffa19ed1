package caller

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/chat"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// keysOfInput visits every key of input that has a value of its own, as a path.
func keysOfInput(t reflect.Type, path string, seen []reflect.Type, visit func(string)) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		visit(path)
		return
	}
	if slices.Contains(seen, t) {
		visit(path) // steps are nested
		return
	}
	for field := range t.Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		keysOfInput(field.Type, strings.TrimPrefix(path+"."+name, "."), append(seen, t), visit)
	}
}

// change is the same call with two values of one key.
type change struct {
	base  func() *stage
	alter func(*scenario.Input)
}

func oneTurn(texts ...string) *farAgent {
	a := &farAgent{lines: []utterance{{at: 500 * ms, long: second, text: texts[0]}}}
	for _, text := range texts[1:] {
		a.lines = append(a.lines, utterance{after: 600 * ms, long: second, text: text})
	}
	return a
}

func playing(steps ...scenario.Step) func() *stage {
	return func() *stage {
		item := script(append(steps, hangUp())...)
		item.Input.Facts = map[string]string{"day": "Monday"}
		item.Input.Persona.Name = "Ann"
		return &stage{item: item, agent: oneTurn("sorry, which day", "very well", "very well")}
	}
}

func thinking() *stage {
	return &stage{item: goal(), agent: clinic(6), model: &fakeModel{replies: []chat.Message{
		text("One."), text("Two."), text("Three."), using("Four.", toolHangUp, `{}`),
	}}}
}

// onStep returns a change of the first step.
func onStep(f func(*scenario.Step)) func(*scenario.Input) {
	return func(in *scenario.Input) { f(&in.Script[0]) }
}

func changes() map[string]change {
	plain := playing(waitAgent(), say("hello {persona.name} on {day}"))
	repeat := scenario.Step{RepeatIfMisunderstood: &scenario.Repeat{Words: []string{"very well", "sorry"}}}
	repeating := func() *stage { return playing(say("again"), repeat)() }
	overTalk := func(backchannel bool, say string) func() *stage {
		return func() *stage {
			s := scenario.Step{Interrupt: &scenario.Interject{AfterMS: 500, Say: say}}
			if backchannel {
				s = scenario.Step{Backchannel: s.Interrupt}
			}
			st := playing(s)()
			st.agent = &farAgent{lines: []utterance{{at: 500 * ms, long: 4 * second}}}
			return st
		}
	}
	waits := func() *stage {
		w := scenario.WaitForWords{Any: []string{"day"}, TimeoutMS: 4000}
		return playing(scenario.Step{WaitForWords: &w})()
	}
	missing := func() *stage {
		w := scenario.WaitForWords{Any: []string{"refund"}, TimeoutMS: 4000}
		return playing(scenario.Step{WaitForWords: &w})()
	}
	branches := func() *stage {
		b := scenario.Branch{Cases: []scenario.Case{{Any: []string{"day"}, Then: []scenario.Step{say("Monday")}}}}
		return playing(scenario.Step{Branch: &b})()
	}
	silent := func() *stage {
		st := playing(waitAgent())()
		st.agent = &farAgent{}
		return st
	}
	return map[string]change{
		"goal":                   {thinking, func(in *scenario.Input) { in.Goal = "cancel" }},
		"persona.name":           {plain, func(in *scenario.Input) { in.Persona.Name = "Bernadette" }},
		"persona.voice":          {plain, func(in *scenario.Input) { in.Persona.Voice = "rms" }},
		"persona.pitch":          {plain, func(in *scenario.Input) { in.Persona.Pitch = 1.3 }},
		"persona.pace":           {plain, func(in *scenario.Input) { in.Persona.Pace = 1.3 }},
		"persona.patience_ms":    {plain, func(in *scenario.Input) { in.Persona.PatienceMS = 1500 }},
		"persona.accent":         {plain, func(in *scenario.Input) { in.Persona.Accent = "en-gb" }},
		"facts":                  {plain, func(in *scenario.Input) { in.Facts["day"] = "Tuesday" }},
		"language":               {plain, func(in *scenario.Input) { in.Language = "de-DE" }},
		"limits.max_duration_ms": {plain, func(in *scenario.Input) { in.Limits.MaxDurationMS = 2000 }},
		"limits.max_silence_ms":  {silent, func(in *scenario.Input) { in.Limits.MaxSilenceMS = 2000 }},
		"limits.max_turns":       {thinking, func(in *scenario.Input) { in.Limits.MaxTurns = 1 }},

		"script.say":            {playing(say("one")), onStep(func(s *scenario.Step) { s.Say = "three" })},
		"script.press":          {playing(scenario.Step{Press: "1"}), onStep(func(s *scenario.Step) { s.Press = "2" })},
		"script.stay_silent_ms": {playing(scenario.Step{StaySilentMS: 500}), onStep(func(s *scenario.Step) { s.StaySilentMS = 900 })},
		"script.hang_up": {playing(say("one")), func(in *scenario.Input) {
			in.Script = in.Script[:1]
		}},
		"script.wait_for_agent.timeout_ms": {silent, onStep(func(s *scenario.Step) { s.WaitForAgent.TimeoutMS = 3000 })},
		"script.wait_for_words.any":        {waits, onStep(func(s *scenario.Step) { s.WaitForWords.Any = []string{"refund"} })},
		"script.wait_for_words.timeout_ms": {missing, onStep(func(s *scenario.Step) { s.WaitForWords.TimeoutMS = 6000 })},
		"script.wait_for_words.otherwise": {missing, onStep(func(s *scenario.Step) {
			s.WaitForWords.Otherwise = []scenario.Step{say("well then")}
		})},
		"script.interrupt.after_ms": {
			overTalk(false, "no"),
			onStep(func(s *scenario.Step) { s.Interrupt.AfterMS = 900 }),
		},
		"script.interrupt.say": {
			overTalk(false, "no"),
			onStep(func(s *scenario.Step) { s.Interrupt.Say = "stop it" }),
		},
		"script.backchannel.after_ms": {
			overTalk(true, "aha"),
			onStep(func(s *scenario.Step) { s.Backchannel.AfterMS = 900 }),
		},
		"script.backchannel.say": {
			overTalk(true, "aha"),
			onStep(func(s *scenario.Step) { s.Backchannel.Say = "I see" }),
		},
		"script.repeat_if_misunderstood.words": {repeating, func(in *scenario.Input) {
			in.Script[1].RepeatIfMisunderstood = &scenario.Repeat{Words: []string{"nothing"}}
		}},
		"script.repeat_if_misunderstood.times": {repeating, func(in *scenario.Input) {
			in.Script[1].RepeatIfMisunderstood = &scenario.Repeat{Words: []string{"very well", "sorry"}, Times: 1}
		}},
		"script.branch.cases.any": {branches, onStep(func(s *scenario.Step) {
			s.Branch = &scenario.Branch{Cases: []scenario.Case{{Any: []string{"no"}, Then: []scenario.Step{say("Monday")}}}}
		})},
		"script.branch.cases.then": {branches, onStep(func(s *scenario.Step) {
			s.Branch = &scenario.Branch{Cases: []scenario.Case{{Any: []string{"day"}, Then: []scenario.Step{say("Friday")}}}}
		})},
		"script.branch.otherwise": {
			func() *stage {
				st := branches()
				st.item.Input.Script[0].Branch.Cases[0].Any = []string{"no"}
				return st
			},
			onStep(func(s *scenario.Step) {
				s.Branch = &scenario.Branch{
					Cases:     []scenario.Case{{Any: []string{"no"}, Then: []scenario.Step{say("Monday")}}},
					Otherwise: []scenario.Step{say("no matter")},
				}
			}),
		},
	}
}

// mark returns everything that a call causes, as text: its audio, its timeline, its end, and the
// requests to the engines.
func mark(t *testing.T, s *stage) string {
	t.Helper()
	o := s.play(t)
	h := fnv.New64a()
	for _, v := range o.sent {
		h.Write([]byte{byte(v), byte(v >> 8)})
	}
	asked := ""
	if m, ok := s.model.(*fakeModel); ok {
		asked = fmt.Sprint(m.asked)
	}
	return fmt.Sprintf("%x %s %+v %s", h.Sum64(), o.story(), o.caller.Ending(), asked)
}

func TestEveryKeyOfInputChangesTheCall(t *testing.T) {
	t.Parallel()
	table := changes()
	keysOfInput(reflect.TypeFor[scenario.Input](), "", nil, func(key string) {
		c, ok := table[key]
		if !ok {
			t.Errorf("input.%s is accepted, and no test shows what it changes", key)
			return
		}
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			before, again, after := c.base(), c.base(), c.base()
			c.alter(&after.item.Input)
			first := mark(t, before)
			if first != mark(t, again) {
				t.Fatal("the call is not repeatable, so that nothing can be said")
			}
			if first == mark(t, after) {
				t.Errorf("input.%s changes nothing:\n%s", key, first)
			}
		})
	})
}

func TestPersonaReachesTheMouth(t *testing.T) {
	t.Parallel()
	p := scenario.Persona{Name: "Ann", Voice: "slt", Pitch: 1.2, Pace: 0.8, Accent: "en-gb"}
	item := script(say("hello"), hangUp())
	item.Input.Persona, item.Input.Language = p, "en-GB"
	s := stage{item: item, mouth: &fakeMouth{}}
	s.play(t)
	for i, got := range s.mouth.calls {
		if got != p || s.mouth.langs[i] != "en-GB" {
			t.Errorf("the mouth was asked for %+v in %s", got, s.mouth.langs[i])
		}
	}
}
