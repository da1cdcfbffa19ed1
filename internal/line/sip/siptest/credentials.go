package siptest

import (
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"
)

// Prefixes of the challenge headers of a far end and of a proxy.
const (
	WWW   = "WWW-Authenticate: Digest "
	Proxy = "Proxy-Authenticate: Digest "
)

// Credentials returns the credentials in a request, each as its header, realm, nonce and algorithm.
func Credentials(t *testing.T, req *msg.Request) []string {
	t.Helper()
	var out []string
	for _, name := range []string{"Authorization", "Proxy-Authorization"} {
		for _, h := range req.GetHeaders(name) {
			c, err := digest.ParseCredentials(h.Value())
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, strings.Join([]string{name, c.Realm, c.Nonce, c.Algorithm}, " "))
		}
	}
	return out
}
