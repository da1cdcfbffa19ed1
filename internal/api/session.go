package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Sessions tells who is signed in at a browser.
type Sessions interface {
	rest.SignedIn
	Account(ctx context.Context, personID string) (people.Account, error)
	// Switch is problem.NotFound for a workspace that the person is not in.
	Switch(ctx context.Context, id workspace.Identity, workspaceID string) (workspace.Identity, error)
	SignOut(ctx context.Context, id workspace.Identity) error
	Rename(ctx context.Context, personID, name string) error
	// ChangePassword ends all sessions of the person and begins a new one.
	ChangePassword(ctx context.Context, id workspace.Identity, present, password, from string) (people.Opened, error)
	SetupNeeded(ctx context.Context) (bool, error)
}

// Session says who is signed in, and how one can be.
type Session struct {
	SignedIn    bool          `json:"signed_in" doc:"true: the request came from a person who is signed in, or with a valid API key"`
	SetupNeeded bool          `json:"setup_needed" doc:"true: there is no person yet; the first one is created with POST /session/setup and the token that ringtrue serve prints"`
	SignIn      SessionSignIn `json:"sign_in" doc:"The ways to sign in"`
	// Person, Workspace and Role are null for somebody who is not signed in.
	Person     *SessionPerson    `json:"person" doc:"Who is signed in; null with an API key, and when nobody is"`
	Workspace  *SessionPlace     `json:"workspace" doc:"The workspace that requests act in; null when nobody is signed in, and for a person who is in no workspace"`
	Role       *workspace.Role   `json:"role" enum:"viewer,member,admin,owner" doc:"What is allowed in that workspace. viewer: look; member: also create, change and run; admin: also manage keys, members and credentials; owner: everything. null without a workspace"`
	Workspaces []SessionPlaceAnd `json:"workspaces" doc:"The person's workspaces, oldest first; with an API key its own workspace alone"`
}

// SessionSignIn is how one can sign in.
type SessionSignIn struct {
	Password bool             `json:"password" doc:"true: with e-mail address and password"`
	OIDC     *SessionProvider `json:"oidc" doc:"The identity provider to sign in with, beginning at GET /oidc/start; null when none is configured"`
}

// SessionProvider is an identity provider.
type SessionProvider struct {
	Name string `json:"name" doc:"Name to show on a button"`
}

// SessionPerson is who is signed in.
type SessionPerson struct {
	ID    string `json:"id" doc:"Id of the person"`
	Name  string `json:"name" doc:"What the person is called"`
	Email string `json:"email" doc:"E-mail address of the person"`
	// HasPassword tells whether a change of the password needs the present one.
	HasPassword bool `json:"has_password" doc:"false: the person has no password, having signed in by a link or an identity provider"`
}

// SessionPlace is a workspace.
type SessionPlace struct {
	ID   string `json:"id" doc:"Id of the workspace"`
	Name string `json:"name" doc:"What the workspace is called"`
}

// SessionPlaceAnd is a workspace and what one may do there.
type SessionPlaceAnd struct {
	SessionPlace
	Role workspace.Role `json:"role" enum:"viewer,member,admin,owner" doc:"What is allowed in it, as in role of Session"`
}

// SessionMove names a workspace.
type SessionMove struct {
	WorkspaceID string `json:"workspace_id" maxLength:"128" doc:"The workspace to switch to; one of the person's own"`
}

// PasswordChange is a new password.
type PasswordChange struct {
	Current string `json:"current,omitempty" maxLength:"1000" doc:"The present password; not needed by a person who has none, or who signed in by a link within the last hour"`
	New     string `json:"new" maxLength:"200" doc:"The new password, 10 to 200 characters"`
}

// PersonChange is what people can change about themselves.
type PersonChange struct {
	Name string `json:"name" doc:"The new name"`
}

type (
	sessionOutput struct {
		SetCookie    []string `header:"Set-Cookie"`
		CacheControl string   `header:"Cache-Control"`
		Body         Session
	}
	signedOut struct {
		SetCookie string `header:"Set-Cookie"`
	}
	moveInput     struct{ Body SessionMove }
	passwordInput struct{ Body PasswordChange }
	personInput   struct{ Body PersonChange }
)

const tagSession = "Session"

func (s *server) sessionRoutes() {
	if s.Sessions == nil {
		return
	}
	rest.Register(s.Server, huma.Operation{
		OperationID: "get-session", Method: http.MethodGet, Path: "/session", Tags: []string{tagSession},
		Summary: "Get who is signed in, and how to sign in", Description: "Also tells the workspace and role of an API key. Without a key and a valid session it answers with signed_in false; a key that is not valid is refused.",
	}, s.getSession)
	rest.Register(s.Server, huma.Operation{
		OperationID: "switch-workspace", Method: http.MethodPatch, Path: "/session", Tags: []string{tagSession},
		Summary: "Switch to another workspace",
	}, s.switchWorkspace)
	rest.Register(s.Server, huma.Operation{
		OperationID: "sign-out", Method: http.MethodDelete, Path: "/session", Tags: []string{tagSession},
		Summary: "Sign out", DefaultStatus: http.StatusNoContent,
	}, s.signOut)
	rest.Register(s.Server, huma.Operation{
		OperationID: "change-password", Method: http.MethodPost, Path: "/session/password", Tags: []string{tagSession},
		Summary: "Change your password", Description: "Signs the person out of every browser and in again in this one.",
	}, s.changePassword)
	rest.Register(s.Server, huma.Operation{
		OperationID: "change-person", Method: http.MethodPatch, Path: "/session/person", Tags: []string{tagSession},
		Summary: "Change your name",
	}, s.changePerson)
	s.entranceRoutes()
}

func (s *server) getSession(ctx context.Context, _ *struct{}) (*sessionOutput, error) {
	return s.sessionOf(ctx, rest.IdentityOf(ctx))
}

func (s *server) switchWorkspace(ctx context.Context, in *moveInput) (*sessionOutput, error) {
	id, err := s.Sessions.Switch(ctx, rest.IdentityOf(ctx), in.Body.WorkspaceID)
	if problem.Is(err, problem.NotFound) {
		err = problem.Absent("workspace_id", "workspace", err)
	}
	if err != nil {
		return nil, err
	}
	return s.sessionOf(ctx, id)
}

func (s *server) signOut(ctx context.Context, _ *struct{}) (*signedOut, error) {
	if id := rest.IdentityOf(ctx); id.Session != "" {
		if err := s.Sessions.SignOut(ctx, id); err != nil {
			return nil, err
		}
	}
	return &signedOut{SetCookie: s.Cookies.Gone(s.Cookies.Session)}, nil
}

func (s *server) changePassword(ctx context.Context, in *passwordInput) (*sessionOutput, error) {
	o, err := s.Sessions.ChangePassword(ctx, rest.IdentityOf(ctx), in.Body.Current, in.Body.New, rest.AddressOf(ctx))
	return s.opened(ctx, o, err)
}

func (s *server) changePerson(ctx context.Context, in *personInput) (*sessionOutput, error) {
	id := rest.IdentityOf(ctx)
	if err := s.Sessions.Rename(ctx, id.PersonID, in.Body.Name); err != nil {
		return nil, err
	}
	return s.sessionOf(ctx, id)
}

// opened answers with a session that has just begun; the one before it at this browser ends.
func (s *server) opened(ctx context.Context, o people.Opened, err error) (*sessionOutput, error) {
	if err != nil {
		return nil, err
	}
	if before := rest.IdentityOf(ctx); before.Session != "" {
		_ = s.Sessions.SignOut(ctx, before) // it ends by itself when this fails
	}
	out, err := s.sessionOf(ctx, o.Identity)
	if err != nil {
		return nil, err
	}
	out.SetCookie = []string{s.Cookies.Kept(s.Cookies.Session, o.Token, o.EndsAt, s.Now())}
	return out, nil
}

// sessionOf shows who is signed in.
func (s *server) sessionOf(ctx context.Context, id workspace.Identity) (*sessionOutput, error) {
	out := &sessionOutput{CacheControl: "no-store"}
	b := &out.Body
	b.SignIn.Password = true
	if s.OIDC != nil {
		b.SignIn.OIDC = &SessionProvider{s.OIDC.Name()}
	}
	b.Workspaces = []SessionPlaceAnd{}
	var err error
	if b.SetupNeeded, err = s.Sessions.SetupNeeded(ctx); err != nil {
		return nil, err
	}
	switch {
	case id.PersonID != "":
		b.SignedIn = true
		return out, s.showPerson(ctx, id, b)
	case id.KeyID != "":
		b.SignedIn, b.Role = true, &id.Role
		return out, s.showKey(ctx, id, b)
	}
	return out, nil
}

func (s *server) showPerson(ctx context.Context, id workspace.Identity, b *Session) error {
	a, err := s.Sessions.Account(ctx, id.PersonID)
	if err != nil {
		return err
	}
	b.Person = &SessionPerson{ID: a.Person.ID, Name: a.Person.Name, Email: a.Person.Email, HasPassword: a.Person.Password != ""}
	for _, m := range a.Memberships {
		place := SessionPlaceAnd{SessionPlace{m.WorkspaceID, m.Name}, m.Role}
		b.Workspaces = append(b.Workspaces, place)
		if m.WorkspaceID == id.WorkspaceID {
			b.Workspace, b.Role = &place.SessionPlace, &place.Role
		}
	}
	return nil
}

func (s *server) showKey(ctx context.Context, id workspace.Identity, b *Session) error {
	if s.KeyRing == nil {
		return nil
	}
	list, err := s.KeyRing.Workspaces(ctx)
	for _, w := range list {
		if w.ID == id.WorkspaceID {
			b.Workspace = &SessionPlace{w.ID, w.Name}
			b.Workspaces = append(b.Workspaces, SessionPlaceAnd{*b.Workspace, id.Role})
		}
	}
	return err
}
