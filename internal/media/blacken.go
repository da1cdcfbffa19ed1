package media

import (
	"regexp"
	"strings"
)

// tokens finds what a token looks like wherever it stands: three parts of
// base64, the first of which says what it is, or the parameter that carries one.
func tokens() *regexp.Regexp {
	return regexp.MustCompile(`eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.?[A-Za-z0-9_-]*|access_token=[^&\s"']+|[Bb]earer [^\s"']+`)
}

// blacken takes tokens and the given secrets out of a text.
func blacken(text string, secrets ...string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "(secret)")
		}
	}
	if !strings.Contains(text, "eyJ") && !strings.Contains(text, "access_token=") && !strings.Contains(text, "earer ") {
		return text
	}
	return tokens().ReplaceAllString(text, "(token)")
}

// blackened is an error whose text is safe to log.
type blackened struct {
	err    error
	secret string
}

func (b blackened) Error() string { return blacken(b.err.Error(), b.secret) }
func (b blackened) Unwrap() error { return b.err }
