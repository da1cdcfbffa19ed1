package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// idioms are set phrases with which English speakers say that they are put off,
// passed on or taken for fools, and that it goes on. They were collected after
// inspecting half of the eighth set of calls (testdata/eighth.txt), and checked
// against what calm callers say with the same words: "a trapped nerve", "on the same
// wall", "there won't be another one till Monday". See phrase for the notation.
func idioms() []phrase {
	return []phrase{
		// Put off, and passed on.
		{call.SignLetDown, "fobbed|fobbing|palmed|palming me|us|people|off off|me|us|with"},
		{call.SignLetDown, "fed|feed|given|giving|told|telling|get|getting|got|hear|hearing|heard ~ same line|lines|script|speech|answer|spiel|wall|nonsense"},
		{call.SignLetDown, "every|each single time"},
		{call.SignLetDown, "every|each single day|week|month ~ same|you|somebody|someone|nobody|its"},
		{call.SignLetDown, "over and over"},
		{call.SignLetDown, "time and time|again"},
		{call.SignLetDown, "time after time"},
		{call.SignLetDown, "again and again"},
		{call.SignLetDown, "time|day|week|month on the trot"},
		{call.SignLetDown, "word for word"},
		{call.SignLetDown, "nothing is|was|ever|gets|got happen|happening|done|changes|moves"},
		{call.SignLetDown, "anyone|anybody there|ever|actually look|looks|read|reads|bother|bothers|listen|listens|care|cares"},
		{call.SignLetDown, "nobody|noone is calling|coming|listening|answering|helping $|me|us|back|to|anymore"},

		// Taken for a fool.
		{call.SignBlames, "helped yourself|yourselves"},
		{call.SignBlames, "fleecing|fleeced me|us|people|everyone|customers"},
		{call.SignBlames, "take|takes|taking|took me|us|people|everyone for fools|idiots|mugs|granted"},
		{call.SignBlames, "take|takes|taking|took me|us|people|everyone for a|an fool|idiot|mug"},
		{call.SignBlames, "do|have you ~ any idea what this|that|you|youve|youre|im|ive|were|weve|i|we"},
		{call.SignBlames, "do|have you ~ any idea how hard|difficult|embarrassing|frustrating|humiliating|worried|important"},
		{call.SignBlames, "do|have you ~ any idea how long|many i|ive|we|weve|times"},
		{call.SignBlames, "you have|youve|got|clearly no idea what|how"},
		{call.SignSharpWords, "what a|the cheek|nerve"},
		{call.SignSharpWords, "the cheek|audacity|gall of"},
		{call.SignSharpWords, "have|has|got|had the|some cheek|nerve|audacity|gall"},
		{call.SignBlames, "is|are|telling|tells|tell|spinning ~ fairy|porkies|fibs tales|stories|$"},
		{call.SignAgentLost, "are you hearing this|me|yourself|what|any"},
		{call.SignAgentLost, "i dont|cant think|believe ~ you do|are|will|have|did $"},

		// No more of it.
		{call.SignThreatens, "wont be a next one|time|order|visit|stay"},
		{call.SignAsksStop, "dont start with|on|that|again"},
		{call.SignAsksStop, "dont you start"},
		{call.SignAsksStop, "spare me the|your excuses|excuse|speech|script|apology|apologies|lecture|sympathy|details"},
		{call.SignWantsPerson, "find|fetch me|us ~ human|manager|supervisor|adult|grownup"},
		{call.SignWantsPerson, "find|fetch ~ somebody|someone|person with|who the|some|any|can authority|power|undo|decide|do|fix|sort|help"},
	}
}
