// Package oidctest is an OpenID Connect provider for tests: it lets in whoever
// it is told to, at once, and is as strict as a real one about client, address
// to come back to, code and PKCE. Packages oidc and app are tested against it.
package oidctest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"
)

// The client that the provider knows.
const (
	ClientID     = "ringtrue"
	ClientSecret = "a-client-secret"
)

// Provider is a running provider.
type Provider struct {
	// URL is its issuer.
	URL string

	key *rsa.PrivateKey
	now func() time.Time

	mu     sync.Mutex
	claims map[string]any
	info   map[string]any
	codes  map[string]grant
	moved  string
}

// grant is what a code stands for.
type grant struct {
	challenge, redirect, nonce string
	claims                     map[string]any
}

// New starts a provider that lives as long as the test.
func New(t *testing.T, now func() time.Time) *Provider {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{key: key, now: now, codes: map[string]grant{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.configuration)
	mux.HandleFunc("GET /keys", p.keys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	mux.HandleFunc("GET /userinfo", p.userinfo)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// Move has the provider redirect those who exchange codes to another address.
func (p *Provider) Move(address string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.moved = address
}

// away redirects when the provider has moved.
func (p *Provider) away(w http.ResponseWriter, r *http.Request) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.moved != "" {
		http.Redirect(w, r, p.moved, http.StatusTemporaryRedirect)
	}
	return p.moved != ""
}

// LetIn says who is at the keyboard: claims of the ID token, which may override
// its own ("aud", "nonce", "exp", "iss"). What begins with "info:" is told by
// the userinfo endpoint alone.
func (p *Provider) LetIn(claims map[string]any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.claims, p.info = map[string]any{}, map[string]any{"sub": claims["sub"]}
	for name, v := range claims {
		if len(name) > 5 && name[:5] == "info:" {
			p.info[name[5:]] = v
			continue
		}
		p.claims[name] = v
	}
}

func (p *Provider) configuration(w http.ResponseWriter, _ *http.Request) {
	reply(w, map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"userinfo_endpoint": p.URL + "/userinfo", "id_token_signing_alg_values_supported": []string{"RS256"},
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
	})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	encode := base64.RawURLEncoding.EncodeToString
	reply(w, map[string]any{"keys": []any{map[string]any{
		"kty": "RSA", "kid": "1", "alg": "RS256", "use": "sig", "n": encode(p.key.N.Bytes()), "e": encode(big.NewInt(int64(p.key.E)).Bytes()),
	}}})
}

// authorize lets the person in without a question and leads the browser back.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || q.Get("client_id") != ClientID || q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" {
		http.Error(w, "invalid_request", http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	code := "code-" + q.Get("state")[:8]
	p.codes[code] = grant{challenge: q.Get("code_challenge"), redirect: q.Get("redirect_uri"), nonce: q.Get("nonce"), claims: maps.Clone(p.claims)}
	p.mu.Unlock()
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {p.URL}}.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	if p.away(w, r) {
		return
	}
	id, secret, basic := r.BasicAuth()
	if !basic {
		id, secret = r.PostFormValue("client_id"), r.PostFormValue("client_secret")
	}
	p.mu.Lock()
	g, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	p.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || id != ClientID || secret != ClientSecret || g.redirect != r.PostFormValue("redirect_uri") ||
		g.challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		reply(w, map[string]any{"error": "invalid_grant", "error_description": "sent " + secret})
		return
	}
	claims := map[string]any{"iss": p.URL, "aud": ClientID, "nonce": g.nonce, "iat": p.now().Unix(), "exp": p.now().Add(time.Minute).Unix()}
	maps.Copy(claims, g.claims)
	reply(w, map[string]any{"access_token": "access", "token_type": "Bearer", "expires_in": 60, "id_token": p.sign(claims)})
}

func (p *Provider) userinfo(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	reply(w, p.info)
}

// sign makes a JWT.
func (p *Provider) sign(claims map[string]any) string {
	encode := base64.RawURLEncoding.EncodeToString
	body, err := json.Marshal(claims)
	if err != nil {
		panic(err) // a test gave what is no JSON
	}
	text := encode([]byte(`{"alg":"RS256","kid":"1","typ":"JWT"}`)) + "." + encode(body)
	sum := sha256.Sum256([]byte(text))
	signature, err := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	if err != nil {
		panic(err) // it does not fail with a good key
	}
	return text + "." + encode(signature)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
