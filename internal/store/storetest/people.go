package storetest

import (
	"context"
	"crypto/rand"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/audit"
	"github.com/ringtrue/ringtrue/internal/experiment"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

func aPerson(email string) people.Person {
	return people.Person{ID: store.NewID("usr"), Email: email, Name: "Ada", Password: "hash", CreatedAt: start, UpdatedAt: start}
}

// peopled makes a workspace with an owner.
func peopled(t *testing.T, b *bench, email string) (workspace.Workspace, people.Person) {
	t.Helper()
	w := workspace.Workspace{ID: store.NewID("ws"), Name: "one", CreatedAt: start}
	p := aPerson(email)
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertWorkspace(ctx, w); err != nil {
			return err
		}
		if err := tx.InsertPerson(ctx, p); err != nil {
			return err
		}
		return tx.InsertMember(ctx, people.Member{WorkspaceID: w.ID, PersonID: p.ID, Role: workspace.Owner, CreatedAt: start})
	})
	return w, p
}

// firstRace is the first start of several processes at once.
func firstRace(t *testing.T, b *bench) {
	var made atomic.Int32
	var all sync.WaitGroup
	handles := []*store.Store{b.Store, b.open(b.now)}
	for i := range 8 {
		s := workspace.New(workspace.Options{
			Store: store.As[workspace.Tx](handles[i%2]), NewID: store.NewID, Now: b.now, Random: rand.Reader,
		})
		all.Go(func() {
			f, first, err := s.EnsureFirst(t.Context(), "first key")
			if err != nil || first != (f.Secret != "") {
				t.Errorf("%v, %v", first, err)
			}
			if first {
				made.Add(1)
			}
		})
	}
	all.Wait()
	list := get(t, b, func(ctx context.Context, tx *store.Tx) ([]workspace.Workspace, error) { return tx.Workspaces(ctx) })
	if n := made.Load(); n != 1 || len(list) != 1 {
		t.Errorf("%d made a first workspace, and there are %d", n, len(list))
	}
}

func persons(t *testing.T, b *bench) {
	if get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) { return tx.AnyPerson(ctx) }) {
		t.Error("there is somebody in an empty database")
	}
	w, p := peopled(t, b, "ada@example.com")
	if !get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) { return tx.AnyPerson(ctx) }) {
		t.Error("there is nobody")
	}
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error { return tx.InsertPerson(ctx, aPerson("ada@example.com")) })
	found := func(email string) (p people.Person) {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (people.Person, error) {
			p, _, err := tx.PersonByEmail(ctx, email)
			return p, err
		})
	}
	same(t, "by address", found("ada@example.com"), p)
	same(t, "by another address", found("Ada@example.com"), people.Person{})
	bySubject := func(subject string) (ok bool) {
		return get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) {
			_, ok, err := tx.PersonBySubject(ctx, subject)
			return ok, err
		})
	}
	if bySubject("") {
		t.Error("who has no subject was found by none")
	}
	p.Subject, p.Name, p.Password, p.UpdatedAt = "iss sub", "Ada L.", "", start.Add(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdatePerson(ctx, p) })
	same(t, "changed", get(t, b, func(ctx context.Context, tx *store.Tx) (people.Person, error) { return tx.Person(ctx, p.ID) }), p)
	if !bySubject("iss sub") {
		t.Error("not found by subject")
	}
	second := aPerson("grace@example.com")
	second.Subject = "iss sub"
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error { return tx.InsertPerson(ctx, second) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteMember(ctx, w.ID, p.ID) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePerson(ctx, p.ID) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePerson(ctx, p.ID) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.UpdatePerson(ctx, p) })
}

// membersByName is for names that the databases themselves have in different orders.
func membersByName(t *testing.T, b *bench) {
	w, _ := peopled(t, b, "ada@example.com")
	for _, name := range []string{"_x", "Zed", "-dash", "bernd", "ändy", "Anna", "anna b", "10", "9"} {
		p := aPerson(store.NewID("mail") + "@example.com")
		p.Name = name
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			if err := tx.InsertPerson(ctx, p); err != nil {
				return err
			}
			return tx.InsertMember(ctx, people.Member{WorkspaceID: w.ID, PersonID: p.ID, Role: workspace.Viewer, CreatedAt: start})
		})
	}
	var names []string
	for _, m := range get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Member, error) { return tx.Members(ctx, w.ID) }) {
		names = append(names, m.Name)
	}
	same(t, "by name", names, []string{"-dash", "10", "9", "_x", "Ada", "Anna", "anna b", "bernd", "Zed", "ändy"})
}

func members(t *testing.T, b *bench) {
	w, p := peopled(t, b, "ada@example.com")
	other, q := peopled(t, b, "grace@example.com")
	b.refused(t, problem.Conflict, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertMember(ctx, people.Member{WorkspaceID: w.ID, PersonID: p.ID, Role: workspace.Viewer, CreatedAt: start})
	})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		return tx.SetMemberRole(ctx, w.ID, q.ID, workspace.Admin)
	})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteMember(ctx, w.ID, q.ID) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertMember(ctx, people.Member{WorkspaceID: w.ID, PersonID: q.ID, Role: workspace.Viewer, CreatedAt: start})
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.SetMemberRole(ctx, w.ID, q.ID, workspace.Admin)
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertSession(ctx, people.Session{SHA256: "s1", PersonID: q.ID, WorkspaceID: other.ID, Way: people.ByLink, CreatedAt: start, SeenAt: start.Add(time.Minute), EndsAt: start.Add(time.Hour)})
	})
	list := get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Member, error) { return tx.Members(ctx, w.ID) })
	roles := map[string]workspace.Role{}
	for _, m := range list {
		roles[m.Email] = m.Role
		if seen := m.SeenAt.IsZero(); seen != (m.Email == "ada@example.com") || m.Name != "Ada" || !m.CreatedAt.Equal(start) || m.WorkspaceID != w.ID {
			t.Errorf("%+v", m)
		}
	}
	same(t, "roles", roles, map[string]workspace.Role{"ada@example.com": workspace.Owner, "grace@example.com": workspace.Admin})
	same(t, "workspaces of a person", len(get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Membership, error) { return tx.Memberships(ctx, q.ID) })), 2)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.RenameWorkspace(ctx, w.ID, "two") })
	same(t, "the only one", get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Membership, error) { return tx.Memberships(ctx, p.ID) }),
		[]people.Membership{{WorkspaceID: w.ID, Name: "two", Role: workspace.Owner}})
}

// Two owners who make each other viewers at the same time: one of them is too late.
func lastOwners(t *testing.T, b *bench) {
	w, p := peopled(t, b, "ada@example.com")
	q := aPerson("grace@example.com")
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertPerson(ctx, q); err != nil {
			return err
		}
		return tx.InsertMember(ctx, people.Member{WorkspaceID: w.ID, PersonID: q.ID, Role: workspace.Owner, CreatedAt: start})
	})
	var wait sync.WaitGroup
	for _, id := range []string{p.ID, q.ID} {
		wait.Go(func() {
			_ = b.Write(t.Context(), func(tx *store.Tx) error {
				list, err := tx.Members(t.Context(), w.ID)
				owners := 0
				for _, m := range list {
					if m.Role == workspace.Owner {
						owners++
					}
				}
				if err != nil || owners < 2 {
					return err
				}
				return tx.SetMemberRole(t.Context(), w.ID, id, workspace.Viewer)
			})
		})
	}
	wait.Wait()
	owners := 0
	for _, m := range get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Member, error) { return tx.Members(ctx, w.ID) }) {
		if m.Role == workspace.Owner {
			owners++
		}
	}
	same(t, "owners that are left", owners, 1)
}

func sessions(t *testing.T, b *bench) {
	w, p := peopled(t, b, "ada@example.com")
	s := people.Session{SHA256: "d1", PersonID: p.ID, WorkspaceID: w.ID, Way: people.ByPassword, CreatedAt: start, SeenAt: start, EndsAt: start.Add(time.Hour)}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSession(ctx, s) })
	find := func(digest string) (f people.Found, ok bool) {
		t.Helper()
		f = get(t, b, func(ctx context.Context, tx *store.Tx) (f people.Found, err error) {
			f, ok, err = tx.SessionByDigest(ctx, digest)
			return f, err
		})
		return f, ok
	}
	f, _ := find("d1")
	same(t, "found", f, people.Found{Session: s, PersonName: "Ada", Role: workspace.Owner})
	if _, ok := find("d2"); ok {
		t.Error("found what is not there")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.TouchSession(ctx, "d1", start.Add(time.Minute))
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.TouchSession(ctx, "d1", start) }) // a clock that was behind
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.MoveSession(ctx, "d1", "ws_elsewhere") })
	f, _ = find("d1")
	if !f.SeenAt.Equal(start.Add(time.Minute)) || f.WorkspaceID != "ws_elsewhere" || f.Role != "" {
		t.Errorf("%+v", f)
	}
	s.SHA256 = "d3"
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertSession(ctx, s) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteSession(ctx, "d1") })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteSession(ctx, "d1") })
	if _, ok := find("d3"); !ok {
		t.Error("the wrong session ended")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteSessionsOf(ctx, p.ID) })
	if _, ok := find("d3"); ok {
		t.Error("it goes on")
	}
}

func invitations(t *testing.T, b *bench) {
	w, _ := peopled(t, b, "ada@example.com")
	other, _ := peopled(t, b, "grace@example.com")
	invite := func(workspaceID, digest string) people.Invitation {
		time.Sleep(2 * time.Millisecond) // ids of one millisecond have no order
		i := people.Invitation{
			ID: store.NewID("inv"), WorkspaceID: workspaceID, Email: "new@example.com", Role: workspace.Member, SHA256: digest,
			MadeBy: "usr_1", MadeByName: "Ada", CreatedAt: start, EndsAt: start.Add(time.Hour),
		}
		b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SaveInvitation(ctx, i) })
		return i
	}
	invite(w.ID, "i1")
	second, third := invite(w.ID, "i2"), invite(other.ID, "i3")
	same(t, "of a workspace", get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Invitation, error) {
		return tx.Invitations(ctx, w.ID, 10, "")
	}), []people.Invitation{second})
	same(t, "of an address", get(t, b, func(ctx context.Context, tx *store.Tx) ([]people.Invitation, error) {
		return tx.InvitationsFor(ctx, "new@example.com")
	}), []people.Invitation{second, third})
	for digest, want := range map[string]bool{"i1": false, "i2": true, "": false} {
		got := get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) {
			_, ok, err := tx.InvitationByDigest(ctx, digest)
			return ok, err
		})
		same(t, "by digest "+digest, got, want)
	}
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteInvitation(ctx, w.ID, third.ID) })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteInvitation(ctx, w.ID, second.ID) })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteInvitation(ctx, w.ID, second.ID) })
}

func entranceTokens(t *testing.T, b *bench) {
	for _, digest := range []string{"t1", "t2", "t3"} {
		b.must(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.InsertToken(ctx, people.Token{SHA256: digest, Kind: "setup", EndsAt: start.Add(time.Hour)})
		})
	}
	take := func(kind, digest string) (ok bool) {
		t.Helper()
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			_, ok, err = tx.TakeToken(ctx, kind, digest)
			return err
		})
		return ok
	}
	if take("link", "t1") || take("setup", "t0") {
		t.Error("took what is not there")
	}
	var wait sync.WaitGroup
	var mu sync.Mutex
	got := 0
	for range 8 {
		wait.Go(func() {
			var ok bool
			err := b.Write(t.Context(), func(tx *store.Tx) (err error) {
				_, ok, err = tx.TakeToken(t.Context(), "setup", "t1")
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			if ok && err == nil {
				got++
			}
		})
	}
	wait.Wait()
	same(t, "how many got it", got, 1)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteTokens(ctx, "setup") })
	if take("setup", "t2") {
		t.Error("it is still there")
	}
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		for _, digest := range []string{"t3", "t4"} {
			if err := tx.InsertToken(ctx, people.Token{SHA256: digest, Kind: "link", PersonID: "usr_" + digest, EndsAt: start.Add(time.Hour)}); err != nil {
				return err
			}
		}
		return tx.DeleteTokensOf(ctx, "usr_t3")
	})
	if take("link", "t3") || !take("link", "t4") {
		t.Error("the links of the other person went")
	}
}

// What nobody can come in by any more is removed.
func trimmedPeople(t *testing.T, b *bench) {
	w, p := peopled(t, b, "ada@example.com")
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertSession(ctx, people.Session{SHA256: "s", PersonID: p.ID, WorkspaceID: w.ID, EndsAt: start.Add(time.Hour)}); err != nil {
			return err
		}
		return tx.InsertToken(ctx, people.Token{SHA256: "t", Kind: "link", EndsAt: start.Add(time.Hour)})
	})
	left := func() bool {
		t.Helper()
		if err := b.Trim(t.Context()); err != nil {
			t.Fatal(err)
		}
		return get(t, b, func(ctx context.Context, tx *store.Tx) (bool, error) {
			_, ok, err := tx.SessionByDigest(ctx, "s")
			return ok, err
		})
	}
	same(t, "before its end", left(), true)
	b.pass(2 * time.Hour)
	same(t, "after its end", left(), false)
}

func auditLog(t *testing.T, b *bench) {
	w, p := peopled(t, b, "ada@example.com")
	entry := audit.Entry{
		WorkspaceID: w.ID, Actor: audit.Actor{Kind: audit.Person, ID: p.ID, Name: "Ada"}, Action: "change-workspace",
		Thing: audit.Thing{Kind: "workspace", ID: w.ID}, Address: "127.0.0.1", RequestID: "req_1",
	}
	rename := func(ctx context.Context, name string) func(*store.Tx) error {
		return func(tx *store.Tx) error { return tx.RenameWorkspace(ctx, w.ID, name) }
	}
	list := func(limit int, cursor string) []audit.Entry {
		t.Helper()
		got, err := b.AuditEntries(t.Context(), w.ID, limit, cursor)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	ctx := audit.With(t.Context(), entry)
	if err := b.Write(ctx, func(*store.Tx) error { return problem.New(problem.Conflict, "no") }); err == nil || len(list(10, "")) != 0 {
		t.Errorf("a change that did not happen is in the log: %v", err)
	}
	if err := b.Write(ctx, func(*store.Tx) error { return nil }); err != nil || len(list(10, "")) != 0 {
		t.Errorf("a transaction that changed nothing is in the log: %v", err)
	}
	for _, name := range []string{"a", "b"} { // one request, two transactions
		if err := b.Write(ctx, rename(ctx, name)); err != nil {
			t.Fatal(err)
		}
	}
	got := list(10, "")
	if len(got) != 1 {
		t.Fatalf("%d entries", len(got))
	}
	want := entry
	want.ID, want.At = got[0].ID, start
	same(t, "the entry", got[0], want)
	time.Sleep(2 * time.Millisecond)        // ids of one millisecond have no order
	third := audit.With(t.Context(), entry) // a transaction that only adds counts as a change too
	if err := b.Write(third, func(tx *store.Tx) error { return tx.InsertPerson(third, aPerson("grace@example.com")) }); err != nil {
		t.Fatal(err)
	}
	if all := list(10, ""); len(all) != 2 {
		t.Errorf("%d entries after an insertion", len(all))
	}
	time.Sleep(2 * time.Millisecond)
	second := audit.With(t.Context(), entry)
	audit.Tell(second, func(e *audit.Entry) { e.Thing.Name = "c" })
	if err := b.Write(second, rename(second, "c")); err != nil {
		t.Fatal(err)
	}
	if all := list(1, ""); len(all) != 1 || all[0].Thing.Name != "c" || len(list(10, all[0].ID)) != 2 {
		t.Errorf("%+v", all)
	}
	prompted := audit.With(t.Context(), audit.Entry{WorkspaceID: w.ID, Thing: audit.Thing{Kind: "prompt"}})
	if err := b.Write(prompted, func(tx *store.Tx) error {
		return tx.InsertPrompt(prompted, scenario.Prompt{ID: store.NewID("pr"), WorkspaceID: w.ID, Slug: "call_opening", Version: 1})
	}); err != nil {
		t.Fatal(err)
	}
	run := audit.With(t.Context(), audit.Entry{WorkspaceID: w.ID, Thing: audit.Thing{Kind: "agent", ID: "agt_1"}})
	made := experiment.Experiment{ID: store.NewID("ve"), WorkspaceID: w.ID}
	if err := b.Write(run, func(tx *store.Tx) error { return tx.InsertExperiment(run, made) }); err != nil {
		t.Fatal(err)
	}
	things := map[audit.Thing]bool{}
	for _, e := range list(10, "") {
		things[e.Thing] = true
	}
	if !things[audit.Thing{Kind: "prompt", ID: "call_opening@1"}] || !things[audit.Thing{Kind: "experiment", ID: made.ID}] {
		t.Errorf("what two requests have made is not in the log: %v", things)
	}
	if others, err := b.AuditEntries(t.Context(), "ws_other", 10, ""); err != nil || len(others) != 0 {
		t.Errorf("%v %v", others, err)
	}
}
