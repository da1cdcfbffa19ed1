package sqlite

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

const wordSize = unsafe.Sizeof(uintptr(0))

// library is how SQLite is set up, once for the process and before it is used
// for the first time. It is set up for connections that are each used by one
// goroutine at a time, as database/sql sees to it, and need no locks of their own;
// and for transactions that split pages of an index, at whose end SQLite would go
// through its whole cache of pages (see movedAside).
type library struct {
	once sync.Once
	// locks are SQLite's own, and none stands for that of a connection.
	locks lib.Tsqlite3_mutex_methods
	none  uintptr
	// pages is SQLite's own cache of pages.
	pages lib.Tsqlite3_pcache_methods2

	// SQLite calls these and does not keep them alive.
	alloc              func(tls *libc.TLS, kind int32) uintptr
	free, enter, leave func(tls *libc.TLS, lock uintptr)
	try                func(tls *libc.TLS, lock uintptr) int32
	rekey              func(tls *libc.TLS, cache, page uintptr, was, is uint32)
}

// ours is the process's. SQLite itself has its settings in a variable.
var ours library //nolint:gochecknoglobals // see above

// setUp does nothing where SQLite is in use already: then it goes on as it was.
func (l *library) setUp() {
	l.once.Do(func() {
		tls := libc.NewTLS()
		defer tls.Close()
		// To ask for a lock of SQLite's own fills in how it makes them.
		if l.none = libc.Xmalloc(tls, libc.Tsize_t(wordSize)); l.none == 0 || lib.Xsqlite3_mutex_alloc(tls, lib.SQLITE_MUTEX_STATIC_MAIN) == 0 ||
			!configure(tls, lib.SQLITE_CONFIG_GETMUTEX, &l.locks) {
			return
		}
		locks := l.unlocked()
		configure(tls, lib.SQLITE_CONFIG_MUTEX, &locks)
		if configure(tls, lib.SQLITE_CONFIG_GETPCACHE2, &l.pages) {
			pages := l.movedAside()
			configure(tls, lib.SQLITE_CONFIG_PCACHE2, &pages)
		}
		// While it begins it needs a lock of the kind that there is none of afterwards.
		lib.Xsqlite3_initialize(tls)
	})
}

// configure has SQLite read a setting, or write it.
func configure[T any](tls *libc.TLS, what int32, setting *T) bool {
	list, there := libc.Xmalloc(tls, libc.Tsize_t(wordSize)), libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(*setting)))
	defer libc.Xfree(tls, list)
	defer libc.Xfree(tls, there)
	if list == 0 || there == 0 {
		return false
	}
	*at[T](there) = *setting
	code := lib.Xsqlite3_config(tls, what, libc.VaList(list, there))
	*setting = *at[T](there)
	return code == lib.SQLITE_OK
}

// unlocked are SQLite's locks without those that can be entered again by who is
// inside: a connection's.
func (l *library) unlocked() lib.Tsqlite3_mutex_methods {
	alloc := function[func(*libc.TLS, int32) uintptr](&l.locks.FxMutexAlloc)
	free, enter, leave := function[func(*libc.TLS, uintptr)](&l.locks.FxMutexFree), function[func(*libc.TLS, uintptr)](&l.locks.FxMutexEnter), function[func(*libc.TLS, uintptr)](&l.locks.FxMutexLeave)
	try := function[func(*libc.TLS, uintptr) int32](&l.locks.FxMutexTry)
	l.alloc = func(tls *libc.TLS, kind int32) uintptr {
		if kind == lib.SQLITE_MUTEX_RECURSIVE {
			return l.none
		}
		return alloc(tls, kind)
	}
	but := func(do func(*libc.TLS, uintptr)) func(*libc.TLS, uintptr) {
		return func(tls *libc.TLS, lock uintptr) {
			if lock != l.none {
				do(tls, lock)
			}
		}
	}
	l.free, l.enter, l.leave = but(free), but(enter), but(leave)
	l.try = func(tls *libc.TLS, lock uintptr) int32 {
		if lock == l.none {
			return lib.SQLITE_OK
		}
		return try(tls, lock)
	}
	locks := l.locks
	locks.FxMutexAlloc, locks.FxMutexFree, locks.FxMutexTry = pointer(&l.alloc), pointer(&l.free), pointer(&l.try)
	locks.FxMutexEnter, locks.FxMutexLeave = pointer(&l.enter), pointer(&l.leave)
	return locks
}

// lockByte is where in a file SQLite's locks lie. The page with it is never used.
const lockByte = 1 << 30

// movedAside is SQLite's cache of pages, but for one thing. When a page of an index
// is split, SQLite sorts the parts by their numbers, and while two change places one
// of them has the number of the page that is never used, of which there is no other.
// The cache takes that for a page it has, far behind the end of the file, and at the
// end of the transaction, when what lies there is to be dropped, goes through all
// pages to find it. Nothing can end a transaction in the middle of the exchange, and
// at its end no page has that number, so it need not be remembered.
func (l *library) movedAside() lib.Tsqlite3_pcache_methods2 {
	rekey := function[func(*libc.TLS, uintptr, uintptr, uint32, uint32)](&l.pages.FxRekey)
	l.rekey = func(tls *libc.TLS, cache, page uintptr, was, is uint32) {
		inside := at[lib.TPCache1](cache)
		highest := inside.FiMaxKey
		rekey(tls, cache, page, was, is)
		if is == lockByte/uint32(inside.FszPage)+1 { //nolint:gosec // 512 to 65536
			inside.FiMaxKey = highest
		}
	}
	pages := l.pages
	pages.FxRekey = pointer(&l.rekey)
	return pages
}
