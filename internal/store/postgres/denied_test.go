package postgres_test

import (
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/internal/problem"
	"github.com/ringtrue/ringtrue/internal/store"
	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// What the server cannot or must not do for us is no mistake of whoever asked, and passes
// when somebody has put it right.
func TestRefusalsThatAreNobodysMistake(t *testing.T) {
	t.Parallel()
	for state, said := range map[string]string{
		"42501": "does not allow",      // rights that were taken away
		"42P01": "are gone",            // tables that are somewhere else
		"40001": "too busy",            // others that change the same rows, time and again
		"XX001": "cannot be read or w", // pages that are damaged
		"XX002": "cannot be read or w",
	} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			e, s := opened(t, pgtest.Database(t))
			for _, text := range []string{
				`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused' USING ERRCODE = '` + state + `'; END $$`,
				`CREATE TRIGGER refuse BEFORE INSERT ON agents EXECUTE FUNCTION refuse()`,
			} {
				_, err := e.Pool().Exec(t.Context(), text)
				must(t, err)
			}
			insert := func() error {
				return s.Write(t.Context(), func(tx *store.Tx) error { return insertOne(t, tx, "agt_1") })
			}
			err := insert()
			if p := problem.As(err); p == nil || p.Code != problem.Unavailable || !strings.Contains(p.Message, said) || p.RetryAfter == 0 {
				t.Errorf("it is told as %v", err)
			}
			_, err = e.Pool().Exec(t.Context(), `DROP TRIGGER refuse ON agents`)
			must(t, err)
			if stored(t, s, "agt_1") {
				t.Error("what is said to be unchanged is stored")
			}
			must(t, insert())
		})
	}
}
