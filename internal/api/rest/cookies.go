package rest

import (
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Cookies are what the service keeps in a browser.
type Cookies struct {
	// Session and oidc are their names.
	Session, OIDC string
	// secure says that they travel over https alone.
	secure bool
}

// cookiesOf names the cookies of a service at publicURL. Browsers do not tell
// ports apart, so that two services on one machine need two names; with https
// the prefix keeps neighbours below the same domain from planting one.
func cookiesOf(publicURL string) Cookies {
	suffix, secure := "", false
	if u, err := url.Parse(publicURL); err == nil {
		secure = u.Scheme == "https"
		if port := u.Port(); port != "" {
			suffix = "_" + port
		}
	}
	prefix := ""
	if secure {
		prefix = "__Host-"
	}
	return Cookies{Session: prefix + "ringtrue_session" + suffix, OIDC: prefix + "ringtrue_oidc" + suffix, secure: secure}
}

// Kept is the cookie with a value until a time.
func (c Cookies) Kept(name, value string, until, now time.Time) string {
	return (&http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: max(int(until.Sub(now).Seconds()), 1), HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode,
	}).String()
}

// Gone removes the cookie.
func (c Cookies) Gone(name string) string {
	return (&http.Cookie{Name: name, Path: "/", MaxAge: -1, HttpOnly: true, Secure: c.secure, SameSite: http.SameSiteLaxMode}).String()
}

// newOrigins is the guard against pages of other sites. The service's own
// address is trusted also when a proxy has changed the Host header.
func newOrigins(publicURL string) *http.CrossOriginProtection {
	guard := http.NewCrossOriginProtection()
	if u, err := url.Parse(publicURL); err == nil && u.Host != "" {
		_ = guard.AddTrustedOrigin(strings.ToLower(u.Scheme + "://" + u.Host)) // an address that is none was refused before
	}
	return guard
}
