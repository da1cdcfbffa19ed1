package emotion

import (
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Throwing back the agent's words is a sign only if the agent put up a hurdle and the caller does
// not accept it.
func TestRetorts(t *testing.T) {
	t.Parallel()
	m := model(t)
	for _, x := range []struct {
		agent, text string
		want        bool
	}{
		{"it takes six weeks", "six weeks for a form", true},
		{"it takes six weeks", "six weeks is fine", false},
		{"our policy is no refunds", "and what am i supposed to wear now", true},
		{"our policy is no refunds", "why should i pay for your mistake", true},
		{"you will need a letter from your bank", "does anybody there read what i send", true},
		{"you will need a letter from your bank", "what time do they close", false},
		{"would you like the blue one", "the blue one for my sister", false},
		{"how can i help", "who can tell me when the pool opens", false},
		{"it will come tomorrow", "tomorrow morning would be better", false},
	} {
		f := m.Feel(Input{Turns: turns("hello", ">"+x.agent, x.text)})
		if got := slices.Contains(of(t, f, 2).Signs, call.SignRetorts); got != x.want {
			t.Errorf("%q after %q: retorts %v", x.text, x.agent, got)
		}
	}
}

// The frustration of a turn lasts if the agent puts up another hurdle, but not if it helps.
func TestFrustrationLasts(t *testing.T) {
	t.Parallel()
	m := model(t)
	first := "this is the third time i ring and nobody called me back, it's a disgrace"
	put := m.Feel(Input{Turns: turns(">how can i help", "it's about my boiler", ">it takes ten days", first, ">i cannot do that", "it is on the second floor")})
	helped := m.Feel(Input{Turns: turns(">how can i help", "it's about my boiler", ">it takes ten days", first, ">where is it", "it is on the second floor")})
	if a, b := of(t, put, 5), of(t, helped, 5); a.Frustration <= b.Frustration || a.Valence >= b.Valence {
		t.Errorf("frustration %g and valence %g after a refusal, %g and %g after a question", a.Frustration, a.Valence, b.Frustration, b.Valence)
	}
}

// Strong words in answer to good news are joy, and callers who play down a fault are not upset.
func TestGoodNewsAndPatience(t *testing.T) {
	t.Parallel()
	m := model(t)
	for _, texts := range [][]string{
		{">concert hotline", "it's about the draw", ">congratulations you won", "shut up are you serious", ">yes both tickets", "i can't believe it"},
		{">parcel line", "it's been three weeks but i know you are all busy", ">it will come tomorrow", "that's fine no rush"},
		{">parcel line", "it was late again but no harm done", ">i am sorry about that", "these things happen"},
	} {
		if f := m.Feel(Input{Turns: turns(texts...)}); f.Upset {
			t.Errorf("%q: %s", texts, f.Reason)
		}
	}
}

// Callers who give what was asked for name it first. That throws nothing back, although the agent
// said it, too.
func TestWhoFillsInThrowsNothingBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent, caller string
		retort        bool
	}{
		{"I'm afraid I can't find that booking. Could you give me your postal code?", "Postal code is SW1A 1AA.", false},
		{"I was not able to find an account with that email. Could you tell me your account number?", "My account number is 4471 220.", false},
		{"Your order is delayed. What is the order number?", "order number a99812", false},
		{"I don't see it under that name. Can I have the phone number on the account?", "The phone number is [PHONE_NUMBER]", false},
		{"Unfortunately the card was declined. What are its last four digits?", "the last four digits are 4471", false},
		{"I'm afraid the account was closed. Do you have another account?", "Account closed after 10 years.", true},
		{"It takes six weeks, you need to fill in a form.", "Six weeks for a form", true},
		{"Your order number is not in the system, I'm afraid.", "My order number is 4471, is it not?!", true},
	} {
		f := model(t).Feel(Input{Turns: []call.Turn{{Speaker: call.Agent, Text: c.agent}, {Index: 1, Speaker: call.Caller, Text: c.caller}}})
		if got := slices.Contains(f.Turns[0].Signs, call.SignRetorts); got != c.retort {
			t.Errorf("%q to %q throws back: %v, %s", c.caller, c.agent, got, f.Turns[0].Sentiment)
		}
		if !c.retort && f.Sentiment == call.Negative {
			t.Errorf("%q is negative", c.caller)
		}
	}
}
