// Package login answers the digest challenges (RFC 8760 by way of RFC 3261 section 22) of the proxies and
// far ends of a call, each by its own realm. Package sip asks it whenever a response wants credentials;
// the hashing itself is icholy/digest's.
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

// Login is what challenges are answered with. The zero value answers none.
type Login struct{ User, Password string }

// Empty says that there is nothing to answer with.
func (l Login) Empty() bool { return l == Login{} }

// Challenged says whether a response asks for credentials.
func Challenged(res *msg.Response) bool {
	return res.StatusCode == 401 || res.StatusCode == 407
}

// Why no credentials can be given.
var (
	ErrNoChallenge = errors.New("the far end asks for credentials without a digest challenge")
	ErrNoAlgorithm = errors.New("the far end asks for credentials by a digest algorithm that is not spoken here")
)

// challenge is one digest challenge and the header that answers it. A realm may
// be asked for by several, one for each algorithm.
type challenge struct {
	*digest.Challenge

	reply string
}

// asker is whom a challenge is from: a realm of proxies or of far ends.
func (c challenge) asker() string { return c.reply + " " + c.Realm }

// challenges lists the digest challenges of a response in its order. A proxy that
// has forked the call may pass on those of several far ends and proxies at once.
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

// challengesIn are the challenges in the value of a header. A list may hold several, and empty places
// (RFC 9110 sections 5.6.1 and 11.6.1): a new one begins with the name of its scheme.
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

// challengeOf reads a challenge, nil when it is no digest one. An empty qop is none.
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

// known is a challenge without the parameters that credentials are not made of. Such may come (auth-param in RFC 3261
// section 25.1), and icholy/digest reads neither all that their names and values may consist of, nor a list of qop
// without quotes.
func known(text string) string {
	at := max(strings.IndexAny(text, " \t"), 0)
	params := screen.Split(text[at:], ',')
	for i, one := range params {
		params[i] = strings.TrimSpace(one)
	}
	return text[:at] + " " + strings.Join(slices.DeleteFunc(params, idle), ", ")
}

// idle says that a parameter of a challenge is none that credentials are made of.
func idle(param string) bool {
	name, _, _ := strings.Cut(param, "=")
	switch strings.TrimSpace(name) {
	case "realm", "nonce", "opaque", "stale", "algorithm", "qop", "charset", "userhash":
		return !strings.Contains(param, "=")
	}
	return true
}

// lowerNames writes the names of a challenge's parameters in lower case, in which
// they are looked for.
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

// Rejected says whether a response turns down what its asker was already given,
// unless only the nonce had become stale: asking again would lock the account
// (RFC 3261 section 22.1). It notes the askers in asked.
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

// Answer adds to req the credentials that res asks for, for each asker by the
// first of its challenges that can be answered. Those for others stay, counted on. It fails with
// ErrNoChallenge or ErrNoAlgorithm.
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

// optionsFor is what the digest of a request is made of beside a challenge.
func (l Login) optionsFor(req *msg.Request) digest.Options {
	return digest.Options{
		Method: string(req.Method), URI: req.Recipient.String(),
		Username: l.User, Password: l.Password, Count: 1,
		GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(req.Body())), nil },
	}
}

// countOn makes the credentials of a request anew that is sent once more, with the next
// count of each: an asker may take a count that has come before for an attack by repetition
// (RFC 7616 section 3.4). Those without a count stay as they are.
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

// counted is a header of credentials with the next count, nil where they have none.
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

// digest answers one challenge. Of algorithms that end in -sess the password is hashed
// with both sides' nonces; without qop there is none of ours.
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
		credentials.Algorithm = base + "-sess" // as it is written everywhere
	}
	return credentials, err
}

// hashNamed makes the hash behind an algorithm, nil for none that is spoken here.
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

// hashOf is the hash of texts with colons between.
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

// forgetAll removes the headers of a name, and gives them.
func forgetAll(req *msg.Request, name string) []msg.Header {
	given := req.GetHeaders(name)
	for range given {
		req.RemoveHeader(name)
	}
	return given
}

// Of are the credentials that a request bears, as headers of their own.
func Of(req *msg.Request) (out []msg.Header) {
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		for _, h := range req.GetHeaders(name) {
			out = append(out, msg.HeaderClone(h))
		}
	}
	return out
}

// Carry gives a request the credentials of an earlier one.
func Carry(req, earlier *msg.Request) {
	for _, h := range Of(earlier) {
		req.AppendHeader(h)
	}
}
