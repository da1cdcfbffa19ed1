package app

import (
	"slices"
	"strings"
	"testing"
)

// Every operation refuses the methods that it does not take, names those that
// it does, and answers HEAD as GET but without a body.
func TestMethodsOfEveryPath(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	paths, named, table := map[string][]string{}, map[string][]string{}, reaches()
	operations := r.operations(t)
	for id, op := range operations {
		row := table[id]
		row.query = ""
		path := row.fill(op[1], r.mine, "", "")
		paths[path] = append(paths[path], op[0])
		for _, other := range operations {
			if couldName(other[1], op[1]) {
				named[path] = append(named[path], other[0])
			}
		}
	}
	r.untouched(t, func() {
		for path, own := range paths {
			takes := slices.Concat(own, named[path])
			for _, method := range []string{"GET", "PUT", "PATCH", "DELETE", "POST", "OPTIONS", "TRACE", "PROPFIND"} {
				if slices.Contains(takes, method) {
					continue
				}
				a := r.ask(t, r.mine, method, path, nil)
				p := r.refused(t, method+" "+path, a, 405, "method_not_allowed")
				for _, m := range takes {
					if !strings.Contains(a.header.Get("Allow"), m) || !strings.Contains(p.Hint, m) {
						t.Errorf("%s %s: Allow %q, hint %q", method, path, a.header.Get("Allow"), p.Hint)
					}
				}
			}
			if slices.Contains(takes, "GET") {
				a := r.ask(t, r.mine, "HEAD", path, nil)
				want := 200
				switch {
				case !slices.Contains(own, "GET"):
					want = 404 // nothing has that name
				case strings.HasSuffix(path, "/voice-experiments/compare"):
					want = 422 // it does not say what to compare
				case strings.HasSuffix(path, "/recording") || strings.HasSuffix(path, "/peaks"):
					want = 404 // the call was busy
				case strings.HasPrefix(path, "/oidc/"):
					want = 404 // no identity provider is configured
				case strings.HasPrefix(path, "/v2/call-logs/"):
					want = 404 // nobody submitted a record of the test call
				}
				if a.status != want || len(a.body) > 0 {
					t.Errorf("HEAD %s: %d with %d bytes", path, a.status, len(a.body))
				}
			}
		}
	})
}

// couldName tells whether one path could name a thing by the last word of
// another: an agent by "/agents/sync", which has nothing behind it then.
func couldName(one, other string) bool {
	above, parameter, _ := strings.Cut(one, "{")
	name, ok := strings.CutPrefix(other, above)
	return ok && name != "" && strings.HasSuffix(parameter, "}") && !strings.ContainsAny(parameter+name, "/{")
}
