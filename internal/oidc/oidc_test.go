package oidc_test

import (
	"crypto/rand"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/oidc"
	"github.com/ringtrue/ringtrue/internal/oidc/oidctest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/secret"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

const redirect = "http://127.0.0.1:1/api/rest/oidc/callback"

// bundle is a client of a provider and a clock that the test moves.
type bundle struct {
	*oidc.Provider
	far *oidctest.Provider
	now time.Time
}

func setup(t *testing.T, change ...func(*oidc.Options)) *bundle {
	t.Helper()
	b := &bundle{now: time.Now()}
	clock := func() time.Time { return b.now }
	b.far = oidctest.New(t, clock)
	key, err := secret.ParseKey(strings.Repeat("1", 64))
	if err != nil {
		t.Fatal(err)
	}
	o := oidc.Options{
		Issuer: b.far.URL, ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret, Name: "Acme", Sealer: secret.NewBox(key), Random: rand.Reader, Now: clock,
	}
	for _, f := range change {
		f(&o)
	}
	b.Provider = oidc.New(o)
	return b
}

// begin leads a browser to the provider and back; it returns what the browser brings.
func (b *bundle) begin(t *testing.T) (keep, state, code string) {
	t.Helper()
	address, keep, err := b.Start(t.Context(), redirect, "/calls")
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	back, err := resp.Location()
	if err != nil || !strings.HasPrefix(back.String(), redirect) {
		t.Fatalf("%d %v %v", resp.StatusCode, back, err)
	}
	return keep, back.Query().Get("state"), back.Query().Get("code")
}

func TestAPersonComesBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		claims map[string]any
		want   people.Claims
	}{
		"whole":          {map[string]any{"sub": "1", "email": "a@example.com", "email_verified": true, "name": "Ada"}, people.Claims{Email: "a@example.com", Verified: true, Name: "Ada"}},
		"as a text":      {map[string]any{"sub": "1", "email": "a@example.com", "email_verified": "true"}, people.Claims{Email: "a@example.com", Verified: true}},
		"not verified":   {map[string]any{"sub": "1", "email": "a@example.com", "email_verified": false}, people.Claims{Email: "a@example.com"}},
		"nothing said":   {map[string]any{"sub": "1", "email": "a@example.com"}, people.Claims{Email: "a@example.com"}},
		"told elsewhere": {map[string]any{"sub": "1", "info:email": "a@example.com", "info:email_verified": true, "info:name": "Ada"}, people.Claims{Email: "a@example.com", Verified: true, Name: "Ada"}},
	} {
		b.far.LetIn(c.claims)
		keep, state, code := b.begin(t)
		got, to, err := b.Finish(t.Context(), redirect, keep, state, code)
		c.want.Subject = b.far.URL + " 1"
		if err != nil || got != c.want || to != "/calls" {
			t.Errorf("%s: %+v %q %v", name, got, to, err)
		}
		if _, _, err := b.Finish(t.Context(), redirect, keep, state, code); err == nil {
			t.Errorf("%s: the code worked twice", name)
		}
	}
}

func TestWhatIsNotOurSignInIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person := map[string]any{"sub": "1", "email": "a@example.com", "email_verified": true}
	b.far.LetIn(person)
	keep, state, code := b.begin(t)
	other, otherState, otherCode := b.begin(t)
	for name, c := range map[string][3]string{
		"another's state": {keep, otherState, code}, "another's cookie": {other, state, code}, "no state": {keep, "", code}, "no cookie": {"", state, code},
		"a changed cookie": {keep[:len(keep)-2] + "AA", state, code}, "a wrong code": {keep, state, "nothing"},
	} {
		if got, _, err := b.Finish(t.Context(), redirect, c[0], c[1], c[2]); err == nil || got != (people.Claims{}) || strings.Contains(err.Error(), oidctest.ClientSecret) {
			t.Errorf("%s: %+v %v", name, got, err)
		}
	}
	// A code that was given to another sign-in: the verifier does not fit it.
	if got, _, err := b.Finish(t.Context(), redirect, keep, state, otherCode); err == nil {
		t.Errorf("another's code: %+v", got)
	}
	for name, claim := range map[string]map[string]any{
		"another audience": {"aud": "somebody else"}, "another issuer": {"iss": "https://evil.example"}, "old": {"exp": 1}, "another nonce": {"nonce": "x"},
		"somebody else's address": {"email": "", "info:sub": "2", "info:email": "b@example.com"},
	} {
		claims := map[string]any{"sub": "1", "email": "a@example.com", "email_verified": true}
		maps.Copy(claims, claim)
		b.far.LetIn(claims)
		keep, state, code := b.begin(t)
		if got, _, err := b.Finish(t.Context(), redirect, keep, state, code); err == nil {
			t.Errorf("%s: %+v", name, got)
		}
	}
	b.far.LetIn(person)
	keep, state, code = b.begin(t)
	b.now = b.now.Add(10 * time.Minute)
	if _, _, err := b.Finish(t.Context(), redirect, keep, state, code); err == nil {
		t.Error("ten minutes later it is still taken")
	}
}

// A provider that sends the exchange elsewhere would have the code, its verifier
// and the client's secret told to whoever is there.
func TestSecretsAreNotSentOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.far.LetIn(map[string]any{"sub": "1", "email": "a@example.com"})
	var heard atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	defer elsewhere.Close()
	keep, state, code := b.begin(t)
	b.far.Move(elsewhere.URL)
	if _, _, err := b.Finish(t.Context(), redirect, keep, state, code); err == nil || heard.Load() > 0 {
		t.Errorf("%v after %d requests elsewhere", err, heard.Load())
	}
}

func TestTheAddressThatPeopleAreLedTo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	address, keep, err := b.Start(t.Context(), redirect, "/calls")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	if q.Get("redirect_uri") != redirect || q.Get("code_challenge_method") != "S256" || len(q.Get("state")) != 43 || len(q.Get("nonce")) != 43 || q.Get("scope") != "openid email profile" {
		t.Errorf("%v", q)
	}
	if strings.Contains(keep, q.Get("state")) || strings.Contains(keep, "calls") || strings.Contains(address, oidctest.ClientSecret) {
		t.Error("what the browser keeps can be read")
	}
}

// The pause begins when it is known that there is no answer: counted from the question, it would be over
// by then, and of those who wait for their turn each would wait out a question of their own.
func TestAProviderThatIsSilentIsLeftAlone(t *testing.T) {
	t.Parallel()
	var passed, asked atomic.Int64
	begun := time.Now()
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		passed.Add(int64(10 * time.Second))
		w.WriteHeader(http.StatusGatewayTimeout)
	}))
	t.Cleanup(silent.Close)
	b := setup(t, func(o *oidc.Options) {
		o.Issuer, o.Now = silent.URL, func() time.Time { return begun.Add(time.Duration(passed.Load())) }
	})
	start := func() {
		if _, _, err := b.Start(t.Context(), redirect, "/"); !problem.Is(err, problem.Unavailable) {
			t.Errorf("%v", err)
		}
	}
	if start(); asked.Load() != 1 {
		t.Fatalf("asked %d times", asked.Load())
	}
	if start(); asked.Load() != 1 {
		t.Error("it was asked again at once")
	}
	passed.Add(int64(3 * time.Second))
	if start(); asked.Load() != 2 {
		t.Error("it was not asked again after the pause")
	}
}

func TestAProviderThatIsAwayIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *oidc.Options) { o.Issuer += "/nothing" })
	for range 3 {
		_, _, err := b.Start(t.Context(), redirect, "/")
		if !problem.Is(err, problem.Unavailable) || problem.As(err).RetryAfter == 0 {
			t.Errorf("%v", err)
		}
	}
	if b.Name() != "Acme" {
		t.Error(b.Name())
	}
}

func FuzzFinish(f *testing.F) {
	key, err := secret.ParseKey(strings.Repeat("1", 64))
	if err != nil {
		f.Fatal(err)
	}
	box := secret.NewBox(key)
	p := oidc.New(oidc.Options{Issuer: "http://127.0.0.1:1", Sealer: box, Random: rand.Reader, Now: time.Now})
	f.Add(box.Seal(`{"s":"a","e":99999999999}`, "other"), "a", "code")
	f.Add(box.Seal(`{"s":"a","e":1}`, "oidc"), "a", "code")
	f.Add(box.Seal(`[]`, "oidc"), "", "")
	f.Add("v1..", "", "")
	f.Fuzz(func(t *testing.T, keep, state, code string) {
		if c, _, err := p.Finish(t.Context(), redirect, keep, state, code); err == nil || c != (people.Claims{}) {
			t.Errorf("%+v was let in", c)
		}
	})
}
