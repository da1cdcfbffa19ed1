package emotion

import (
	"slices"
	"strings"
)

// agentSide tracks what the agent says.
type agentSide struct {
	now failing
	// before are the content words of its last six turns.
	before [][]uint32
	// said are the content words of its last turn.
	said []uint32
	// glad says that it congratulated in its previous turn, which is still answered in the
	// next.
	glad bool
	// begged says that the caller asked it to repeat something.
	begged bool
	// stuck and refused count how often each has happened so far.
	stuck, refused int
}

// failing describes how the agent failed the caller just before a turn.
type failing struct {
	// asked says that it asked the caller to repeat something.
	asked bool
	// stuck is how many times so far it has repeated itself, refused how many times it could
	// not do what was wanted; each is 0 unless it has just happened.
	stuck, refused int
	// question says that it asked a yes-or-no question.
	question bool
	// hurdle says that it refused, postponed or left to the caller what was wanted, gave that
	// it had good news.
	hurdle, gave bool
	// flat says that it refused without an alternative, sorry that only its regret makes this
	// a refusal; that may be sympathy.
	flat, sorry bool
}

// share returns what the agent's behaviour adds to the frustration of the turn that
// answers it: little at first, more as it goes on.
func (f failing) share() float64 {
	calm := 1.0
	if f.asked {
		calm *= 0.93
	}
	if f.stuck > 0 {
		calm *= 1 - min(0.1+0.05*float64(f.stuck), 0.25)
	}
	if f.refused > 0 {
		calm *= 1 - min(0.04*float64(f.refused), 0.12)
	}
	return 1 - calm
}

// hear processes a turn of the agent.
func (a *agentSide) hear(t *tokens) {
	now := content(t)
	a.now = failing{asked: asksAgain(t), gave: gives(t), question: polar(t)}
	a.said = now
	refused := refuses(t)
	a.now.gave, a.glad = a.now.gave || a.glad && !refused, a.now.gave && anyOf(t, " congratulations ", " good news ", " you won ", " youve won ", " its real ")
	a.now.hurdle = refused || hinders(t)
	if refused {
		a.now.flat, a.now.sorry = !offers(t), !cannot(t)
		a.refused++
		a.now.refused = a.refused
	}
	if len(now) < 2 || anyOf(t, " anything else ") {
		return
	}
	for _, b := range a.before {
		if same := alike(now, b); !a.begged && (len(now) == len(b) && same == 1 || len(now) >= 3 && same >= 0.8) {
			a.stuck++
			a.now.stuck = a.stuck
			break
		}
	}
	a.before = append(a.before, now)
	if len(a.before) > 6 {
		a.before = a.before[1:]
	}
}

// answered processes a turn of the caller, and returns how the agent failed before it.
func (a *agentSide) answered(t *tokens) failing {
	f := a.now
	a.now, a.begged = failing{}, asksAgain(t) || anyOf(t, " what was ", " what did you say ", " sorry what ", " again please ", " slower ", " slowly ")
	return f
}

// asksAgain reports whether the speaker did not understand what was said.
func asksAgain(t *tokens) bool {
	return anyOf(t,
		" repeat ", " say that again ", " didnt catch ", " didnt get that ", " didnt quite ", " didnt understand ", " did not understand ", " did not catch ", " having trouble ",
		" not sure i ", " dont understand ", " one more time ", " didnt hear ", " come again ", " say it again ", " cant hear you ", " rephrase ", " pardon ", " could not hear ",
	)
}

// refuses reports whether the agent says that something cannot be had. Sympathy and an
// apology for the past ("i'm sorry to hear that") are no refusal.
func refuses(t *tokens) bool { return regrets(t) || cannot(t) }

// cannot reports whether the agent says explicitly that something cannot be had.
func cannot(t *tokens) bool {
	return anyOf(t,
		" unfortunately ", " im afraid ", " unable ", " cannot ", " not available ", " no availability ",
		" cant ", " couldnt ", " could not ", " not able ", " not possible ", " isnt possible ", " impossible ", " not allowed ", " no longer ", " dont have ", " do not have ",
		" unsuccessful ", " only be ", " no other ", " not found ", " nothing i can ", " no record ", " no records ", " declined ", " there are no ", " there is no ",
	)
}

// offers reports whether the agent has an alternative to what it refuses, or asks a
// further question.
func offers(t *tokens) bool {
	for i, k := range t.all {
		if !k.word && t.at(i, "?") {
			return true
		}
	}
	return anyOf(t,
		" but ", " instead ", " however ", " offer ", " i can ", " we can ", " ill ", " well ", " i will ", " we will ", " let me ", " how about ", " would you ", " could you ", " do you ", " can you ", " though ", " available ", " refund ", " good news ",
	)
}

// hinders reports whether the agent postpones what is wanted, leaves it to the caller, or
// cites a rule or a record against it. Each alone is hardly a refusal.
func hinders(t *tokens) bool {
	return anyOf(t,
		" policy ", " terms ", " contract ", " procedure ", " rules ", " required ", " requires ", " final ", " responsible ", " fee ", " fees ", " charge ", " charged ",
		" takes ", " take ", " up to ", " days ", " weeks ", " months ", " tomorrow ", " wait ", " patience ", " patient ", " bear with ", " on hold ", " delay ", " delayed ", " behind ", " on leave ", " holiday ", " busy ",
		" process ", " pending ", " investigating ", " looking into ", " look into ", " look at it ", " aware ", " assigned ", " escalate ", " escalated ", " ticket ", " note ", " feedback ", " pass on ", " pass it on ", " report it ",
		" you need to ", " youd need ", " youll need ", " you will need ", " you would need ", " you have to ", " youd have to ", " you must ", " you could ", " you can ", " you may ", " have you tried ", " did you ", " have you ", " try ", " restart ",
		" says ", " shows ", " show ", " showing ", " marked ", " according ", " recorded ", " on your order ", " by us ", " based on ", " due to ", " reflecting ", " dont see ", " cant see ", " no sign ", " not see ", " mustve ", " must have ",
		" understand ", " feel that way ", " inconvenience ", " sorry ", " should be ", " offer ", " only ", " overdue ", " fault ", " shout ", " calm down ", " language ", " meeting ", " oversold ", " overbooked ", " fully booked ", " error ",
	)
}

// gives reports whether the agent has good news.
func gives(t *tokens) bool {
	if refuses(t) {
		return false
	}
	return anyOf(t,
		" congratulations ", " good news ", " approved ", " its covered ", " is covered ", " youre covered ", " accepted ", " you won ", " youve won ", " passed ", " refunded ", " its real ", " waived ", " compliments ",
		" for free ", " free of charge ", " no charge ", " owe nothing ", " upgraded ", " found it ", " has been found ", " its fixed ", " first class ", " on the house ", " its here ", " they have it ", " all clear ",
	)
}

// regrets reports whether the agent is sorry for what it is about to say, or says no more
// than that.
func regrets(t *tokens) bool {
	for i := range t.all {
		switch {
		case t.at(i, "apologize", "apologise", "apologies"):
		case t.at(i, "sorry") && t.at(i-1, "im", "am", "so", "very"):
		default:
			continue
		}
		if !t.at(i+1, "to", "for", "about", "you", "that", "if") {
			return true
		}
	}
	return false
}

// anyOf reports whether the turn contains one of the word sequences, each with spaces
// around it.
func anyOf(t *tokens, sequences ...string) bool {
	var text strings.Builder
	for _, k := range t.all {
		if k.word {
			text.WriteByte(' ')
			text.Write(t.of(k))
		}
	}
	s := text.String() + " "
	for _, p := range sequences {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// polar reports whether the agent asks a yes-or-no question: its last sentence begins like
// "is it" or "would you".
func polar(t *tokens) bool {
	for i, k := range t.all {
		if k.word && roleOf(t.of(k)) == helper && t.roleAt(i+1) == pronoun && (i == 0 || t.roleAt(i-1) != asker) {
			return true
		}
	}
	return false
}

// answersNo reports whether a turn just answers such a question: it begins with "no" and
// repeats none of the words asked about.
func answersNo(t *tokens, own, asked []uint32) bool {
	return t.at(0, "no", "nope", "nah", "not") && !slices.ContainsFunc(own, func(w uint32) bool { return slices.Contains(asked, w) })
}
