package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	_ "time/tzdata" // days in a client's zone, on a machine that knows no zones

	"github.com/ringtrue/ringtrue/internal/api"
	"github.com/ringtrue/ringtrue/internal/api/rest"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/web"
)

// handler is the REST interface over the services, and the web app at every
// path that the interface leaves. done ends its streams.
func (p *parts) handler(o Options, url string, done <-chan struct{}) (http.Handler, error) {
	paths, err := pathAliases("--alias-path", o.PathAliases)
	if err != nil {
		return nil, err
	}
	proxies, err := prefixes("--trusted-proxies", o.TrustedProxies)
	if err != nil {
		return nil, err
	}
	options := api.Options{
		HTTP: rest.Options{
			Keys: p.workspaces, Idempotency: p.store, Ready: p.store.Ping, TrustedProxies: proxies, Answered: o.requestAnswered(),
			Log: o.Log, Now: o.Now, Steady: p.steady, NewID: store.NewID, Version: o.Version, PublicURL: url,
		},
		Experiments: p.experiments, Rooms: p.experiments, CallLogs: p.callLogs, Events: p.store, Live: &p.live,
		Services: api.Services{
			Agents: p.catalog, Datasets: p.catalog, Items: p.catalog, Prompts: p.catalog, Scorers: p.catalog,
			Calls: p.archive, Reviews: p.reviews, Results: p.experiments, Previews: p.reviews, Drafts: p.catalog, Views: p.views, Prices: p.prices, Trunks: p.experiments,
			Monitoring: p.monitor, Dimensions: p.monitor, Credentials: p.credentials, Platforms: p.platforms,
			Sessions: p.people, Entrances: p.people, Members: p.people, Workspaces: p.people, KeyRing: p.workspaces, AuditLog: p.auditLog,
		},
		Done: done, MaxCallLog: o.MaxCallLog, CallLogRate: o.CallLogRate,
	}
	if p.identity != nil {
		options.OIDC = p.identity
	}
	options.HTTP.PathAliases = paths
	if err := leadSomewhere("--alias-path", paths); err != nil {
		return nil, err
	}
	service, app := api.New(options), web.Handler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest.Serves(r) {
			service.ServeHTTP(w, r)
			return
		}
		app.ServeHTTP(w, r)
	}), nil
}

// pathAliases parses aliases of paths, "old=ours". Either path may be written as in the
// documentation or with the base path of the interface in front, as clients call it. Aliases that
// no request could match are refused.
func pathAliases(flag string, texts []string) (list []rest.PathAlias, err error) {
	paths, err := pairs(flag, texts)
	if err != nil {
		return nil, err
	}
	bare := func(path string) string {
		path = strings.TrimRight(path, "/")
		if below, ok := strings.CutPrefix(path, rest.BasePath); ok && (below == "" || below[0] == '/') {
			return below
		}
		return path
	}
	for from, to := range paths {
		a := rest.PathAlias{From: bare(from), To: bare(to)}
		if !strings.HasPrefix(a.From, "/") || !strings.HasPrefix(to, "/") {
			return nil, problem.Invalid(problem.Field{Path: flag, Message: "must be two paths below " + rest.BasePath + ", such as /old/path=/v2/call-logs, not " + from + "=" + to})
		}
		if i := slices.IndexFunc(list, func(b rest.PathAlias) bool { return b.From == a.From }); i >= 0 && list[i].To != a.To {
			return nil, twoMeanings(flag, a.From, min(list[i].To, a.To), max(list[i].To, a.To))
		}
		list = append(list, a)
	}
	return list, nil
}

// leadSomewhere refuses an alias whose target is neither an operation nor a path above one. Its
// clients would get "not found" for a path that they have always called.
func leadSomewhere(flag string, aliases []rest.PathAlias) error {
	if len(aliases) == 0 {
		return nil
	}
	var document struct {
		Paths map[string]any `json:"paths"`
	}
	text, err := OpenAPI("")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("the document: %w", err)
	}
	var fields []problem.Field
	known := slices.Sorted(maps.Keys(document.Paths))
	for _, a := range aliases {
		if a.From != a.To && slices.Contains(known, a.From) { // the operation there could not be reached any more
			return twoMeanings(flag, a.From, a.From, a.To)
		}
		if !slices.ContainsFunc(known, func(path string) bool { return isAbove(a.To, path) }) {
			fields = append(fields, problem.Field{Path: flag, Message: a.To + " leads to no operation", Suggestion: problem.Nearest(a.To, known)})
		}
	}
	if len(fields) > 0 {
		return problem.Invalid(fields...)
	}
	return nil
}

// isAbove reports whether an operation's path is this one or lies below it. A parameter in braces
// matches anything.
func isAbove(path, operation string) bool {
	ours, parts := strings.Split(path, "/"), strings.Split(operation, "/")
	if len(ours) > len(parts) {
		return false
	}
	for i, part := range ours {
		if part != parts[i] && !strings.HasPrefix(parts[i], "{") {
			return false
		}
	}
	return true
}

// prefixes reads addresses and networks.
func prefixes(flag string, texts []string) (list []netip.Prefix, err error) {
	for _, text := range texts {
		p, err := netip.ParsePrefix(text)
		if a, no := netip.ParseAddr(text); err != nil && no == nil {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return nil, problem.Invalid(problem.Field{Path: flag, Message: "must be addresses or networks such as 10.0.0.0/8, not " + text})
		}
		list = append(list, unmapped(p.Masked()))
	}
	return list, nil
}

// unmapped is a network of IPv4 addresses that is written in IPv6 as what it is. Those that come are
// compared as IPv4 addresses.
func unmapped(p netip.Prefix) netip.Prefix {
	const mapped = 96 // the bits before an IPv4 address
	if !p.Addr().Is4In6() || p.Bits() < mapped {
		return p
	}
	return netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mapped)
}
