package emotion

import (
	"testing"

	"github.com/ringtrue/ringtrue/internal/call"
)

// A caller who asks for a person wants one, now, from this agent. One who needs none, had one or
// reports that others asked does not.
func TestWhoAsksForAPersonWantsOne(t *testing.T) {
	t.Parallel()
	m := model(t)
	for text, want := range map[string]bool{
		"I'd like to speak to a person": true, "can I talk to a real human please": true, "representative": true, "put me through to an operator": true,
		"I want a person": true, "i want a real person not a robot": true, "I just need an actual human": true, "give me a human being": true,
		"is there anyone I can talk to": true, "is there somebody i could speak with": true, "isn't there anyone I can speak to": true,
		"can't I just talk to a person": true, "why won't you let me speak to a person": true, "I don't want to talk to a machine, I want a person": true,
		"I don't understand you, get me a human": true, "are you a robot? I need to talk to a person": true, "let me talk to your supervisor": true,
		"i've been trying to speak to a person for an hour": true, "I need somebody who understands this": true, "no no, a real person": true,
		"I asked to speak to a manager": true, "I said I want to speak to a human": true, "do i have to beg to talk to a person": true,

		"I don't need to speak to a person": false, "no, I don't want to talk to anyone, just tell me the balance": false,
		"I do not need a real person, you're doing fine": false, "you don't have to put me through to anybody": false, "no need to get a manager": false,
		"I spoke to a real person last week": false, "I talked to a representative yesterday and she helped me": false, "i already spoke with a live agent on monday": false,
		"a real person called me back": false, "she asked to speak to the manager": false, "he wants to talk to a person from the bank": false,
		"my mother wanted to speak to somebody at the clinic": false, "you sound like a real person": false, "are you a real person": false,
		"I'd rather not speak to a person": false, "I am a real person": false,

		"could you just transfer me to someone in billing": true, "agent agent agent": true, "operator please": true, "Speak to agent.": true,
		"i need to speak with a manager right now": true, "is there a human I can talk to": true, "I would like a live person please": true,
		"please get me a person": true, "don't give me the menu again give me a person": true, "I don't want the app, I want to speak to someone": true,
		"how do i get through to a real person": true, "you're a bot, let me talk to an actual human being": true, "when will I get to speak to somebody": true,
		"no i need a human": true, "I'll wait for a real person": true, "have you got anyone there I can speak to": true,
		"supervisor now": true, "connect me with your supervisor": true, "i want to talk to your boss": true,
		"I was talking to someone and got cut off": false, "someone called me earlier from this number": false, "I've spoken to three people about this": false,
		"the representative said it would be Tuesday": false, "my son said I should talk to somebody about the bill": false, "is this the person I spoke to before": false,
		"it's fine I don't need anyone to call me": false, "they told me to speak to the pharmacist": false, "I never got to speak to a person last time": false,
		"she'd like to speak to a nurse": false, "thank you for letting me talk to a person": false, "you don't need to transfer me": false,
		"I'm a real person not a number": false, "you helped me more than any real person did": false, "I want to add a person to my booking": false,
		"i need a person to sign for it": false, "for one person please": false, "table for four people now": false, "I want an agent account": false,
		"just get me somebody who can help": true, "can you put someone on who speaks English properly": true, "I'd prefer to talk with a human if that's possible": true,
		"human": true, "talk to representative": true, "get me your manager": true, "are there any humans there I can speak to": true,
		"i need to speak to a real life person": true, "please stop and let me speak to a person": true, "please transfer this call to a live agent": true,
		"I told you I want a human": true, "we'd like to talk to somebody about the invoice": true, "do you have a person I could talk to": true,
		"I've asked three times to speak to a supervisor": true, "I need someone who actually knows what they're doing": true,
		"I would much rather deal with a person": true, "enough, operator": true,
		"the lady I spoke to was very nice": false, "I've been told to talk to my bank": false, "your agent was rude to me yesterday": false,
		"my husband usually talks to the people at the bank": false, "no no, no need for a supervisor": false, "I'm not asking for a manager": false,
		"we had a live agent on the line but he hung up": false, "last week I got put through to someone in Leeds": false, "is that your real agent number": false,
		"I got through to a person in the end": false, "he's a real estate agent": false, "my travel agent booked it": false, "don't transfer me please": false,
		"there's a person at the door hang on": false, "it needs the manager's signature": false, "I'm the manager here": false,
		"you don't have to get anyone": false, "she spoke to someone in your office": false, "I'm talking to someone else at the same time": false, "Speak up please": false,
	} {
		var got bool
		for _, s := range m.Feel(Input{Turns: []call.Turn{
			{Speaker: call.Agent, Text: "Hello, how can I help you today?"}, {Speaker: call.Caller, Text: text},
		}}).Turns[0].Signs {
			got = got || s == call.SignWantsPerson
		}
		if got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
