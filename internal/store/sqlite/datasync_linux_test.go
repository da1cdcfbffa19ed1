package sqlite

import (
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// A new file is synced with its folder, by the system; any other is by its data,
// and a sync that fails is told of.
func TestDataSync(t *testing.T) {
	t.Parallel()
	tls := libc.NewTLS()
	defer tls.Close()
	address := libc.Xcalloc(tls, 1, libc.Tsize_t(unsafe.Sizeof(lib.TunixFile{})))
	defer libc.Xfree(tls, address)
	asked := 0
	whole := func(*libc.TLS, uintptr, int32) int32 { asked++; return lib.SQLITE_OK }
	t.Cleanup(func() { _ = whole }) // its address does not keep it where it is
	methods := dataSynced(&lib.Tsqlite3_io_methods{FxSync: pointer(&whole)})
	sync := function[func(*libc.TLS, uintptr, int32) int32](&methods.FxSync)

	opened, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	file := at[lib.TunixFile](address)
	file.Fh, file.FctrlFlags = int32(opened.Fd()), lib.UNIXFILE_DIRSYNC //nolint:gosec // a file's number is small
	if code := sync(tls, address, lib.SQLITE_SYNC_NORMAL); code != lib.SQLITE_OK || asked != 1 {
		t.Errorf("of a new file: %d, the system was asked %d times", code, asked)
	}
	file.FctrlFlags = 0
	if code := sync(tls, address, lib.SQLITE_SYNC_NORMAL); code != lib.SQLITE_OK || asked != 1 {
		t.Errorf("of an older one: %d, the system was asked %d times", code, asked)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
	file.Fh = -1 // the number it had may be another test's file by now
	if code := sync(tls, address, lib.SQLITE_SYNC_NORMAL); code != lib.SQLITE_IOERR_FSYNC {
		t.Errorf("of one that is not open: %d", code)
	}
}
