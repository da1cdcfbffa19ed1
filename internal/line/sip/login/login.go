// Package login answers digest challenges (RFC 8760, by way of RFC 3261 section 22) from the proxies and
// far ends of a call, each with its own realm. Package sip calls it whenever a response asks for
// credentials; hashing is done by icholy/digest.
package login

import (
	"bytes"
	"cmp"
	"crypto/md5" //nolint:gosec // the protocol's choice
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"slices"
	"strings"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/line/sip/screen"
)

// Login holds the credentials for challenges. The zero value answers none.
type Login struct{ User, Password string }

// Empty reports whether there are no credentials.
func (l Login) Empty() bool { return l == Login{} }

// Challenged reports whether a response asks for credentials.
func Challenged(res *msg.Response) bool {
	return res.StatusCode == 401 || res.StatusCode == 407
}

// Reasons why no credentials can be given.
var (
	ErrNoChallenge = errors.New("the far end asks for credentials without a digest challenge")
	ErrNoAlgorithm = errors.New("the far end asks for credentials with a digest algorithm that is not supported")
)

// challenge is one digest challenge and the name of the header that answers it. A realm may
// send several, one for each algorithm.
type challenge struct {
	*digest.Challenge

	reply string
}

// asker identifies the sender of a challenge: a realm of proxies or of far ends.
func (c challenge) asker() string { return c.reply + " " + c.Realm }

// challenges returns the digest challenges of a response in order. A forking proxy may forward
// those of several far ends and proxies at once.
func challenges(res *msg.Response) []challenge {
	var out []challenge
	for _, pair := range [...]struct{ ask, reply string }{
		{"WWW-Authenticate", "Authorization"}, {"Proxy-Authenticate", "Proxy-Authorization"},
	} {
		for _, h := range res.GetHeaders(pair.ask) {
			for _, text := range challengesIn(h.Value()) {
				if c := challengeOf(text); c != nil {
					out = append(out, challenge{c, pair.reply})
				}
			}
		}
	}
	return out
}

// challengesIn splits the value of a header into challenges. It may hold several, and empty elements
// (RFC 9110 sections 5.6.1 and 11.6.1); a challenge begins with the name of its scheme.
func challengesIn(value string) (out []string) {
	for _, one := range screen.Split(value, ',') {
		one = strings.TrimSpace(one)
		name, _, _ := strings.Cut(one, "=")
		switch words := len(strings.Fields(name)); {
		case one == "":
		case words > 1 || len(out) == 0:
			out = append(out, one)
		default:
			out[len(out)-1] += ", " + one
		}
	}
	return out
}

// challengeOf parses a challenge. It returns nil if it is not a digest challenge. An empty qop
// is treated as absent.
func challengeOf(text string) *digest.Challenge {
	c, err := digest.ParseChallenge(known(lowerNames(text)))
	if err != nil {
		return nil
	}
	c.Algorithm = strings.ToUpper(c.Algorithm)
	for i, q := range c.QOP {
		c.QOP[i] = strings.ToLower(strings.TrimSpace(q))
	}
	c.QOP = slices.DeleteFunc(c.QOP, func(q string) bool { return q == "" })
	return c
}

// known removes the parameters of a challenge that are not needed for credentials. There may be others (auth-param in RFC
// 3261 section 25.1), and icholy/digest parses neither all names and values that are allowed, nor an unquoted list of qop.
func known(text string) string {
	at := max(strings.IndexAny(text, " \t"), 0)
	params := screen.Split(text[at:], ',')
	for i, one := range params {
		params[i] = strings.TrimSpace(one)
	}
	return text[:at] + " " + strings.Join(slices.DeleteFunc(params, idle), ", ")
}

// idle reports whether a parameter of a challenge is not needed for credentials.
func idle(param string) bool {
	name, _, _ := strings.Cut(param, "=")
	switch strings.TrimSpace(name) {
	case "realm", "nonce", "opaque", "stale", "algorithm", "qop", "charset", "userhash":
		return !strings.Contains(param, "=")
	}
	return true
}

// lowerNames converts the names of a challenge's parameters to lower case, as icholy/digest expects them.
func lowerNames(text string) string {
	b, quoted, name := []byte(text), false, true
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ',':
			name = true
		case c == '=':
			name = false
		case name && c >= 'A' && c <= 'Z':
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// Rejected reports whether a response rejects credentials that its asker was already given,
// other than because of a stale nonce: repeating them could lock the account (RFC 3261 section
// 22.1). It records the askers in asked.
func Rejected(res *msg.Response, asked map[string]bool) bool {
	stale := map[string]bool{}
	for _, c := range challenges(res) {
		stale[c.asker()] = stale[c.asker()] || c.Stale
	}
	for asker, old := range stale {
		if asked[asker] && !old {
			return true
		}
		asked[asker] = true
	}
	return false
}

// Answer adds to req the credentials that res asks for, using for each asker the first challenge
// that can be answered. Credentials for other askers stay, with their counts incremented. It
// fails with ErrNoChallenge or ErrNoAlgorithm.
func (l Login) Answer(req *msg.Request, res *msg.Response) error {
	l.countOn(req)
	all, done := challenges(res), map[string]bool{}
	for _, c := range all {
		if done[c.asker()] {
			continue
		}
		credentials, err := l.digest(c.Challenge, l.optionsFor(req))
		if err != nil {
			continue
		}
		done[c.asker()] = true
		forget(req, c)
		req.AppendHeader(msg.NewHeader(c.reply, credentials.String()))
	}
	switch {
	case len(done) > 0:
		return nil
	case len(all) > 0:
		return ErrNoAlgorithm
	}
	return ErrNoChallenge
}

// optionsFor returns what the digest of a request depends on besides the challenge.
func (l Login) optionsFor(req *msg.Request) digest.Options {
	return digest.Options{
		Method: string(req.Method), URI: req.Recipient.String(),
		Username: l.User, Password: l.Password, Count: 1,
		GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(req.Body())), nil },
	}
}

// countOn recomputes the credentials of a request that is sent again with the next count of
// each: an asker may treat a repeated count as a replay attack (RFC 7616 section 3.4).
// Credentials without a count are left as they are.
func (l Login) countOn(req *msg.Request) {
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		for _, h := range forgetAll(req, name) {
			if again := l.counted(req, h); again != nil {
				h = again
			}
			req.AppendHeader(h)
		}
	}
}

// counted returns a credentials header with the next count, nil if it has none.
func (l Login) counted(req *msg.Request, h msg.Header) msg.Header {
	old, err := digest.ParseCredentials(h.Value())
	if err != nil || old.QOP == "" || old.Nc == 0 {
		return nil
	}
	o := l.optionsFor(req)
	o.Count, o.Cnonce = old.Nc+1, old.Cnonce
	credentials, err := l.digest(&digest.Challenge{
		Realm: old.Realm, Nonce: old.Nonce, Opaque: old.Opaque, Algorithm: strings.ToUpper(old.Algorithm),
		QOP: []string{old.QOP}, Userhash: old.Userhash,
	}, o)
	if err != nil {
		return nil
	}
	return msg.NewHeader(h.Name(), credentials.String())
}

// digest answers one challenge. Algorithms that end in -sess hash the password with both sides'
// nonces; without qop there is no client nonce.
func (l Login) digest(c *digest.Challenge, o digest.Options) (*digest.Credentials, error) {
	plain := *c
	base, session := strings.CutSuffix(c.Algorithm, "-SESS")
	if session = session && hashNamed(base) != nil && len(c.QOP) > 0; session {
		plain.Algorithm, o.Cnonce = base, cmp.Or(o.Cnonce, rand.Text())
		o.A1 = hashOf(base, hashOf(base, l.User, c.Realm, l.Password), c.Nonce, o.Cnonce)
	}
	if !digest.CanDigest(&plain) {
		return nil, ErrNoAlgorithm
	}
	credentials, err := digest.Digest(&plain, o)
	if err == nil && session {
		credentials.Algorithm = base + "-sess" // the usual spelling
	}
	return credentials, err
}

// hashNamed returns the constructor of a hash by algorithm name, nil if it is not supported.
func hashNamed(algorithm string) func() hash.Hash {
	switch algorithm {
	case "MD5":
		return md5.New
	case "SHA-256":
		return sha256.New
	case "SHA-512-256":
		return sha512.New512_256
	}
	return nil
}

// hashOf returns the hash of the texts joined by colons.
func hashOf(algorithm string, texts ...string) string {
	h := hashNamed(algorithm)()
	_, _ = io.WriteString(h, strings.Join(texts, ":"))
	return hex.EncodeToString(h.Sum(nil))
}

// forget removes the credentials that an asker was given before.
func forget(req *msg.Request, c challenge) {
	for _, h := range forgetAll(req, c.reply) {
		if old, err := digest.ParseCredentials(h.Value()); err == nil && old.Realm != c.Realm {
			req.AppendHeader(h)
		}
	}
}

// forgetAll removes the headers of a name and returns them.
func forgetAll(req *msg.Request, name string) []msg.Header {
	given := req.GetHeaders(name)
	for range given {
		req.RemoveHeader(name)
	}
	return given
}

// Of returns the credentials in a request, as separate headers.
func Of(req *msg.Request) (out []msg.Header) {
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		for _, h := range req.GetHeaders(name) {
			out = append(out, msg.HeaderClone(h))
		}
	}
	return out
}

// Carry copies the credentials of an earlier request to req.
func Carry(req, earlier *msg.Request) {
	for _, h := range Of(earlier) {
		req.AppendHeader(h)
	}
}
