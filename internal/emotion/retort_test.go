package emotion

import (
	"slices"
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// What throws back the agent's words is a sign only where the agent put something
// in the caller's way, and the caller does not take it.
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

// The frustration of a turn lasts where the agent puts something in the way again,
// and not where it helps.
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

// What is strong in the answer to good news is joy, and who makes light of a fault is not upset.
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
