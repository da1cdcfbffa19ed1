package login

import (
	"bytes"
	"crypto/md5" //nolint:gosec // required by the protocol
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"io"
	"strings"
	"testing"

	msg "github.com/emiago/sipgo/sip"
	"github.com/icholy/digest"

	"github.com/ringtrue/ringtrue/internal/line/sip/siptest"
)

// asking returns a response with the given challenges, each as header and value.
func asking(code int, headers ...string) *msg.Response {
	res := msg.NewResponse(code, "Credentials, please")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		res.AppendHeader(msg.NewHeader(name, value))
	}
	return res
}

func inviting() *msg.Request {
	req := msg.NewRequest(msg.INVITE, msg.Uri{Scheme: "sip", User: "agent", Host: "example.org"})
	req.SetBody([]byte("v=0\r\n"))
	return req
}

// TestChallengesOfAllKinds compares which challenges are answered, as header, realm, nonce and
// algorithm.
func TestChallengesOfAllKinds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ask  []string
		want []string
		err  error
	}{
		"the first algorithm that is known": {
			ask:  []string{siptest.WWW + `realm="r", nonce="1", algorithm=TOMORROW`, siptest.WWW + `realm="r", nonce="2", algorithm=SHA-256, qop="auth"`, siptest.WWW + `realm="r", nonce="3", algorithm=MD5`},
			want: []string{"Authorization r 2 SHA-256"},
		},
		"two proxies at once": {
			ask:  []string{siptest.Proxy + `realm="a", nonce="1"`, siptest.Proxy + `realm="b", nonce="2"`},
			want: []string{"Proxy-Authorization a 1 ", "Proxy-Authorization b 2 "},
		},
		"a proxy and a far end at once": {
			ask:  []string{siptest.WWW + `realm="r", nonce="1"`, siptest.Proxy + `realm="r", nonce="2"`},
			want: []string{"Authorization r 1 ", "Proxy-Authorization r 2 "},
		},
		"another scheme beside it":     {ask: []string{`WWW-Authenticate: Basic realm="r"`, siptest.WWW + `realm="r", nonce="1"`}, want: []string{"Authorization r 1 "}},
		"names in upper case":          {ask: []string{siptest.WWW + `Realm="R,=x" , NONCE="N"`}, want: []string{"Authorization R,=x N "}},
		"an empty qop":                 {ask: []string{siptest.WWW + `realm="r", nonce="1", qop=""`}, want: []string{"Authorization r 1 "}},
		"empty places in the list":     {ask: []string{siptest.WWW + `realm="r",, nonce="1",`}, want: []string{"Authorization r 1 "}},
		"parameters that nobody knows": {ask: []string{siptest.WWW + `x_vendor="a,b", realm="r", auth.param*=a.b/c, nonce="1", domain="sip:r", flag`}, want: []string{"Authorization r 1 "}},
		"a list without quotes":        {ask: []string{siptest.WWW + `realm="r", nonce="1", algorithm=SHA-256, qop=auth,auth-int`}, want: []string{"Authorization r 1 SHA-256"}},
		"tabs":                         {ask: []string{"WWW-Authenticate: Digest\trealm=\"r\",\tnonce=\"1\""}, want: []string{"Authorization r 1 "}},
		"several in one header": {
			ask:  []string{siptest.WWW + `realm="r", nonce="1", algorithm=TOMORROW, Basic realm="r,x", Digest realm="r", nonce="2", qop="auth,auth-int"`},
			want: []string{"Authorization r 2 "},
		},
		"another scheme":       {ask: []string{`WWW-Authenticate: Basic realm="r"`}, err: ErrNoChallenge},
		"an unknown algorithm": {ask: []string{siptest.WWW + `realm="r", nonce="1", algorithm=MD5-sess`}, err: ErrNoAlgorithm},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req, res := inviting(), asking(401, c.ask...)
			if Rejected(res, map[string]bool{}) {
				t.Fatal("the first challenges are taken for a refusal")
			}
			if err := (Login{"me", "secret"}).Answer(req, res); err != c.err { //nolint:errorlint // these very values
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if got := siptest.Credentials(t, req); strings.Join(got, ";") != strings.Join(c.want, ";") {
				t.Errorf("answered %q, want %q", got, c.want)
			}
		})
	}
}

// TestDigestWithASessionKey checks the algorithms that end in -sess (RFC 7616 section 3.4.2)
// against an independent calculation.
func TestDigestWithASessionKey(t *testing.T) {
	t.Parallel()
	for algorithm, sum := range map[string]func(text string) string{
		"MD5-sess":         func(text string) string { return fmt.Sprintf("%x", md5.Sum([]byte(text))) }, //nolint:gosec // required by the protocol
		"SHA-256-sess":     func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
		"SHA-512-256-sess": func(text string) string { return fmt.Sprintf("%x", sha512.Sum512_256([]byte(text))) },
	} {
		req := inviting()
		res := asking(401, siptest.WWW+`realm="r", nonce="n", algorithm=`+algorithm+`, qop="auth"`)
		if err := (Login{"me", "secret"}).Answer(req, res); err != nil {
			t.Errorf("%s: %v", algorithm, err)
			continue
		}
		for count := 1; count <= 2; count++ {
			c, err := digest.ParseCredentials(req.GetHeader("Authorization").Value())
			if err != nil {
				t.Fatal(err)
			}
			a1 := sum(sum("me:r:secret") + ":n:" + c.Cnonce)
			want := sum(fmt.Sprintf("%s:n:%08d:%s:auth:%s", a1, count, c.Cnonce, sum("INVITE:"+req.Recipient.String())))
			if c.Response != want || c.Algorithm != algorithm || len(c.Cnonce) < 8 {
				t.Errorf("%s: answered %+v, want response %s", algorithm, c, want)
			}
			(Login{"me", "secret"}).countOn(req)
		}
	}
}

// TestOneProxyAfterTheOther checks that the second proxy's challenge does not remove the
// credentials for the first, and that a stale nonce only replaces its own.
func TestOneProxyAfterTheOther(t *testing.T) {
	t.Parallel()
	req, asked := inviting(), map[string]bool{}
	for _, ask := range []string{siptest.Proxy + `realm="a", nonce="1"`, siptest.Proxy + `realm="b", nonce="2"`, siptest.Proxy + `realm="a", nonce="3", stale=true`} {
		res := asking(407, ask)
		if Rejected(res, asked) {
			t.Fatalf("%s is taken for a refusal", ask)
		}
		if err := (Login{"me", "secret"}).Answer(req, res); err != nil {
			t.Fatal(err)
		}
	}
	want := "Proxy-Authorization b 2 ;Proxy-Authorization a 3 "
	if got := strings.Join(siptest.Credentials(t, req), ";"); got != want {
		t.Errorf("given %q, want %q", got, want)
	}
	if !Rejected(asking(407, siptest.Proxy+`realm="b", nonce="4"`), asked) {
		t.Error("a refusal is taken for a first challenge")
	}
}

// TestTheBodyIsSignedWhereThatIsAskedFor checks that auth-int, which covers the body, is only used
// if the challenge does not offer auth.
func TestTheBodyIsSignedWhereThatIsAskedFor(t *testing.T) {
	t.Parallel()
	for qop, want := range map[string]string{"auth-int": "auth-int", "auth-int, AUTH": "auth"} {
		req := inviting()
		if err := (Login{"me", "secret"}).Answer(req, asking(401, siptest.WWW+`realm="r", nonce="n", algorithm=MD5, qop="`+qop+`"`)); err != nil {
			t.Fatal(err)
		}
		got, err := digest.ParseCredentials(req.GetHeader("Authorization").Value())
		if err != nil || got.QOP != want {
			t.Fatalf("qop %q gives %+v, %v, want %s", qop, got, err, want)
		}
		right, err := digest.Digest(&digest.Challenge{Realm: "r", Nonce: "n", Algorithm: "MD5", QOP: []string{want}}, digest.Options{
			Method: "INVITE", URI: got.URI, Username: "me", Password: "secret", Cnonce: got.Cnonce, Count: 1,
			GetBody: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(req.Body())), nil },
		})
		if err != nil || got.Response != right.Response {
			t.Errorf("%s: %s, want %s (%v)", qop, got.Response, right.Response, err)
		}
	}
}

// TestCredentialsAreCountedOn checks that the nonce count continues, so that a proxy never gets the
// same credentials twice if somebody behind it sends a challenge as well.
func TestCredentialsAreCountedOn(t *testing.T) {
	t.Parallel()
	for _, how := range []string{`algorithm=MD5`, `algorithm=SHA-256`, `algorithm=MD5-sess`} {
		req := inviting()
		for _, res := range []*msg.Response{
			asking(407, siptest.Proxy+`realm="a", nonce="1", opaque="o", qop="auth", `+how), asking(401, siptest.WWW+`realm="b", nonce="2", qop="auth"`),
			asking(401, siptest.WWW+`realm="c", nonce="3"`),
		} {
			if err := (Login{"me", "secret"}).Answer(req, res); err != nil {
				t.Fatal(err)
			}
		}
		got, err := digest.ParseCredentials(req.GetHeader("Proxy-Authorization").Value())
		if err != nil || got.Nc != 3 || got.Nonce != "1" || got.Opaque != "o" || len(req.GetHeaders("Proxy-Authorization")) != 1 {
			t.Fatalf("%s: %+v, %v, want the first nonce counted to 3, in one header", how, got, err)
		}
		right, err := (Login{"me", "secret"}).digest(&digest.Challenge{Realm: "a", Nonce: "1", Algorithm: strings.ToUpper(how[len("algorithm="):]), QOP: []string{"auth"}},
			digest.Options{Method: "INVITE", URI: got.URI, Username: "me", Password: "secret", Cnonce: got.Cnonce, Count: 3})
		if err != nil || got.Response != right.Response {
			t.Errorf("%s: %s, want %s (%v)", how, got.Response, right.Response, err)
		}
		others := req.GetHeaders("Authorization")
		if len(others) != 2 || !strings.Contains(others[0].Value(), "nc=00000002") || strings.Contains(others[1].Value(), "nc=") {
			t.Errorf("%s: %v, want one counted to 2 and one without a count", how, others)
		}
	}
}
