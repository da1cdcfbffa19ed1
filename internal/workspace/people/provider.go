package people

import (
	"context"
	"strings"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Claims are what an identity provider says of a person.
type Claims struct {
	// Subject names the person at the provider, unchanging: issuer and subject.
	Subject  string
	Email    string
	Verified bool // the provider has seen that the address is theirs
	Name     string
}

// NotLetIn says why somebody whom the identity provider knows does not come in.
type NotLetIn struct {
	// Reason is one of the Reason constants.
	Reason string
}

// The reasons.
const (
	ReasonNotInvited  = "not_invited"
	ReasonNotVerified = "email_not_verified"
	ReasonOther       = "account_of_another"
	ReasonNotSetUp    = "setup_needed"
)

// Error implements error.
func (n NotLetIn) Error() string { return "not let in: " + n.Reason }

// SignInByProvider lets in whom the identity provider vouches for: a person that
// is known by subject or address, one who was invited, or one of the domain of
// Newcomers. Without a verified address nobody comes in.
func (s *Service) SignInByProvider(ctx context.Context, c Claims) (o Opened, err error) {
	email, ok := cleanEmail(c.Email)
	switch {
	case c.Subject == "":
		return o, problem.New(problem.Internal, "the identity provider names nobody")
	case !ok || !c.Verified:
		return o, NotLetIn{ReasonNotVerified}
	}
	c.Email = email
	err = s.Store.Write(ctx, func(tx Tx) error {
		p, err := s.personOf(ctx, tx, c)
		if err != nil {
			return err
		}
		open, err := tx.InvitationsFor(ctx, email)
		if err != nil {
			return err
		}
		if p.Email == email {
			for _, i := range open {
				if err := s.acceptOpen(ctx, tx, p, i); err != nil {
					return err
				}
			}
		}
		o, err = s.open(ctx, tx, p, "", ByProvider)
		return err
	})
	return o, err
}

// acceptOpen takes up an invitation that still holds, unless the person is a member.
func (s *Service) acceptOpen(ctx context.Context, tx Tx, p Person, i Invitation) error {
	if !s.Now().Before(i.EndsAt) {
		return nil
	}
	list, err := tx.Memberships(ctx, p.ID)
	if err != nil {
		return err
	}
	for _, m := range list {
		if m.WorkspaceID == i.WorkspaceID {
			return tx.DeleteInvitation(ctx, i.WorkspaceID, i.ID)
		}
	}
	return s.accept(ctx, tx, p, i)
}

// personOf finds or makes the person that the claims speak of.
func (s *Service) personOf(ctx context.Context, tx Tx, c Claims) (Person, error) {
	p, ok, err := tx.PersonBySubject(ctx, c.Subject)
	if err != nil || ok {
		return p, err
	}
	p, ok, err = tx.PersonByEmail(ctx, c.Email)
	if err != nil {
		return p, err
	}
	if ok {
		if p.Subject != "" { // the provider has given the address to somebody else
			return p, NotLetIn{ReasonOther}
		}
		p.Subject, p.UpdatedAt = c.Subject, s.Now()
		return p, tx.UpdatePerson(ctx, p)
	}
	return s.newcomer(ctx, tx, c)
}

func (s *Service) newcomer(ctx context.Context, tx Tx, c Claims) (Person, error) {
	any, err := tx.AnyPerson(ctx)
	if err != nil {
		return Person{}, err
	}
	if !any {
		return Person{}, NotLetIn{ReasonNotSetUp}
	}
	open, err := tx.InvitationsFor(ctx, c.Email)
	if err != nil {
		return Person{}, err
	}
	invited := false
	for _, i := range open {
		invited = invited || s.Now().Before(i.EndsAt)
	}
	_, domain, _ := strings.Cut(c.Email, "@")
	ofDomain := s.Newcomers.Domain != "" && strings.EqualFold(domain, s.Newcomers.Domain)
	if !invited && !ofDomain {
		return Person{}, NotLetIn{ReasonNotInvited}
	}
	p := Person{ID: s.NewID("usr"), Email: c.Email, Name: nameOf(c), Subject: c.Subject, CreatedAt: s.Now(), UpdatedAt: s.Now()}
	if err := tx.InsertPerson(ctx, p); err != nil || invited {
		return p, err
	}
	list, err := tx.Workspaces(ctx)
	if err != nil || len(list) == 0 {
		return p, err
	}
	return p, tx.InsertMember(ctx, Member{WorkspaceID: list[0].ID, PersonID: p.ID, Role: s.Newcomers.Role, CreatedAt: s.Now()})
}

// nameOf is what the provider calls the person, or else the address before its @.
func nameOf(c Claims) string {
	name := strings.TrimSpace(c.Name)
	if workspace.CheckName("name", name) == nil {
		return name
	}
	local, _, _ := strings.Cut(c.Email, "@")
	return local
}
