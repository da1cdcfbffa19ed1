package sqlite

import (
	"testing"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// Only the locks of connections are none: those that SQLite shares are still there.
func TestLocks(t *testing.T) {
	t.Parallel()
	ours.setUp()
	tls := libc.NewTLS()
	defer tls.Close()
	connection := lib.Xsqlite3_mutex_alloc(tls, lib.SQLITE_MUTEX_RECURSIVE)
	lib.Xsqlite3_mutex_enter(tls, connection)
	if connection != ours.none || lib.Xsqlite3_mutex_try(tls, connection) != lib.SQLITE_OK {
		t.Error("a connection has a lock")
	}
	lib.Xsqlite3_mutex_leave(tls, connection)
	lib.Xsqlite3_mutex_free(tls, connection)
	shared := lib.Xsqlite3_mutex_alloc(tls, lib.SQLITE_MUTEX_FAST)
	defer lib.Xsqlite3_mutex_free(tls, shared)
	lib.Xsqlite3_mutex_enter(tls, shared)
	if shared == ours.none || lib.Xsqlite3_mutex_try(tls, shared) != lib.SQLITE_BUSY {
		t.Error("what is shared has no lock")
	}
	lib.Xsqlite3_mutex_leave(tls, shared)
}
