package main

import (
	"net/url"
	"strings"

	"github.com/ringtrue/ringtrue/internal/app"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// oidcFlags name the identity provider that people may sign in with.
type oidcFlags struct {
	OIDCIssuer       string `name:"oidc-issuer" help:"OpenID Connect provider that people can sign in with. Register PUBLIC-URL/api/rest/oidc/callback there as the redirect URI." placeholder:"URL"`
	OIDCClientID     string `name:"oidc-client-id" help:"Client id of this service at the provider." placeholder:"ID"`
	OIDCClientSecret string `name:"oidc-client-secret" help:"Its client secret (better given as RINGTRUE_OIDC_CLIENT_SECRET)." placeholder:"SECRET"`
	OIDCName         string `name:"oidc-name" help:"Name of the provider on the sign-in button (default: single sign-on)." placeholder:"NAME"`
	OIDCDomain       string `name:"oidc-domain" help:"People with an e-mail address of this domain need no invitation; they join the oldest workspace." placeholder:"DOMAIN"`
	OIDCRole         string `name:"oidc-role" help:"Role of people who join through --oidc-domain: viewer or member." enum:"viewer,member" default:"viewer"`
}

func (f oidcFlags) options() app.OIDCOptions {
	return app.OIDCOptions{
		Issuer: f.OIDCIssuer, ClientID: f.OIDCClientID, ClientSecret: f.OIDCClientSecret, Name: f.OIDCName,
		Newcomers: people.Newcomers{Domain: strings.TrimPrefix(f.OIDCDomain, "@"), Role: workspace.Role(f.OIDCRole)},
	}
}

// check names every flag that does not go with the others.
func (f oidcFlags) check() (fields []problem.Field) {
	wrong := func(flag, message string) { fields = append(fields, problem.Field{Path: flag, Message: message}) }
	if f.OIDCIssuer == "" {
		for _, given := range []struct{ flag, value string }{
			{"--oidc-client-id", f.OIDCClientID}, {"--oidc-client-secret", f.OIDCClientSecret}, {"--oidc-name", f.OIDCName}, {"--oidc-domain", f.OIDCDomain},
		} {
			if given.value != "" {
				wrong(given.flag, "has no effect without --oidc-issuer")
			}
		}
		return fields
	}
	if u, err := url.Parse(f.OIDCIssuer); err != nil || u.Host == "" || u.Scheme != "https" && !isLoopback(u) {
		wrong("--oidc-issuer", "must be an https address such as https://accounts.example.com")
	}
	if f.OIDCClientID == "" {
		wrong("--oidc-client-id", "is needed with --oidc-issuer")
	}
	if f.OIDCClientSecret == "" {
		wrong("--oidc-client-secret", "is needed with --oidc-issuer")
	}
	if strings.Contains(strings.TrimPrefix(f.OIDCDomain, "@"), "@") {
		wrong("--oidc-domain", "must be a domain such as example.com")
	}
	return fields
}

// isLoopback reports whether the address is plain http to this machine.
func isLoopback(u *url.URL) bool {
	return u.Scheme == "http" && (u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1" || u.Hostname() == "::1")
}
