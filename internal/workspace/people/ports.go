package people

import (
	"context"
	"time"

	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Store gives transactions, as in package workspace.
type Store interface {
	Write(ctx context.Context, f func(Tx) error) error
	Read(ctx context.Context, f func(Tx) error) error
}

// Tx is a transaction as this package sees it.
type Tx interface {
	PersonRows
	MemberRows
	SessionRows
	InvitationRows
	TokenRows
	WorkspaceRows
}

// PersonRows keeps people.
type PersonRows interface {
	// InsertPerson is problem.Conflict when the address or the subject is taken.
	InsertPerson(ctx context.Context, p Person) error
	UpdatePerson(ctx context.Context, p Person) error
	DeletePerson(ctx context.Context, id string) error
	// Person, PersonByEmail and PersonBySubject hold the row in a writing transaction.
	Person(ctx context.Context, id string) (Person, error)
	PersonByEmail(ctx context.Context, email string) (p Person, ok bool, err error)
	PersonBySubject(ctx context.Context, subject string) (p Person, ok bool, err error)
	// Persons lists all people by address. It is for the command line; a service never asks for all.
	Persons(ctx context.Context) ([]Person, error)
}

// MemberRows keeps who belongs to which workspace.
type MemberRows interface {
	// InsertMember is problem.Conflict for somebody who is a member already.
	InsertMember(ctx context.Context, m Member) error
	SetMemberRole(ctx context.Context, workspaceID, personID string, role workspace.Role) error
	DeleteMember(ctx context.Context, workspaceID, personID string) error
	// Members lists those of a workspace by name and holds their rows in a writing transaction.
	Members(ctx context.Context, workspaceID string) ([]Member, error)
	// Memberships lists the workspaces of a person, oldest first.
	Memberships(ctx context.Context, personID string) ([]Membership, error)
}

// SessionRows keeps who is signed in.
type SessionRows interface {
	InsertSession(ctx context.Context, s Session) error
	// SessionByDigest finds a session with its person and the person's role in its workspace.
	SessionByDigest(ctx context.Context, digest string) (f Found, ok bool, err error)
	TouchSession(ctx context.Context, digest string, now time.Time) error
	MoveSession(ctx context.Context, digest, workspaceID string) error
	// DeleteSession passes over one that is not there.
	DeleteSession(ctx context.Context, digest string) error
	DeleteSessionsOf(ctx context.Context, personID string) error
}

// InvitationRows keeps invitations.
type InvitationRows interface {
	// SaveInvitation takes the place of an earlier one of the same address to the same workspace.
	SaveInvitation(ctx context.Context, i Invitation) error
	InvitationByDigest(ctx context.Context, digest string) (i Invitation, ok bool, err error)
	// Invitations returns at most limit of a workspace, newest first, after the cursor.
	Invitations(ctx context.Context, workspaceID string, limit int, cursor string) ([]Invitation, error)
	InvitationsFor(ctx context.Context, email string) ([]Invitation, error)
	DeleteInvitation(ctx context.Context, workspaceID, id string) error
}

// TokenRows keeps tokens that open once.
type TokenRows interface {
	// AnyPerson reports whether there is anybody who could sign in.
	AnyPerson(ctx context.Context) (bool, error)
	InsertToken(ctx context.Context, t Token) error
	// TakeToken removes a token; ok is false when there is none of that kind and digest.
	TakeToken(ctx context.Context, kind, digest string) (t Token, ok bool, err error)
	DeleteTokens(ctx context.Context, kind string) error
	// DeleteTokensOf removes those that sign the person in.
	DeleteTokensOf(ctx context.Context, personID string) error
}

// WorkspaceRows keeps workspaces.
type WorkspaceRows interface {
	InsertWorkspace(ctx context.Context, w workspace.Workspace) error
	// Workspaces lists all of them, oldest first.
	Workspaces(ctx context.Context) ([]workspace.Workspace, error)
	RenameWorkspace(ctx context.Context, id, name string) error
}

// Person is somebody who can sign in.
type Person struct {
	ID    string
	Email string // in lower case
	Name  string
	// Password is an argon2id hash, "" for somebody who has none.
	Password string
	// Subject is who this is for the identity provider, "" when nobody.
	Subject   string
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Member is a person in a workspace.
type Member struct {
	WorkspaceID string
	PersonID    string
	Name, Email string // of the person; not read by InsertMember
	Role        workspace.Role
	CreatedAt   time.Time
	// SeenAt is when the person was last signed in; zero when that was never or is long ago.
	SeenAt time.Time
}

// Membership is a workspace of a person.
type Membership struct {
	WorkspaceID string
	Name        string
	Role        workspace.Role
}

// The ways to come in.
const (
	ByPassword = "password"
	ByLink     = "link"
	ByProvider = "oidc"
)

// Session is a person signed in at one browser.
type Session struct {
	// SHA256 is the digest of the token that the browser holds.
	SHA256      string
	PersonID    string
	WorkspaceID string
	Way         string
	CreatedAt   time.Time
	SeenAt      time.Time
	EndsAt      time.Time
}

// Found is a session with what one needs to know at every request.
type Found struct {
	Session
	PersonName string
	// Role is "" when the person is not in the workspace any more.
	Role workspace.Role
}

// Invitation is a way into a workspace for whoever holds its token and that address.
type Invitation struct {
	ID          string
	WorkspaceID string
	Email       string
	Role        workspace.Role
	SHA256      string
	MadeBy      string
	MadeByName  string
	CreatedAt   time.Time
	EndsAt      time.Time
}

// Token opens once: a set-up or a sign-in of a person.
type Token struct {
	SHA256   string
	Kind     string
	PersonID string
	EndsAt   time.Time
}
