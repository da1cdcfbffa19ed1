package workspace_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/workspace"
)

// memory is a store that counts what it is asked.
type memory struct {
	mu         sync.Mutex
	workspaces []workspace.Workspace
	keys       []workspace.Key
	lookups    int
	touches    int
	failTouch  bool
	// hangs is how long a commit takes, whatever becomes of its context.
	hangs time.Duration
}

func (m *memory) Write(_ context.Context, f func(workspace.Tx) error) error {
	defer time.Sleep(m.hangs)
	return f(m)
}
func (m *memory) Read(_ context.Context, f func(workspace.Tx) error) error { return f(m) }

func (m *memory) InsertWorkspace(_ context.Context, w workspace.Workspace) error {
	m.workspaces = append(m.workspaces, w)
	return nil
}

func (m *memory) Workspaces(context.Context) ([]workspace.Workspace, error) { return m.workspaces, nil }

func (m *memory) LockFirst(context.Context) error { return nil }

func (m *memory) InsertKey(_ context.Context, k workspace.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keys = append(m.keys, k)
	return nil
}

func (m *memory) KeyByPrefix(_ context.Context, prefix string) (workspace.Key, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lookups++
	for _, k := range m.keys {
		if k.Prefix == prefix && k.RevokedAt.IsZero() {
			return k, true, nil
		}
	}
	return workspace.Key{}, false, nil
}

func (m *memory) Keys(_ context.Context, ws string) ([]workspace.Key, error) {
	var out []workspace.Key
	for _, k := range m.keys {
		if k.WorkspaceID == ws {
			out = append(out, k)
		}
	}
	return out, nil
}

func (m *memory) RevokeKey(_ context.Context, ws, id string, now time.Time) error {
	for i := range m.keys {
		if m.keys[i].ID == id && m.keys[i].WorkspaceID == ws {
			m.keys[i].RevokedAt = now
			return nil
		}
	}
	return problem.Missing("key", id)
}

func (m *memory) TouchKey(_ context.Context, id string, now time.Time) error {
	m.touches++
	if m.failTouch {
		return errors.New("locked")
	}
	for i := range m.keys {
		if m.keys[i].ID == id {
			m.keys[i].LastUsedAt = now
		}
	}
	return nil
}

// bundle is a service over a clock that the test moves.
type bundle struct {
	*workspace.Service
	store *memory
	now   time.Time
}

func setup() *bundle {
	b := &bundle{store: &memory{}, now: time.UnixMilli(1_760_000_000_000)}
	n := 0
	b.Service = workspace.New(workspace.Options{
		Store: b.store, NewID: func(prefix string) string { n++; return fmt.Sprintf("%s_%d", prefix, n) },
		Now: func() time.Time { return b.now }, Random: source{rand.NewChaCha8([32]byte{1})},
	})
	return b
}

type source struct{ *rand.ChaCha8 }

func (s source) Read(p []byte) (int, error) { return s.ChaCha8.Read(p) }

func (b *bundle) first(t *testing.T) workspace.First {
	t.Helper()
	f, made, err := b.EnsureFirst(t.Context(), "first key")
	if err != nil || !made {
		t.Fatalf("made %v: %v", made, err)
	}
	return f
}

func TestFirstWorkspaceIsMadeOnce(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	if len(b.store.workspaces) != 1 || len(b.store.keys) != 1 || f.Key.WorkspaceID != f.Workspace.ID {
		t.Fatalf("%+v", f)
	}
	if strings.Contains(fmt.Sprintf("%+v", b.store.keys), f.Secret) {
		t.Error("the secret was stored")
	}
	if again, made, err := b.EnsureFirst(t.Context(), "first key"); made || err != nil || again.Secret != "" || len(b.store.keys) != 1 {
		t.Errorf("a second time: %v %v %+v", made, err, again)
	}
}

func TestAFurtherWorkspaceHasItsOwnKey(t *testing.T) {
	t.Parallel()
	b := setup()
	first := b.first(t)
	second, err := b.CreateWithKey(t.Context(), "second")
	if err != nil || second.Workspace.ID == first.Workspace.ID {
		t.Fatalf("%+v: %v", second, err)
	}
	id, err := b.Authenticate(t.Context(), second.Secret)
	if err != nil || id.WorkspaceID != second.Workspace.ID {
		t.Errorf("its key opens %+v: %v", id, err)
	}
	if keys, err := b.Keys(t.Context(), first.Workspace.ID); err != nil || len(keys) != 1 || keys[0].ID != first.Key.ID {
		t.Errorf("the first workspace has the keys %+v: %v", keys, err)
	}
	if _, err := b.Keys(t.Context(), "ws_none"); !problem.Is(err, problem.NotFound) {
		t.Errorf("the keys of no workspace: %v", err)
	}
	if _, err := b.CreateWithKey(t.Context(), ""); err == nil || len(b.store.workspaces) != 2 {
		t.Errorf("a workspace without a name: %v, %d workspaces", err, len(b.store.workspaces))
	}
}

func TestSecretsHold256Bits(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	_, other, err := b.CreateKey(t.Context(), f.Workspace.ID, "ci")
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{f.Secret, other} {
		parts := strings.Split(secret, "_")
		if len(parts) != 3 || parts[0] != "rt" || len(parts[2]) != 64 {
			t.Errorf("the secret does not read rt_<prefix>_<64 hex digits>, it has %d parts", len(parts))
		}
	}
	if f.Secret == other {
		t.Error("two keys are the same")
	}
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	id, err := b.Authenticate(t.Context(), f.Secret)
	if err != nil || id.WorkspaceID != f.Workspace.ID || id.KeyID != f.Key.ID {
		t.Fatalf("%+v %v", id, err)
	}
	wrong := f.Secret[:len(f.Secret)-1] + map[bool]string{true: "0", false: "1"}[!strings.HasSuffix(f.Secret, "0")]
	lookups := b.store.lookups
	for _, secret := range []string{"", "rt_", "rt__", f.Key.Prefix, f.Key.SHA256, wrong, f.Secret + "0", strings.ToUpper(f.Secret), strings.Repeat("a", 1<<20)} {
		if _, err := b.Authenticate(t.Context(), secret); !problem.Is(err, problem.Unauthenticated) {
			t.Errorf("%.80q was let in: %v", secret, err)
		}
	}
	if got := b.store.lookups - lookups; got != 1 {
		t.Errorf("%d lookups for keys that cannot be ours, want 1 for the one that looks like it", got)
	}
}

func TestNotEveryRequestAsksTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	for range 100 {
		if _, err := b.Authenticate(t.Context(), f.Secret); err != nil {
			t.Fatal(err)
		}
		b.now = b.now.Add(20 * time.Millisecond)
	}
	if b.store.lookups != 2 || b.store.touches != 1 {
		t.Errorf("%d lookups and %d touches in two seconds, want 2 and 1", b.store.lookups, b.store.touches)
	}
	b.now = b.now.Add(time.Minute)
	b.store.failTouch = true
	if _, err := b.Authenticate(t.Context(), f.Secret); err != nil || b.store.touches != 2 {
		t.Errorf("a minute later: %v, %d touches; a touch that fails must not matter", err, b.store.touches)
	}
}

// TestWhoReadsDoesNotWaitForACommit: a database that waits for a standby that is away takes the best
// part of a minute for a commit. Reading goes on meanwhile.
func TestWhoReadsDoesNotWaitForACommit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := setup()
		f := b.first(t)
		b.store.hangs = 50 * time.Second
		began := time.Now()
		if _, err := b.Authenticate(t.Context(), f.Secret); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(began); waited > 2*time.Second {
			t.Errorf("a request waited %s until its key's last use was written down", waited)
		}
		time.Sleep(b.store.hangs) // the commit ends
	})
}

func TestRevocationHolds(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	if _, err := b.Authenticate(t.Context(), f.Secret); err != nil {
		t.Fatal(err)
	}
	if err := b.Revoke(t.Context(), "ws_other", f.Key.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("another workspace revoked the key: %v", err)
	}
	if err := b.Revoke(t.Context(), f.Workspace.ID, f.Key.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Authenticate(t.Context(), f.Secret); !problem.Is(err, problem.Unauthenticated) {
		t.Errorf("a revoked key was let in: %v", err)
	}
}

func TestRevocationByAnotherProcessHoldsWithinASecond(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	if _, err := b.Authenticate(t.Context(), f.Secret); err != nil {
		t.Fatal(err)
	}
	b.store.keys[0].RevokedAt = b.now
	b.now = b.now.Add(time.Second)
	if _, err := b.Authenticate(t.Context(), f.Secret); !problem.Is(err, problem.Unauthenticated) {
		t.Errorf("let in a second after the revocation: %v", err)
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	b := setup()
	ws := b.first(t).Workspace.ID
	for _, name := range []string{"", "  ", "a\nb", strings.Repeat("ä", 101), "a\xff"} {
		if _, _, err := b.CreateKey(t.Context(), ws, name); !problem.Is(err, problem.InvalidFields) {
			t.Errorf("%.10q: %v", name, err)
		}
	}
	if _, _, err := b.CreateKey(t.Context(), "ws_none", "ci"); !problem.Is(err, problem.NotFound) {
		t.Errorf("a key for no workspace: %v", err)
	}
	if len(b.store.keys) != 1 {
		t.Error("a refused key was stored")
	}
}

func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	b := setup()
	f := b.first(t)
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			for range 50 {
				if _, err := b.Authenticate(context.Background(), f.Secret); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

var _ io.Reader = source{}
