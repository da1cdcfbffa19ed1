package people_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

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

// A lost link is replaced by a new one, also where no more invitations are allowed; and an
// invitation that has expired keeps nobody out until it is removed.
func TestOnlyOpenInvitationsOfOthersCountAgainstTheLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.owner(t)
	invite := func(name string) error {
		_, _, err := b.Invite(t.Context(), ada.Identity, name+"@example.com", workspace.Viewer)
		return err
	}
	for i := range 500 {
		if err := invite(fmt.Sprint("guest", i)); err != nil {
			t.Fatal(i, err)
		}
	}
	wants(t, "one more", invite("late"), problem.Conflict)
	for _, again := range []string{"guest0", "guest499"} {
		if err := invite(again); err != nil {
			t.Errorf("%s again: %v", again, err)
		}
	}
	wants(t, "one more after that", invite("late"), problem.Conflict)
	b.now = b.now.Add(7 * 24 * time.Hour)
	if err := invite("late"); err != nil {
		t.Errorf("when all others have expired: %v", err)
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

// What cannot be seen cannot be told apart: an address is pasted with a space without width,
// and its owner never finds the account.
func TestNothingUnseenStandsInAddressesAndNames(t *testing.T) {
	t.Parallel()
	b := setup(t)
	o := b.owner(t)
	for _, email := range []string{"ada@exam\u200bple.com", "ada@example.com\u200b", "\ufeffada@example.com", "\u202eada@example.com", "a\u00adda@example.com"} {
		_, _, err := b.Invite(t.Context(), o.Identity, email, workspace.Viewer)
		wants(t, email, err, problem.InvalidFields)
		if p := problem.As(err); p == nil || !strings.Contains(p.Fields[0].Message, "invisible character") {
			t.Errorf("%q: %v", email, err)
		}
	}
	if _, _, err := b.Invite(t.Context(), o.Identity, "zoë@exämple.com", workspace.Viewer); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"\u200b", " \u202e\ufeff ", "\u3000"} {
		_, err := b.CreateWorkspace(t.Context(), o.Identity, name)
		wants(t, "a name of nothing", err, problem.InvalidFields)
	}
	for _, name := range []string{"👩\u200d🔬", "می\u200cخواهم", "?"} {
		if _, err := b.CreateWorkspace(t.Context(), o.Identity, name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// A role is asked for when a request begins, and may be another one when it writes.
func TestWhoseRoleWasTakenMeanwhileMakesNoOwners(t *testing.T) {
	t.Parallel()
	b, between := setupBetween(t)
	ctx := t.Context()
	o := b.owner(t)
	leaving, friend := b.guest(t, o, "leaving", workspace.Owner), b.guest(t, o, "friend", workspace.Member)
	becomes := func(role workspace.Role) {
		if _, err := b.SetRole(ctx, o.Identity, leaving.Identity.PersonID, role); err != nil {
			t.Fatal(err)
		}
	}
	between.act = func() { becomes(workspace.Admin) }
	_, err := b.SetRole(ctx, leaving.Identity, friend.Identity.PersonID, workspace.Owner)
	wants(t, "a new owner", err, problem.Forbidden)
	for _, role := range []workspace.Role{workspace.Admin, workspace.Viewer} {
		becomes(workspace.Owner)
		between.act = func() { becomes(role) }
		_, _, err = b.Invite(ctx, leaving.Identity, "other@example.com", workspace.Owner)
		wants(t, "an owner to come", err, problem.Forbidden)
	}
	between.act = func() {
		if err := b.Remove(ctx, o.Identity, leaving.Identity.PersonID); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = b.Invite(ctx, leaving.Identity, "leaving@example.com", workspace.Viewer)
	wants(t, "a way back", err, problem.Forbidden)
}
