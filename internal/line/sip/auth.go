package sip

import (
	"errors"
	"strings"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
)

// login is what answers digest challenges (RFC 8760 by way of RFC 3261 section 22).
type login struct{ user, password string }

func (l login) empty() bool { return l.user == "" && l.password == "" }

// challenged says whether a response asks for credentials.
func challenged(res *msg.Response) bool {
	return res.StatusCode == 401 || res.StatusCode == 407
}

var errNoChallenge = errors.New("the far end asks for credentials without a digest challenge")

// rejected says whether a challenge turns down what its realm was already given,
// unless only the nonce had become stale: asking again would lock the account
// (RFC 3261 section 22.1). It notes the realms in asked.
func rejected(res *msg.Response, asked map[string]bool) bool {
	ask, _ := challengeHeaders(res)
	for _, h := range res.GetHeaders(ask) {
		challenge, err := digest.ParseChallenge(h.Value())
		if err != nil {
			continue
		}
		key := ask + challenge.Realm
		if asked[key] && !challenge.Stale {
			return true
		}
		asked[key] = true
	}
	return false
}

// challengeHeaders are the headers in which a response asks and a request answers.
func challengeHeaders(res *msg.Response) (ask, reply string) {
	if res.StatusCode == 407 {
		return "Proxy-Authenticate", "Proxy-Authorization"
	}
	return "WWW-Authenticate", "Authorization"
}

// answer adds to req the credentials that res asks for.
func (l login) answer(req *msg.Request, res *msg.Response) error {
	ask, reply := challengeHeaders(res)
	for _, h := range res.GetHeaders(ask) {
		challenge, err := digest.ParseChallenge(h.Value())
		if err != nil {
			continue
		}
		challenge.Algorithm = strings.ToUpper(challenge.Algorithm)
		if !digest.CanDigest(challenge) {
			continue
		}
		credentials, err := digest.Digest(challenge, digest.Options{
			Method: string(req.Method), URI: req.Recipient.String(),
			Username: l.user, Password: l.password, Count: 1,
		})
		if err != nil {
			continue
		}
		req.RemoveHeader(reply)
		req.AppendHeader(msg.NewHeader(reply, credentials.String()))
		return nil
	}
	return errNoChallenge
}
