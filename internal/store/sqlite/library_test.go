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

// A page that has the number of the one with the locks for a moment is not looked
// for among all others at the end of the transaction, and is found where it went.
func TestPageMovedAside(t *testing.T) {
	t.Parallel()
	ours.setUp()
	tls := libc.NewTLS()
	defer tls.Close()
	now := ours.pages
	now.FxRekey = pointer(&ours.rekey)
	const size, extra, create = 4096, 200, 2
	cache := function[func(*libc.TLS, int32, int32, int32) uintptr](&now.FxCreate)(tls, size, extra, 1)
	defer function[func(*libc.TLS, uintptr)](&now.FxDestroy)(tls, cache)
	function[func(*libc.TLS, uintptr, int32)](&now.FxCachesize)(tls, cache, 1000)
	fetch := func(number uint32, how int32) uintptr {
		return function[func(*libc.TLS, uintptr, uint32, int32) uintptr](&now.FxFetch)(tls, cache, number, how)
	}
	move := function[func(*libc.TLS, uintptr, uintptr, uint32, uint32)](&now.FxRekey)
	truncate := function[func(*libc.TLS, uintptr, uint32)](&now.FxTruncate)
	a, b := uintptr(0), uintptr(0)
	for number := uint32(1); number <= 100; number++ {
		switch page := fetch(number, create); number {
		case 40:
			a = page
		case 70:
			b = page
		}
	}
	const aside = lockByte/size + 1
	move(tls, cache, a, 40, aside)
	move(tls, cache, b, 70, 40)
	move(tls, cache, a, aside, 70)
	if highest := at[lib.TPCache1](cache).FiMaxKey; highest != 100 {
		t.Errorf("%d counts as the highest number of all pages", highest)
	}
	if fetch(40, 0) != b || fetch(70, 0) != a || fetch(aside, 0) != 0 {
		t.Error("a page is not where it went")
	}
	truncate(tls, cache, 70)
	if fetch(70, 0) != 0 || fetch(100, 0) != 0 || fetch(69, 0) == 0 || fetch(40, 0) != b {
		t.Error("other pages than those behind the end were dropped")
	}
}
