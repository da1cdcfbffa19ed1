package platform

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
)

// Options are what a Service is built from; all are needed.
type Options struct {
	Getter Getter
	Keys   Keys
	Agents Agents
	// Bases are the addresses of the platforms' interfaces by name; a platform
	// without one cannot be asked.
	Bases map[string]string
}

// Service asks platforms. Its methods are safe for concurrent use.
type Service struct{ Options }

// New returns a Service.
func New(o Options) *Service { return &Service{Options: o} }

// Sync brings the agents that a workspace has at a platform into the workspace.
// key "" is the key that is kept for it. What the platform does not list stays.
func (s *Service) Sync(ctx context.Context, workspaceID, provider, key string) (Synced, error) {
	base := s.Bases[provider]
	if provider != A && provider != B {
		return Synced{}, problem.Invalid(problem.Field{Path: "provider", Message: "must be " + A + " or " + B})
	}
	if base == "" {
		// Nothing comes of asking again, as "unavailable" would say.
		return Synced{}, problem.Invalid(problem.Field{Path: "provider", Message: "names a platform whose place this server does not know"}).
			WithHint("its operator names the address of the platform's interface with --%s-url", strings.ReplaceAll(provider, "_", "-"))
	}
	if key == "" {
		kept, ok, err := s.Keys.PlatformKey(ctx, workspaceID, provider)
		if err != nil {
			return Synced{}, err
		}
		if !ok {
			return Synced{}, problem.Invalid(problem.Field{
				Path: "api_key", Message: "is needed: no key of " + provider + " is kept for this workspace (PUT /platform-keys/" + provider + ")",
			})
		}
		key = kept
	}
	listed, err := s.list(ctx, provider, base, key)
	if err != nil {
		return Synced{}, s.explain(provider, err)
	}
	out := Synced{Listed: len(listed)}
	out.Created, out.Updated, out.Skipped, err = s.Agents.SyncAgents(ctx, workspaceID, listed)
	out.Unchanged = out.Listed - len(out.Created) - len(out.Updated) - out.Skipped
	return out, err
}

// The bounds of a list.
const (
	maxAgents = 5000
	maxPages  = 60
	pageSize  = 100
)

// list asks for all agents.
func (s *Service) list(ctx context.Context, provider, base, key string) ([]scenario.Agent, error) {
	l := newListing()
	var before time.Time
	for range maxPages {
		body, err := s.Getter.GetJSON(ctx, address(provider, base, before), key)
		if err != nil {
			return nil, err
		}
		p, err := parse(provider, body)
		if err != nil {
			return nil, err
		}
		fresh := l.add(p.agents)
		next := p.before()
		// Platform A lists everything at once; the last page of B is not full. A page
		// that tells nothing new would come for ever.
		if provider == A || !p.full || !fresh || next.IsZero() || next.Equal(before) || len(l.agents) >= maxAgents {
			break
		}
		before = next
	}
	return l.result(), nil
}

// address is where a page of the list is.
func address(provider, base string, before time.Time) string {
	base = strings.TrimRight(base, "/")
	if provider == A {
		return base + "/list-agents"
	}
	q := url.Values{"limit": {strconv.Itoa(pageSize)}}
	if !before.IsZero() {
		q.Set("createdAtLt", before.UTC().Format(createdForm))
	}
	return base + "/assistant?" + q.Encode()
}

// createdForm is how platform B writes when an agent was created.
const createdForm = "2006-01-02T15:04:05.000Z07:00"

// explain turns what went wrong at a platform into a problem.
func (s *Service) explain(provider string, err error) error {
	var r *Refused
	if !errors.As(err, &r) {
		return err
	}
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return problem.Invalid(problem.Field{Path: "api_key", Message: provider + " does not accept the key (" + strconv.Itoa(r.Status) + ")"})
	case http.StatusTooManyRequests:
		p := problem.New(problem.RateLimited, "%s wants to be asked less often", provider).Because(err)
		p.RetryAfter = cmp.Or(r.RetryAfter, defaultWait)
		return p
	}
	p := problem.New(problem.Unavailable, "%s gives no list of agents: %s", provider, r.Text).Because(err)
	p.RetryAfter = r.RetryAfter
	return p
}
