package people_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

func TestTheFirstPersonOwnsEverythingAndTheTokenWorksOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	first, err := b.OfferSetup(ctx)
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.OfferSetup(ctx) // a restart, or another process
	if err != nil || second == first {
		t.Fatal(err)
	}
	in := people.Setup{Token: "wrong", Name: "Ada", Email: "ada@example.com", Password: secret, Workspace: "Clinic"}
	_, err = b.Setup(ctx, in, from)
	wants(t, "a wrong token", err, problem.InvalidFields)
	for field, change := range map[string]func(*people.Setup){
		"name": func(s *people.Setup) { s.Name = " " }, "email": func(s *people.Setup) { s.Email = "ada" },
		"password": func(s *people.Setup) { s.Password = "short" }, "workspace_name": func(s *people.Setup) { s.Workspace = "a\nb" },
	} {
		bad := in
		change(&bad)
		_, err := b.Setup(ctx, bad, from)
		if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Path != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	in.Token = first
	o, err := b.Setup(ctx, in, from)
	if err != nil {
		t.Fatal(err)
	}
	if id, err := b.Identify(ctx, o.Token); err != nil || id.Role != workspace.Owner || id != o.Identity {
		t.Errorf("%+v %v", id, err)
	}
	for _, token := range []string{first, second} {
		in.Token, in.Email = token, "eve@example.com"
		_, err := b.Setup(ctx, in, from)
		wants(t, "a second use", err, problem.Conflict)
	}
	if again, err := b.OfferSetup(ctx); err != nil || again != "" {
		t.Errorf("another token was drawn: %v", err)
	}
	a, err := b.Account(ctx, o.Identity.PersonID)
	if err != nil || len(a.Memberships) != 1 || a.Memberships[0].Name != "Clinic" || a.Person.Email != "ada@example.com" {
		t.Errorf("%+v %v", a, err)
	}
	if !strings.HasPrefix(a.Person.Password, "$argon2id$v=19$m=64,t=1,p=1$") || strings.Contains(a.Person.Password, secret) {
		t.Error("the password is not hashed")
	}
}

func TestASetUpTokenDoesNotHoldForEver(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := b.OfferSetup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(31 * 24 * time.Hour)
	_, err = b.Setup(t.Context(), people.Setup{Token: token, Name: "Ada", Email: "a@example.com", Password: secret}, from)
	wants(t, "an old token", err, problem.InvalidFields)
}

func TestSigningIn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.owner(t)
	o, err := b.SignIn(t.Context(), " ADA@example.com ", secret, from)
	if err != nil || o.Identity.Role != workspace.Owner || len(o.Token) != 43 {
		t.Fatalf("%+v %v", o.Identity, err)
	}
	var texts []string
	for _, c := range [][2]string{{"ada@example.com", secret + "!"}, {"nobody@example.com", secret}, {"ada", secret}, {"ada@example.com", ""}, {"", ""}, {"ada@example.com", strings.Repeat("a", 100_000)}} {
		_, err := b.SignIn(t.Context(), c[0], c[1], from)
		wants(t, c[0], err, problem.Unauthenticated)
		texts = append(texts, err.Error())
	}
	for _, text := range texts {
		if text != texts[0] || strings.Contains(text, "ada") {
			t.Errorf("it can be told what was wrong: %q", text)
		}
	}
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	o := b.owner(t)
	for range 4 { // used every six days
		b.now = b.now.Add(6 * 24 * time.Hour)
		if _, err := b.Identify(ctx, o.Token); err != nil {
			t.Fatalf("it ended early: %v", err)
		}
	}
	b.now = b.now.Add(6*24*time.Hour + time.Second)
	b.ended(t, "after 30 days", o)
	idle, err := b.SignIn(ctx, "ada@example.com", secret, from)
	if err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(7 * 24 * time.Hour)
	b.ended(t, "after a week without a request", idle)
	out, err := b.SignIn(ctx, "ada@example.com", secret, from)
	if err != nil {
		t.Fatal(err)
	}
	stays, err := b.SignIn(ctx, "ada@example.com", secret, from)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.SignOut(ctx, out.Identity); err != nil {
		t.Fatal(err)
	}
	b.ended(t, "signed out", out)
	if _, err := b.Identify(ctx, stays.Token); err != nil {
		t.Errorf("the session at another browser ended: %v", err)
	}
	for _, token := range []string{"", "x", o.Token[:42], o.Token + "A", strings.Repeat("!", 43), out.Identity.Session} {
		if _, err := b.Identify(ctx, token); !problem.Is(err, problem.Unauthenticated) {
			t.Errorf("%q: %v", token, err)
		}
	}
}

func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.owner(t)
	token, err := b.LinkFor(ctx, "ADA@example.com")
	if err != nil {
		t.Fatal(err)
	}
	o, err := b.SignInByLink(ctx, token, from)
	if err != nil || o.Identity.PersonName != "Ada" {
		t.Fatalf("%+v %v", o.Identity, err)
	}
	_, err = b.SignInByLink(ctx, token, from)
	wants(t, "a second time", err, problem.InvalidFields)
	// Who has just come in by a link may have forgotten the password.
	if _, err := b.ChangePassword(ctx, o.Identity, "", "a new one at last", from); err != nil {
		t.Error(err)
	}
	if token, err = b.LinkFor(ctx, "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	if o, err = b.SignInByLink(ctx, token, from); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(time.Hour)
	_, err = b.ChangePassword(ctx, o.Identity, "", "a newer one at last", from)
	wants(t, "an hour later", err, problem.InvalidFields)
	if token, err = b.LinkFor(ctx, "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	b.now = b.now.Add(24 * time.Hour)
	_, err = b.SignInByLink(ctx, token, from)
	wants(t, "a day later", err, problem.InvalidFields)
	_, err = b.LinkFor(ctx, "nobody@example.com")
	wants(t, "nobody", err, problem.NotFound)
}

func TestAttemptsAreThrottled(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	b.owner(t)
	try := func(email, password, from string) error {
		_, err := b.SignIn(ctx, email, password, from)
		return err
	}
	for i := range 10 { // from many addresses
		wants(t, "a guess", try("ada@example.com", "wrong password", fmt.Sprintf("192.0.2.%d", i)), problem.Unauthenticated)
	}
	err := try("ada@example.com", secret, "198.51.100.1")
	wants(t, "the eleventh", err, problem.RateLimited)
	if p := problem.As(err); p == nil || p.RetryAfter <= 0 || p.RetryAfter > 30*time.Second {
		t.Errorf("%+v", p)
	}
	b.now = b.now.Add(31 * time.Second)
	if err := try("ada@example.com", secret, "198.51.100.1"); err != nil {
		t.Errorf("after the wait: %v", err)
	}
	// Somebody who came in may err again.
	wants(t, "a slip", try("ada@example.com", "wrong password", "198.51.100.1"), problem.Unauthenticated)
	// One address guesses at many; an IPv6 network counts as one.
	limited := 0
	for i := range 40 {
		if problem.Is(try(fmt.Sprintf("p%d@example.com", i), "wrong password", fmt.Sprintf("2001:db8::%x", i+1)), problem.RateLimited) {
			limited++
		}
	}
	if limited != 10 {
		t.Errorf("%d of 40 were refused, want 10", limited)
	}
	wants(t, "its links", func() error { _, err := b.SignInByLink(ctx, "x", "2001:db8::ffff"); return err }(), problem.RateLimited)
	if err := try("ada@example.com", secret, "2001:db8:0:1::1"); err != nil {
		t.Errorf("another network: %v", err)
	}
}

// A flood of sign-ins waits for its turn: memory is bounded, and nobody is let
// in who should not be.
func TestManySignInsAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.owner(t)
	var wait sync.WaitGroup
	for i := range 32 {
		wait.Go(func() {
			_, err := b.SignIn(context.Background(), "ada@example.com", secret, fmt.Sprintf("192.0.2.%d", i))
			if err != nil && !problem.Is(err, problem.RateLimited) {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// Who changes the password because a link has gone astray must be rid of that; and somebody who
// was removed holds a link that is not valid, not one to nobody.
func TestLinksEndWithThePasswordAndThePerson(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	o := b.owner(t)
	guest := b.guest(t, o, "guest", workspace.Member)
	link := func(email string) string {
		token, err := b.LinkFor(ctx, email)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	stays, astray := link("ada@example.com"), link("guest@example.com")
	now, err := b.ChangePassword(ctx, guest.Identity, secret, "another good password", from)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.SignInByLink(ctx, astray, from)
	wants(t, "after another password", err, problem.InvalidFields)
	left := link("guest@example.com")
	if err := b.Remove(ctx, o.Identity, now.Identity.PersonID); err != nil {
		t.Fatal(err)
	}
	_, err = b.SignInByLink(ctx, left, from)
	wants(t, "after the person was removed", err, problem.InvalidFields)
	if _, err := b.SignInByLink(ctx, stays, from); err != nil {
		t.Errorf("somebody else's link: %v", err)
	}
}

// meanwhile is a store in which something happens just before the next change.
type meanwhile struct {
	people.Store
	act func()
}

func (m *meanwhile) Write(ctx context.Context, f func(people.Tx) error) error {
	if act := m.act; act != nil {
		m.act = nil
		act()
	}
	return m.Store.Write(ctx, f)
}

// setupBetween is setup with something to happen before a change.
func setupBetween(t *testing.T) (b *bundle, between *meanwhile) {
	t.Helper()
	b = setup(t, func(o *people.Options) {
		between = &meanwhile{Store: o.Store}
		o.Store = between
	})
	return b, between
}

// A password is proved before the session is opened: what it opened would outlive the change
// that has ended all sessions.
func TestThePasswordThatWasChangedMeanwhileOpensNothing(t *testing.T) {
	t.Parallel()
	other := "another good password"
	b, between := setupBetween(t)
	ctx := t.Context()
	o := b.owner(t)
	host := b.guest(t, o, "host", workspace.Admin)
	elsewhere, err := b.CreateWorkspace(ctx, host.Identity, "Third")
	if err != nil {
		t.Fatal(err)
	}
	host.Identity.WorkspaceID, host.Identity.Role = elsewhere.ID, workspace.Owner
	_, invitation, err := b.Invite(ctx, host.Identity, "ada@example.com", workspace.Member)
	if err != nil {
		t.Fatal(err)
	}
	a, err := b.Account(ctx, o.Identity.PersonID)
	if err != nil {
		t.Fatal(err)
	}
	hashed := a.Person.Password
	changes := func() {
		between.act = func() {
			if o, err = b.ChangePassword(ctx, o.Identity, secret, other, from); err != nil {
				t.Fatal(err)
			}
		}
	}
	back := func() {
		t.Helper()
		if o, err = b.ChangePassword(ctx, o.Identity, other, secret, from); err != nil {
			t.Fatal(err)
		}
	}
	changes()
	_, err = b.SignIn(ctx, "ada@example.com", secret, from)
	wants(t, "a sign-in", err, problem.Unauthenticated)
	back()
	between.act = func() { // they come in at another browser, whose request renews the hash
		err = b.Store.Write(ctx, func(tx people.Tx) error {
			p, _, err := tx.PersonByEmail(ctx, "ada@example.com")
			if err != nil {
				return err
			}
			p.Password = hashed
			return tx.UpdatePerson(ctx, p)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err = b.SignIn(ctx, "ada@example.com", secret, from); err != nil {
		t.Errorf("the same password, kept anew: %v", err)
	}
	changes()
	_, err = b.Join(ctx, people.Join{Token: invitation, Password: secret}, workspace.Identity{}, from)
	wants(t, "an invitation taken up", err, problem.InvalidFields)
	back()
	thief, err := b.SignIn(ctx, "ada@example.com", secret, from)
	if err != nil {
		t.Fatal(err)
	}
	changes()
	_, err = b.ChangePassword(ctx, thief.Identity, secret, "a password of the thief", from)
	wants(t, "another change", err, problem.Unauthenticated)
	back()
}

// Two invitations of one address taken up at the same moment: both make the account.
func TestTheAccountThatWasMadeMeanwhile(t *testing.T) {
	t.Parallel()
	b, between := setupBetween(t)
	ctx := t.Context()
	o := b.owner(t)
	elsewhere, err := b.CreateWorkspace(ctx, o.Identity, "Second")
	if err != nil {
		t.Fatal(err)
	}
	other := o.Identity
	other.WorkspaceID = elsewhere.ID
	var tokens []string
	for _, by := range []workspace.Identity{o.Identity, other} {
		_, token, err := b.Invite(ctx, by, "eve@example.com", workspace.Member)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	join := func(token string) error {
		_, err := b.Join(ctx, people.Join{Token: token, Name: "Eve", Password: secret}, workspace.Identity{}, from)
		return err
	}
	between.act = func() {
		if err := join(tokens[0]); err != nil {
			t.Fatal(err)
		}
	}
	err = join(tokens[1])
	if p := problem.As(err); p == nil || p.Code != problem.Conflict || !strings.Contains(p.Message, "account") || p.Hint == "" {
		t.Errorf("told: %v", err)
	}
	if err := join(tokens[1]); err != nil {
		t.Errorf("again: %v", err)
	}
}
