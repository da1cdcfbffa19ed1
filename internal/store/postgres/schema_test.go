package postgres_test

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store/postgres"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// A service in a schema of its own makes all its tables there, the queue's too, also
// where its search path goes on to the schema of another service.
func TestServicesInSchemasOfOneDatabaseShareNothing(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin := administrator(t, address)
	_, err := admin.Exec(t.Context(), `CREATE SCHEMA "on trial"`)
	must(t, err)
	for _, path := range []string{"public", `"on trial",public`} {
		e, err := postgres.Open(t.Context(), within(t, address, path))
		must(t, err)
		must(t, e.Close())
	}
	tables := func(schema string) (names []string) {
		rows, err := admin.Query(t.Context(), `SELECT tablename::text FROM pg_tables WHERE schemaname = $1 ORDER BY 1`, schema)
		must(t, err)
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		return names
	}
	if first, second := tables("public"), tables("on trial"); len(first) == 0 || !slices.Equal(first, second) {
		t.Errorf("the one has %q, the other %q", first, second)
	}
}

// A schema that is not there is passed by, by the server: the tables behind it are another service's.
func TestTheSchemaOfAnotherServiceIsNotTaken(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin := administrator(t, address)
	_, err := admin.Exec(t.Context(), `CREATE SCHEMA staging; CREATE SCHEMA "On, ""trial"; CREATE SCHEMA versuchsgröße`)
	must(t, err)
	for path, fits := range map[string]bool{
		"public": true, "Public": true, `"$user", public`: true, `"$user"`: false, `""`: false, `nowhere`: false,
		"staging,public": true, "$user, STAGING ,public": true, `"On, ""trial",public`: true, "VersuchsGröße, public": true,
		"nowhere,public": false, `"Staging", public`: false, `"$user",nowhere,public`: false,
	} {
		e, err := postgres.Open(t.Context(), within(t, address, path))
		if err == nil {
			must(t, e.Close())
		}
		if p := problem.As(err); fits != (err == nil) || !fits && (p == nil || p.Hint == "") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// A role that may use a schema and make nothing in it is what each has in a new database, from
// version 15 on. So is one that is to change tables of another's.
func TestARoleThatMayMakeNoTablesIsToldHowToLetIt(t *testing.T) {
	t.Parallel()
	address := pgtest.Database(t)
	admin := administrator(t, address)
	u, err := url.Parse(address)
	must(t, err)
	role := "Clerk of " + strings.TrimPrefix(u.Path, "/")
	quoted := pgx.Identifier{role}.Sanitize()
	_, err = admin.Exec(t.Context(), `REVOKE CREATE ON SCHEMA public FROM PUBLIC; CREATE ROLE `+quoted+` LOGIN`)
	must(t, err)
	u.User = url.User(role)
	_, err = postgres.Open(t.Context(), u.String())
	if p := problem.As(err); p == nil || !strings.Contains(p.Hint, "GRANT CREATE ON SCHEMA public TO "+quoted) {
		t.Errorf("a role that may make no tables: %v", err)
	}
	_, err = admin.Exec(t.Context(), `GRANT CREATE ON SCHEMA public TO `+quoted)
	must(t, err)
	e, err := postgres.Open(t.Context(), u.String())
	must(t, err)
	must(t, e.Close())
	_, err = admin.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id >= 24; -- as it was before the migration that adds the column, whatever comes after that
		ALTER TABLE monitor_reports DROP COLUMN changed; ALTER TABLE monitor_reports OWNER TO CURRENT_USER`)
	must(t, err)
	_, err = postgres.Open(t.Context(), u.String())
	if p := problem.As(err); p == nil || !strings.Contains(p.Hint, "belong to it") {
		t.Errorf("a role that may not change the tables: %v", err)
	}
}

// within is the address with a search path.
func within(t *testing.T, address, path string) string {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	q := u.Query()
	q.Set("search_path", path)
	u.RawQuery = q.Encode()
	return u.String()
}

// administrator connects to a database apart from the service.
func administrator(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	c, err := pgx.Connect(t.Context(), address)
	must(t, err)
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
