package savedview

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// rows is a table in memory.
type rows struct{ views []View }

func (r *rows) Write(_ context.Context, f func(Tx) error) error { return f(r) }
func (r *rows) Read(_ context.Context, f func(Tx) error) error  { return f(r) }

func (r *rows) InsertView(_ context.Context, v View) error {
	r.views = append(r.views, v)
	return nil
}

func (r *rows) at(workspaceID, id string) int {
	return slices.IndexFunc(r.views, func(v View) bool { return v.ID == id && v.WorkspaceID == workspaceID })
}

func (r *rows) ViewByID(_ context.Context, workspaceID, id string) (View, error) {
	if i := r.at(workspaceID, id); i >= 0 {
		return r.views[i], nil
	}
	return View{}, problem.Missing("saved view", id)
}

func (r *rows) Views(_ context.Context, workspaceID, personID, page string, limit int, cursor string) (out []View, _ error) {
	for _, v := range slices.Backward(r.views) {
		mine := v.WorkspaceID == workspaceID && (v.Shared || v.PersonID == personID && personID != "")
		if mine && (page == "" || v.Page == page) && (cursor == "" || v.ID < cursor) && len(out) < limit {
			out = append(out, v)
		}
	}
	return out, nil
}

func (r *rows) CountViews(_ context.Context, workspaceID, personID string) (n int, _ error) {
	for _, v := range r.views {
		if v.WorkspaceID == workspaceID && v.PersonID == personID {
			n++
		}
	}
	return n, nil
}

func (r *rows) UpdateView(_ context.Context, v View) error {
	r.views[r.at(v.WorkspaceID, v.ID)] = v
	return nil
}

func (r *rows) DeleteView(_ context.Context, workspaceID, id string) error {
	i := r.at(workspaceID, id)
	r.views = slices.Delete(r.views, i, i+1)
	return nil
}

func setup() (*Service, *rows) {
	r, ids := &rows{}, 0
	return New(Options{Store: r, Now: func() time.Time { return time.Unix(1, 0) }, NewID: func(p string) string { ids++; return fmt.Sprintf("%s_%04d", p, ids) }}), r
}

func TestWhoSeesAndChangesWhat(t *testing.T) {
	t.Parallel()
	s, r := setup()
	ada, bob, viewer, key := Asker{"ws", "ada", true}, Asker{"ws", "bob", true}, Asker{"ws", "eve", false}, Asker{"ws", "", true}
	stranger := Asker{"other", "ada", true}
	make1 := func(who Asker, shared *bool) View {
		t.Helper()
		v, err := s.Create(t.Context(), who, Input{Page: "calls", Name: "n", Query: "a=b", Shared: shared})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	own, shared, byKey, hers := make1(ada, nil), make1(ada, new(true)), make1(key, nil), make1(viewer, nil)
	if own.Shared || !byKey.Shared || hers.Shared {
		t.Errorf("%+v %+v %+v", own, byKey, hers)
	}
	for _, c := range []struct {
		name   string
		who    Asker
		view   View
		sees   bool
		change problem.Code // "" when it may
	}{
		{"her own", ada, own, true, ""}, {"her shared one", ada, shared, true, ""}, {"a key's", ada, byKey, true, ""},
		{"another's", bob, own, false, problem.NotFound}, {"another's shared", bob, shared, true, problem.Forbidden},
		{"a key another's", key, own, false, problem.NotFound}, {"a key another's shared", key, shared, true, ""}, {"a key its own", key, byKey, true, ""},
		{"a viewer her own", viewer, hers, true, ""}, {"a viewer a shared one", viewer, shared, true, problem.Forbidden}, {"a viewer a key's", viewer, byKey, true, problem.Forbidden},
		{"another workspace", stranger, shared, false, problem.NotFound},
	} {
		_, err := s.View(t.Context(), c.who, c.view.ID)
		if c.sees != (err == nil) || err != nil && !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: seen %v", c.name, err)
		}
		_, err = s.Update(t.Context(), c.who, c.view.ID, Patch{Name: new("m")})
		if c.change == "" && err != nil || c.change != "" && !problem.Is(err, c.change) {
			t.Errorf("%s: changed %v", c.name, err)
		}
		if err = s.Delete(t.Context(), c.who, c.view.ID); c.change != "" && !problem.Is(err, c.change) {
			t.Errorf("%s: deleted %v", c.name, err)
		}
		r.views = []View{own, shared, byKey, hers}
	}
	if _, err := s.Create(t.Context(), viewer, Input{Page: "calls", Name: "n", Shared: new(true)}); !problem.Is(err, problem.Forbidden) {
		t.Errorf("a viewer shares: %v", err)
	}
	if _, err := s.Update(t.Context(), viewer, hers.ID, Patch{Shared: new(true)}); !problem.Is(err, problem.Forbidden) {
		t.Errorf("a viewer shares later: %v", err)
	}
}

func TestWhatIsNoView(t *testing.T) {
	t.Parallel()
	s, r := setup()
	who := Asker{"ws", "ada", true}
	for path, in := range map[string]Input{
		"page": {Page: "Calls!", Name: "n"}, "name": {Page: "calls", Name: " "}, "query": {Page: "calls", Name: "n", Query: "a\nb"},
	} {
		_, err := s.Create(t.Context(), who, in)
		if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Path != path {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, unseen := range []string{"", "\u200b", "\u2060 \ufeff", "\u202e"} {
		if _, err := s.Create(t.Context(), who, Input{Page: "calls", Name: unseen}); problem.As(err) == nil || problem.As(err).Fields[0].Path != "name" {
			t.Errorf("a name of which nothing can be seen, %q: %v", unseen, err)
		}
	}
	if _, err := s.Create(t.Context(), Asker{"ws", "", true}, Input{Page: "calls", Name: "n", Shared: new(false)}); problem.As(err) == nil || problem.As(err).Fields[0].Path != "shared" {
		t.Errorf("%v", err)
	}
	if _, err := s.Create(t.Context(), who, Input{Page: "monitor/drop-off", Name: strings.Repeat("é", maxName), Query: strings.Repeat("x", maxQuery)}); err != nil {
		t.Error(err)
	}
	if _, err := s.Update(t.Context(), who, r.views[0].ID, Patch{Name: new("\x00")}); !problem.Is(err, problem.InvalidFields) || r.views[0].Name == "\x00" {
		t.Errorf("%v", err)
	}
	for range maxViews - 1 {
		r.views = append(r.views, View{WorkspaceID: "ws", PersonID: "ada"})
	}
	if _, err := s.Create(t.Context(), who, Input{Page: "calls", Name: "n"}); !problem.Is(err, problem.Conflict) {
		t.Errorf("one too many: %v", err)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	s, _ := setup()
	who := Asker{"ws", "ada", true}
	for i := range 5 {
		if _, err := s.Create(t.Context(), who, Input{Page: "calls", Name: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	var seen []string
	for cursor := ""; ; {
		page, next, err := s.Views(t.Context(), who, "calls", 2, cursor)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range page {
			seen = append(seen, v.Name)
		}
		if cursor = next; next == "" {
			break
		}
	}
	if strings.Join(seen, "") != "43210" {
		t.Errorf("%v", seen)
	}
	for _, bad := range []struct {
		limit  int
		cursor string
	}{{-1, ""}, {1001, ""}, {1, "call_1"}} {
		if _, _, err := s.Views(t.Context(), who, "", bad.limit, bad.cursor); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
