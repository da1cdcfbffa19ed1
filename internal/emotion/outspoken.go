package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// outspoken are the phrases of callers who name their feelings, demand a solution at
// once, say that they leave, or believe nothing any more. They were made from what
// customers of any trade say, and revised after reading half of a second sample of real
// conversations. See phrase for the notation. "I'm not upset", "we won't be back till
// evening", "I want to cancel my order please" and "could you fix the date" must match
// none of them.
//
//nolint:funlen // a list, a line for each
func outspoken() []phrase {
	return []phrase{
		// What they feel.
		{call.SignSharpWords, "im|am furious|livid|fuming|outraged|disgusted|appalled|incensed|seething"},
		{call.SignSharpWords, "im|am so|really|just|absolutely|completely|beyond|pretty|very furious|livid|fuming|outraged|disgusted|appalled|incensed|seething"},
		{call.SignLetDown, "im|am|was|getting|so|very|really|extremely|quite|pretty|seriously|beyond|incredibly|deeply|truly|bit frustrated|annoyed|angry|disappointed|irritated|aggravated|dissatisfied|unimpressed|unhappy|upset|mad $|right|now|and|because|that|but"},
		{call.SignLetDown, "im|am|was|getting|so|very|really|extremely|quite|pretty|seriously|beyond|incredibly|deeply|truly|bit frustrated|annoyed|angry|disappointed|irritated|aggravated|dissatisfied|unimpressed|unhappy|upset|mad with|in|at|by|about you|your|this|it|the|that|how|all|everything|them|being"},
		{call.SignLetDown, "not|isnt|wasnt|hardly ~ happy|pleased|impressed|amused|satisfied|thrilled about|with|at|by|$"},
		{call.SignLetDown, "this|its|thats|is|was|so|very|really|getting|beyond frustrating|infuriating|maddening|aggravating|outrageous|laughable|insulting|shameful|absurd"},
		{call.SignLetDown, "been a|an|such ~ nuisance|hassle|nightmare|ordeal|disaster"},
		{call.SignLetDown, "poor|terrible|awful|horrible|appalling|shocking|dreadful|lousy|pathetic|abysmal|atrocious|disgraceful|rubbish|crap|worst|worse|zero ~ service|support|company|experience|treatment|communication|provider|airline|carrier|isp"},
		{call.SignLetDown, "service|support|company|experience|treatment|communication|app|website|system|network is|was|has|are ~ terrible|awful|horrible|appalling|shocking|dreadful|pathetic|abysmal|atrocious|disgraceful|rubbish|crap|garbage|trash|joke|useless|nightmare"},

		// What they cannot believe.
		{call.SignSharpWords, "is|was this|that|it a|some|your joke|idea"},
		{call.SignRetorts, "believe it|that when i see"},
		{call.SignRetorts, "heard that|it|this|all ~ before $|from|and|too"},
		{call.SignRetorts, "so let me get this|it straight"},
		{call.SignRetorts, "so to get this|it straight"},
		{call.SignBlames, "cant|cannot|dont believe you|people|they|how bad|rude|long"},
		{call.SignBlames, "is|its|thats|just a|pure|plain|all|nothing|outright lie|lies|bs|nonsense"},
		{call.SignBlames, "this|thats|its is|just|plain|pure|outright fraud|theft"},
		{call.SignBlames, "how|why do|did|would|could you|they|anyone|anybody lose|forget|mess|screw"},
		{call.SignBlames, "youre|you|theyre|they|are just|all|nothing|basically ~ crooks|thieves|liars|scammers|clueless|incompetent|useless|criminals"},
		{call.SignAgentLost, "missing the|my point"},
		{call.SignAgentLost, "wasnt|isnt|not my|the question|point"},
		{call.SignAgentLost, "wasnt asking"},
		{call.SignAgentLost, "thats not|never ~ what happened|happens"},
		{call.SignAgentLost, "you clearly|obviously dont|didnt|havent|cant|arent"},
		{call.SignAgentLost, "just|please answer me|my|the question|it $"},
		{call.SignAgentLost, "^ answer me|my|the"},
		{call.SignAgentLost, "do your job"},

		// What they want now.
		{call.SignAsksStop, "stop apologising|apologizing|saying|with|giving|reading|transferring|sending|lying|telling|putting|charging|making"},
		{call.SignAsksStop, "dont you|even dare|try|start|bother"},
		{call.SignAsksStop, "dont bother trying|with|telling|calling|sending|apologising|apologizing"},
		{call.SignAsksStop, "^ dont thank|apologise|apologize"},
		{call.SignAsksStop, "asked|told you not to"},
		{call.SignAsksStop, "dont tell me to|that"},
		{call.SignAsksStop, "dont give me that|this|any|your"},
		{call.SignAsksStop, "dont want|need to|another|your|any|more ~ excuses|excuse|apology|apologies|review|ticket|script"},
		{call.SignAsksStop, "done dealing|talking|waiting|arguing|explaining|calling|trying|playing|wasting with|to|about|for|$"},
		{call.SignAsksStop, "im|i|am done with|dealing ~ you|this|company|escalations|yall|service|provider"},
		{call.SignBlames, "shouldnt|should not have|need to call|ring|chase|wait|ask|explain|pay|do|be|deal|fight|beg|come"},
		{call.SignBlames, "expect|expected|deserve|deserved better|more service|from|than|for|of|$"},
		{call.SignBlames, "least you can|could do"},
		{call.SignBlames, "i|we should hope so"},
		{call.SignBlames, "^ theyd|youd|you|it|this better not|be|get|fix|$"},
		{call.SignBlames, "it|this|that|you|youd better not ~ again|happen"},
		{call.SignBlames, "held|hold|be ~ accountable|responsible for|$"},
		{call.SignBlames, "you people|guys|lot|all|folks ~ lying|liars|stole|ruined|joke|idiots|clueless|incompetent|useless"},
		{call.SignBlames, "no right to"},
		{call.SignBlames, "never been treated|spoken|insulted|disrespected|lied"},
		{call.SignBlames, "treated|treat ~ so|this|like|very badly|poorly|way|dirt|rubbish|crap|garbage"},
		{call.SignBlames, "isnt|not|never|hardly what i|we ~ paid|signed|agreed|pay"},
		{call.SignBlames, "what happened to what i|we"},
		{call.SignLetDown, "never agreed|authorized|authorised|consented"},
		{call.SignLetDown, "want|need|demand|expect ~ fixed|resolved|sorted|refunded|corrected|solved ~ now|immediately|today|asap"},
		{call.SignThreatens, "want|demand ~ full refund"},
		{call.SignLetDown, "want|demand|need|owe|deserve ~ explanation|compensation|answers"},
		{call.SignLetDown, "^ just fix|answer|sort it|me|this|my"},
		{call.SignLetDown, "^ fix it|this|your|my|the"},
		{call.SignLetDown, "fix it|this|that now|immediately|already|$"},

		// How often, and how long.
		{call.SignLetDown, "2nd|3rd|4th|5th|6th|7th|8th|9th|10th|11th|12th time|call|attempt|outage|complaint"},
		{call.SignLetDown, "2nd|3rd|4th|5th|6th|second|third|fourth|fifth|sixth day|week|month in|without|now|running"},
		{call.SignLetDown, "keeps|keep|always happening"},
		{call.SignLetDown, "happens|happened again|every|constantly|repeatedly"},
		{call.SignLetDown, "same|exact thing|problem|issue|nonsense|rubbish|story over|again|every|as last|last"},
		{call.SignLetDown, "stopped|failed|crashed|cancelled|canceled|delayed|disconnected|dropped|overcharged|charged|ignored|lost|messed ~ again $|and|this|today"},
		{call.SignLetDown, "messed|screwed up|it|this|my|our"},
		{call.SignLetDown, "mess|screw up|this|my|our"},
		{call.SignLetDown, "the runaround|run-around"},
		{call.SignLetDown, "on hold for|since|over|almost|nearly _ hour|hours|minutes|ages|forever|five|ten|thirty"},
		{call.SignLetDown, "on hold for|forever|again|all forever|ages|hours|an|almost|nearly|over|so|day"},
		{call.SignLetDown, "hour|hours|minutes on hold"},
		{call.SignLetDown, "hour|hours on the phone"},
		{call.SignLetDown, "spent|wasted|wasting|lost|took ~ hour|hours|day|afternoon|morning|evening ~ trying|phone|waiting|hold|this|chasing|fixing|with"},
		{call.SignLetDown, "no|noone|nobody one|is|will|would|wants|seems ~ responds|responding|responded|replying|replies|answering|helping|helped|listening|can|could|is|cares help|to|me|my|us|at|$"},
		{call.SignLetDown, "no one|noone responds|responding|is|will|replies|seems"},
		{call.SignLetDown, "still no|not|nothing response|reply|answer|refund|sign|progress|delivered|arrived|received|resolved|refunded|credited"},
		{call.SignLetDown, "never got|received one|it|my|any|back|anything"},
		{call.SignLetDown, "were|are|im|am|was|been|its|thats losing|costing ~ money|business|customers|time|thousands|hundreds"},
		{call.SignLetDown, "barely|hardly|completely|totally usable|works|unusable|worked"},

		// That they leave, or tell others.
		{call.SignThreatens, "filing|filed|submitting ~ complaint|dispute"},
		{call.SignThreatens, "file|filing|start|starting|expect|facing ~ chargeback|lawsuit|grievance"},
		{call.SignThreatens, "bbb|ftc|fcc|cfpb|ofcom|ofgem"},
		{call.SignThreatens, "better business bureau"},
		{call.SignThreatens, "trading standards"},
		{call.SignThreatens, "my|our lawyer|attorney|solicitor|lawyers ~ contacting|contact|touch|hears"},
		{call.SignThreatens, "consulted|speaking|spoke|spoken|talking ~ with|to my|our lawyer|attorney|solicitor"},
		{call.SignThreatens, "dispute|disputing|contest|contesting the|this|that|these|your charge|charges|payment|bill"},
		{call.SignThreatens, "to|with your|a|the competitor|competitors"},
		{call.SignThreatens, "switching|switch|leaving|leave ~ providers|carriers|suppliers|banks $|if|now|today|and|because"},
		{call.SignThreatens, "cancelling|canceling|cancel|closing|close ~ account|accounts|subscription|membership|contract|everything|service|policy immediately|unless|altogether|right"},
		{call.SignThreatens, "seriously|really considering|thinking ~ cancelling|canceling|leaving|switching|closing|moving"},
		{call.SignThreatens, "time to cancel|leave|switch"},
		{call.SignThreatens, "reconsider|reconsidering|rethink|rethinking ~ shopping|using|staying|being|my|membership|coming|flying|buying"},
		{call.SignThreatens, "youve|you|have|just lost|losing ~ customer|client|business|sale"},
		{call.SignThreatens, "wont|not|never renew|renewing|recommend|recommending|return|returning|reorder|use|using ~ you|your|again|this|prime|them|here|membership|if"},
		{call.SignThreatens, "never again $|with|shall|and|not|you|from|am|to|at"},
		{call.SignThreatens, "last chance|warning|straw"},
		{call.SignThreatens, "see|look|looking|try ~ other companies|providers|options|airlines|banks|carriers"},
		{call.SignThreatens, "one|1|zero star|stars review|rating"},
		{call.SignThreatens, "take|taking|took ~ business|money|custom ~ elsewhere|somewhere|competitor"},
		{call.SignThreatens, "shop|shopping|go|going|buy|buying|order|ordering elsewhere|somewhere else|$|instead|from|now|next"},
		{call.SignThreatens, "go|going|put|putting|take|taking ~ to|on|all twitter|facebook|reddit|media|press"},
	}
}
