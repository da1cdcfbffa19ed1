package postgres_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/ringtrue/ringtrue/internal/calllog"
	"github.com/ringtrue/ringtrue/internal/scenario"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// TestAConnectionThatBreaksAnywhere breaks the connection after so many bytes that the
// server says, up to all of them: whatever was being asked, nobody notices, and it is
// stored once. The long variant tries each byte.
func TestAConnectionThatBreaksAnywhere(t *testing.T) {
	t.Parallel()
	for name, write := range map[string]func(t *testing.T, tx *store.Tx, id string) error{
		"one row":                  insertOne,
		"questions, and many rows": askAndInsertMany,
	} {
		for _, warm := range []bool{false, true} { // whether the connection knows the statements
			t.Run(fmt.Sprintf("%s, warm %v", name, warm), func(t *testing.T) {
				t.Parallel()
				breakEverywhere(t, warm, write)
			})
		}
	}
}

func insertOne(t *testing.T, tx *store.Tx, id string) error {
	t.Helper()
	return tx.InsertAgent(t.Context(), anAgent(id))
}

// askAndInsertMany sends statements in every way that there is.
func askAndInsertMany(t *testing.T, tx *store.Tx, id string) error {
	t.Helper()
	ctx := t.Context()
	if err := insertOne(t, tx, id); err != nil {
		return err
	}
	if _, err := tx.AgentByID(ctx, "ws", id); err != nil {
		return err
	}
	arriving := calllog.Arriving{Key: calllog.Key{WorkspaceID: "ws", Provider: "custom", ExternalID: id}, AgentRef: id}
	if _, err := tx.Known(ctx, []calllog.Arriving{arriving}); err != nil {
		return err
	}
	if err := tx.InsertDataset(ctx, scenario.Dataset{ID: id, WorkspaceID: "ws", CreatedAt: time.Now(), UpdatedAt: time.Now()}); err != nil {
		return err
	}
	items := make([]scenario.Item, 12)
	for i := range items {
		items[i].ID = fmt.Sprintf("%s_%d", id, i)
	}
	return tx.InsertItems(ctx, id, 1, items)
}

func breakEverywhere(t *testing.T, warm bool, write func(t *testing.T, tx *store.Tx, id string) error) {
	t.Helper()
	r, address := startRelay(t, pgtest.Database(t))
	_, s := opened(t, address)
	put := func() (id string, err error) {
		id = store.NewID("agt")
		return id, s.Write(t.Context(), func(tx *store.Tx) error { return write(t, tx, id) })
	}
	stride := 17
	if os.Getenv("RINGTRUE_LONG") != "" {
		stride = 1
	}
	n := 0
	for broken := true; broken; n += stride {
		if warm {
			if _, err := put(); err != nil {
				t.Fatal(err)
			}
		}
		r.breakAfter(n)
		id, err := put()
		broken = r.isBroken()
		if err != nil || !stored(t, s, id) {
			t.Fatalf("broken after %d bytes: %v", n, err)
		}
	}
	if n < 3*stride {
		t.Errorf("the server said no more than %d bytes", n)
	}
}
