package sqlite

import (
	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// writersLock is how a gathered log hears that its connection lets go of the
// lock of those who write. The locks are methods of the file that the log
// belongs to.
type writersLock struct {
	database *lib.Tsqlite3_file
	// methods is SQLite's table of what is below, own what was there before, and system what lies there.
	methods, own uintptr
	system       *lib.Tsqlite3_io_methods
	// set is called by SQLite, which does not keep it alive.
	set func(tls *libc.TLS, database uintptr, first, n, flags int32) int32
}

// writing is the place of the lock among those of the write-ahead log.
const writing = 0

// guard hands over what is kept back of the log before its lock is given up. Only
// a transaction that was undone leaves anything, so that it may fail.
func (f *gathered) guard(database *lib.Tsqlite3_file, log uintptr) {
	l := &f.lock
	l.database, l.own, l.system = database, database.FpMethods, at[lib.Tsqlite3_io_methods](database.FpMethods)
	l.set = func(tls *libc.TLS, database uintptr, first, n, flags int32) int32 {
		if first == writing && flags == lib.SQLITE_SHM_UNLOCK|lib.SQLITE_SHM_EXCLUSIVE {
			_ = f.handOver(tls, log)
		}
		return function[func(*libc.TLS, uintptr, int32, int32, int32) int32](&l.system.FxShmLock)(tls, database, first, n, flags)
	}
	mine := at[lib.Tsqlite3_io_methods](l.methods)
	*mine = *l.system
	mine.FxShmLock = pointer(&l.set)
	database.FpMethods = l.methods
}

// takeBack gives the file its own methods again.
func (l *writersLock) takeBack(tls *libc.TLS) {
	if l.database == nil {
		return
	}
	l.database.FpMethods = l.own
	libc.Xfree(tls, l.methods)
	l.database = nil
}
