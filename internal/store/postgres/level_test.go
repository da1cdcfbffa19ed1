package postgres_test

import (
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// The queue's work begins no transaction of ours. Where an administrator has made another isolation
// level the usual one, what several do to the same row at once still does not fail.
func TestSingleStatementsSeeWhatOthersHaveCommitted(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"serializable", "repeatable read"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			address := pgtest.Database(t)
			admin, _ := opened(t, address)
			for _, text := range []string{
				`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation = ''` + level + `''', current_database()); END $$`,
				`CREATE TABLE counted (n INT)`, `INSERT INTO counted VALUES (0)`,
			} {
				if _, err := admin.Pool().Exec(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			e, _ := opened(t, address)
			var all sync.WaitGroup
			for range 4 {
				all.Go(func() {
					for range 100 {
						if _, err := e.Pool().Exec(t.Context(), `UPDATE counted SET n = n + 1`); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// A database of another encoding than ours is refused before anything is made in it.
func TestADatabaseOfAnotherEncodingIsRefused(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin, _ := opened(t, address)
	for encoding, fits := range map[string]bool{"LATIN1": false, "EUC_JP": false, "SQL_ASCII": true} {
		name := admin.Pool().Config().ConnConfig.Database + "_" + strings.ToLower(encoding)
		if _, err := admin.Pool().Exec(t.Context(), `CREATE DATABASE `+name+` TEMPLATE template0 ENCODING '`+encoding+`'`); err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		u.Path = name
		e, err := postgres.Open(t.Context(), u.String())
		if err == nil {
			_ = e.Close()
		}
		if fits != (err == nil) || !fits && !strings.Contains(err.Error(), encoding) {
			t.Errorf("%s: %v", encoding, err)
		}
	}
}

// Where a role, a database or the address has programs speak another encoding, ours still speak UTF-8.
// The server would keep each byte of a letter as one letter, and whoever reads it in another way sees that.
func TestTextsAreKeptAsTheyAre(t *testing.T) {
	t.Parallel()
	const name = "Zürich, 東京"
	address := pgtest.Database(t)
	admin, _ := opened(t, address)
	if _, err := admin.Pool().Exec(t.Context(), `DO $$ BEGIN
		EXECUTE format('ALTER DATABASE %I SET client_encoding = ''LATIN1''', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set("client_encoding", "LATIN1")
	u.RawQuery = q.Encode()
	for _, address := range []string{address, u.String()} {
		e, _ := opened(t, address)
		var letters int
		if err := e.Pool().QueryRow(t.Context(), `SELECT char_length($1::text)`, name).Scan(&letters); err != nil || letters != len([]rune(name)) {
			t.Errorf("the server sees %d letters in %q, %v", letters, name, err)
		}
	}
}

// A session keeps the setting that it began with. Those that began while the database was set to be
// read only are not used once it is set back.
func TestADatabaseThatWasReadOnlyForAWhileIsWrittenAgain(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin, _ := opened(t, address)
	e, s := opened(t, address)
	set := func(value string) {
		t.Helper()
		if _, err := admin.Pool().Exec(t.Context(), `DO $$ BEGIN
			EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = `+value+`', current_database()); END $$`); err != nil {
			t.Fatal(err)
		}
	}
	write := func() error { return s.Write(t.Context(), func(*store.Tx) error { return nil }) }
	set("on")
	e.Pool().Reset()
	if write() == nil {
		t.Error("a database that takes no writes is written")
	}
	set("off")
	if err := write(); err != nil {
		t.Errorf("it takes writes again: %v", err)
	}
}
