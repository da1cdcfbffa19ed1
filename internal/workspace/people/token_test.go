package people_test

import (
	"context"
	"crypto/rand"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/sqlite"
	"github.com/ringtrue/ringtrue/internal/workspace/people"
)

func FuzzTokens(f *testing.F) {
	b := &bundle{now: time.UnixMilli(1_760_000_000_000)}
	engine, err := sqlite.Open(context.Background(), filepath.Join(f.TempDir(), "test.db"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = engine.Close() })
	b.store = store.New(engine, nil, func() time.Time { return b.now })
	if b.Service, err = people.New(people.Options{
		Store: store.As[people.Tx](b.store), NewID: store.NewID, Now: func() time.Time { return b.now }, Random: rand.Reader, Cost: people.Cost{Memory: 64, Passes: 1},
	}); err != nil {
		f.Fatal(err)
	}
	f.Add("", "")
	f.Add(strings.Repeat("A", 43), "a@b")
	f.Add("mpHM7p__dB4LEO5P-1xS5TRvuP06ILE0bJ1reBAKeKI", "\xff@\x00")
	f.Fuzz(func(t *testing.T, token, email string) {
		if _, err := b.Identify(t.Context(), token); !problem.Is(err, problem.Unauthenticated) {
			t.Errorf("the token %q: %v", token, err)
		}
		if _, err := b.SignIn(t.Context(), email, token, token); !problem.Is(err, problem.Unauthenticated) && !problem.Is(err, problem.RateLimited) {
			t.Errorf("%q %q: %v", email, token, err)
		}
		if _, err := b.SignInByLink(t.Context(), token, email); !problem.Is(err, problem.InvalidFields) && !problem.Is(err, problem.RateLimited) {
			t.Errorf("the link %q: %v", token, err)
		}
	})
}
