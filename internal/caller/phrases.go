package caller

import "strings"

// phrases are what any caller may have to say or listen for in one language, whatever the scenario.
type phrases struct {
	// prompt asks whether anybody is there; goodbye ends a call politely.
	prompt, goodbye string
	// misunderstood are phrases by which an agent shows that it did not understand.
	misunderstood []string
}

// phrasesFor returns the phrases for a language tag, the English ones if there are none for it.
func phrasesFor(language string) phrases {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	switch primary {
	case "de":
		return phrases{"Hallo? Sind Sie noch da?", "Danke, auf Wiederhören.", []string{
			"wie bitte", "nicht verstanden", "wiederholen", "noch einmal", "entschuldigung", "tut mir leid",
		}}
	case "fr":
		return phrases{"Allô ? Vous êtes toujours là ?", "Merci, au revoir.", []string{
			"pas compris", "répéter", "répétez", "pardon", "désolé", "désolée",
		}}
	case "es":
		return phrases{"¿Hola? ¿Sigue ahí?", "Gracias, adiós.", []string{
			"no he entendido", "no entendí", "repetir", "repita", "perdón", "lo siento", "disculpe",
		}}
	}
	return phrases{"Hello? Are you still there?", "Thank you, goodbye.", []string{
		"sorry", "repeat", "pardon", "say that again", "come again", "say again", "once more", "rephrase",
		"didn't catch", "did not catch", "didn't understand", "did not understand", "don't understand",
		"do not understand", "didn't get that", "did not get that", "didn't hear", "did not hear",
	}}
}
