package app

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/oidc/oidctest"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// browser is one with cookies that shows where it was led to.
type browser struct {
	*http.Client
	base string
	jar  http.CookieJar
}

func newBrowser(t *testing.T, base string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	must(t, err)
	b := &browser{base: base, jar: jar}
	b.Client = &http.Client{Jar: jar, Timeout: time.Minute, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(r.URL.String(), base) && !strings.HasPrefix(r.URL.Path, "/api/") {
			return http.ErrUseLastResponse // the web app
		}
		return nil
	}}
	return b
}

// come signs in at the provider and returns where the web app was entered.
func (b *browser) come(t *testing.T, to string) string {
	t.Helper()
	resp, err := b.Get(b.base + "/api/rest/oidc/start?to=" + url.QueryEscape(to))
	must(t, err)
	defer resp.Body.Close()
	return resp.Header.Get("Location")
}

func (b *browser) session(t *testing.T) (s struct {
	SignedIn bool `json:"signed_in"`
	Role     string
	Person   struct{ Email string }
	SignIn   struct{ OIDC struct{ Name string } } `json:"sign_in"`
}) {
	t.Helper()
	resp, err := b.Get(b.base + "/api/rest/session")
	must(t, err)
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	must(t, err)
	must(t, json.Unmarshal(data, &s))
	return s
}

func TestSigningInAtAProvider(t *testing.T) {
	t.Parallel()
	far := oidctest.New(t, time.Now)
	r := newRig(t, func(o *Options) {
		o.OIDC = OIDCOptions{
			Issuer: far.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, Name: "Acme",
			Newcomers: people.Newcomers{Domain: "acme.example", Role: workspace.Member},
		}
		o.PasswordCost = people.Cost{Memory: 64, Passes: 1}
	})
	base := "http://" + r.addr
	come := func(claims map[string]any, to string) (*browser, string) {
		far.LetIn(claims)
		b := newBrowser(t, base)
		return b, b.come(t, to)
	}
	grace := map[string]any{"sub": "7", "email": "grace@acme.example", "email_verified": true, "name": "Grace"}
	b, at := come(grace, "/calls?origin=production")
	if s := b.session(t); at != "/calls?origin=production" || !s.SignedIn || s.Role != "member" || s.Person.Email != "grace@acme.example" || s.SignIn.OIDC.Name != "Acme" {
		t.Errorf("at %q: %+v", at, s)
	}
	for _, evil := range []string{"https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "", "x"} {
		if _, at := come(grace, evil); at != "/" {
			t.Errorf("%q leads to %q", evil, at)
		}
	}
	for reason, claims := range map[string]map[string]any{
		"email_not_verified": {"sub": "8", "email": "eve@acme.example", "email_verified": false},
		"not_invited":        {"sub": "8", "email": "eve@example.com", "email_verified": true},
		"account_of_another": {"sub": "8", "email": "grace@acme.example", "email_verified": true},
		"failed":             {"sub": "7", "email": "grace@acme.example", "email_verified": true, "nonce": "x"},
	} {
		b, at := come(claims, "/")
		if at != "/sign-in?refused="+reason || b.session(t).SignedIn {
			t.Errorf("%s: led to %q", reason, at)
		}
	}
	// Somebody else's answer in this browser: there is no cookie for it.
	stolen := newBrowser(t, base)
	resp, err := stolen.Get(base + "/api/rest/oidc/callback?state=x&code=y&unknown=z")
	must(t, err)
	resp.Body.Close()
	if at := resp.Header.Get("Location"); at != "/sign-in?refused=expired" {
		t.Errorf("a foreign answer leads to %q", at)
	}
	text := r.log.String()
	for _, never := range []string{oidctest.ClientSecret, "code-", "level=ERROR"} {
		if strings.Contains(text, never) {
			t.Errorf("the log holds %s", never)
		}
	}
}

// The log of who did what cannot be changed, not even past the service.
func TestTheAuditLogIsOnlyEverAddedTo(t *testing.T) {
	t.Parallel()
	for name, change := range map[string][]func(*Options){"sqlite": nil, "postgres": {onPostgres(t)}} {
		r := newRig(t, change...)
		for _, text := range []string{`UPDATE audit_log SET actor_name = 'nobody'`, `DELETE FROM audit_log`} {
			if _, err := r.db.ExecContext(t.Context(), text); err == nil || !strings.Contains(err.Error(), "only ever added to") {
				t.Errorf("%s: %s: %v", name, text, err)
			}
		}
	}
}

// What starts, starts once: a set-up token until there is a person, a link for the newcomer.
func TestTheFirstLinks(t *testing.T) {
	t.Parallel()
	r := newRig(t) // its owners are made past the set-up
	if r.app.SetupURL() == "" || !strings.Contains(r.app.SetupURL(), r.app.SetupToken()) {
		t.Error("an empty service offers no set-up")
	}
	link, err := r.app.SignInURL(t.Context())
	must(t, err)
	_, token, ok := strings.Cut(link, "/sign-in?link=")
	if !ok || strings.Contains(r.log.String(), token) {
		t.Fatalf("%q", link)
	}
	ask := func() int {
		resp, err := http.Post("http://"+r.addr+"/api/rest/session/link", "application/json", bytes.NewReader([]byte(`{"token":"`+token+`"}`)))
		must(t, err)
		resp.Body.Close()
		return resp.StatusCode
	}
	if first, second := ask(), ask(); first != 200 || second != 422 {
		t.Errorf("the link got %d, then %d", first, second)
	}
}
