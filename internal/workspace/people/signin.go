package people

import (
	"context"
	"errors"
	"time"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// The kinds of tokens that open once.
const (
	setupToken = "setup"
	linkToken  = "link"
)

const (
	// setupLife is how long a set-up token opens, linkLife how long a link does.
	setupLife = 30 * 24 * time.Hour
	linkLife  = 24 * time.Hour
)

// SetupNeeded says that there is no person yet.
func (s *Service) SetupNeeded(ctx context.Context) (bool, error) {
	if s.setUp.Load() {
		return false, nil
	}
	var any bool
	err := s.Store.Read(ctx, func(tx Tx) (err error) {
		any, err = tx.AnyPerson(ctx)
		return err
	})
	if any {
		s.setUp.Store(true)
	}
	return !any, err
}

// OfferSetup draws a token with which the first person can come in; "" when
// there is a person. Those drawn before stay good until one is used.
func (s *Service) OfferSetup(ctx context.Context) (token string, err error) {
	needed, err := s.SetupNeeded(ctx)
	if err != nil || !needed {
		return "", err
	}
	token, digest, err := drawToken(s.Random)
	if err != nil {
		return "", err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		return tx.InsertToken(ctx, Token{SHA256: digest, Kind: setupToken, EndsAt: s.Now().Add(setupLife)})
	})
	return token, err
}

// Setup is what the first person fills in.
type Setup struct {
	Token, Name, Email, Password string
	// Workspace is a new name for the first workspace, "" to leave it.
	Workspace string
}

// Setup lets the first person in, as the owner of every workspace there is.
func (s *Service) Setup(ctx context.Context, in Setup, from string) (o Opened, err error) {
	var f form
	p := Person{ID: s.NewID("usr"), Name: f.name("name", in.Name), Email: f.email("email", in.Email), CreatedAt: s.Now(), UpdatedAt: s.Now()}
	f.password("password", in.Password, p.Email)
	if in.Workspace != "" {
		in.Workspace = f.name("workspace_name", in.Workspace)
	}
	if err := f.problem(); err != nil {
		return o, err
	}
	if err := s.tries(from, ""); err != nil {
		return o, err
	}
	if p.Password, err = s.hasher.hash(ctx, in.Password); err != nil {
		return o, err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		if err := s.takeSetup(ctx, tx, in.Token); err != nil {
			return err
		}
		if err := tx.InsertPerson(ctx, p); err != nil {
			return err
		}
		if err := s.ownAll(ctx, tx, p, in.Workspace); err != nil {
			return err
		}
		o, err = s.open(ctx, tx, p, "", ByPassword)
		return err
	})
	return o, err
}

// takeSetup uses the token up, and every other one.
func (s *Service) takeSetup(ctx context.Context, tx Tx, token string) error {
	any, err := tx.AnyPerson(ctx)
	switch {
	case err != nil:
		return err
	case any:
		return problem.New(problem.Conflict, "this service is set up already").WithHint("sign in, or ask a member for an invitation")
	}
	if _, err := s.take(ctx, tx, setupToken, token); err != nil {
		return err
	}
	return tx.DeleteTokens(ctx, setupToken)
}

// take uses a token up.
func (s *Service) take(ctx context.Context, tx Tx, kind, token string) (Token, error) {
	bad := problem.Invalid(fault("token", "is not valid: it was used, has expired or is incomplete"))
	digest, ok := digestOf(token)
	if !ok {
		return Token{}, bad
	}
	t, ok, err := tx.TakeToken(ctx, kind, digest)
	if err == nil && (!ok || !s.Now().Before(t.EndsAt)) {
		return Token{}, bad
	}
	return t, err
}

// ownAll makes the person the owner of every workspace; the first gets the name.
func (s *Service) ownAll(ctx context.Context, tx Tx, p Person, name string) error {
	list, err := tx.Workspaces(ctx)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		first := workspace.Workspace{ID: s.NewID("ws"), Name: "default", CreatedAt: s.Now()}
		if err := tx.InsertWorkspace(ctx, first); err != nil {
			return err
		}
		list = append(list, first)
	}
	if name != "" && name != list[0].Name {
		if err := tx.RenameWorkspace(ctx, list[0].ID, name); err != nil {
			return err
		}
	}
	for _, w := range list {
		if err := tx.InsertMember(ctx, Member{WorkspaceID: w.ID, PersonID: p.ID, Role: workspace.Owner, CreatedAt: s.Now()}); err != nil {
			return err
		}
	}
	return nil
}

// SignIn lets a person in by password. Whether there is nobody of that address,
// or the person has no password, or it is another one, cannot be told apart.
func (s *Service) SignIn(ctx context.Context, email, password, from string) (o Opened, err error) {
	clean, ok := cleanEmail(email)
	if !ok || password == "" || len(password) > 4*maxPassword {
		return o, notKnown()
	}
	if err := s.tries(from, clean); err != nil {
		return o, err
	}
	o, err = s.byPassword(ctx, clean, password)
	if errors.Is(err, errChanged) { // perhaps the hash alone, at another browser at which they came in
		o, err = s.byPassword(ctx, clean, password)
	}
	switch {
	case errors.Is(err, errChanged):
		err = notKnown()
	case err == nil:
		s.emails.forget(clean)
	}
	return o, err
}

func (s *Service) byPassword(ctx context.Context, email, password string) (o Opened, err error) {
	var p Person
	err = s.Store.Read(ctx, func(tx Tx) (err error) {
		p, _, err = tx.PersonByEmail(ctx, email)
		return err
	})
	if err != nil {
		return o, err
	}
	ok, err := s.hasher.fits(ctx, p.Password, password)
	if err == nil && !ok {
		err = notKnown()
	}
	if err != nil {
		return o, err
	}
	err = s.enter(ctx, &o, p, s.rehashed(ctx, p.Password, password))
	return o, err
}

func notKnown() error {
	return problem.New(problem.Unauthenticated, "there is nobody with this e-mail address and password").
		WithHint("check both; a member of the workspace can invite you, and `ringtrue people link` on the server lets you in without a password")
}

// rehashed is a hash at today's cost, "" when the one that is kept has it.
func (s *Service) rehashed(ctx context.Context, kept, password string) string {
	if !s.hasher.outdated(kept) {
		return ""
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return "" // next time
	}
	return hash
}

// errChanged says that it is another password, or hash of it, than the one that was proved.
var errChanged = errors.New("the password was changed meanwhile")

// enter opens a session for a person who has proved to be one by a password. It is errChanged
// when that has been changed since: a session would outlive the change, which ends all, and a
// new hash would bring the old password back.
func (s *Service) enter(ctx context.Context, o *Opened, proved Person, hash string) error {
	return s.Store.Write(ctx, func(tx Tx) error {
		p, ok, err := tx.PersonByEmail(ctx, proved.Email)
		if err != nil {
			return err
		}
		if !ok || p.Password != proved.Password {
			return errChanged
		}
		if hash != "" {
			p.Password = hash
			if err := tx.UpdatePerson(ctx, p); err != nil {
				return err
			}
		}
		*o, err = s.open(ctx, tx, p, "", ByPassword)
		return err
	})
}

// Link makes a token that signs the person in once.
func (s *Service) Link(ctx context.Context, personID string) (token string, err error) {
	token, digest, err := drawToken(s.Random)
	if err != nil {
		return "", err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		p, err := tx.Person(ctx, personID)
		if err != nil {
			return err
		}
		list, err := tx.Memberships(ctx, personID)
		if err != nil {
			return err
		}
		audit.Tell(ctx, func(e *audit.Entry) {
			e.Thing = audit.Thing{Kind: "person", ID: p.ID, Name: p.Email}
			if e.WorkspaceID == "" && len(list) > 0 { // a person is nowhere else to be seen
				e.WorkspaceID = list[0].WorkspaceID
			}
		})
		return tx.InsertToken(ctx, Token{SHA256: digest, Kind: linkToken, PersonID: p.ID, EndsAt: s.Now().Add(linkLife)})
	})
	return token, err
}

// LinkFor is Link for the person of an e-mail address.
func (s *Service) LinkFor(ctx context.Context, email string) (string, error) {
	clean, _ := cleanEmail(email)
	var p Person
	err := s.Store.Read(ctx, func(tx Tx) error {
		found, ok, err := tx.PersonByEmail(ctx, clean)
		if err == nil && !ok {
			err = problem.Missing("person", email)
		}
		p = found
		return err
	})
	if err != nil {
		return "", err
	}
	return s.Link(ctx, p.ID)
}

// SignInByLink lets in who has a token of Link.
func (s *Service) SignInByLink(ctx context.Context, token, from string) (o Opened, err error) {
	if err := s.tries(from, ""); err != nil {
		return o, err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		t, err := s.take(ctx, tx, linkToken, token)
		if err != nil {
			return err
		}
		p, err := tx.Person(ctx, t.PersonID)
		if err != nil {
			return err
		}
		o, err = s.open(ctx, tx, p, "", ByLink)
		return err
	})
	return o, err
}

// Newcomer is the first owner of a workspace; there is one afterwards, called
// name, when there was none. It is for a service that belongs to whoever starts it.
func (s *Service) Newcomer(ctx context.Context, workspaceID, name, email string) (p Person, err error) {
	err = s.Store.Write(ctx, func(tx Tx) error {
		members, err := tx.Members(ctx, workspaceID)
		if err != nil {
			return err
		}
		for _, m := range members {
			if m.Role == workspace.Owner {
				p, err = tx.Person(ctx, m.PersonID)
				return err
			}
		}
		p = Person{ID: s.NewID("usr"), Name: name, Email: email, CreatedAt: s.Now(), UpdatedAt: s.Now()}
		if err := tx.InsertPerson(ctx, p); err != nil {
			return err
		}
		return tx.InsertMember(ctx, Member{WorkspaceID: workspaceID, PersonID: p.ID, Role: workspace.Owner, CreatedAt: s.Now()})
	})
	return p, err
}
