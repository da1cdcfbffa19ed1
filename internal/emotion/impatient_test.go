package emotion

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// Callers who lose patience show it in the turn that says so, even if the words alone
// sound cheerful.
func TestPatienceAtItsEnd(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]call.Sign{
		"you're a joke, mate":                       call.SignSharpWords,
		"you lot are having a laugh":                call.SignSharpWords,
		"for the love of god":                       call.SignSharpWords,
		"you absolute clown":                        call.SignSharpWords,
		"it's robbery, that's what it is":           call.SignSharpWords,
		"are you thick":                             call.SignSharpWords,
		"watch your tone":                           call.SignSharpWords,
		"you said five minutes an hour ago, muppet": call.SignSharpWords,
		"get lost":                                  call.SignSharpWords,
		"I think you've helped quite enough":        call.SignRetorts,
		"you had one job":                           call.SignBlames,
		"what is the point of you":                  call.SignBlames,
		"why do you people bother":                  call.SignBlames,
		"how do you people sleep at night":          call.SignBlames,
		"what do you people actually do all day":    call.SignBlames,
		"what's the point of ringing you":           call.SignBlames,
		"do you listen to yourself":                 call.SignAgentLost,
		"did you hear what I said":                  call.SignAgentLost,
		"I've had it up to here":                    call.SignAsksStop,
		"I haven't got all day":                     call.SignAsksStop,
		"he won't turn up":                          call.SignLetDown,
		"I just thought somebody would care":        call.SignLetDown,
		"I don't know what we're going to do":       call.SignDistressed,
		"final email before I involve a lawyer":     call.SignThreatens,
		"I want your name":                          call.SignThreatens,
		"give me your employee number":              call.SignThreatens,
		"I want your supervisor's name":             call.SignThreatens,
	} {
		for _, text := range []string{text, bare(text)} {
			f := model(t).Feel(Input{Turns: turns(">How can I help?", "Hi, this is about my order", ">I'm sorry, it is still being processed.", text)})
			if got := of(t, f, 3); !has(got, want) || got.Frustration < 0.195 || got.Sentiment == call.Positive {
				t.Errorf("%q: %s %.2f %v, want %s", text, got.Sentiment, got.Frustration, got.Signs, want)
			}
		}
	}
}

// Calm callers may use the same words without a sign.
func TestPatientCallersWithTheSameWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"we were having a laugh",
		"I'm hiring a clown for a party",
		"it's about a robbery",
		"is this the final call before boarding",
		"my solicitor is involved in the house sale",
		"could I have your name please",
		"I don't know what we're going to do yet, Friday or Saturday",
		"I did hear you",
		"what's the point of contact",
		"how hard is it to assemble",
		"he won't turn up till six, that's fine",
		"I've had enough sugar thanks",
		"you lot do a grand job",
		"no thank you, I'm moving abroad, so just cancel it",
		"did it get lost in the post",
		"I'd like to fix it to the wall",
		"I sent my last email before I went on holiday",
		"that was the last message before we moved",
		"this is the final call before we board, I think",
		"do you need your staff number or mine",
		"could I get your staff number to leave you a good review",
		"what can you people do for a small business",
		"what do you people charge for delivery",
		"how did you people get so good",
		"what's the point of having two cards",
		"what's the point of calling before, is it to confirm",
	} {
		for _, text := range []string{text, bare(text)} {
			f := model(t).Feel(Input{Turns: turns(">How can I help?", "Hi, this is about my order", ">Sure, what would you like to know?", text)})
			got := of(t, f, 3)
			for _, s := range got.Signs {
				if s != call.SignThanks {
					t.Errorf("%q: %s %.2f %v", text, got.Sentiment, got.Frustration, got.Signs)
				}
			}
			if f.Upset {
				t.Errorf("%q: upset, %.2f", text, f.Frustration)
			}
		}
	}
}
