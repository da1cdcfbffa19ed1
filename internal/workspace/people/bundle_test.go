package people_test

import (
	"crypto/rand"
	"path/filepath"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

const (
	from   = "192.0.2.7"
	secret = "correct horse battery"
)

// bundle is a service over a real database and a clock that the test moves.
type bundle struct {
	*people.Service
	store *store.Store
	now   time.Time
}

func setup(t *testing.T, change ...func(*people.Options)) *bundle {
	t.Helper()
	engine, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &bundle{now: time.UnixMilli(1_760_000_000_000)}
	b.store = store.New(engine, nil, func() time.Time { return b.now })
	o := people.Options{
		Store: store.As[people.Tx](b.store), NewID: store.NewID, Now: func() time.Time { return b.now }, Random: rand.Reader,
		Cost: people.Cost{Memory: 64, Passes: 1},
	}
	for _, f := range change {
		f(&o)
	}
	if b.Service, err = people.New(o); err != nil {
		t.Fatal(err)
	}
	return b
}

// owner sets the service up.
func (b *bundle) owner(t *testing.T) people.Opened {
	t.Helper()
	token, err := b.OfferSetup(t.Context())
	if err != nil || token == "" {
		t.Fatalf("no set-up token: %v", err)
	}
	o, err := b.Setup(t.Context(), people.Setup{Token: token, Name: "Ada", Email: "Ada@Example.com", Password: secret}, from)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// guest joins the owner's workspace.
func (b *bundle) guest(t *testing.T, owner people.Opened, name string, role workspace.Role) people.Opened {
	t.Helper()
	_, token, err := b.Invite(t.Context(), owner.Identity, name+"@example.com", role)
	if err != nil {
		t.Fatal(err)
	}
	o, err := b.Join(t.Context(), people.Join{Token: token, Name: name, Password: secret}, workspace.Identity{}, from)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func (b *bundle) ended(t *testing.T, what string, o people.Opened) {
	t.Helper()
	if _, err := b.Identify(t.Context(), o.Token); !problem.Is(err, problem.Unauthenticated) {
		t.Errorf("%s: the session goes on: %v", what, err)
	}
}

func wants(t *testing.T, what string, err error, code problem.Code) {
	t.Helper()
	if !problem.Is(err, code) {
		t.Errorf("%s: got %v, want %s", what, err, code)
	}
}
