package sqlite

import (
	"errors"

	"golang.org/x/sys/unix"
	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// dataSync are the system's methods with a sync that has the disk write what a
// file holds and what is needed to read it again, such as a new length, but not
// when it was last written: else most syncs would be two writes to the disk, one
// after the other. SQLite does so itself where it is built for it.
type dataSync struct {
	lib.Tsqlite3_io_methods
	// sync is called by SQLite's address of it, which does not keep it alive.
	sync func(tls *libc.TLS, file uintptr, flags int32) int32
}

func dataSynced(system *lib.Tsqlite3_io_methods) *lib.Tsqlite3_io_methods {
	d := &dataSync{Tsqlite3_io_methods: *system}
	whole := function[func(*libc.TLS, uintptr, int32) int32](&system.FxSync)
	d.sync = func(tls *libc.TLS, file uintptr, flags int32) int32 {
		f := at[lib.TunixFile](file)
		if f.FctrlFlags&lib.UNIXFILE_DIRSYNC != 0 { // it is new: its folder is synced with it
			return whole(tls, file, flags)
		}
		err := unix.Fdatasync(int(f.Fh))
		for errors.Is(err, unix.EINTR) {
			err = unix.Fdatasync(int(f.Fh))
		}
		if err != nil {
			return lib.SQLITE_IOERR_FSYNC
		}
		return lib.SQLITE_OK
	}
	d.FxSync = pointer(&d.sync)
	return &d.Tsqlite3_io_methods
}
