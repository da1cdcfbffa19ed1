package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/credential"
	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
)

func aRecordingCredential(workspaceID, host string) credential.Recording {
	return credential.Recording{
		ID: store.NewID("rc"), WorkspaceID: workspaceID, Host: host, Header: "Authorization", Sealed: "sealed " + host, KeyID: "k1",
		CreatedAt: start, UpdatedAt: start,
	}
}

func recordingCredentials(t *testing.T, b *bench) {
	save := func(r credential.Recording) (kept credential.Recording) {
		t.Helper()
		b.must(t, func(ctx context.Context, tx *store.Tx) (err error) {
			kept, err = tx.SaveRecordingCredential(ctx, r)
			return err
		})
		return kept
	}
	first := aRecordingCredential(ours, "files.example.com")
	same(t, "what was saved", save(first), first)
	again := aRecordingCredential(ours, "files.example.com")
	again.Header, again.Query, again.Sealed, again.KeyID, again.UpdatedAt = "", "token", "other", "k2", start.Add(time.Hour)
	want := again
	want.ID, want.CreatedAt = first.ID, first.CreatedAt
	same(t, "what took its place", save(again), want)
	later := aRecordingCredential(ours, ".example.com")
	later.ID = first.ID + "0" // ids of one millisecond have no order of their own
	below := save(later)
	save(aRecordingCredential(theirs, "files.example.com"))
	same(t, "the list", get(t, b, func(ctx context.Context, tx *store.Tx) ([]credential.Recording, error) {
		return tx.RecordingCredentials(ctx, ours, 10, "")
	}), []credential.Recording{below, want})
	found := get(t, b, func(ctx context.Context, tx *store.Tx) ([]credential.Recording, error) {
		return tx.RecordingCredentialsFor(ctx, ours, []string{"a.example.com", ".example.com", ".com"})
	})
	same(t, "those of a host", found, []credential.Recording{below})
	ids := get(t, b, func(ctx context.Context, tx *store.Tx) ([]string, error) { return tx.SealedWith(ctx) })
	slices.Sort(ids)
	same(t, "the keys they are sealed with", ids, []string{"k1", "k2"})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteRecordingCredential(ctx, theirs, first.ID)
	})
	b.must(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteRecordingCredential(ctx, ours, first.ID)
	})
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteRecordingCredential(ctx, ours, first.ID)
	})
}

func platformKeys(t *testing.T, b *bench) {
	k := credential.PlatformKey{WorkspaceID: ours, Provider: "platform_a", Sealed: "s1", KeyID: "k1", CreatedAt: start, UpdatedAt: start}
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SavePlatformKey(ctx, k) })
	k.Sealed, k.KeyID, k.UpdatedAt = "s2", "k2", start.Add(time.Hour)
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.SavePlatformKey(ctx, k) })
	list := func(workspaceID string) []credential.PlatformKey {
		return get(t, b, func(ctx context.Context, tx *store.Tx) ([]credential.PlatformKey, error) {
			return tx.PlatformKeys(ctx, workspaceID)
		})
	}
	same(t, "the keys", list(ours), []credential.PlatformKey{k})
	if got := list(theirs); len(got) != 0 {
		t.Errorf("another workspace has %v", got)
	}
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePlatformKey(ctx, theirs, "platform_a") })
	b.must(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePlatformKey(ctx, ours, "platform_a") })
	b.refused(t, problem.NotFound, func(ctx context.Context, tx *store.Tx) error { return tx.DeletePlatformKey(ctx, ours, "platform_a") })
}
