package caller

import (
	"slices"
	"strings"
)

// phrases are what any caller may have to say or listen for in one language, whatever the scenario.
type phrases struct {
	// prompt asks whether anybody is there; goodbye ends a call politely.
	prompt, goodbye string
	// misunderstood are phrases by which an agent shows that it did not understand. An apology is none of
	// them: "I am sorry, Monday is fully booked" comes from one that did.
	misunderstood []string
	// alone are apologies that show it where the agent says nothing else ("Sorry?").
	alone []string
}

// wantsAgain reports whether an agent shows in its turn that it did not understand.
func (p *phrases) wantsAgain(text string) bool {
	said := plainWords(text)
	return holdsAny(text, p.misunderstood) != "" || slices.ContainsFunc(p.alone, func(apology string) bool { return said == plainWords(apology) })
}

// phrasesFor returns the phrases for a language tag, the English ones if there are none for it.
func phrasesFor(language string) phrases {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch primary {
	case "de":
		return phrases{"Hallo? Sind Sie noch da?", "Danke, auf Wiederhören.", []string{
			"wie bitte", "nicht verstanden", "wiederholen", "noch einmal",
		}, []string{"Entschuldigung", "Bitte", "Tut mir leid"}}
	case "fr":
		return phrases{"Allô ? Vous êtes toujours là ?", "Merci, au revoir.", []string{
			"pas compris", "répéter", "répétez", "pardon",
		}, []string{"Désolé", "Désolée"}}
	case "es":
		return phrases{"¿Hola? ¿Sigue ahí?", "Gracias, adiós.", []string{
			"no he entendido", "no entendí", "repetir", "repita", "perdón",
		}, []string{"Disculpe", "Lo siento"}}
	}
	return phrases{"Hello? Are you still there?", "Thank you, goodbye.", []string{
		"repeat", "pardon", "say that again", "come again", "say again", "once more", "rephrase", "missed that", "what was that", "what did you say",
		"didn't catch", "did not catch", "didn't understand", "did not understand", "don't understand",
		"do not understand", "didn't get that", "did not get that", "didn't hear", "did not hear",
	}, []string{"Sorry", "I'm sorry", "Excuse me"}}
}
