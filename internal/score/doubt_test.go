package score

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/call"
)

// unsureTurn returns a turn whose words have confidences after a slash ("the/0.1"), 1 by default.
func unsureTurn(index int, text string, readings ...string) call.Turn {
	t := call.Turn{Index: index, Speaker: call.Agent, Start: time.Duration(index) * time.Second, Readings: readings}
	var texts []string
	for field := range strings.FieldsSeq(text) {
		word, sure, found := strings.Cut(field, "/")
		w := call.Word{Text: word, Confidence: 1, Start: t.Start, End: t.Start}
		if found {
			if err := json.Unmarshal([]byte(sure), &w.Confidence); err != nil {
				panic(err)
			}
		}
		t.Words = append(t.Words, w)
		texts = append(texts, word)
	}
	t.Text = strings.Join(texts, " ")
	return t
}

func TestWhatWasUnclearIsNoEvidence(t *testing.T) {
	t.Parallel()
	const friday = "shall i cancel your blood test on friday at the/0.12 o'clock"
	for _, c := range []struct {
		name, kind, params string
		turns              []call.Turn
		want               call.Verdict
		reason             string
	}{
		{"another reading of an unclear word", KindFactStated, `{"value":"three o'clock"}`,
			[]call.Turn{unsureTurn(0, friday, "shall i cancel your blood test on friday at three o'clock")}, call.NotEvaluated, "may have been"},
		{"no other reading", KindFactStated, `{"value":"three o'clock"}`,
			[]call.Turn{unsureTurn(0, friday, "shall i cancel your blood test on friday that the o'clock")}, call.NotPassed, "never stated"},
		{"another reading of a clear word", KindFactStated, `{"value":"Tuesday"}`,
			[]call.Turn{unsureTurn(0, "which day would you like", "tuesday would you like")}, call.NotPassed, "never stated"},
		{"another value, however unclear, is evidence", KindFactStated, `{"value":"$40"}`,
			[]call.Turn{unsureTurn(0, "a vaccination costs forty three/0.2 dollars", "a vaccination costs forty dollars")}, call.NotPassed, "forty three dollars"},
		{"nothing is put between clear words", KindFactStated, `{"value":"$43"}`,
			[]call.Turn{unsureTurn(0, "a vaccination costs forty dollars", "a vaccination costs forty three dollars")}, call.NotPassed, "forty dollars"},
		{"something is put beside an unclear word", KindSay, `{"phrase":"open from nine o'clock"}`,
			[]call.Turn{unsureTurn(0, "we are open can/0.3 o'clock", "we are open from nine o'clock")}, call.NotEvaluated, "may have been"},
		{"another reading with another value in it", KindSay, `{"phrase":"cleaning is moved to Thursday at two o'clock"}`,
			[]call.Turn{unsureTurn(0, "your cleaning is moved to thursday at three o'clock is/0.3 there anything else", "your cleaning is moved to thursday at three o'clock two there anything else")},
			call.NotPassed, "closest words"},
		{"too little was clear", KindFactStated, `{"value":"Friday"}`,
			[]call.Turn{unsureTurn(0, "the/0.4 cat/0.5 sat/0.9 on the/0.2 mat/0.3")}, call.NotEvaluated, "only 55 % confidence"},
		{"a value in speech that is clear enough", KindFactStated, `{"value":"Friday"}`,
			[]call.Turn{unsureTurn(0, "we are open on monday and/0.3 that is all")}, call.NotPassed, "monday"},
		{"a recogniser that tells nothing is believed", KindFactStated, `{"value":"Friday"}`,
			[]call.Turn{{Speaker: call.Agent, Text: "we are open on monday"}}, call.NotPassed, "monday"},
		{"said, but not clearly", KindDoNotSay, `{"phrase":"I promise"}`,
			[]call.Turn{unsureTurn(0, "well i promise/0.3 that")}, call.NotEvaluated, "not clearly"},
		{"said clearly in another turn", KindDoNotSay, `{"phrase":"I promise"}`,
			[]call.Turn{unsureTurn(0, "well i promise/0.3 that"), unsureTurn(1, "i promise that")}, call.NotPassed, "0:01.0"},
		{"said clearly later in the turn", KindDoNotSay, `{"phrase":"I promise"}`,
			[]call.Turn{unsureTurn(0, "well i promise/0.3 that yes i promise that")}, call.NotPassed, "must not say"},
		{"in another reading only", KindDoNotSay, `{"phrase":"I promise"}`,
			[]call.Turn{unsureTurn(0, "hello miss/0.2", "hello i promise")}, call.Passed, "did not say"},
		{"a pattern in another reading", KindRegex, `{"pattern":"how can i help"}`,
			[]call.Turn{unsureTurn(0, "thank you for calling maple to/0.1 the/0.3 can i help you", "thank you for calling maple how can i help you")}, call.NotEvaluated, "may have been"},
		{"a pattern nowhere", KindRegex, `{"pattern":"how can i help"}`,
			[]call.Turn{unsureTurn(0, "yes/0.4 what is it")}, call.NotPassed, "No turn"},
		{"a pattern that must not occur, not clearly", KindRegex, `{"pattern":"did not understand","never":true}`,
			[]call.Turn{unsureTurn(0, "i did/0.4 not/0.5 understand/0.4")}, call.NotEvaluated, "not clearly"},
		{"a pattern that must not occur, clearly once", KindRegex, `{"pattern":"did not understand","never":true}`,
			[]call.Turn{unsureTurn(0, "i did/0.4 not/0.5 understand/0.4"), unsureTurn(1, "i did not understand")}, call.NotPassed, "matches the forbidden pattern"},
		{"a pattern that must not occur, clearly later in the turn", KindRegex, `{"pattern":"did not understand","never":true}`,
			[]call.Turn{unsureTurn(0, "i did/0.4 not/0.5 understand/0.4 i did not understand")}, call.NotPassed, "matches the forbidden pattern"},
	} {
		s, bad := Build(Config{Kind: c.kind, Params: json.RawMessage(c.params)}, Deps{})
		if bad != nil {
			t.Fatal(bad)
		}
		got := s.Score(t.Context(), &Input{Heard: call.Heard{Turns: c.turns}})
		if got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) {
			t.Errorf("%s: %s because %q, want %s because …%s…", c.name, got.Verdict, got.Reason, c.want, c.reason)
		}
	}
}

func TestStrainedSoundIsNoEvidence(t *testing.T) {
	t.Parallel()
	figure := func(name string, v float64) call.Metric { return call.Metric{Name: name, Value: &v} }
	for _, c := range []struct {
		name     string
		metric   call.Metric
		selfTest bool
		want     call.Verdict
	}{
		{"too fast", figure("words_per_minute", 241), true, call.NotEvaluated},
		{"fast, but not too fast", figure("words_per_minute", 239), true, call.NotPassed},
		{"too fast, heard by a real recogniser", figure("words_per_minute", 300), false, call.NotPassed},
		{"too much lost", figure("loss", 0.03), true, call.NotEvaluated},
		{"too noisy", figure("snr", 19), true, call.NotEvaluated},
		{"too soft", figure("level", -41), true, call.NotEvaluated},
		{"soft, but not too soft", figure("level", -39), true, call.NotPassed},
		{"too loud", figure("clipping", 0.02), true, call.NotEvaluated},
		{"loud, but not too loud", figure("clipping", 0.005), true, call.NotPassed},
		{"not measured", call.Metric{Name: "snr"}, true, call.NotPassed},
	} {
		in := &Input{Metrics: []call.Metric{c.metric}}
		in.Heard.SelfTestGrade = c.selfTest
		in.Heard.Turns = []call.Turn{unsureTurn(0, "we are open on monday")}
		for kind, params := range map[string]string{KindFactStated: `{"value":"Friday"}`, KindSay: `{"phrase":"how can I help"}`, KindRegex: `{"pattern":"how can i help"}`,
			KindCEL: `{"expression":"call.agent_text.contains('how can i help')"}`} {
			if got := scoreBy(t, kind, params, in); got.Verdict != c.want {
				t.Errorf("%s, %s: %s (%s), want %s", c.name, kind, got.Verdict, got.Reason, c.want)
			}
		}
		if got := scoreBy(t, KindSay, `{"phrase":"we are open on Monday"}`, in); got.Verdict != call.Passed {
			t.Errorf("%s: what was said is %s: %s", c.name, got.Verdict, got.Reason)
		}
	}
}

func scoreBy(t *testing.T, kind, params string, in *Input) call.Score {
	t.Helper()
	s, bad := Build(Config{Kind: kind, Params: json.RawMessage(params)}, Deps{})
	if bad != nil {
		t.Fatal(bad)
	}
	return s.Score(t.Context(), in)
}

// How the agent sounds says nothing about the words of its caller.
func TestTheCallersWordsAreNoLessSureForTheAgentsSound(t *testing.T) {
	t.Parallel()
	asked, bad := Build(Config{Kind: KindRegex, Params: json.RawMessage(`{"pattern":"refund","speaker":"caller"}`)}, Deps{})
	if bad != nil {
		t.Fatal(bad)
	}
	fast := 300.0
	caller := unsureTurn(0, "i would like an appointment")
	caller.Speaker = call.Caller
	in := &Input{
		Heard:   call.Heard{SelfTestGrade: true, Turns: []call.Turn{caller}},
		Metrics: []call.Metric{{Name: "words_per_minute", Unit: "wpm", Value: &fast}},
	}
	got := asked.Score(t.Context(), in)
	if got.Verdict != call.NotPassed || got.Reason != `No turn of the caller matches the pattern "refund".` {
		t.Errorf("%s because %q", got.Verdict, got.Reason)
	}
	unsure := unsureTurn(0, "i would/0.2 like/0.3 an/0.4 appointment/0.5")
	unsure.Speaker = call.Caller
	in = &Input{Heard: call.Heard{Turns: []call.Turn{unsure}}}
	got = asked.Score(t.Context(), in)
	if got.Verdict != call.NotEvaluated || !strings.Contains(got.Reason, "the caller's words were recognised with only 48 % confidence") {
		t.Errorf("%s because %q", got.Verdict, got.Reason)
	}
}
