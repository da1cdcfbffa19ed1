package media

import (
	"regexp"
	"strings"
)

// tokens matches what looks like a token: a JWT (base64 parts, of which the first is a JSON
// object), an access_token parameter or a bearer credential.
func tokens() *regexp.Regexp {
	return regexp.MustCompile(`eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.?[A-Za-z0-9_-]*|access_token=[^&\s"']+|[Bb]earer [^\s"']+`)
}

// blacken replaces tokens and the given secrets in text.
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

// blackened is an error whose text has been cleaned of secrets and may be logged.
type blackened struct {
	err    error
	secret string
}

func (b blackened) Error() string { return blacken(b.err.Error(), b.secret) }
func (b blackened) Unwrap() error { return b.err }
