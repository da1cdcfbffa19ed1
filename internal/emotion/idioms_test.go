package emotion

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// after returns the last turn of the caller in a call in which the agent has just put the caller
// off.
func after(t *testing.T, text string) call.TurnFeeling {
	t.Helper()
	f := model(t).Feel(Input{Turns: turns("Hi, this is about my order", ">I'm sorry, it takes up to ten days.", text)})
	return of(t, f, 2)
}

func TestIdioms(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]call.Sign{
		"you're just fobbing me off":              call.SignLetDown,
		"I've been fed the same line four times":  call.SignLetDown,
		"it's the third time on the trot":         call.SignLetDown,
		"does anyone there read the notes":        call.SignLetDown,
		"you're taking us for mugs":               call.SignBlames,
		"have you any idea what this is costing":  call.SignBlames,
		"the cheek of it":                         call.SignSharpWords,
		"he is telling fairy tales":               call.SignBlames,
		"are you hearing this":                    call.SignAgentLost,
		"I don't think you do":                    call.SignAgentLost,
		"there won't be a next time":              call.SignThreatens,
		"never again with you":                    call.SignThreatens,
		"don't start with the router again":       call.SignAsksStop,
		"find me somebody with the authority":     call.SignWantsPerson,
		"With what?":                              call.SignRetorts,
		"Of course you are.":                      call.SignRetorts,
		"No, thought not.":                        call.SignRetorts,
		"funny how it never has trouble charging": call.SignRetorts,
		"don't bother, I'll walk":                 call.SignRetorts,
		"what has to happen?":                     call.SignRetorts,
	} {
		for _, text := range []string{text, bare(text)} {
			if got := after(t, text); !has(got, want) {
				t.Errorf("%q: %v, want %s", text, got.Signs, want)
			}
		}
	}
}

// Calm callers may use the words of idioms without a sign.
func TestNoIdioms(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"the physio says it's a trapped nerve",
		"can you mount both on the same wall",
		"there won't be another one till Monday?",
		"do you have any idea how long it takes",
		"do you have any idea what it costs",
		"every single day I take one tablet",
		"what has to happen next",
		"what does it take to open an account",
		"take us for a ride in the new van",
		"do I screw it on myself",
		"no no, I can manage four screws",
		"done, never again will I forget it",
		"could you find me someone who speaks Welsh",
		"funny how's that spelled",
	} {
		for _, text := range []string{text, bare(text)} {
			if got := after(t, text); len(got.Signs) > 0 {
				t.Errorf("%q: %v", text, got.Signs)
			}
		}
	}
}

// Thanks in a refusal and kind words before an objection are no joy.
func TestPolitenessIsNoJoy(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"No, not for me, thank you.", "no thanks", "No, nothing else. Thank you.", "So he can have a go at the rest of them? No thanks.",
		"With the greatest respect, that is not what a good bank does.", "I'm sure you're a perfectly nice woman.",
	} {
		if got := after(t, text); got.Sentiment == call.Positive {
			t.Errorf("%q is %s, %.2f", text, got.Sentiment, got.Valence)
		}
	}
	for _, text := range []string{"No, that was lovely, thank you!", "no you've been very helpful thank you", "thank you so much, that is wonderful"} {
		if got := after(t, text); got.Sentiment != call.Positive {
			t.Errorf("%q is %s, %.2f", text, got.Sentiment, got.Valence)
		}
	}
}

// A caller who declines one offer after another with thanks and a "please" is not upset; without
// those, the same words count in full.
func TestDecliningKindly(t *testing.T) {
	t.Parallel()
	kind := model(t).Feel(Input{Turns: turns("I'd like to cancel my subscription", ">We can offer you two months free.",
		"no thank you I just want to cancel my subscription", ">I can offer you half price for a year.", "no I don't use it any more please cancel the subscription", ">It is cancelled.", "okay bye")})
	curt := model(t).Feel(Input{Turns: turns("I'd like to cancel my subscription", ">We can offer you two months free.",
		"no I just want to cancel my subscription", ">I can offer you half price for a year.", "no I don't use it any more cancel the subscription", ">It is cancelled.", "okay bye")})
	if kind.Frustration > 0.8*curt.Frustration {
		t.Errorf("kindly %.2f, curtly %.2f", kind.Frustration, curt.Frustration)
	}
}
