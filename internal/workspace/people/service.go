// Package people is about who may come in: persons with a password or an
// identity provider, their sessions at browsers, their roles in workspaces,
// invitations, and the tokens that open once. A token is 256 random bits; it is
// shown once and kept as a SHA-256 digest.
//
// Its parent workspace has the tenants and the keys of programs, package store
// keeps the rows, package api asks who a cookie belongs to, package oidc brings
// what an identity provider says. Package audit is told what was done.
package people

import (
	"context"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// Options are what a Service is built from. Store, NewID, Now and Random are needed.
type Options struct {
	Store Store
	// NewID makes ids of the prefixes "usr", "inv" and "ws".
	NewID func(prefix string) string
	Now   func() time.Time
	// Random gives the bits of tokens and salts (crypto/rand.Reader).
	Random io.Reader
	// Cost is that of a password; zero is the least that OWASP advises.
	Cost Cost
	// Newcomers says whom the identity provider may bring without an invitation.
	Newcomers Newcomers
}

// Newcomers are people of one domain who come in without an invitation.
type Newcomers struct {
	// Domain is that of their e-mail addresses, "" for nobody.
	Domain string
	// Role is theirs in the oldest workspace; "" is viewer.
	Role workspace.Role
}

// Service keeps people. Its methods are safe for concurrent use.
type Service struct {
	Options

	hasher            *hasher
	addresses, emails *throttle
	// setUp says that there is a person; it never becomes untrue again.
	setUp atomic.Bool
}

// New returns a Service.
func New(o Options) (*Service, error) {
	if o.Cost == (Cost{}) {
		o.Cost = defaultCost()
	}
	if o.Newcomers.Role == "" {
		o.Newcomers.Role = workspace.Viewer
	}
	h, err := newHasher(o.Cost, o.Random)
	if err != nil {
		return nil, err
	}
	return &Service{
		Options: o, hasher: h,
		addresses: newThrottle(addressBurst, addressPeriod), emails: newThrottle(emailBurst, emailPeriod),
	}, nil
}

// network is what an address is throttled by: an IPv6 customer has 2⁶⁴ of them.
func network(from string) string {
	a, err := netip.ParseAddr(from)
	if err != nil || a.Is4() || a.Is4In6() {
		return from
	}
	p, err := a.Prefix(64)
	if err != nil {
		return from
	}
	return p.String()
}

// fault is one field of a form that is wrong.
func fault(path, format string, args ...any) problem.Field {
	return problem.Field{Path: path, Message: fmt.Sprintf(format, args...)}
}

// form collects what is wrong with what somebody filled in.
type form struct{ fields []problem.Field }

func (f *form) add(field problem.Field) { f.fields = append(f.fields, field) }

func (f *form) name(path, name string) string {
	name = strings.TrimSpace(name)
	if p := problem.As(workspace.CheckName(path, name)); p != nil {
		f.fields = append(f.fields, p.Fields...)
	}
	return name
}

func (f *form) email(path, text string) string {
	email, ok := cleanEmail(text)
	switch {
	case strings.ContainsFunc(email, isUnseen): // pasted with the address, for nobody to find
		f.add(fault(path, "contains an invisible character; type the address again"))
	case !ok:
		f.add(fault(path, "must be an e-mail address such as name@example.com"))
	}
	return email
}

func (f *form) password(path, password, email string) {
	if bad := checkPassword(path, password, email); bad != nil {
		f.add(*bad)
	}
}

func (f *form) problem() error {
	if len(f.fields) == 0 {
		return nil
	}
	return problem.Invalid(f.fields...)
}

// maxEmail is how long an address may be.
const maxEmail = 254

// cleanEmail is the address in lower case, if it is one. It is not for writing
// to, only for telling people apart, so that little is asked of it.
func cleanEmail(text string) (string, bool) {
	email := strings.ToLower(strings.TrimSpace(text))
	local, domain, ok := strings.Cut(email, "@")
	ok = ok && local != "" && domain != "" && len(local) <= 64 && len(email) <= maxEmail && !strings.Contains(domain, "@")
	ok = ok && !strings.HasPrefix(domain, ".") && !strings.HasSuffix(domain, ".") && !strings.Contains(domain, "..")
	return email, ok && !strings.ContainsFunc(email, isOdd)
}

// isOdd reports whether a character stands in no address, or in one that is made to mislead.
func isOdd(c rune) bool {
	return unicode.IsControl(c) || unicode.IsSpace(c) || c == utf8.RuneError || strings.ContainsRune(`"(),:;<>[\]`, c)
}

// isUnseen reports whether a character has no form of its own, such as a space without width.
// Two addresses that differ by one look the same, and are not the same person's.
func isUnseen(c rune) bool { return unicode.Is(unicode.Cf, c) }

// done tells the audit log where a person did something, and to what.
func done(ctx context.Context, workspaceID string, p Person, thing audit.Thing) {
	audit.Tell(ctx, func(e *audit.Entry) {
		e.WorkspaceID, e.Actor, e.Thing = workspaceID, audit.Actor{Kind: audit.Person, ID: p.ID, Name: p.Name}, thing
	})
}

// to tells the audit log what something was done to.
func to(ctx context.Context, thing audit.Thing) {
	audit.Tell(ctx, func(e *audit.Entry) { e.Thing = thing })
}

func memberThing(m Member) audit.Thing {
	return audit.Thing{Kind: "member", ID: m.PersonID, Name: m.Email}
}
