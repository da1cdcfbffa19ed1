package score

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

func TestWhatIsBlurredIsNoEvidence(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, kind, params string
		turn               call.Turn
		real               bool
		want               call.Verdict
	}{
		{"the rest of a number is unclear", KindSay, `{"phrase":"your reference number is four one seven"}`,
			unsureTurn(0, "your reference number is four want/0.49 to is/0.4 there anything else"), false, call.NotEvaluated},
		{"a number before the phrase", KindSay, `{"phrase":"your reference number is four one seven"}`,
			unsureTurn(0, "booked for tuesday at ten thirty your reference number is four want/0.5 to is/0.4 there anything else"), false, call.NotEvaluated},
		{"the same, heard by a real recogniser", KindSay, `{"phrase":"your reference number is four one seven"}`,
			unsureTurn(0, "your reference number is four want/0.49 to is/0.4 there anything else"), true, call.NotPassed},
		{"another number, heard clearly", KindSay, `{"phrase":"your reference number is four one seven"}`,
			unsureTurn(0, "your reference number is four one eight is/0.9 there/0.4 anything else"), false, call.NotPassed},
		{"another time, heard clearly", KindSay, `{"phrase":"check up is booked for Tuesday at ten thirty"}`,
			unsureTurn(0, "your/0.3 check up is booked for tuesday at eleven thirty your reference/0.3 number"), false, call.NotPassed},
		{"minutes, and an unclear word before them", KindSay, `{"phrase":"check up is booked for Tuesday at ten thirty"}`,
			unsureTurn(0, "check up is booked for tuesday at then/0.2 thirty your reference number"), false, call.NotEvaluated},
		{"tens, and an unclear word behind them", KindSay, `{"phrase":"the price is forty three"}`,
			unsureTurn(0, "the price is forty free/0.4 is there anything else"), false, call.NotEvaluated},
		{"tens, and another unclear word", KindSay, `{"phrase":"the price is fifty three"}`,
			unsureTurn(0, "the price is forty free/0.4 is there anything else"), false, call.NotPassed},
		{"one of two times, and the other unclear", KindSay, `{"phrase":"open from nine o'clock until five o'clock every day"}`,
			unsureTurn(0, "we are open from nine o'clock until hive/0.3 o'clock every day"), false, call.NotEvaluated},
		{"the time is unclear", KindSay, `{"phrase":"check up is booked for Tuesday at ten thirty"}`,
			unsureTurn(0, "your check up is booked for tuesday at then/0.2 that/0.3 your reference number"), false, call.NotEvaluated},
		{"nothing is unclear", KindSay, `{"phrase":"your reference number is four one seven"}`,
			unsureTurn(0, "your reference number please"), false, call.NotPassed},
		{"hardly any of it was heard", KindSay, `{"phrase":"your reference number is four one seven"}`,
			unsureTurn(0, "what is your/0.3 name/0.3 please i am all ears"), false, call.NotPassed},
		{"a word inside an amount", KindFactStated, `{"value":"$120"}`,
			unsureTurn(0, "a cleaning one hundred twenty line dollars is there anything else"), false, call.NotEvaluated},
		{"the same, heard by a real recogniser", KindFactStated, `{"value":"$120"}`,
			unsureTurn(0, "a cleaning one hundred twenty line dollars is there anything else"), true, call.Passed},
		{"whose dollars they are", KindFactStated, `{"value":"$120"}`,
			unsureTurn(0, "a cleaning is one hundred twenty canadian dollars"), false, call.Passed},
		{"an amount, and others", KindFactStated, `{"value":"$120"}`,
			unsureTurn(0, "one hundred twenty dollars in dollars and cents"), false, call.Passed},
		{"another hour", KindFactStated, `{"value":"three o'clock"}`,
			unsureTurn(0, "shall i cancel your blood test on friday at two o'clock"), false, call.NotPassed},
	} {
		in := &Input{Heard: call.Heard{Turns: []call.Turn{c.turn}, SelfTestGrade: !c.real}}
		if got := scoreBy(t, c.kind, c.params, in); got.Verdict != c.want {
			t.Errorf("%s: %s because %q, want %s", c.name, got.Verdict, got.Reason, c.want)
		}
	}
}

// An amount that is complete in another turn was stated, whatever is inside it in this one.
func TestAnAmountThatStandsWholeElsewhere(t *testing.T) {
	t.Parallel()
	in := &Input{Heard: call.Heard{Turns: []call.Turn{unsureTurn(0, "that is one hundred twenty line dollars"), unsureTurn(1, "yes one hundred twenty dollars")}, SelfTestGrade: true}}
	if got := scoreBy(t, KindFactStated, `{"value":"$120"}`, in); got.Verdict != call.Passed {
		t.Errorf("%s because %q", got.Verdict, got.Reason)
	}
}

// If another value was clearly heard where the phrase matches best, unclear speech elsewhere is no
// excuse. In the reverse case it is.
func TestTheLikestPassageDecides(t *testing.T) {
	t.Parallel()
	const unclear = "that is a check up on/0.4 tuesday at ten thirty for anna miller is up/0.3 right"
	for _, c := range []struct {
		first, then string
		want        call.Verdict
	}{
		{unclear, "your check up is booked for tuesday at eleven thirty your reference number", call.NotPassed},
		{unclear, "your check up is booked for tuesday at eleven thirty your/0.5 reference number", call.NotPassed},
		{unclear, "your check up is booked for tuesday at twelve thirty/0.5 your/0.5 reference number", call.NotPassed},
		{unclear, "your check up is booked for tuesday at ten forty/0.5 your/0.5 reference number", call.NotEvaluated},
		{unclear, "your check up is booked for tuesday at twelve/0.5 thirty your/0.5 reference number", call.NotEvaluated},
		{unclear, "goodbye", call.NotEvaluated},
		{"is your check up for monday at eleven thirty", "your check up is booked for tuesday at then/0.2 that/0.3 your reference number", call.NotEvaluated},
	} {
		in := &Input{Heard: call.Heard{Turns: []call.Turn{unsureTurn(0, c.first), unsureTurn(1, c.then)}, SelfTestGrade: true}}
		if got := scoreBy(t, KindSay, `{"phrase":"check up is booked for Tuesday at ten thirty"}`, in); got.Verdict != c.want {
			t.Errorf("%q, then %q: %s because %q, want %s", c.first, c.then, got.Verdict, got.Reason, c.want)
		}
	}
}

// For an agent that is hardly audible, it cannot be told who spoke over whom, but its level can be
// judged.
func TestFaintSpeechIsJudgedByItsLevelAlone(t *testing.T) {
	t.Parallel()
	for level, want := range map[float64]call.Verdict{-50: call.NotEvaluated, -30: call.NotPassed} {
		one, late := 1.0, 3.0
		in := &Input{Metrics: []call.Metric{
			{Name: "level", Value: &level}, {Name: "agent_interruptions", Value: &one}, {Name: "time_to_first_word", Value: &late},
		}}
		if got := scoreBy(t, KindTiming, `{"metric":"agent_interruptions","max":0}`, in); got.Verdict != want || got.Value == nil {
			t.Errorf("at %g dBFS: %s because %q, want %s", level, got.Verdict, got.Reason, want)
		}
		if got := scoreBy(t, KindTiming, `{"metric":"time_to_first_word","max":1}`, in); got.Verdict != call.NotPassed {
			t.Errorf("at %g dBFS a late word is %s", level, got.Verdict)
		}
	}
	soft := -50.0
	in := &Input{Metrics: []call.Metric{{Name: "level", Value: &soft}}}
	if got := scoreBy(t, KindTiming, `{"metric":"level","min":-35}`, in); got.Verdict != call.NotPassed {
		t.Errorf("a soft voice is %s", got.Verdict)
	}
}
