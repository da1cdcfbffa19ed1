package app

import (
	"context"
	"crypto/rand"
	"net/url"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

func newPeople(s *store.Store, o Options) (*people.Service, error) {
	return people.New(people.Options{
		Store: store.As[people.Tx](s), NewID: store.NewID, Now: o.Now, Random: rand.Reader, Cost: o.PasswordCost,
		Newcomers: o.OIDC.Newcomers,
	})
}

func newAuditLog(s *store.Store) *audit.Log { return audit.New(s) }

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
