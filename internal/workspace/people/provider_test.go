package people_test

import (
	"errors"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

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
