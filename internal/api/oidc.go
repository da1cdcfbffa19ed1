package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// OIDC is the identity provider that people may sign in with.
type OIDC interface {
	// Name is what to call it on a button.
	Name() string
	// Start returns the provider's address to go to, and what the browser is to
	// keep (sealed) until it is back.
	Start(ctx context.Context, redirect, to string) (address, keep string, err error)
	// Finish checks what the provider has sent back and returns who it vouches
	// for and where to go. Any error means that nobody is let in.
	Finish(ctx context.Context, redirect, keep, state, code string) (c people.Claims, to string, err error)
}

// oidcLife is how long signing in at the provider may take.
const oidcLife = 10 * time.Minute

type (
	oidcStartInput struct {
		To string `query:"to" maxLength:"2000" doc:"Path of the web app to go to after signing in"`
	}
	oidcFinishInput struct {
		State   string `query:"state" maxLength:"200" doc:"What the service gave the provider to bring back"`
		Code    string `query:"code" maxLength:"4000" doc:"One-time code of the provider, with which the service asks it who the person is"`
		Error   string `query:"error" maxLength:"200" doc:"Why the provider did not let the person in; only when it did not"`
		cookies []*http.Cookie
	}
	redirectOutput struct {
		Status       int
		Location     string   `header:"Location"`
		SetCookie    []string `header:"Set-Cookie"`
		CacheControl string   `header:"Cache-Control"`
	}
)

// Resolve implements huma.Resolver: it takes the cookies of the request.
func (in *oidcFinishInput) Resolve(ctx huma.Context) []error {
	in.cookies = huma.ReadCookies(ctx)
	return nil
}

func (s *server) oidcRoutes() {
	if s.Sessions == nil {
		return
	}
	found := map[string]*huma.Response{"302": {Description: "Leads the browser to the identity provider."}}
	rest.Register(s.Server, huma.Operation{
		OperationID: "start-oidc-sign-in", Method: http.MethodGet, Path: "/oidc/start", Tags: []string{tagSession},
		Summary: "Sign in at the identity provider", DefaultStatus: http.StatusFound, Responses: found,
		Description: "For a browser to go to. The answer is not_found when no identity provider is configured.",
	}, s.startOIDC)
	rest.Register(s.Server, huma.Operation{
		OperationID: "finish-oidc-sign-in", Method: http.MethodGet, Path: "/oidc/callback", Tags: []string{tagSession},
		SkipValidateParams: true, // providers send parameters of their own
		Summary:            "Come back from the identity provider", DefaultStatus: http.StatusFound,
		Responses: map[string]*huma.Response{"302": {Description: "Leads to the web app, or to /sign-in?refused=REASON: " +
			"not_invited, email_not_verified, account_of_another, setup_needed, expired, denied or failed."}},
		Description: "The identity provider leads the browser here.",
	}, s.finishOIDC)
}

func (s *server) startOIDC(ctx context.Context, in *oidcStartInput) (*redirectOutput, error) {
	if s.OIDC == nil {
		return nil, noProvider()
	}
	address, keep, err := s.OIDC.Start(ctx, s.redirect(), localPath(in.To))
	if err != nil {
		return nil, err
	}
	now := s.Now()
	return leadTo(address, s.Cookies.Kept(s.Cookies.OIDC, keep, now.Add(oidcLife), now)), nil
}

func (s *server) finishOIDC(ctx context.Context, in *oidcFinishInput) (*redirectOutput, error) {
	if s.OIDC == nil {
		return nil, noProvider()
	}
	gone := s.Cookies.Gone(s.Cookies.OIDC)
	keep := ""
	for _, c := range in.cookies {
		if c.Name == s.Cookies.OIDC {
			keep = c.Value
		}
	}
	switch {
	case keep == "":
		return leadTo(refusedAt("expired"), gone), nil
	case in.Error != "" || in.Code == "":
		return leadTo(refusedAt("denied"), gone), nil
	}
	claims, to, err := s.OIDC.Finish(ctx, s.redirect(), keep, in.State, in.Code)
	if err != nil {
		s.Log.WarnContext(ctx, "sign-in at the identity provider failed", "request_id", rest.RequestIDOf(ctx), "error", err)
		return leadTo(refusedAt("failed"), gone), nil
	}
	o, err := s.Entrances.SignInByProvider(ctx, claims)
	var not people.NotLetIn
	if errors.As(err, &not) {
		return leadTo(refusedAt(not.Reason), gone), nil
	}
	if err != nil {
		return nil, err
	}
	if before := rest.IdentityOf(ctx); before.Session != "" {
		_ = s.Sessions.SignOut(ctx, before) // it ends by itself when this fails
	}
	return leadTo(localPath(to), gone, s.Cookies.Kept(s.Cookies.Session, o.Token, o.EndsAt, s.Now())), nil
}

// redirect is where the provider is to lead the browser back to.
func (s *server) redirect() string { return s.PublicURL + rest.BasePath + "/oidc/callback" }

func noProvider() error {
	return problem.New(problem.NotFound, "no identity provider is configured").WithHint("ringtrue serve --oidc-issuer names one")
}

func leadTo(address string, cookies ...string) *redirectOutput {
	return &redirectOutput{Status: http.StatusFound, Location: address, SetCookie: cookies, CacheControl: "no-store"}
}

func refusedAt(reason string) string {
	return "/sign-in?" + url.Values{"refused": {reason}}.Encode()
}

// localPath is the path when it leads to this service, or else "/".
func localPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || !strings.HasPrefix(to, "/") ||
		strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t\x00") {
		return "/"
	}
	return to
}
