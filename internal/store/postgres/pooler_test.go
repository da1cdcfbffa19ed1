package postgres

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// A pooler by transaction shows in statements that somebody else has prepared, or nobody.
func TestAPoolerByTransactionIsNamed(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{"42P05": true, "26000": true, "42P01": false, "23505": false} {
		err := fmt.Errorf("migrate: %w", &pgconn.PgError{Code: code, Message: `prepared statement "stmtcache_1" already exists`})
		if got := isOfAnotherSession(err); got != want {
			t.Errorf("%s: %v", code, got)
		}
	}
	if p := pooledByTransaction(&pgconn.PgError{Code: statementThere}); p.Hint == "" {
		t.Error("nobody says what to do")
	}
}
