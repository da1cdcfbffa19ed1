package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// Entrances lets people in. from is the address that a request came from, for the throttle.
type Entrances interface {
	// SignIn is problem.Unauthenticated whether the address or the password is wrong.
	SignIn(ctx context.Context, email, password, from string) (people.Opened, error)
	SignInByLink(ctx context.Context, token, from string) (people.Opened, error)
	// Setup is problem.Conflict when somebody has an account already.
	Setup(ctx context.Context, in people.Setup, from string) (people.Opened, error)
	LookAt(ctx context.Context, token, from string) (people.Invited, error)
	Join(ctx context.Context, in people.Join, signedIn workspace.Identity, from string) (people.Opened, error)
	SignInByProvider(ctx context.Context, c people.Claims) (people.Opened, error)
}

// SignIn is an address and a password.
type SignIn struct {
	Email    string `json:"email" maxLength:"1000" doc:"E-mail address of the person"`
	Password string `json:"password" maxLength:"1000" doc:"Password of the person"`
}

// SetUp makes the first account.
type SetUp struct {
	Token         string `json:"token" maxLength:"1000" doc:"The set-up token that ringtrue serve prints while there is no person"`
	Name          string `json:"name" doc:"What the person is called" example:"Ada"`
	Email         string `json:"email" doc:"E-mail address to sign in with" example:"ada@example.com"`
	Password      string `json:"password" maxLength:"200" doc:"Password to sign in with, 10 to 200 characters"`
	WorkspaceName string `json:"workspace_name,omitempty" doc:"A new name for the first workspace; unchanged when not given"`
}

// TokenOnly is a token out of a link.
type TokenOnly struct {
	Token string `json:"token" maxLength:"1000" doc:"The value of link= or token= in the link"`
}

// JoinWorkspace takes an invitation up.
type JoinWorkspace struct {
	Token    string `json:"token" maxLength:"1000" doc:"The value of token= in the link of the invitation"`
	Name     string `json:"name,omitempty" doc:"What the person is called; needed only by somebody without an account"`
	Password string `json:"password,omitempty" maxLength:"200" doc:"A new password for somebody without an account, 10 to 200 characters, or else the password of the account; not needed when signed in to it"`
}

// Invited is what an invitation says to whoever holds it.
type Invited struct {
	Email     string         `json:"email" doc:"The address that is invited"`
	Workspace string         `json:"workspace" doc:"Name of the workspace"`
	Role      workspace.Role `json:"role" enum:"viewer,member,admin,owner" doc:"The role that the person gets"`
	InvitedBy string         `json:"invited_by" doc:"Name of who made the invitation"`
	ExpiresAt int64          `json:"expires_at" doc:"When the invitation stops working, milliseconds since 1970"`
	Known     bool           `json:"known" doc:"true: the address already has an account, whose password is needed to join"`
}

type (
	signInInput struct{ Body SignIn }
	setUpInput  struct{ Body SetUp }
	tokenInput  struct{ Body TokenOnly }
	joinInput   struct{ Body JoinWorkspace }
)

func (s *server) entranceRoutes() {
	const throttled = "Too many attempts from one IP address, or for one e-mail address, are refused as rate_limited for a while."
	rest.Register(s.Server, huma.Operation{
		OperationID: "sign-in", Method: http.MethodPost, Path: "/session", Tags: []string{tagSession},
		Summary: "Sign in with e-mail address and password", Description: throttled,
	}, s.signIn)
	rest.Register(s.Server, huma.Operation{
		OperationID: "set-up", Method: http.MethodPost, Path: "/session/setup", Tags: []string{tagSession},
		Summary: "Create the first person, who owns every workspace", Description: throttled,
	}, s.setUp)
	rest.Register(s.Server, huma.Operation{
		OperationID: "sign-in-by-link", Method: http.MethodPost, Path: "/session/link", Tags: []string{tagSession},
		Summary: "Sign in with a link that works once", Description: throttled,
	}, s.signInByLink)
	rest.Register(s.Server, huma.Operation{
		OperationID: "look-at-invitation", Method: http.MethodPost, Path: "/session/invitation", Tags: []string{tagSession},
		Summary: "Look at an invitation before accepting it", Description: throttled,
	}, s.lookAtInvitation)
	rest.Register(s.Server, huma.Operation{
		OperationID: "join-workspace", Method: http.MethodPost, Path: "/session/join", Tags: []string{tagSession},
		Summary: "Accept an invitation and sign in", Description: throttled,
	}, s.joinWorkspace)
}

func (s *server) signIn(ctx context.Context, in *signInInput) (*sessionOutput, error) {
	o, err := s.Entrances.SignIn(ctx, in.Body.Email, in.Body.Password, rest.AddressOf(ctx))
	return s.opened(ctx, o, err)
}

func (s *server) setUp(ctx context.Context, in *setUpInput) (*sessionOutput, error) {
	o, err := s.Entrances.Setup(ctx, people.Setup{
		Token: in.Body.Token, Name: in.Body.Name, Email: in.Body.Email, Password: in.Body.Password, Workspace: in.Body.WorkspaceName,
	}, rest.AddressOf(ctx))
	return s.opened(ctx, o, err)
}

func (s *server) signInByLink(ctx context.Context, in *tokenInput) (*sessionOutput, error) {
	o, err := s.Entrances.SignInByLink(ctx, in.Body.Token, rest.AddressOf(ctx))
	return s.opened(ctx, o, err)
}

func (s *server) lookAtInvitation(ctx context.Context, in *tokenInput) (*rest.Body[Invited], error) {
	v, err := s.Entrances.LookAt(ctx, in.Body.Token, rest.AddressOf(ctx))
	if err != nil {
		return nil, err
	}
	i := v.Invitation
	return rest.Answer(Invited{Email: i.Email, Workspace: v.Workspace, Role: i.Role, InvitedBy: i.MadeByName, ExpiresAt: rest.Moment(i.EndsAt), Known: v.Known}), nil
}

func (s *server) joinWorkspace(ctx context.Context, in *joinInput) (*sessionOutput, error) {
	o, err := s.Entrances.Join(ctx, people.Join{Token: in.Body.Token, Name: in.Body.Name, Password: in.Body.Password}, rest.IdentityOf(ctx), rest.AddressOf(ctx))
	return s.opened(ctx, o, err)
}
