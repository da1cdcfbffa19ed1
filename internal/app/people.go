package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/url"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/oidc"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

func newPeople(s *store.Store, o Options) (*people.Service, error) {
	return people.New(people.Options{
		Store: store.As[people.Tx](s), NewID: store.NewID, Now: o.Now, Random: rand.Reader, Cost: o.PasswordCost,
		Newcomers: o.OIDC.Newcomers,
	})
}

func newAuditLog(s *store.Store) *audit.Log { return audit.New(s) }

// newIdentityProvider is nil when none is configured.
func newIdentityProvider(o Options, box oidc.Sealer) *oidc.Provider {
	if o.OIDC.Issuer == "" {
		return nil
	}
	return oidc.New(oidc.Options{
		Issuer: o.OIDC.Issuer, ClientID: o.OIDC.ClientID, ClientSecret: o.OIDC.ClientSecret,
		Name: cmp.Or(o.OIDC.Name, "single sign-on"), Sealer: box, Random: rand.Reader, Now: o.Now,
	})
}

// SetupToken lets the first person in; "" when there is a person.
func (a *App) SetupToken() string { return a.setupToken }

// SetupURL is where the first person sets the service up, "" when there is one.
func (a *App) SetupURL() string {
	if a.setupToken == "" {
		return ""
	}
	return a.URL() + "/setup?" + url.Values{"token": {a.setupToken}}.Encode()
}

// Newcomers of a service that belongs to whoever starts it.
const (
	newcomerName  = "You"
	newcomerEmail = "you@example.com"
)

// SignInURL is a link that signs in, once, the first owner of the first
// workspace; where there is none, it makes one. It is for a service that
// belongs to whoever starts it.
func (a *App) SignInURL(ctx context.Context) (string, error) {
	list, err := a.parts.workspaces.Workspaces(ctx)
	if err != nil {
		return "", err
	}
	p, err := a.parts.people.Newcomer(ctx, list[0].ID, newcomerName, newcomerEmail)
	if err != nil {
		return "", err
	}
	token, err := a.parts.people.Link(ctx, p.ID)
	if err != nil {
		return "", err
	}
	return signInURL(a.URL(), token), nil
}

func signInURL(base, token string) string {
	return base + "/sign-in?" + url.Values{"link": {token}}.Encode()
}

// People lists everybody who can sign in, with their workspaces, by address.
func (a *Admin) People(ctx context.Context) ([]people.Account, error) { return a.people.Everybody(ctx) }

// SignInLink is a link below base that signs the person in once.
func (a *Admin) SignInLink(ctx context.Context, base, email string) (string, error) {
	token, err := a.people.LinkFor(asOperator(ctx, "", "link-person"), email)
	if err != nil {
		return "", err
	}
	return signInURL(base, token), nil
}

// InviteLink is a link below base with which somebody joins the workspace, "" for the only one.
func (a *Admin) InviteLink(ctx context.Context, base, workspaceID, email string, role workspace.Role) (string, error) {
	id, err := theWorkspace(ctx, a.workspaces, workspaceID)
	if err != nil {
		return "", err
	}
	if id == "" {
		return "", problem.New(problem.Conflict, "there is no workspace yet").WithHint("start the service once, or make one with ringtrue workspaces create")
	}
	operator := workspace.Identity{WorkspaceID: id, Role: workspace.Owner}
	_, token, err := a.people.Invite(asOperator(ctx, id, "create-invitation"), operator, email, role)
	if err != nil {
		return "", err
	}
	return base + "/join?" + url.Values{"token": {token}}.Encode(), nil
}

// asOperator has the audit log remember what is done at the command line.
func asOperator(ctx context.Context, workspaceID, action string) context.Context {
	return audit.With(ctx, audit.Entry{WorkspaceID: workspaceID, Actor: audit.Actor{Kind: audit.Operator}, Action: action})
}
