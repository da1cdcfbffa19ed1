package people_test

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

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
	for _, bad := range []string{"short", "aaaaaaaaaaaaaa", strings.Repeat("ä", 12), "ada@example.com", strings.Repeat("ab", 101), "with\x00control"} {
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
