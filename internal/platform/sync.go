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
		return Synced{}, problem.Invalid(problem.Field{Path: "provider", Message: "names a platform whose address this server does not know"}).
			WithHint("the server's operator can set the address with --%s-url", strings.ReplaceAll(provider, "_", "-"))
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
	base = strings.TrimRight(base, "/")
	if provider == B {
		return s.pages(ctx, provider, key, byCreation(base))
	}
	agents, err := s.pages(ctx, provider, key, byKey(base))
	if isMissing(err) {
		return s.pages(ctx, provider, key, atOnce(base))
	}
	return agents, err
}

// isMissing reports whether a platform has no such list.
func isMissing(err error) bool {
	var r *Refused
	return errors.As(err, &r) && (r.Status == http.StatusNotFound || r.Status == http.StatusMethodNotAllowed)
}

// pager is what to ask for after a page, nil before the first one; ok is false when there is no more.
type pager func(last *page) (q Question, ok bool)

// pages asks for one page after the other. One that tells nothing new would come for ever.
func (s *Service) pages(ctx context.Context, provider, key string, next pager) ([]scenario.Agent, error) {
	l := newListing()
	var last *page
	for range maxPages {
		q, ok := next(last)
		if !ok {
			break
		}
		body, err := s.Getter.GetJSON(ctx, q, key)
		if err != nil {
			return nil, err
		}
		p, err := parse(provider, body)
		if err != nil {
			return nil, err
		}
		if fresh := l.add(p.agents); !fresh || len(l.agents) >= maxAgents {
			break
		}
		last = &p
	}
	return l.result(), nil
}

// voices is what platform A is asked for: its agents that speak, and not those that write.
const voices = `{"filter_criteria":{"channel":{"type":"string","op":"eq","value":"voice"}}}`

// byKey asks platform A, whose pages tell the key of the next one. Its interface may be
// given with the version that only some of its addresses have.
func byKey(base string) pager {
	return func(last *page) (Question, bool) {
		q := url.Values{"limit": {strconv.Itoa(pageSize)}}
		if last != nil {
			q.Set("pagination_key", last.next)
		}
		return Question{Address: strings.TrimSuffix(base, "/v2") + "/v2/list-agents?" + q.Encode(), Body: []byte(voices)}, last == nil || last.next != ""
	}
}

// atOnce asks an interface like platform A's older one, which lists everything on one page.
func atOnce(base string) pager {
	return func(last *page) (Question, bool) { return Question{Address: base + "/list-agents"}, last == nil }
}

// byCreation asks platform B, whose pages go on before the time at which an agent was created. The last one is not full.
func byCreation(base string) pager {
	var before time.Time
	return func(last *page) (Question, bool) {
		q := url.Values{"limit": {strconv.Itoa(pageSize)}}
		if last != nil {
			next := last.before()
			if !last.full || next.IsZero() || next.Equal(before) {
				return Question{}, false
			}
			before = next
			q.Set("createdAtLt", before.UTC().Format(createdForm))
		}
		return Question{Address: base + "/assistant?" + q.Encode()}, true
	}
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
		p := problem.New(problem.RateLimited, "%s limits how often it may be asked", provider).Because(err)
		p.RetryAfter = cmp.Or(r.RetryAfter, defaultWait)
		return p
	}
	p := problem.New(problem.Unavailable, "%s did not list its agents: %s", provider, r.Text).Because(err)
	p.RetryAfter = r.RetryAfter
	return p
}
