package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// environmentPrefix begins the names of the variables that stand for flags.
const environmentPrefix = "RINGTRUE_"

// stray is a variable that begins with our prefix but that no flag reads.
type stray struct {
	name string
	// nearest is the one that was probably meant, "" when none is like it.
	nearest string
}

// instead names the variable that was probably meant, as a suffix that ends the message.
func (s stray) instead() string {
	if s.nearest == "" {
		return "."
	}
	return "; did you mean " + s.nearest + "?"
}

// strays are the variables that look like settings but change nothing. Their values are never
// looked at, because they may be secrets.
func strays(environ []string, app *kong.Application) []stray {
	known := append(environmentOf(app), tokenVariable)
	var found []stray
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, environmentPrefix) || slices.Contains(known, name) || isOfCluster(environ, name) {
			continue
		}
		s := stray{name: name}
		if near := problem.Nearest(strings.TrimPrefix(name, environmentPrefix), bare(known)); near != "" {
			s.nearest = environmentPrefix + near
		}
		found = append(found, s)
	}
	slices.SortFunc(found, func(a, b stray) int { return strings.Compare(a.name, b.name) })
	return found
}

// isOfCluster reports whether Kubernetes set the variable. It gives every container the addresses
// of the services beside it: for a service of our name, RINGTRUE_SERVICE_HOST, RINGTRUE_PORT and
// others. Nobody meant a flag by those.
func isOfCluster(environ []string, name string) bool {
	const host = "_SERVICE_HOST"
	for _, variable := range environ {
		other, _, _ := strings.Cut(variable, "=")
		service, ok := strings.CutSuffix(other, host)
		rest, ours := strings.CutPrefix(name, service)
		if ok && ours && (rest == host || rest == "_PORT" || strings.HasPrefix(rest, "_PORT_") || strings.HasPrefix(rest, "_SERVICE_PORT")) {
			return true
		}
	}
	return false
}

// environmentOf are the variables that the flags of all commands read, each once.
func environmentOf(app *kong.Application) []string {
	var names []string
	_ = kong.Visit(app, func(node kong.Visitable, next kong.Next) error { // next fails for nobody
		if flag, ok := node.(*kong.Flag); ok {
			names = append(names, flag.Envs...)
		}
		return next(nil)
	})
	slices.Sort(names)
	return slices.Compact(names)
}

func bare(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = strings.TrimPrefix(name, environmentPrefix)
	}
	return out
}
