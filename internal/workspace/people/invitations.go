package people

import (
	"context"
	"slices"
	"time"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/page"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

const (
	// invitationLife is how long an invitation holds.
	invitationLife = 7 * 24 * time.Hour
	// maxInvitations is how many a workspace may have at a time.
	maxInvitations = 500
)

// Invite invites somebody into the workspace. The token is returned this once.
// It takes the place of an earlier invitation of the same address.
func (s *Service) Invite(ctx context.Context, by workspace.Identity, email string, role workspace.Role) (i Invitation, token string, err error) {
	var f form
	email = f.email("email", email)
	if err := f.problem(); err != nil {
		return i, "", err
	}
	token, digest, err := drawToken(s.Random)
	if err != nil {
		return i, "", err
	}
	i = Invitation{
		ID: s.NewID("inv"), WorkspaceID: by.WorkspaceID, Email: email, Role: role, SHA256: digest,
		CreatedAt: s.Now(), EndsAt: s.Now().Add(invitationLife),
	}
	i.MadeBy, i.MadeByName = by.Who()
	err = s.Store.Write(ctx, func(tx Tx) error {
		if err := s.mayBeInvited(ctx, tx, by, i); err != nil {
			return err
		}
		to(ctx, audit.Thing{Kind: "invitation", ID: i.ID, Name: email})
		return tx.SaveInvitation(ctx, i)
	})
	return i, token, err
}

func (s *Service) mayBeInvited(ctx context.Context, tx Tx, by workspace.Identity, i Invitation) error {
	members, err := tx.Members(ctx, i.WorkspaceID)
	if err != nil {
		return err
	}
	if by.PersonID != "" {
		by.Role = "" // as it is now, not as it was when the request began
	}
	for _, m := range members {
		if m.PersonID == by.PersonID {
			by.Role = m.Role
		}
		if m.Email == i.Email {
			return problem.New(problem.Conflict, "%s is a member already", m.Name)
		}
	}
	if !by.Role.AtLeast(workspace.Admin) || i.Role == workspace.Owner && by.Role != workspace.Owner {
		return ownersOnly()
	}
	return s.leavesRoom(ctx, tx, i)
}

// leavesRoom refuses the invitation when others have taken all places. One that it replaces, and
// those that have expired, take none. The newest are looked at: all that are older have expired.
func (s *Service) leavesRoom(ctx context.Context, tx Tx, i Invitation) error {
	newest, err := tx.Invitations(ctx, i.WorkspaceID, maxInvitations, "")
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(newest, func(o Invitation) bool { return o.Email == i.Email || !s.Now().Before(o.EndsAt) })
	if len(others) >= maxInvitations {
		return problem.New(problem.Conflict, "%d invitations are open", len(others)).WithHint("withdraw some of them first")
	}
	return nil
}

// Invitations lists those of a workspace that are open, newest first, without
// their tokens. next is the cursor of the next page, "" when there is none.
func (s *Service) Invitations(ctx context.Context, workspaceID string, limit int, cursor string) (list []Invitation, next string, err error) {
	size, err := page.Size(limit, cursor, page.ByID("inv"))
	if err != nil {
		return nil, "", err
	}
	err = s.Store.Read(ctx, func(tx Tx) error {
		list, err = tx.Invitations(ctx, workspaceID, size+1, cursor)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = page.Cut(list, size, func(i *Invitation) string { return i.ID })
	return list, next, nil
}

// Withdraw takes an invitation back.
func (s *Service) Withdraw(ctx context.Context, by workspace.Identity, id string) error {
	to(ctx, audit.Thing{Kind: "invitation", ID: id})
	return s.Store.Write(ctx, func(tx Tx) error { return tx.DeleteInvitation(ctx, by.WorkspaceID, id) })
}

// Invited is what an invitation says to who holds it.
type Invited struct {
	Invitation Invitation
	Workspace  string
	// Known says that there is a person of this address, who proves it with a password or by being signed in.
	Known bool
}

// LookAt shows an invitation to who holds its token.
func (s *Service) LookAt(ctx context.Context, token, from string) (v Invited, err error) {
	if err := s.tries(from, ""); err != nil {
		return v, err
	}
	err = s.Store.Read(ctx, func(tx Tx) error {
		v.Invitation, err = s.invitation(ctx, tx, token)
		if err != nil {
			return err
		}
		if _, v.Known, err = tx.PersonByEmail(ctx, v.Invitation.Email); err != nil {
			return err
		}
		list, err := tx.Workspaces(ctx)
		for _, w := range list {
			if w.ID == v.Invitation.WorkspaceID {
				v.Workspace = w.Name
			}
		}
		return err
	})
	return v, err
}

func (s *Service) invitation(ctx context.Context, tx Tx, token string) (Invitation, error) {
	bad := problem.Invalid(fault("token", "is not valid: the invitation was used, was withdrawn or has expired, or the link is incomplete"))
	digest, ok := digestOf(token)
	if !ok {
		return Invitation{}, bad
	}
	i, ok, err := tx.InvitationByDigest(ctx, digest)
	if err == nil && (!ok || !s.Now().Before(i.EndsAt)) {
		return Invitation{}, bad
	}
	return i, err
}

// Join is what somebody who was invited fills in. Who is signed in as the person
// who was invited needs neither name nor password; a person that is known proves
// to be that one with the password.
type Join struct{ Token, Name, Password string }

// Join takes an invitation up and signs the person in.
func (s *Service) Join(ctx context.Context, in Join, signedIn workspace.Identity, from string) (o Opened, err error) {
	if err := s.tries(from, ""); err != nil {
		return o, err
	}
	var i Invitation
	var p Person
	var known bool
	err = s.Store.Read(ctx, func(tx Tx) error {
		if i, err = s.invitation(ctx, tx, in.Token); err == nil {
			p, known, err = tx.PersonByEmail(ctx, i.Email)
		}
		return err
	})
	if err != nil {
		return o, err
	}
	if known {
		err = s.proveInvited(ctx, p, in.Password, signedIn, from)
	} else {
		p, err = s.newPerson(ctx, i.Email, in)
	}
	if err != nil {
		return o, err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		if i, err = s.invitation(ctx, tx, in.Token); err != nil { // somebody may have been quicker
			return err
		}
		if err := s.stillThat(ctx, tx, p, known); err != nil {
			return err
		}
		if err := s.accept(ctx, tx, p, i); err != nil {
			return err
		}
		o, err = s.open(ctx, tx, p, i.WorkspaceID, ByPassword)
		return err
	})
	return o, err
}

// stillThat adds a new person, and makes sure that a known one has the password that was proved.
func (s *Service) stillThat(ctx context.Context, tx Tx, p Person, known bool) error {
	if !known {
		err := tx.InsertPerson(ctx, p)
		if problem.Is(err, problem.Conflict) {
			return problem.New(problem.Conflict, "this e-mail address has just got an account").
				WithHint("open the link again; where it has been used, sign in").Because(err)
		}
		return err
	}
	now, _, err := tx.PersonByEmail(ctx, p.Email)
	if err == nil && (now.ID != p.ID || now.Password != p.Password) {
		err = notTheirs()
	}
	return err
}

func notTheirs() error {
	return problem.Invalid(fault("password", "is not the password of the account with this e-mail address"))
}

func (s *Service) newPerson(ctx context.Context, email string, in Join) (Person, error) {
	var f form
	p := Person{ID: s.NewID("usr"), Email: email, Name: f.name("name", in.Name), CreatedAt: s.Now(), UpdatedAt: s.Now()}
	f.password("password", in.Password, email)
	if err := f.problem(); err != nil {
		return p, err
	}
	var err error
	p.Password, err = s.hasher.hash(ctx, in.Password)
	return p, err
}

// proveInvited makes sure that who holds the link is the person it was meant for.
func (s *Service) proveInvited(ctx context.Context, p Person, password string, signedIn workspace.Identity, from string) error {
	if signedIn.PersonID == p.ID {
		return nil
	}
	if password == "" {
		return problem.Invalid(fault("password", "is required: this e-mail address already has an account; sign in to it or give its password"))
	}
	if err := s.tries(from, p.Email); err != nil {
		return err
	}
	ok, err := s.hasher.fits(ctx, p.Password, password)
	if err == nil && !ok {
		return notTheirs()
	}
	return err
}

// accept makes the person a member and uses the invitation up.
func (s *Service) accept(ctx context.Context, tx Tx, p Person, i Invitation) error {
	if err := tx.DeleteInvitation(ctx, i.WorkspaceID, i.ID); err != nil {
		return err
	}
	err := tx.InsertMember(ctx, Member{WorkspaceID: i.WorkspaceID, PersonID: p.ID, Role: i.Role, CreatedAt: s.Now()})
	if problem.Is(err, problem.Conflict) {
		return problem.New(problem.Conflict, "you are a member of this workspace already").Because(err)
	}
	return err
}
