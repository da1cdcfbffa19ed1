package people

import (
	"cmp"
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

const (
	// sessionLife is how long one may stay signed in, sessionIdle how long without a request of the person.
	sessionLife = 30 * 24 * time.Hour
	sessionIdle = 7 * 24 * time.Hour
	// seenEvery is how often it is written down that somebody is there.
	seenEvery = time.Minute
	// seenTimeout is how long a request waits for that writing; it does not fail when that fails.
	seenTimeout = 2 * time.Second
	// linkFresh is how long who came in by a link may set a password without the old one.
	linkFresh = time.Hour
)

// Opened is a session that has just begun.
type Opened struct {
	// Token is what the browser is to keep; it cannot be had again.
	Token    string
	EndsAt   time.Time
	Identity workspace.Identity
}

// Account is who is signed in and where they may go.
type Account struct {
	Person      Person
	Memberships []Membership
}

// open begins a session in the workspace, "" for the oldest of the person's.
func (s *Service) open(ctx context.Context, tx Tx, p Person, workspaceID, way string) (Opened, error) {
	token, digest, err := drawToken(s.Random)
	if err != nil {
		return Opened{}, err
	}
	list, err := tx.Memberships(ctx, p.ID)
	if err != nil {
		return Opened{}, err
	}
	at := Membership{}
	for _, m := range list {
		if workspaceID == "" && at.WorkspaceID == "" || m.WorkspaceID == workspaceID {
			at = m
		}
	}
	now := s.Now()
	session := Session{
		SHA256: digest, PersonID: p.ID, WorkspaceID: at.WorkspaceID, Way: way, CreatedAt: now, SeenAt: now, EndsAt: now.Add(sessionLife),
	}
	done(ctx, at.WorkspaceID, p, audit.Thing{})
	return Opened{
		Token: token, EndsAt: session.EndsAt,
		Identity: workspace.Identity{WorkspaceID: at.WorkspaceID, PersonID: p.ID, PersonName: p.Name, Session: digest, Role: at.Role},
	}, tx.InsertSession(ctx, session)
}

// Identify finds out who a token belongs to, and takes the person for being there. What is not a
// token of ours, not known or over is problem.Unauthenticated, all with the same words.
func (s *Service) Identify(ctx context.Context, token string) (workspace.Identity, error) {
	id, seenAt, err := s.recognize(ctx, token)
	if now := s.Now(); err == nil && now.Sub(seenAt) >= seenEvery {
		s.seen(ctx, id.Session, now)
	}
	return id, err
}

// Recognize is Identify for what a browser asks by itself: nobody need be there.
func (s *Service) Recognize(ctx context.Context, token string) (workspace.Identity, error) {
	id, _, err := s.recognize(ctx, token)
	return id, err
}

func (s *Service) recognize(ctx context.Context, token string) (id workspace.Identity, seenAt time.Time, err error) {
	digest, ok := digestOf(token)
	if !ok {
		return id, seenAt, over()
	}
	var found Found
	err = s.Store.Read(ctx, func(tx Tx) (err error) {
		found, ok, err = tx.SessionByDigest(ctx, digest)
		return err
	})
	now := s.Now()
	switch {
	case err != nil:
		return id, seenAt, err
	case !ok || !now.Before(found.EndsAt) || now.Sub(found.SeenAt) >= sessionIdle:
		return id, seenAt, over()
	}
	id = workspace.Identity{WorkspaceID: found.WorkspaceID, PersonID: found.PersonID, PersonName: found.PersonName, Session: digest, Role: found.Role}
	if id.Role == "" {
		id.WorkspaceID = ""
	}
	return id, found.SeenAt, nil
}

func (s *Service) seen(ctx context.Context, digest string, now time.Time) {
	workspace.Note(ctx, seenTimeout, func(ctx context.Context) {
		_ = s.Store.Write(ctx, func(tx Tx) error { return tx.TouchSession(ctx, digest, now) })
	})
}

func over() error {
	return problem.New(problem.Unauthenticated, "the session has ended").WithHint("sign in again")
}

// Account tells about the person who is signed in.
func (s *Service) Account(ctx context.Context, personID string) (a Account, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		if a.Person, err = tx.Person(ctx, personID); err != nil {
			return err
		}
		a.Memberships, err = tx.Memberships(ctx, personID)
		return err
	})
	return a, err
}

// Everybody lists all people with their workspaces, by address.
func (s *Service) Everybody(ctx context.Context) (list []Account, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		all, err := tx.Persons(ctx)
		if err != nil {
			return err
		}
		list = nil
		for _, p := range all {
			m, err := tx.Memberships(ctx, p.ID)
			if err != nil {
				return err
			}
			list = append(list, Account{p, m})
		}
		return nil
	})
	return list, err
}

// Switch goes to another workspace of the person's.
func (s *Service) Switch(ctx context.Context, id workspace.Identity, workspaceID string) (workspace.Identity, error) {
	err := s.Store.Write(ctx, func(tx Tx) error {
		list, err := tx.Memberships(ctx, id.PersonID)
		if err != nil {
			return err
		}
		for _, m := range list {
			if m.WorkspaceID == workspaceID {
				id.WorkspaceID, id.Role = m.WorkspaceID, m.Role
				return tx.MoveSession(ctx, id.Session, workspaceID)
			}
		}
		return problem.Missing("workspace", workspaceID)
	})
	return id, err
}

// SignOut ends the session.
func (s *Service) SignOut(ctx context.Context, id workspace.Identity) error {
	return s.Store.Write(ctx, func(tx Tx) error { return tx.DeleteSession(ctx, id.Session) })
}

// Rename changes what the person is called.
func (s *Service) Rename(ctx context.Context, personID, name string) error {
	var f form
	name = f.name("name", name)
	if err := f.problem(); err != nil {
		return err
	}
	return s.Store.Write(ctx, func(tx Tx) error {
		p, err := tx.Person(ctx, personID)
		if err != nil {
			return err
		}
		p.Name, p.UpdatedAt = name, s.Now()
		return tx.UpdatePerson(ctx, p)
	})
}

// ChangePassword sets a new password, ends all sessions of the person and the
// links that would begin one, and begins a new one. The present password is not asked of who has none or has just come
// in by a link.
func (s *Service) ChangePassword(ctx context.Context, id workspace.Identity, present, password, from string) (o Opened, err error) {
	f, p, err := s.signedIn(ctx, id)
	if err != nil {
		return o, err
	}
	var entered form
	entered.password("new", password, p.Email)
	if err := entered.problem(); err != nil {
		return o, err
	}
	if p.Password != "" && (f.Way != ByLink || s.Now().Sub(f.CreatedAt) >= linkFresh) {
		if err := s.prove(ctx, p, present, from); err != nil {
			return o, err
		}
	}
	hash, err := s.hasher.hash(ctx, password)
	if err != nil {
		return o, err
	}
	err = s.Store.Write(ctx, func(tx Tx) error {
		o, err = s.replacePassword(ctx, tx, id, hash)
		return err
	})
	return o, err
}

// signedIn is the session of somebody who is signed in, and the person.
func (s *Service) signedIn(ctx context.Context, id workspace.Identity) (f Found, p Person, err error) {
	err = s.Store.Read(ctx, func(tx Tx) error {
		found, ok, err := tx.SessionByDigest(ctx, id.Session)
		if err == nil && !ok {
			err = over()
		}
		if f = found; err == nil {
			p, err = tx.Person(ctx, id.PersonID)
		}
		return err
	})
	return f, p, err
}

// replacePassword is ChangePassword within its transaction.
func (s *Service) replacePassword(ctx context.Context, tx Tx, id workspace.Identity, hash string) (Opened, error) {
	// Another change may have been quicker: it has ended this session too.
	if _, ok, err := tx.SessionByDigest(ctx, id.Session); err != nil || !ok {
		return Opened{}, cmp.Or(err, over())
	}
	p, err := tx.Person(ctx, id.PersonID)
	if err != nil {
		return Opened{}, err
	}
	p.Password, p.UpdatedAt = hash, s.Now()
	if err := tx.UpdatePerson(ctx, p); err != nil {
		return Opened{}, err
	}
	if err := tx.DeleteSessionsOf(ctx, p.ID); err != nil {
		return Opened{}, err
	}
	if err := tx.DeleteTokensOf(ctx, p.ID); err != nil {
		return Opened{}, err
	}
	return s.open(ctx, tx, p, id.WorkspaceID, ByPassword)
}

// prove checks the present password of somebody who is signed in.
func (s *Service) prove(ctx context.Context, p Person, present, from string) error {
	if err := s.tries(from, p.Email); err != nil {
		return err
	}
	ok, err := s.hasher.fits(ctx, p.Password, present)
	if err != nil {
		return err
	}
	if !ok {
		return problem.Invalid(fault("current", "is not your current password"))
	}
	s.emails.forget(p.Email)
	return nil
}
