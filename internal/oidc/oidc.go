// Package oidc signs people in at an OpenID Connect provider: authorization code
// flow with PKCE, state and nonce. What a browser has to keep in between is
// sealed, so that nothing of it stays here and any process can finish what
// another has begun.
//
// Package api leads browsers there and back, package people decides whom of
// those that the provider vouches for to let in, package secret seals. Its child
// oidctest is a provider for tests.
package oidc

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Sealer seals what a browser keeps.
type Sealer interface {
	Seal(plain, context string) string
	Open(sealed, context string) (string, error)
}

// Options are what a Provider is built from; all are needed.
type Options struct {
	// Issuer is the provider's address, as it stands in its tokens.
	Issuer                 string
	ClientID, ClientSecret string
	// Name is what to call the provider on a button.
	Name   string
	Sealer Sealer
	Random io.Reader
	Now    func() time.Time
}

const (
	// life is how long somebody may take at the provider.
	life = 10 * time.Minute
	// patience is how long the provider may take to answer.
	patience = 10 * time.Second
	// pause is how long the provider is left alone after it did not answer.
	pause = 3 * time.Second
	// maxAnswer is the largest answer of the provider that is read.
	maxAnswer = 1 << 20
	// sealContext binds what is sealed to its use.
	sealContext = "oidc"
)

// Provider is an identity provider. Its methods are safe for concurrent use.
type Provider struct {
	options Options
	client  *http.Client

	mu       sync.Mutex
	found    *oidc.Provider
	failed   error
	failedAt time.Time
}

// New returns a Provider. It is asked for its endpoints when somebody first
// signs in, so that a service starts while it is away.
func New(o Options) *Provider {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:errcheck,forcetypeassert // it is one
	return &Provider{options: o, client: &http.Client{Transport: bounded{transport}, Timeout: patience, CheckRedirect: openly}}
}

// openly follows redirects of what anybody may read, the endpoints and keys of the
// provider. Codes, secrets and tokens go to the endpoint that it named and nowhere else.
func openly(_ *http.Request, via []*http.Request) error {
	const most = 10
	first := via[0]
	if first.Method != http.MethodGet || first.Header.Get("Authorization") != "" || len(via) >= most {
		return http.ErrUseLastResponse
	}
	return nil
}

// Name is what to call it on a button.
func (p *Provider) Name() string { return p.options.Name }

// kept is what a browser keeps while somebody is at the provider.
type kept struct {
	State    string `json:"s"`
	Nonce    string `json:"n"`
	Verifier string `json:"v"`
	To       string `json:"t"`
	EndsAt   int64  `json:"e"` // seconds since 1970
}

// Start returns the provider's address to lead a browser to, and what the
// browser is to keep until it is back at redirect.
func (p *Provider) Start(ctx context.Context, redirect, to string) (address, keep string, err error) {
	found, err := p.discover(ctx)
	if err != nil {
		return "", "", err
	}
	k := kept{To: to, EndsAt: p.options.Now().Add(life).Unix()}
	for _, v := range []*string{&k.State, &k.Nonce, &k.Verifier} {
		if *v, err = p.draw(); err != nil {
			return "", "", err
		}
	}
	plain, err := json.Marshal(k)
	if err != nil {
		return "", "", err
	}
	address = p.config(found, redirect).AuthCodeURL(k.State, oidc.Nonce(k.Nonce), oauth2.S256ChallengeOption(k.Verifier))
	return address, p.options.Sealer.Seal(string(plain), sealContext), nil
}

// Finish checks what a browser has brought back and asks the provider who it
// vouches for. It returns that and where to go. Any error means nobody.
func (p *Provider) Finish(ctx context.Context, redirect, keep, state, code string) (c people.Claims, to string, err error) {
	k, err := p.open(keep, state)
	if err != nil {
		return c, "", err
	}
	found, err := p.discover(ctx)
	if err != nil {
		return c, "", err
	}
	ctx = oidc.ClientContext(ctx, p.client)
	token, err := p.config(found, redirect).Exchange(ctx, code, oauth2.VerifierOption(k.Verifier))
	if err != nil {
		return c, "", withoutSecrets("exchange the code", err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return c, "", errors.New("the identity provider gave no ID token")
	}
	id, err := found.VerifierContext(oidc.ClientContext(context.WithoutCancel(ctx), p.client), &oidc.Config{ClientID: p.options.ClientID, Now: p.options.Now}).Verify(ctx, raw)
	if err != nil {
		return c, "", withoutSecrets("verify the ID token", err)
	}
	if subtle.ConstantTimeCompare([]byte(id.Nonce), []byte(k.Nonce)) != 1 {
		return c, "", errors.New("the ID token belongs to another sign-in")
	}
	c, err = p.claims(ctx, found, id, token)
	return c, k.To, err
}

func (p *Provider) open(keep, state string) (k kept, err error) {
	plain, err := p.options.Sealer.Open(keep, sealContext)
	if err != nil {
		return k, errors.New("what the browser kept is not ours")
	}
	if err := json.Unmarshal([]byte(plain), &k); err != nil {
		return k, errors.New("what the browser kept cannot be read")
	}
	if p.options.Now().Unix() >= k.EndsAt {
		return k, errors.New("the sign-in took too long")
	}
	if subtle.ConstantTimeCompare([]byte(state), []byte(k.State)) != 1 {
		return k, errors.New("the answer belongs to another sign-in")
	}
	return k, nil
}

// wire are the claims that are of use here.
type wire struct {
	Subject  string `json:"sub"`
	Email    string `json:"email"`
	Verified yes    `json:"email_verified"`
	Name     string `json:"name"`
}

// yes is true, or "true" as some providers write it.
type yes bool

// UnmarshalJSON implements json.Unmarshaler.
func (y *yes) UnmarshalJSON(data []byte) error {
	*y = string(data) == "true" || string(data) == `"true"`
	return nil
}

// claims reads who the token speaks of; what it leaves out the provider is asked for.
func (p *Provider) claims(ctx context.Context, found *oidc.Provider, id *oidc.IDToken, token *oauth2.Token) (people.Claims, error) {
	var w wire
	if err := id.Claims(&w); err != nil {
		return people.Claims{}, fmt.Errorf("read the ID token: %w", err)
	}
	if w.Email == "" && found.UserInfoEndpoint() != "" {
		info, err := found.UserInfo(ctx, oauth2.StaticTokenSource(token))
		if err != nil {
			return people.Claims{}, withoutSecrets("ask for the person", err)
		}
		more := wire{}
		if err := info.Claims(&more); err != nil || info.Subject != id.Subject {
			return people.Claims{}, errors.New("the identity provider speaks of somebody else")
		}
		w.Email, w.Verified = more.Email, more.Verified
		if w.Name == "" {
			w.Name = more.Name
		}
	}
	return people.Claims{Subject: id.Issuer + " " + id.Subject, Email: w.Email, Verified: bool(w.Verified), Name: w.Name}, nil
}

func (p *Provider) config(found *oidc.Provider, redirect string) *oauth2.Config {
	return &oauth2.Config{
		ClientID: p.options.ClientID, ClientSecret: p.options.ClientSecret, Endpoint: found.Endpoint(),
		RedirectURL: redirect, Scopes: []string{oidc.ScopeOpenID, "email", "profile"},
	}
}

// discover asks the provider for its endpoints, once.
func (p *Provider) discover(ctx context.Context) (*oidc.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != nil {
		return p.found, nil
	}
	now := p.options.Now()
	if p.failed != nil && now.Sub(p.failedAt) < pause && !now.Before(p.failedAt) {
		return nil, away(p.failed)
	}
	// The provider's keys are fetched with this context later, too.
	found, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), p.client), p.options.Issuer)
	if err != nil {
		p.failed, p.failedAt = err, p.options.Now() // which the answer may have been long in coming
		return nil, away(err)
	}
	p.found, p.failed = found, nil
	return found, nil
}

func away(cause error) error {
	e := problem.New(problem.Unavailable, "the identity provider does not answer as it should").
		WithHint("try again, or sign in with a password; the service's log has the reason").Because(cause)
	e.RetryAfter = pause
	return e
}

// withoutSecrets is an error for the log. A provider's own words may repeat what it was sent.
func withoutSecrets(what string, err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil {
		return fmt.Errorf("%s: the identity provider answered %d %.100s", what, refused.Response.StatusCode, refused.ErrorCode)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// draw is a random text of 256 bits.
func (p *Provider) draw() (string, error) {
	raw := make([]byte, 32)
	if _, err := io.ReadFull(p.options.Random, raw); err != nil {
		return "", fmt.Errorf("draw a state: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// bounded reads no more of an answer than there can be of use.
type bounded struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err == nil {
		resp.Body = limited{io.LimitReader(resp.Body, maxAnswer), resp.Body}
	}
	return resp, err
}

type limited struct {
	io.Reader
	io.Closer
}
