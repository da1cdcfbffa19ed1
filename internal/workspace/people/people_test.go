package people_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

const (
	from   = "192.0.2.7"
	secret = "correct horse battery"
)

// bundle is a service over a real database and a clock that the test moves.
type bundle struct {
	*people.Service
	store *store.Store
	now   time.Time
}

func setup(t *testing.T, change ...func(*people.Options)) *bundle {
	t.Helper()
	engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bundle{now: time.UnixMilli(1_760_000_000_000)}
	b.store = store.New(engine, nil, func() time.Time { return b.now })
	o := people.Options{
		Store: store.As[people.Tx](b.store), NewID: store.NewID, Now: func() time.Time { return b.now }, Random: rand.Reader,
		Cost: people.Cost{Memory: 64, Passes: 1},
	}
	for _, f := range change {
		f(&o)
	}
	if b.Service, err = people.New(o); err != nil {
		t.Fatal(err)
	}
	return b
}

// owner sets the service up.
func (b *bundle) owner(t *testing.T) people.Opened {
	t.Helper()
	token, err := b.OfferSetup(t.Context())
	if err != nil || token == "" {
		t.Fatalf("no set-up token: %v", err)
	}
	o, err := b.Setup(t.Context(), people.Setup{Token: token, Name: "Ada", Email: "Ada@Example.com", Password: secret}, from)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// guest joins the owner's workspace.
func (b *bundle) guest(t *testing.T, owner people.Opened, name string, role workspace.Role) people.Opened {
	t.Helper()
	_, token, err := b.Invite(t.Context(), owner.Identity, name+"@example.com", role)
	if err != nil {
		t.Fatal(err)
	}
	o, err := b.Join(t.Context(), people.Join{Token: token, Name: name, Password: secret}, workspace.Identity{}, from)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (b *bundle) ended(t *testing.T, what string, o people.Opened) {
	t.Helper()
	if _, err := b.Identify(t.Context(), o.Token); !problem.Is(err, problem.Unauthenticated) {
		t.Errorf("%s: the session goes on: %v", what, err)
	}
}

func wants(t *testing.T, what string, err error, code problem.Code) {
	t.Helper()
	if !problem.Is(err, code) {
		t.Errorf("%s: got %v, want %s", what, err, code)
	}
}

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

func TestChangingThePassword(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	o := b.owner(t)
	elsewhere, err := b.SignIn(ctx, "ada@example.com", secret, from)
	if err != nil {
		t.Fatal(err)
	}
	const better = "another horse battery"
	for present, path := range map[string]string{"": "current", "wrong": "current"} {
		_, err := b.ChangePassword(ctx, o.Identity, present, better, from)
		if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Path != path {
			t.Errorf("%q: %v", present, err)
		}
	}
	for _, bad := range []string{"short", "aaaaaaaaaaaaaa", "ada@example.com", strings.Repeat("ab", 101), "with\x00control"} {
		_, err := b.ChangePassword(ctx, o.Identity, secret, bad, from)
		wants(t, bad, err, problem.InvalidFields)
	}
	after, err := b.ChangePassword(ctx, o.Identity, secret, better, from)
	if err != nil {
		t.Fatal(err)
	}
	b.ended(t, "this browser's old one", o)
	b.ended(t, "at another browser", elsewhere)
	if id, err := b.Identify(ctx, after.Token); err != nil || id.WorkspaceID != o.Identity.WorkspaceID {
		t.Errorf("%+v %v", id, err)
	}
	_, err = b.SignIn(ctx, "ada@example.com", secret, from)
	wants(t, "the old password", err, problem.Unauthenticated)
	if _, err := b.SignIn(ctx, "ada@example.com", better, from); err != nil {
		t.Error(err)
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

func TestRolesOfMembers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	ada := b.owner(t)
	admin := b.guest(t, ada, "admin", workspace.Admin)
	viewer := b.guest(t, ada, "viewer", workspace.Viewer)
	set := func(by people.Opened, who people.Opened, role workspace.Role) error {
		_, err := b.SetRole(ctx, by.Identity, who.Identity.PersonID, role)
		return err
	}
	wants(t, "the last owner", set(ada, ada, workspace.Admin), problem.Conflict)
	wants(t, "the last owner goes", b.Remove(ctx, ada.Identity, ada.Identity.PersonID), problem.Conflict)
	wants(t, "an admin makes an owner", set(admin, admin, workspace.Owner), problem.Forbidden)
	wants(t, "an admin unmakes an owner", set(admin, ada, workspace.Viewer), problem.Forbidden)
	wants(t, "an admin removes an owner", b.Remove(ctx, admin.Identity, ada.Identity.PersonID), problem.Forbidden)
	_, _, err := b.Invite(ctx, admin.Identity, "boss@example.com", workspace.Owner)
	wants(t, "an admin invites an owner", err, problem.Forbidden)
	wants(t, "a viewer", set(viewer, viewer, workspace.Member), problem.Forbidden)
	wants(t, "nobody", set(ada, people.Opened{}, workspace.Member), problem.NotFound)
	if err := set(admin, viewer, workspace.Member); err != nil {
		t.Error(err)
	}
	if id, err := b.Identify(ctx, viewer.Token); err != nil || id.Role != workspace.Member {
		t.Errorf("a role must hold at once: %+v %v", id, err)
	}
	if err := set(ada, admin, workspace.Owner); err != nil {
		t.Error(err)
	}
	if err := set(ada, ada, workspace.Viewer); err != nil {
		t.Errorf("one of two owners: %v", err)
	}
	if err := b.Remove(ctx, admin.Identity, viewer.Identity.PersonID); err != nil {
		t.Fatal(err)
	}
	b.ended(t, "who was removed", viewer)
	_, err = b.SignIn(ctx, "viewer@example.com", secret, from)
	wants(t, "who is in no workspace", err, problem.Unauthenticated)
}

func TestInvitations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	ada := b.owner(t)
	i, first, err := b.Invite(ctx, ada.Identity, "Grace@example.com", workspace.Member)
	if err != nil || i.Email != "grace@example.com" {
		t.Fatal(err)
	}
	_, second, err := b.Invite(ctx, ada.Identity, "grace@example.com", workspace.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	join := func(token, name, password string, as workspace.Identity) (people.Opened, error) {
		return b.Join(ctx, people.Join{Token: token, Name: name, Password: password}, as, from)
	}
	_, err = join(first, "Grace", secret, workspace.Identity{})
	wants(t, "one that another took the place of", err, problem.InvalidFields)
	v, err := b.LookAt(ctx, second, from)
	if err != nil || v.Known || v.Workspace != "default" || v.Invitation.Role != workspace.Viewer || v.Invitation.MadeByName != "Ada" {
		t.Errorf("%+v %v", v, err)
	}
	_, err = join(second, "", "short", workspace.Identity{})
	if p := problem.As(err); p == nil || len(p.Fields) != 2 {
		t.Errorf("no name and no password: %v", err)
	}
	grace, err := join(second, "Grace", secret, workspace.Identity{})
	if err != nil || grace.Identity.Role != workspace.Viewer {
		t.Fatalf("%+v %v", grace.Identity, err)
	}
	_, err = join(second, "Grace", secret, workspace.Identity{})
	wants(t, "a second time", err, problem.InvalidFields)
	_, _, err = b.Invite(ctx, ada.Identity, "grace@example.com", workspace.Viewer)
	wants(t, "a member", err, problem.Conflict)

	// Somebody who has an account proves that it is theirs.
	w, err := b.CreateWorkspace(ctx, ada.Identity, "second")
	if err != nil {
		t.Fatal(err)
	}
	there, err := b.Switch(ctx, ada.Identity, w.ID)
	if err != nil || there.Role != workspace.Owner {
		t.Fatalf("%+v %v", there, err)
	}
	_, third, err := b.Invite(ctx, there, "grace@example.com", workspace.Admin)
	if err != nil {
		t.Fatal(err)
	}
	for password, as := range map[string]workspace.Identity{"": {}, "wrong password": {}, "wrong  password": ada.Identity} {
		_, err := join(third, "Eve", password, as)
		wants(t, "a stolen link", err, problem.InvalidFields)
	}
	both, err := join(third, "", "", grace.Identity)
	if err != nil || both.Identity.WorkspaceID != w.ID || both.Identity.PersonID != grace.Identity.PersonID || both.Identity.PersonName != "Grace" {
		t.Errorf("%+v %v", both.Identity, err)
	}
	_, err = b.Switch(ctx, grace.Identity, "ws_none")
	wants(t, "a workspace of others", err, problem.NotFound)

	late, token, err := b.Invite(ctx, there, "late@example.com", workspace.Viewer)
	if err != nil {
		t.Fatal(err)
	}
	wants(t, "withdrawn from elsewhere", b.Withdraw(ctx, ada.Identity, late.ID), problem.NotFound)
	b.now = b.now.Add(7 * 24 * time.Hour)
	_, err = join(token, "Late", secret, workspace.Identity{})
	wants(t, "a week later", err, problem.InvalidFields)
	if err := b.Withdraw(ctx, there, late.ID); err != nil {
		t.Error(err)
	}
}

func TestWorkspacesAreRenamedByTheirAdmins(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	ada := b.owner(t)
	viewer := b.guest(t, ada, "viewer", workspace.Viewer)
	id := ada.Identity.WorkspaceID
	rename := func(by workspace.Identity, id, name string) error {
		_, err := b.RenameWorkspace(ctx, by, id, name)
		return err
	}
	wants(t, "a viewer", rename(viewer.Identity, id, "x"), problem.Forbidden)
	wants(t, "nothing", rename(ada.Identity, "ws_none", "x"), problem.NotFound)
	wants(t, "another's key", rename(workspace.Identity{WorkspaceID: "ws_none", KeyID: "key_1", Role: workspace.Admin}, id, "x"), problem.NotFound)
	wants(t, "no name", rename(ada.Identity, id, " "), problem.InvalidFields)
	if err := rename(workspace.Identity{WorkspaceID: id, KeyID: "key_1", Role: workspace.Admin}, id, "x"); err != nil {
		t.Error(err)
	}
	if err := rename(ada.Identity, id, "y"); err != nil {
		t.Error(err)
	}
}

func TestWhomAProviderBrings(t *testing.T) {
	t.Parallel()
	b := setup(t, func(o *people.Options) {
		o.Newcomers = people.Newcomers{Domain: "Example.org", Role: workspace.Member}
	})
	ctx := t.Context()
	come := func(subject, email string, verified bool) (people.Opened, string) {
		t.Helper()
		o, err := b.SignInByProvider(ctx, people.Claims{Subject: subject, Email: email, Verified: verified, Name: "N"})
		var not people.NotLetIn
		if err != nil && !errors.As(err, &not) {
			t.Fatal(err)
		}
		return o, not.Reason
	}
	refused := func(subject, email string, verified bool, reason string) {
		t.Helper()
		if _, got := come(subject, email, verified); got != reason {
			t.Errorf("%s %s: got %q, want %q", subject, email, got, reason)
		}
	}
	refused("s0", "new@example.org", true, people.ReasonNotSetUp)
	ada := b.owner(t)
	refused("s1", "ada@example.com", false, people.ReasonNotVerified)
	refused("s1", "", true, people.ReasonNotVerified)
	refused("s9", "stranger@example.com", true, people.ReasonNotInvited)
	refused("s9", "stranger@evil-example.org", true, people.ReasonNotInvited)
	refused("s9", "stranger@example.org.evil.com", true, people.ReasonNotInvited)
	o, reason := come("s1", "ADA@example.com", true)
	if reason != "" || o.Identity.PersonID != ada.Identity.PersonID {
		t.Errorf("%q %+v", reason, o.Identity)
	}
	refused("s2", "ada@example.com", true, people.ReasonOther)
	// The address has changed at the provider; the person is the same.
	if o, reason := come("s1", "ada@elsewhere.example", true); reason != "" || o.Identity.PersonID != ada.Identity.PersonID {
		t.Errorf("%q %+v", reason, o.Identity)
	}
	if o, reason := come("s3", "new@example.org", true); reason != "" || o.Identity.Role != workspace.Member {
		t.Errorf("of the domain: %q %+v", reason, o.Identity)
	}
	if _, _, err := b.Invite(ctx, ada.Identity, "guest@example.com", workspace.Viewer); err != nil {
		t.Fatal(err)
	}
	if o, reason := come("s4", "guest@example.com", true); reason != "" || o.Identity.Role != workspace.Viewer {
		t.Errorf("invited: %q %+v", reason, o.Identity)
	}
	if left, _, err := b.Invitations(ctx, ada.Identity.WorkspaceID, 10, ""); err != nil || len(left) != 0 {
		t.Errorf("the invitation is still open: %v %v", left, err)
	}
	_, err := b.SignIn(ctx, "guest@example.com", "", from)
	wants(t, "somebody without a password", err, problem.Unauthenticated)
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

// A newer version hashes at a higher cost from the next sign-in on.
func TestHashesAreRenewed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(t)
	dearer, err := people.New(people.Options{
		Store: store.As[people.Tx](b.store), NewID: store.NewID, Now: func() time.Time { return b.now }, Random: rand.Reader, Cost: people.Cost{Memory: 128, Passes: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dearer.SignIn(t.Context(), "ada@example.com", secret, from); err != nil {
		t.Fatal(err)
	}
	a, err := b.Account(t.Context(), o.Identity.PersonID)
	if err != nil || !strings.Contains(a.Person.Password, "$m=128,t=2,") {
		t.Errorf("%v", err)
	}
	if _, err := dearer.SignIn(t.Context(), "ada@example.com", secret, from); err != nil {
		t.Error(err)
	}
}

func FuzzTokens(f *testing.F) {
	b := &bundle{now: time.UnixMilli(1_760_000_000_000)}
	engine, err := sqlite.Open(context.Background(), filepath.Join(f.TempDir(), "test.db"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = engine.Close() })
	b.store = store.New(engine, nil, func() time.Time { return b.now })
	if b.Service, err = people.New(people.Options{
		Store: store.As[people.Tx](b.store), NewID: store.NewID, Now: func() time.Time { return b.now }, Random: rand.Reader, Cost: people.Cost{Memory: 64, Passes: 1},
	}); err != nil {
		f.Fatal(err)
	}
	f.Add("", "")
	f.Add(strings.Repeat("A", 43), "a@b")
	f.Add("mpHM7p__dB4LEO5P-1xS5TRvuP06ILE0bJ1reBAKeKI", "\xff@\x00")
	f.Fuzz(func(t *testing.T, token, email string) {
		if _, err := b.Identify(t.Context(), token); !problem.Is(err, problem.Unauthenticated) {
			t.Errorf("the token %q: %v", token, err)
		}
		if _, err := b.SignIn(t.Context(), email, token, token); !problem.Is(err, problem.Unauthenticated) && !problem.Is(err, problem.RateLimited) {
			t.Errorf("%q %q: %v", email, token, err)
		}
		if _, err := b.SignInByLink(t.Context(), token, email); !problem.Is(err, problem.InvalidFields) && !problem.Is(err, problem.RateLimited) {
			t.Errorf("the link %q: %v", token, err)
		}
	})
}
