package postgres_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

func TestManyProcessesOpenAtOnce(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			e, err := postgres.Open(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			if err := e.Ping(t.Context()); err != nil {
				t.Error(err)
			}
			_ = e.Close()
		})
	}
	all.Wait()
}

// TestTransactionThatStandsStill is what becomes of a process that is stopped in
// the middle of one: the rows it had locked are free again, and once it goes on
// its transaction is done anew.
func TestTransactionThatStandsStill(t *testing.T) {
	t.Parallel()
	e, err := postgres.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	var patience string
	if err := e.Pool().QueryRow(t.Context(), `SHOW idle_in_transaction_session_timeout`).Scan(&patience); err != nil || patience != "15s" {
		t.Errorf("a transaction may stand still for %q (%v), want 15s", patience, err)
	}
	stopped, err := e.Begin(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`SET LOCAL idle_in_transaction_session_timeout = '100ms'`, `LOCK TABLE calls IN ACCESS EXCLUSIVE MODE`} {
		if _, err := stopped.Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	var calls int
	if err := e.Pool().QueryRow(t.Context(), `SELECT COUNT(*) FROM calls`).Scan(&calls); err != nil {
		t.Errorf("another cannot read: %v", err)
	}
	_, err = stopped.Exec(t.Context(), `SELECT 1`)
	if err == nil || e.Classify(err) != store.Transient {
		t.Errorf("the transaction goes on with %v, want a failure that is tried again", err)
	}
	_ = stopped.Rollback()
}

func TestNewerDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	for _, newer := range []string{
		`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, true)`,
		`INSERT INTO river_migration (line, version) VALUES ('main', 999)`,
	} {
		address := pgtest.Database(t)
		e, err := postgres.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Pool().Exec(t.Context(), newer); err != nil {
			t.Fatal(err)
		}
		_ = e.Close()
		_, err = postgres.Open(t.Context(), address)
		if p := problem.As(err); p == nil || p.Hint == "" || !strings.Contains(p.Message, "999") {
			t.Errorf("%s: got %v", newer, err)
		}
	}
}

func TestAddressThatLeadsNowhere(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"postgres://user:hunter2@127.0.0.1:1/x?connect_timeout=2", "postgres://user:hunter2@host:port/x"} {
		_, err := postgres.Open(t.Context(), address)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("got %v", err)
		}
	}
}

// TestAnAddressThatCannotBeReadKeepsItsPassword: signs that ought to be escaped
// make a piece of the password look like a port, which errors like to name.
func TestAnAddressThatCannotBeReadKeepsItsPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"postgres://user:hunter2#x@127.0.0.1:1/x", "postgres://user:hunter2/x@127.0.0.1:1/x", "postgres://user:hunter2?x@127.0.0.1:1/x",
		"postgres://user:hunter2%zz@127.0.0.1:1/x", "postgres://user:hunter2 #@127.0.0.1:1/x",
		"postgres://127.0.0.1:1/x?user=user&password=hunter2&pool_max_conns=many",
	} {
		_, err := postgres.Open(t.Context(), address)
		if p := problem.As(err); p == nil || len(p.Fields) != 1 || p.Fields[0].Message == "" || strings.Contains(p.Fields[0].Message, "hunter2") {
			t.Errorf("%s: got %+v", address, err)
		}
	}
}

// TestAPoolOfOneIsRefused: it would wait for a second connection for ever.
func TestAPoolOfOneIsRefused(t *testing.T) {
	t.Parallel()
	_, err := postgres.Open(t.Context(), pgtest.Database(t)+"&pool_max_conns=1")
	if p := problem.As(err); p == nil || len(p.Fields) != 1 || !strings.Contains(p.Fields[0].Message, "pool_max_conns") {
		t.Errorf("got %v", err)
	}
}

func TestAServerWithoutConnectionsLeftIsToldWithWhatToDo(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin := administrator(t, address)
	u, err := url.Parse(address)
	must(t, err)
	role := "few_for_" + strings.TrimPrefix(u.Path, "/")
	u.User = url.User(role)
	for _, limit := range []string{"0", "1"} { // who migrates needs two
		_, err = admin.Exec(t.Context(), `DROP ROLE IF EXISTS `+role+`; CREATE ROLE `+role+` LOGIN CONNECTION LIMIT `+limit)
		must(t, err)
		_, err = postgres.Open(t.Context(), u.String())
		if p := problem.As(err); p == nil || !strings.Contains(p.Message, "no connections left") || !strings.Contains(p.Hint, "pool_max_conns") || p.Unwrap() == nil {
			t.Errorf("with %s: %v", limit, err)
		}
	}
}

func TestAServerThatCannotBeReachedIsToldWithWhatToDo(t *testing.T) {
	t.Parallel()
	missing, err := url.Parse(pgtest.Database(t))
	must(t, err)
	missing.Path = "/missing"
	for _, address := range []string{"postgres://u:planted@127.0.0.1:1/one", missing.String()} {
		_, err := postgres.Open(t.Context(), address)
		if p := problem.As(err); p == nil || !strings.Contains(p.Message, "cannot be reached") || !strings.Contains(p.Hint, "--database") || p.Unwrap() == nil {
			t.Errorf("%s: %v", address, err)
		}
		if err == nil || strings.Contains(err.Error(), "planted") {
			t.Errorf("it repeats the password: %v", err)
		}
	}
}

// TestASmallTableIsReadByItsIndex: a statement that is prepared while the table
// is empty looks each submission up all the same, as it does when there are millions.
func TestASmallTableIsReadByItsIndex(t *testing.T) {
	t.Parallel()
	e, err := postgres.Open(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	c, err := e.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	for _, text := range []string{
		`SET plan_cache_mode = force_generic_plan`,
		`PREPARE arrived AS SELECT id FROM submissions WHERE workspace_id = $1 AND provider = $2 AND external_id IN ($3, $4, $5, $6) ORDER BY id`,
	} {
		if _, err := c.Exec(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	found, err := c.Query(t.Context(), `EXPLAIN EXECUTE arrived('w', 'p', '1', '2', '3', '4')`)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(found, pgx.RowTo[string])
	plan := strings.Join(lines, "\n")
	if err != nil || !strings.Contains(plan, "Index Cond: ((external_id = ANY") || strings.Contains(plan, "Filter") {
		t.Errorf("%v, the plan is\n%s", err, plan)
	}
}
