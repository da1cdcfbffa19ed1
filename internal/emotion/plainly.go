package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// plainly are the phrases of callers who say what is wrong without a sharp word:
// what it has cost them, how often and how long, what they paid for and did not
// get, that they do not believe it, and what they will do now. See phrase for the
// notation. What calm callers say about dates, amounts and errands ("every day you
// open", "a table for four people") must match none of them.
//
//nolint:funlen // a list, a line for each
func plainly() []phrase {
	return []phrase{
		// What it has cost.
		{call.SignLetDown, "i|ive|we|weve|shes|hes missed|lost|losing|lose|miss ~ job|jobs|interview|flight|work|wages|wage|pay|business|customers|sleep|sale|exam|income|everything|funeral|wedding"},
		{call.SignLetDown, "costing|costs|has cost me|us ~ pounds|dollars|quid|euros|money|fortune|hundred|thousand|job|business"},
		{call.SignLetDown, "went|gone|going|go without|hungry|cold"},
		{call.SignLetDown, "been without ~ since|for"},
		{call.SignLetDown, "havent|hasnt slept|eaten|worked|washed ~ days|week|weeks|night|nights|since"},
		{call.SignLetDown, "cant|cannot|couldnt sleep|eat ~ days|nights|since|with"},
		{call.SignLetDown, "drove|driven|travelled|queued ~ hours|miles ~ for|and|only"},
		{call.SignLetDown, "drove|came|walked|travelled|way ~ for nothing"},
		{call.SignLetDown, "all that|this time|money for nothing"},
		{call.SignLetDown, "out of pocket"},

		// How often, and how long.
		{call.SignLetDown, "third|fourth|fifth|sixth|seventh|eighth|ninth|tenth call|letter|visit|engineer|email|replacement|attempt|excuse"},
		{call.SignLetDown, "already|now ~ second|third|fourth|fifth|sixth night|day|week|month|date|time"},
		{call.SignLetDown, "be the third|fourth|fifth|sixth date|time"},
		{call.SignLetDown, "is|its now|already _ days|weeks|months|hours"},
		{call.SignLetDown, "three|four|five|six|seven|eight|nine|ten|dozen|several|countless times _ you|i|we|now|like|already"},
		{call.SignLetDown, "sent|wrote|written|made|had ~ three|four|five|six|seven|eight|ten|twelve|twenty emails|letters|calls|messages|departments|tickets"},
		{call.SignLetDown, "been ~ back and forth|forwards"},
		{call.SignLetDown, "pillar to post"},
		{call.SignLetDown, "passed|pushed|bounced around|along|between"},
		{call.SignLetDown, "been|got|was sent away"},
		{call.SignLetDown, "its|always always|something|something|due|excuse ~ with|to|something"},
		{call.SignLetDown, "same old|story|excuse|answer|rubbish|nonsense every|again|each|story|excuse|all"},
		{call.SignLetDown, "every|each single|time|day|week ~ excuse|nobody|lie|lies|story"},
		{call.SignLetDown, "nothing|nobody ~ happened|done|fixed|resolved|answering|replied|responded"},
		{call.SignLetDown, "nobody answer|answers|cares|care|listens|knows|came|comes|tells|told|replies"},
		{call.SignLetDown, "nothing ever|happens"},
		{call.SignLetDown, "keep|keeps promising|cancelling|moving|changing|charging"},
		{call.SignLetDown, "assured|promised|guaranteed ~ would|wouldnt|will|refund|delivery|be"},
		{call.SignLetDown, "sorry|apology|apologies does|dont|doesnt|isnt|wont|is ~ pay|fix|help|feed|bring|enough|good"},
		{call.SignLetDown, "daylight robbery"},

		// What was paid for, and not had.
		{call.SignBlames, "paid|pay|paying ~ for nothing"},
		{call.SignBlames, "what|why am|are i|we paying ~ for|you"},
		{call.SignBlames, "for what ~ i|we|am|did pay|paid|paying"},
		{call.SignBlames, "i|we|ive|weve pay|paid|hired|trusted ~ you|this ~ not|no|nothing|never|how|still"},
		{call.SignBlames, "take|taken|took|keep|kept|charge|charging my|our|peoples money ~ and|but|then"},
		{call.SignBlames, "want|get|give|need|like ~ every penny|cent|dime|pound"},
		{call.SignBlames, "not|isnt|hardly|wasnt my|our problem|fault|job|responsibility"},
		{call.SignBlames, "how|what is|was ~ that|this|it my|our problem|fault"},
		{call.SignBlames, "you|your ~ made|make|makes a|the|this mistake|error|mess ~ i|im|me|we"},
		{call.SignBlames, "with|of you|your lot|people"},
		{call.SignBlames, "you lot|people $"},
		{call.SignBlames, "^ you people|lot $|again|need|want|think|really|told|said|took|owe"},
		{call.SignBlames, "you|youre|he|she|they|hes|shes|theyre lie|lies|lying|liar"},
		{call.SignBlames, "calling|treat|treating|treated ~ me ~ liar|thief|criminal|fool|stupid|idiot|dirt|rubbish|child"},
		{call.SignBlames, "saying|telling ~ im|i ~ liar|thief|lying"},
		{call.SignBlames, "is|thats how|the|no way|how you treat|treating|treated"},
		{call.SignBlames, "if you cared|understood ~ you|then|why|would"},
		{call.SignBlames, "you should|could have ~ told|said|checked|warned|called|known|thought"},
		{call.SignBlames, "you|youve knew|known ~ and|but|since"},
		{call.SignBlames, "nothing to do with me|us"},
		{call.SignBlames, "talk|speak|talking|speaking to me like"},
		{call.SignBlames, "you are|youre ~ wicked|heartless|rude|cruel|crooks|cheats|thieves|dishonest|shameless|unhelpful|impossible|deaf|blind|rubbish|lying|shambles|joke"},
		{call.SignBlames, "you are|youre ~ not ~ normal|serious|helping|human|professional"},
		{call.SignBlames, "you|youre|youve|they ~ still charging|taking|sending|billing|charge|take"},
		{call.SignSharpWords, "your|its|thats|company|policys|a|complete|total ~ scam|ripoff|racket|con $"},
		{call.SignSharpWords, "its|thats|yours|policys a|an|just|pure|total|such scam|ripoff|racket|disgrace|shambles|farce|insult|outrage"},
		{call.SignSharpWords, "stick|shove your"},
		{call.SignSharpWords, "youre|you are having|taking|pulling ~ laugh|mickey|leg|piss"},
		{call.SignSharpWords, "your|own|another|complete|total cock|screw|balls up|ups"},
		{call.SignSharpWords, "not good enough"},
		{call.SignSharpWords, "not|hardly|isnt|completely|totally|simply|just|wholly acceptable|unacceptable|inexcusable"},

		// Not believed.
		{call.SignAgentLost, "find|finding that|this|it ~ extraordinary|astonishing|incredible|unbelievable|ridiculous|unacceptable|insulting|disgraceful"},
		{call.SignAgentLost, "doubt ~ you"},
		{call.SignAgentLost, "dont|do believe you|a|one word|$"},
		{call.SignAgentLost, "no earthly|good reason"},
		{call.SignAgentLost, "see no reason why|i|to"},
		{call.SignAgentLost, "dont think|believe|see ~ you|youve|that ~ help|helped|understand|care|listening|listened|read"},
		{call.SignAgentLost, "you expect me|us|anyone to"},
		{call.SignAgentLost, "do you realise|realize|even|actually ~ what|how|that|understand"},
		{call.SignAgentLost, "not serious $"},
		{call.SignAgentLost, "simply|just|really|that wont do"},
		{call.SignAgentLost, "tired|sick|weary of ~ your|these|this|being|it|begging|asking|calling|chasing|hearing|you|doing|waiting|stories|excuses"},
		{call.SignAgentLost, "fed up ~ your|these|this|being|it|begging|asking|calling|chasing|hearing|you|doing|waiting|stories|excuses|$"},

		// Giving up.
		{call.SignAsksStop, "im|i am so|completely done"},
		{call.SignAsksStop, "give|gave|giving up ~ you|this|with|$"},
		{call.SignAsksStop, "^ whatever sure|then|just|$"},
		{call.SignAsksStop, "no point ~ you|talking|calling|trying|asking|complaining|waiting"},
		{call.SignAsksStop, "might as well ~ talk|thrown|chucked|burned|binned|not"},
		{call.SignAsksStop, "not going|gonna|prepared|willing to wait|pay|argue|discuss|listen|stand|accept|repeat"},
		{call.SignAsksStop, "refuse to pay|wait|accept|listen|do"},
		{call.SignAsksStop, "shant|wont be paying|waiting|calling|discussing|accepting"},
		{call.SignAsksStop, "nothing more|further|else to say|discuss"},
		{call.SignAsksStop, "had enough $|of|with|now|and|so|im|ive|i|thats|cancel|this"},

		// What will be done now.
		{call.SignThreatens, "small claims"},
		{call.SignThreatens, "consumer|county|magistrates court"},
		{call.SignThreatens, "to the papers|press|media|newspapers|tribunal|ceo"},
		{call.SignThreatens, "ill|will go|call ~ police"},
		{call.SignThreatens, "dispute|disputing ~ this|it|charge|payment ~ with ~ bank|card"},
		{call.SignThreatens, "chargeback"},
		{call.SignThreatens, "post|posting|write|writing|tell|telling ~ everywhere|everyone|everybody|facebook|twitter|trustpilot|review|reviews|social"},
		{call.SignThreatens, "my|our solicitor|lawyer|lawyers|attorney|solicitors will|hears"},
		{call.SignThreatens, "legal|further action|steps|proceedings"},
		{call.SignThreatens, "next order|orders|job|contract ~ going|goes|be to|elsewhere|with|somewhere"},
		{call.SignThreatens, "business|custom|money elsewhere"},
		{call.SignThreatens, "lost|losing|lose ~ a|me|my|loyal customer|custom|business|client"},
		{call.SignThreatens, "then|fine cancel|close me|it|everything ~ now|today|whole|all|then|$"},
		{call.SignThreatens, "just cancel|close me|everything|the ~ now|today|whole|all|lot"},
		{call.SignThreatens, "just cancel|close it now|immediately|all"},
		{call.SignThreatens, "cancel me"},
		{call.SignThreatens, "not coming|going back"},
		{call.SignThreatens, "wont be back|coming|using|ordering|renewing|buying|staying $|again|ever|here|with|there|anymore|you|your|from|any"},
		{call.SignThreatens, "be the last time|order|penny"},
		{call.SignThreatens, "demand|demanding|insist ~ refund|compensation|money|answer|manager|explanation"},
		{call.SignThreatens, "claiming|claim ~ compensation|damages|every"},
		{call.SignThreatens, "terminate|terminating|reconsider|reconsidering ~ contract|relationship|account|business"},

		// At the end of their strength.
		{call.SignDistressed, "gonna|going|could|about ~ cry|scream|explode|collapse"},
		{call.SignDistressed, "cant|cannot keep|live ~ this|like|doing"},
		{call.SignDistressed, "cant|cannot take|do ~ anymore"},
		{call.SignDistressed, "at my ~ limit|lowest"},
		{call.SignDistressed, "im|am|just ~ worn|burnt|wiped out"},
		{call.SignDistressed, "begging you"},
		{call.SignDistressed, "only|just|can cry|crying from|with|because"},
	}
}
