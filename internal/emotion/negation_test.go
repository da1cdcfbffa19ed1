package emotion

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Only what a "not" reaches is negated.
func TestWhatIsDenied(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"I'm not very happy at all":                "very happy all",
		"I really don't appreciate being ignored":  "appreciate being ignored",
		"No, that's wonderful":                     "",
		"there is no problem at all":               "problem",
		"not today, but it was lovely":             "today",
		"I can't fault you! Wonderful":             "fault",
		"it wasn't bad because everybody was nice": "bad",
		"happy with that":                          "",
		"I'm not sure. Great, thanks":              "sure",
		"I did not pay 3.50 twice":                 "pay twice",
		"nothing works\ngood service otherwise":    "works",
	} {
		var x tokens
		x.cut(text)
		var not denied
		var got []string
		for i, k := range x.all {
			if not.next(&x, i) {
				got = append(got, string(x.of(k)))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %q", text, got, want)
		}
	}
}

// Negated praise is no praise, and negated blame is no blame.
func TestDeniedPraiseAndBlame(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]call.Sentiment{
		"I'm not very happy at all":               call.Negative,
		"I really don't appreciate this":          call.Negative,
		"not impressed":                           call.Negative,
		"that wasn't very nice":                   call.Negative,
		"I wouldn't recommend it":                 call.Negative,
		"I don't really appreciate being ignored": call.Negative,
		"not bad at all":                          call.Positive,
		"I can't fault you":                       call.Positive,
		"no, that's wonderful":                    call.Positive,
		"that's not a problem":                    call.Neutral,
		"well it's not so bad":                    call.Neutral,
	} {
		for _, text := range []string{text, bare(text)} {
			if got := of(t, model(t).Feel(Input{Turns: turns(text)}), 0); got.Sentiment != want {
				t.Errorf("%q: %s %.2f, want %s", text, got.Sentiment, got.Valence, want)
			}
		}
	}
}

// A "no" to the agent's question contradicts nothing; one that repeats the agent's words does.
func TestAnswersDoNotInsist(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked, answer string
		want          bool
	}{
		{"Is the light green?", "No, the internet is still dead", false},
		{"Would you like a call back?", "no i want my internet connection", false},
		{"So you want to cancel your internet?", "No, I don't want to cancel, the internet is dead", true},
		{"Your bill is paid.", "No, it's the internet that is dead", true},
	} {
		f := model(t).Feel(Input{Turns: turns(">How can I help?", "my internet connection at home went dead on Monday", ">"+c.asked, c.answer)})
		if got := of(t, f, 3); has(got, call.SignInsists) != c.want {
			t.Errorf("%q, %q: %v", c.asked, c.answer, got.Signs)
		}
	}
}

// Good news is still being answered after the agent has gone on.
func TestGoodNewsLast(t *testing.T) {
	t.Parallel()
	const wow = "I'm literally shaking this is insane oh my god"
	glad := of(t, model(t).Feel(Input{Turns: turns(">Congratulations, you won.", "are you serious", ">Just show the email.", wow)}), 3)
	if glad.Frustration > 0.3 || has(glad, call.SignSharpWords) {
		t.Errorf("%+v", glad)
	}
	bad := of(t, model(t).Feel(Input{Turns: turns(">Congratulations, you won.", "are you serious", ">Unfortunately it was cancelled.", "this is insane, you useless people")}), 3)
	if !has(bad, call.SignSharpWords) {
		t.Errorf("%+v", bad)
	}
}

// Callers who get no answer say so; those who calmly mention what has not come yet do not.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]call.Sign{
		"I emailed you so many times and got no reply at all": call.SignLetDown,
		"I still haven't got a refund or any explanation":     call.SignLetDown,
		"I'm losing faith in this company":                    call.SignLetDown,
		"we've made multiple calls about it":                  call.SignLetDown,
		"nothing works and nobody helps":                      call.SignLetDown,
		"I already replied to that":                           call.SignCorrects,
		"isn't that what I've done already":                   call.SignToldBefore,
		"read my last message":                                call.SignAgentLost,
		"you guys never pick up":                              call.SignBlames,
		"representative representative representative":        call.SignWantsPerson,
		"what a joke": call.SignSharpWords,
		"great, so now I have to wait another week": call.SignRetorts,
		"that's not my name":                        call.SignCorrects,
		"I've had it with this":                     call.SignAsksStop,
	} {
		if got := of(t, model(t).Feel(Input{Turns: turns(">Yes?", "hello", ">And?", text)}), 3); !has(got, want) {
			t.Errorf("%q: %v, want %s", text, got.Signs, want)
		}
	}
	for _, text := range []string{
		"how many times a day should I take it", "I didn't hear that, sorry", "nothing has changed since last time", "several calls come in every day in my shop",
		"you guys are amazing, thank you so much", "I just gave the dog a bath", "I haven't heard of that one", "we do things as you guys do",
		"great, so now I have to upload the photo", "he told me a joke, what a good one", "I've had it since Monday",
		"I read what you wrote, thanks", "I waited a few minutes and then it came",
	} {
		got := of(t, model(t).Feel(Input{Turns: turns(">Yes?", "hello", ">And?", text)}), 3)
		for _, s := range got.Signs {
			if s != call.SignThanks {
				t.Errorf("%q: %v", text, got.Signs)
			}
		}
	}
}

// A number or a code is no feeling, and a question that repeats the agent's word throws nothing
// back.
func TestCodesAndQuestionsAreCalm(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Yes, GEX8LD", "yes it's 0062395415777", "it's QX7 44B", "okay, five five one nine"} {
		if got := of(t, model(t).Feel(Input{Turns: turns(">Your code?", text)}), 1); got.Sentiment != call.Neutral || got.Frustration > 0.1 {
			t.Errorf("%q: %s, frustration %.2f", text, got.Sentiment, got.Frustration)
		}
	}
	const asked = ">You need to fill in a form, it takes six weeks."
	if got := of(t, model(t).Feel(Input{Turns: turns("hello", asked, "Which form would I use for that?")}), 2); has(got, call.SignRetorts) {
		t.Errorf("a question: %v", got.Signs)
	}
	if got := of(t, model(t).Feel(Input{Turns: turns("hello", asked, "Six weeks for one little form.")}), 2); !has(got, call.SignRetorts) {
		t.Errorf("a retort: %v", got.Signs)
	}
}
