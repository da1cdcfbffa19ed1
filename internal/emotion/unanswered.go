package emotion

import "github.com/ringtrue/ringtrue/internal/call"

// unanswered are the phrases of callers who get no answer and no solution: what
// they have not received, how often they asked, what they said and did before. They
// were made after inspecting half of a sample of real conversations with customer
// services. See phrase for the notation. "I didn't hear that" and "I've already got
// one" must match none of them.
func unanswered() []phrase {
	return []phrase{
		// Not received, not answered.
		{call.SignLetDown, "havent|hasnt|never|not ~ received|got|had|get ~ reply|response|answer|refund|resolution|progress|explanation"},
		{call.SignLetDown, "havent|hasnt|never|not ~ heard ~ back|from you|anybody|anyone|them|$"},
		{call.SignLetDown, "no|zero|without ~ reply|response|responses|resolution|resolutions|progress|explanation $|from|or|and|at|to|whatsoever"},
		{call.SignLetDown, "you|they|nobody havent|hasnt|didnt|never|still ~ replied|reply|responded|respond|contacted|connected|refunded"},
		{call.SignLetDown, "not|wont|arent|isnt ~ giving|give|paying|pay|doing|returning ~ it|money|refund|deposit back"},
		{call.SignLetDown, "charged|debited|taken|took ~ without ~ any|asking|permission|telling|consent|notice|warning"},
		{call.SignLetDown, "waited|waiting ~ weeks|months|forever|ages"},

		// How often it was tried.
		{call.SignLetDown, "called|emailed|mailed|mail|email|call|written|asked|messaged|phoned|rang|contacted|reported|told ~ so|many|several|multiple|countless|numerous time|times"},
		{call.SignLetDown, "i|ive|we|weve|after ~ multiple|several|countless|numerous|many calls|emails|messages|attempts|complaints|tickets"},
		{call.SignLetDown, "been|ive dealing|struggling|fighting|battling|arguing with|for ~ hours|days|weeks|months|years|week|month|year|since|forever"},
		{call.SignLetDown, "nothing works|worked|helps|helped $|and|so|but"},
		{call.SignLetDown, "tried everything $|and|but|already|else|they|you"},
		{call.SignLetDown, "still not|isnt|hasnt ~ fixed|resolved|arrived|solved|sorted|refunded"},
		{call.SignLetDown, "keeps|keep ~ crashing|freezing|failing|disconnecting|breaking"},
		{call.SignLetDown, "losing ~ faith|patience|trust|confidence"},
		{call.SignLetDown, "lost ~ faith|patience|trust|confidence in|with"},
		{call.SignLetDown, "worst|terrible|horrible|awful|shocking customer|service|experience"},
		{call.SignLetDown, "dont|didnt ~ appreciate $|that|this|being|how|your|it"},

		// Said and done before.
		{call.SignCorrects, "i|ive|we|weve already replied|answered|responded|messaged|emailed"},
		{call.SignCorrects, "^ already did|tried|done|sent that|it|this|them"},
		{call.SignCorrects, "completely|totally|absolutely|simply false|untrue|wrong|misleading"},
		{call.SignAgentLost, "^ read|reread my|what ~ message|email|messages|emails|note|wrote|said"},
		{call.SignAgentLost, "you obviously|clearly|even ~ didnt|havent|dont ~ read"},
		{call.SignAsksStop, "not talking|speaking|dealing to|with ~ again|anymore"},
		{call.SignSharpWords, "how unprofessional|disrespectful|insulting"},

		// Short words to a machine.
		{call.SignWantsPerson, "representative|operator|agent|human|person representative|operator|agent|human|person"},
		{call.SignCorrects, "^ thats|that not|isnt my name|number|address|order|account"},
		{call.SignCorrects, "you got|have|spelled my ~ wrong"},
		{call.SignCorrects, "i didnt|never say|said that|it|this $"},
		{call.SignCorrects, "^ thats what i said|told|asked"},
		{call.SignLetDown, "how much longer"},
		{call.SignAsksStop, "ive had it $|with"},
		{call.SignSharpWords, "what a joke|mess|disgrace|shambles|farce"},
		{call.SignRetorts, "great|wonderful|brilliant|lovely|fantastic|perfect so|now ~ have|got to wait|start|repeat ~ another|again|over|longer"},
	}
}
