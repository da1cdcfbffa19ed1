package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// impatient are the phrases of callers who lose patience: how they mock, how they cut
// the agent off, and whom they will bring in. They were made after judging
// conversations written for the purpose, and checked against what calm callers say
// with the same words: "we had a laugh", "is your solicitor involved in the sale",
// "I don't know what we're going to do yet". See phrase for the notation.
//
//nolint:funlen // a list, a line for each
func impatient() []phrase {
	return []phrase{
		// How they mock.
		{call.SignSharpWords, "youre|your a|an|all|just|such ~ joke|disgrace|farce|shambles|jokers|clowns|muppets"},
		{call.SignSharpWords, "youre|lot|people|guys|company having|are|is ~ having me|a|us laugh|on"},
		{call.SignSharpWords, "youre having me|a|us laugh|on"},
		{call.SignSharpWords, "taking the piss|mick|mickey|michael|biscuit"},
		{call.SignSharpWords, "you|youre|absolute|complete|total|utter|bunch|of clown|clowns|wally|wallies|plonker|plonkers $|that|who|and|mate|what|why"},
		{call.SignSharpWords, "for the love of god|christ|pete"},
		{call.SignSharpWords, "is|its|thats|this beyond belief"},
		{call.SignSharpWords, "are you thick|dense|dim|daft|blind $|or|mate"},
		{call.SignSharpWords, "is|its|thats|just|pure|plain|sheer|daylight|highway|outright robbery|extortion $|what|thats|and|mate|plain"},
		{call.SignSharpWords, "just|pure|plain|total|complete|sheer|highway|outright robbery|extortion"},
		{call.SignRetorts, "helped|done|said quite enough"},
		{call.SignBlames, "had one job"},
		{call.SignBlames, "how hard|difficult can it|this|that be"},
		{call.SignBlames, "whats|is the point of you"},
		{call.SignBlames, "whats|is the point of having|calling|ringing|paying|phoning you|this|a|an|it|if|when|$"},
		{call.SignBlames, "why do|did|can|cant|could|dont|wont you people|lot"},
		{call.SignBlames, "how|what do|can|could you people|lot ~ sleep|live|treat|run|expect|night|yourselves|actually|even|think|want|there|here|all"},
		{call.SignAgentLost, "listen|listening|hear|hearing to|what|how ~ yourself|yourselves"},
		{call.SignAgentLost, "hear|hearing yourself|yourselves"},
		{call.SignAgentLost, "hear what i|im said|am|just|saying"},
		{call.SignAgentLost, "talking|speaking to ~ wall $|here|again"},

		// How they cut short.
		{call.SignSharpWords, "piss|sod|bugger|naff off"},
		{call.SignSharpWords, "^ get lost|stuffed $"},
		{call.SignSharpWords, "go to hell"},
		{call.SignSharpWords, "watch|mind your tone|mouth|language|manners"},
		{call.SignSharpWords, "that|this|your tone with me"},
		{call.SignAsksStop, "enough is enough"},
		{call.SignAsksStop, "had it up to"},
		{call.SignAsksStop, "got|have better things to do"},
		{call.SignAsksStop, "havent|dont got|have all day|night|week $|for|to|and"},

		// Who left them waiting.
		{call.SignLetDown, "he|she|they|nobody wont|never turn|show up $|anyway|either|again|will"},
		{call.SignLetDown, "stood|standing|sat|sitting|waiting ~ like a|an lemon|mug|muppet|fool|idiot"},
		{call.SignLetDown, "thought|hoped|thinking somebody|someone|anybody|anyone ~ would|might care|listen|help"},
		{call.SignDistressed, "know what im|were going|gonna to|do ~ do|now|without $|now|anymore|if|without"},

		// Whom they bring in.
		{call.SignThreatens, "involve|involving|instruct|instructing my|our|a ~ lawyer|attorney|solicitor|lawyers|solicitors|police"},
		{call.SignThreatens, "get|getting|bring|bringing my|our|a|the lawyer|attorney|solicitor|lawyers|solicitors|police involved|in|onto|on"},
		{call.SignThreatens, "final|last call|email|letter|message before i|we|im|were ~ involve|involving|instruct|contact|contacting|go|going|take|taking|escalate|report|cancel|cancelling|sue|write|complain|get|call|leave|dispute"},
		{call.SignThreatens, "i want your ~ name"},
		{call.SignThreatens, "i want your manager|supervisor $|now|and|on|please|right"},
		{call.SignThreatens, "give|want|have|need|whats me|is|i|your ~ employee|badge|staff number|id $|now|and|please|so|because"},
	}
}
