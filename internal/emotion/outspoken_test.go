package emotion

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Callers who name their feelings, want it now or leave show it in the turn that says so and in no
// other; most of them are upset in this one sentence only.
func TestOutspokenCallersAreUpset(t *testing.T) {
	t.Parallel()
	upset, all := 0, 0
	for _, text := range []string{
		"I'm switching to another provider, you've lost me as a customer",
		"I want a full refund and I want it now",
		"this is the 4th time this week, I shouldn't have to call again",
		"no one is helping me, I've been given the runaround for a week",
		"I've never been treated like this",
		"I want to cancel everything right now",
		"is this a joke",
		"I expect better for what I pay, I'm so frustrated with this",
		"stop apologising and tell me what happens next",
		"I'm leaving a one star review",
	} {
		for _, text := range []string{text, bare(text)} {
			f := model(t).Feel(Input{Turns: turns(">How can I help?", "Hi, this is about my order", ">I'm sorry, it is still being processed.", text)})
			if all++; f.Upset {
				upset++
			}
			if got := of(t, f, 3); f.Upset && f.UpsetTurn != 3 || len(got.Signs) == 0 || got.Frustration < 0.2 || got.Sentiment != call.Negative {
				t.Errorf("%q: upset %v, turn %d, %s %.2f %v", text, f.Upset, f.UpsetTurn, got.Sentiment, got.Frustration, got.Signs)
			}
		}
	}
	if t.Logf("%d of %d are upset", upset, all); 5*upset < 2*all {
		t.Errorf("%d of %d only are upset", upset, all)
	}
}

// Similar sentences of calm callers.
func TestCalmCallersWithTheSameWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"we won't be back till evening",
		"I already told my wife we would come",
		"I just told my husband about it",
		"you said Monday, right?",
		"they promised me a call back so I'm just checking",
		"do you understand what I mean",
		"could I speak to someone in billing please",
		"I'm not upset, I'm just asking",
		"just cancel the second one please",
		"never mind, I found it",
	} {
		for _, text := range []string{text, bare(text)} {
			f := model(t).Feel(Input{Turns: turns(">How can I help?", "Hi, this is about my order", ">Sure, what would you like to know?", text)})
			if got := of(t, f, 3); f.Upset || got.Frustration > 0.3 {
				t.Errorf("%q: upset %v, %.2f %v", text, f.Upset, got.Frustration, got.Signs)
			}
		}
	}
}

// Praise for a refusal without an alternative is irony; for an offer it is praise.
func TestIrony(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent, caller string
		want          call.Sentiment
	}{
		{"I'm afraid that is not possible.", "oh great", call.Negative},
		{"Unfortunately your flight was cancelled.", "Well, that's just wonderful.", call.Negative},
		{"It should be there in an hour.", "great, just great", call.Negative},
		{"I'm afraid Monday is full, but Tuesday is free.", "oh great", call.Positive},
		{"Unfortunately it broke. We sent a new one, would Monday do?", "Oh lovely!", call.Positive},
		{"Unfortunately that one is sold out.", "perfect, thank you", call.Positive},
		{"It's done.", "oh great", call.Positive},
	} {
		f := model(t).Feel(Input{Turns: turns(">How can I help?", "Hi, this is about my order", ">"+c.agent, c.caller)})
		if got := of(t, f, 3); got.Sentiment != c.want {
			t.Errorf("%q, %q: %s %.2f %v", c.agent, c.caller, got.Sentiment, got.Valence, got.Signs)
		}
	}
}

// Words in capitals among others are shouted; names, codes and texts entirely in capitals are not.
func TestCapitalsAreLoud(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"it is down AGAIN, this is useless":      true,
		"I have been waiting for HOURS":          true,
		"it is down again, this is useless":      false,
		"IT IS DOWN AGAIN, THIS IS USELESS":      false,
		"the code is AB12 NOPE, it's the BBC":    false,
		"thank you, you REALLY helped me, great": false,
	} {
		f := model(t).Feel(Input{Turns: turns(text)})
		if got := of(t, f, 0); has(got, call.SignRaisedVoice) != want {
			t.Errorf("%q: %v", text, got.Signs)
		}
	}
}

// Mentioning being let down twice differs from a long description of one time.
func TestWhatIsHeapedUp(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"nobody called me back about my order":                                          false,
		"I've been waiting for three weeks":                                             false,
		"nobody called me back about my order and now it is broken again":               true,
		"I've been waiting for three weeks for the parts and the engineer never turned": true,
		"I would like to book a table for two":                                          false,
	} {
		var x tokens
		x.cut(text)
		if got := model(t).heaps(&x); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
