package emotion

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Logs may have names and numbers removed. Saying four numbers is not repeating oneself, and
// "<PERSON>" does not ask for anybody.
func TestWhatWasTakenOutTellsNothing(t *testing.T) {
	t.Parallel()
	for _, marks := range []string{"[%]", "<%>", "#%#", "{%}", "{{%}}"} {
		mask := func(label string) string { return strings.Replace(marks, "%", label, 1) }
		var turns []call.Turn
		for _, said := range []string{"my name is " + mask("PERSON"), "it's " + mask("ACCOUNT_NUMBER"), "it's " + mask("PHONE_NUMBER_1"), mask("PERSON"), "it's " + mask("PHONE_NUMBER_1"), mask("EMAIL_ADDRESS") + " and " + mask("PHONE_NUMBER_2")} {
			turns = append(turns, call.Turn{Speaker: call.Agent, Text: "And the next one, please?"}, call.Turn{Speaker: call.Caller, Text: said})
		}
		for i := range turns {
			turns[i].Index = i
		}
		f := model(t).Feel(Input{Turns: turns})
		if f.Upset || f.Frustration > 0.1 {
			t.Errorf("%s: upset %v, frustration %g: %s", marks, f.Upset, f.Frustration, f.Reason)
		}
		for _, x := range f.Turns {
			if len(x.Signs) > 0 || x.Sentiment != call.Neutral {
				t.Errorf("%q is %s with %v", turns[x.Turn].Text, x.Sentiment, x.Signs)
			}
		}
	}
}

func TestPlaceholdersAreOneWord(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"call [NAME] at [PHONE NUMBER]":         "call [name] at [name]",
		"name: [PERSON_1], <CREDIT_CARD_2>":     "name [name] [name]",
		"#EMAIL# is {{first_name}}'s":           "[name] is [name] s",
		"wait [inaudible] [speaking french]":    "wait",
		"[and nobody has called me back]":       "and nobody has called me back",
		"<p>never</p><br/> again":               "never again",
		"number #1 and #2 and #BLM":             "number 1 and 2 and blm",
		"if a < b and c > d, then [":            "if a b and c d then",
		"i <3 [A1] <" + strings.Repeat("A", 60): "i ❤ a1 aa",
	} {
		var x tokens
		x.cut(text)
		var words []string
		for _, k := range x.all {
			words = append(words, string(x.of(k)))
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

// Placeholders are not words of any language.
func TestPlaceholdersAreNoEnglish(t *testing.T) {
	t.Parallel()
	turns := []call.Turn{{Speaker: call.Caller, Text: strings.Repeat("[NAME] [CITY] ", 5) + "dzień dobry, proszę, mam zepsuty zegarek"}}
	if f := model(t).Feel(Input{Turns: turns}); f.Engines["words"] != "" {
		t.Error("Polish words were read")
	}
}
