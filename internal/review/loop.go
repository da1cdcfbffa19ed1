package review

import (
	"time"
	"unicode"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// The limit of what can be said: a hurried speaker reaches 25 letters per second, a recogniser
// stuck in a loop far exceeds 60. freeLetters allow for what it makes of a breath or a noise.
const (
	lettersPerSecond = 60
	freeLetters      = 200
)

// looped is the error of a recogniser that wrote more than anybody can have said, nil otherwise.
// Such words are not the agent's, which must not be blamed for them.
func looped(parts []utterance, words []Transcript) error {
	for i, p := range parts {
		n := 0
		for _, r := range words[i].Text {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				n++
			}
		}
		if length := p.segment.Length(); float64(n) > freeLetters+lettersPerSecond*length.Seconds() {
			return problem.New(problem.Unavailable, "speech recognition wrote %d letters for %s of speech, more than anybody could say", n, length.Round(10*time.Millisecond)).
				WithHint("Some recognisers repeat the same words over and over. Try another model, or a setting of its server that prevents this.")
		}
	}
	return nil
}
