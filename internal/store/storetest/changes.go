package storetest

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/ringtrue/ringtrue/internal/catalog"
	"github.com/ringtrue/ringtrue/internal/savedview"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

// changesAtOnce has several change different things of the same agent and the same saved view,
// over two handles: each change names one thing and leaves the others as somebody else has made them.
func changesAtOnce(t *testing.T, b *bench) {
	const rounds = 20
	handles := []*store.Store{b.Store, b.open(b.now)}
	var agents []*catalog.Service
	var views []*savedview.Service
	for _, h := range handles {
		agents = append(agents, catalog.New(catalog.Options{Store: store.As[catalog.Tx](h), NewID: store.NewID, Now: b.now}))
		views = append(views, savedview.New(savedview.Options{Store: store.As[savedview.Tx](h), NewID: store.NewID, Now: b.now}))
	}
	who := savedview.Asker{WorkspaceID: ours, MayShare: true}
	a, err := agents[0].CreateAgent(t.Context(), ours, catalog.AgentInput{Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	v, err := views[0].Create(t.Context(), who, savedview.Input{Page: "calls", Name: "n", Query: "q"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range rounds {
		word, number := fmt.Sprint("w", i), fmt.Sprint("+155501", 10+i)
		atOnce(t, func() error {
			_, err := agents[0].UpdateAgent(t.Context(), ours, a.ID, catalog.AgentPatch{Name: &word})
			return err
		}, func() error {
			_, err := agents[1].UpdateAgent(t.Context(), ours, a.ID, catalog.AgentPatch{Defaults: catalog.DefaultsPatch{ToNumber: &number}})
			return err
		}, func() error {
			_, err := views[0].Update(t.Context(), who, v.ID, savedview.Patch{Name: &word})
			return err
		}, func() error {
			_, err := views[1].Update(t.Context(), who, v.ID, savedview.Patch{Query: &word})
			return err
		})
		if got, err := agents[0].Agent(t.Context(), ours, a.ID); err != nil || got.Name != word || got.Defaults.ToNumber != number {
			t.Fatalf("round %d: the agent is %+v, %v", i, got, err)
		}
		if got, err := views[0].View(t.Context(), who, v.ID); err != nil || got.Name != word || got.Query != word {
			t.Fatalf("round %d: the view is %+v, %v", i, got, err)
		}
	}
}

// personChangesAtOnce has many change a person, each building on what it read: whoever renames a
// person while the password is changed would bring the old one back.
func personChangesAtOnce(t *testing.T, b *bench) {
	const writers = 20
	handles := []*store.Store{b.Store, b.open(b.now)}
	p := aPerson("ada@example.com")
	p.Name, p.Password, p.Subject = "", "", "sub"
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertPerson(ctx, p) })
	read := func(tx *store.Tx, way int) (now people.Person, err error) {
		switch way {
		case 0:
			now, err = tx.Person(t.Context(), p.ID)
		case 1:
			now, _, err = tx.PersonByEmail(t.Context(), p.Email)
		default:
			now, _, err = tx.PersonBySubject(t.Context(), p.Subject)
		}
		return now, err
	}
	var all []func() error
	for i := range writers {
		all = append(all, func() error {
			return handles[i%2].Write(t.Context(), func(tx *store.Tx) error {
				now, err := read(tx, i%3)
				if err != nil {
					return err
				}
				now.Name, now.Password = now.Name+"n", now.Password+"p"
				return tx.UpdatePerson(t.Context(), now)
			})
		})
	}
	atOnce(t, all...)
	got := get(t, b, func(_ context.Context, tx *store.Tx) (people.Person, error) { return read(tx, 0) })
	if len(got.Name) != writers || len(got.Password) != writers {
		t.Errorf("%d and %d of %d changes are left", len(got.Name), len(got.Password), writers)
	}
}

// atOnce runs all at the same time.
func atOnce(t *testing.T, all ...func() error) {
	t.Helper()
	var wait sync.WaitGroup
	for _, one := range all {
		wait.Go(func() {
			if err := one(); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}
