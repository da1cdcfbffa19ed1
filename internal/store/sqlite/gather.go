package sqlite

import (
	"errors"
	"strconv"
	"sync"
	"unsafe"

	"modernc.org/libc"
	lib "modernc.org/sqlite/lib"
)

// gather is a VFS of SQLite's for the writing connection. It is that of the
// system, but for one thing: what SQLite writes to the write-ahead log piece by
// piece, two for each page, it keeps back and hands to the system as one, before
// anything else is done with the log. A commit that stores some call logs writes
// a hundred pieces.
//
// Nobody misses what is kept back: a transaction can be read, by others or after
// a crash, once its commit has synced the log, which hands everything over first.
// So it is for a connection that is synchronous=FULL; with less, a commit would
// be told of before the log has it. Nor is anything kept back once the connection
// has let go of the lock of those who write: then the place of a transaction that
// was undone belongs to whoever writes next.
type gather struct {
	tls  *libc.TLS
	name string
	// log hears of what is handed over.
	log *growth
	// vfs is SQLite's description of this one, and system that of the system's own.
	vfs, system uintptr
	// open is called by SQLite, which does not keep it alive.
	open func(tls *libc.TLS, vfs, name, file uintptr, flags int32, out uintptr) int32

	mu    sync.Mutex
	files map[*gathered]bool
	once  sync.Once
}

// maxGathered is how many bytes are kept back at most. SQLite writes less than
// 128 kB at a time.
const maxGathered = 124 << 10

// newGather registers the VFS. log hears of what is written by way of it.
func newGather(log *growth) (*gather, error) {
	g := &gather{tls: libc.NewTLS(), log: log, files: map[*gathered]bool{}}
	g.open = g.opened
	g.system = lib.Xsqlite3_vfs_find(g.tls, 0)
	g.vfs = libc.Xmalloc(g.tls, libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_vfs{})))
	g.name = "gather-" + strconv.FormatUint(uint64(g.vfs), 16)
	name, err := libc.CString(g.name)
	if err != nil || g.vfs == 0 || g.system == 0 {
		return nil, errors.Join(errors.New("there is no VFS of the system's, or no memory for one beside it"), err)
	}
	mine := at[lib.Tsqlite3_vfs](g.vfs)
	*mine = *at[lib.Tsqlite3_vfs](g.system)
	mine.FpNext, mine.FzName, mine.FxOpen = 0, name, pointer(&g.open)
	if code := lib.Xsqlite3_vfs_register(g.tls, g.vfs, 0); code != lib.SQLITE_OK {
		return nil, errors.New("register a VFS: " + strconv.Itoa(int(code)))
	}
	return g, nil
}

// close takes the VFS back, and may be called again. Its memory stays: a
// connection that is still in use goes on with it.
func (g *gather) close() {
	g.once.Do(func() {
		lib.Xsqlite3_vfs_unregister(g.tls, g.vfs)
		g.tls.Close()
	})
}

// opened opens a file, and puts itself before the methods of one that is a log.
func (g *gather) opened(tls *libc.TLS, _, name, file uintptr, flags int32, out uintptr) int32 {
	system := at[lib.Tsqlite3_vfs](g.system)
	open := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](&system.FxOpen)
	code := open(tls, g.system, name, file, flags, out)
	if code != lib.SQLITE_OK || flags&lib.SQLITE_OPEN_WAL == 0 {
		return code
	}
	const size = libc.Tsize_t(unsafe.Sizeof(lib.Tsqlite3_io_methods{}))
	f := &gathered{of: g, methods: libc.Xmalloc(tls, size)}
	f.lock.methods = libc.Xmalloc(tls, size)
	if f.methods == 0 || f.lock.methods == 0 { // then it goes on piece by piece
		libc.Xfree(tls, f.methods)
		libc.Xfree(tls, f.lock.methods)
		return code
	}
	f.begin(at[lib.Tsqlite3_file](file))
	f.system = dataSynced(f.system)
	f.guard(at[lib.Tsqlite3_file](lib.Xsqlite3_database_file_object(tls, name)), file)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.files[f] = true
	return code
}

// gathered is a log that is open. Like its connection it is used by one goroutine at a time.
type gathered struct {
	of *gather
	// methods is SQLite's table of what is below, and system what was there before.
	methods uintptr
	system  *lib.Tsqlite3_io_methods
	// kept lies in the file from start on, once it is handed over.
	kept  []byte
	start int64
	lock  writersLock

	// SQLite calls these and does not keep them alive.
	write    func(tls *libc.TLS, file, from uintptr, n int32, offset int64) int32
	read     func(tls *libc.TLS, file, into uintptr, n int32, offset int64) int32
	truncate func(tls *libc.TLS, file uintptr, size int64) int32
	sync     func(tls *libc.TLS, file uintptr, flags int32) int32
	size     func(tls *libc.TLS, file, out uintptr) int32
	control  func(tls *libc.TLS, file uintptr, op int32, arg uintptr) int32
	close    func(tls *libc.TLS, file uintptr) int32
}

// begin puts the methods in the place of the file's own.
func (f *gathered) begin(file *lib.Tsqlite3_file) {
	f.system, f.kept = at[lib.Tsqlite3_io_methods](file.FpMethods), make([]byte, 0, maxGathered)
	f.write, f.read, f.truncate, f.sync, f.size, f.control, f.close = f.onWrite, f.onRead, f.onTruncate, f.onSync, f.onSize, f.onControl, f.onClose
	mine := at[lib.Tsqlite3_io_methods](f.methods)
	*mine = *f.system
	mine.FxWrite, mine.FxRead, mine.FxTruncate = pointer(&f.write), pointer(&f.read), pointer(&f.truncate)
	mine.FxSync, mine.FxFileSize, mine.FxFileControl, mine.FxClose = pointer(&f.sync), pointer(&f.size), pointer(&f.control), pointer(&f.close)
	file.FpMethods = f.methods
}

func (f *gathered) onWrite(tls *libc.TLS, file, from uintptr, n int32, offset int64) int32 {
	if len(f.kept)+int(n) > cap(f.kept) || offset != f.start+int64(len(f.kept)) {
		if code := f.handOver(tls, file); code != lib.SQLITE_OK {
			return code
		}
		f.start = offset
	}
	if int(n) > cap(f.kept) {
		return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](&f.system.FxWrite)(tls, file, from, n, offset)
	}
	f.kept = append(f.kept, unsafe.Slice(at[byte](from), n)...)
	return lib.SQLITE_OK
}

// handOver writes what was kept back. What fails of it is lost, as it would be
// with a write that fails: then the transaction has not been.
func (f *gathered) handOver(tls *libc.TLS, file uintptr) int32 {
	if len(f.kept) == 0 {
		return lib.SQLITE_OK
	}
	n := int32(len(f.kept)) //nolint:gosec // at most maxGathered
	code := function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](&f.system.FxWrite)(tls, file, uintptr(unsafe.Pointer(&f.kept[0])), n, f.start)
	f.start, f.kept = f.start+int64(n), f.kept[:0]
	f.of.log.add(int64(n), f.start)
	return code
}

// onRead fails with IOERR when what was kept back could not be written. After any
// other failure of a read SQLite undoes no more than the statement that needed
// it, and could then commit a log with a gap in it.
func (f *gathered) onRead(tls *libc.TLS, file, into uintptr, n int32, offset int64) int32 {
	if f.handOver(tls, file) != lib.SQLITE_OK {
		return lib.SQLITE_IOERR_WRITE
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](&f.system.FxRead)(tls, file, into, n, offset)
}

func (f *gathered) onTruncate(tls *libc.TLS, file uintptr, size int64) int32 {
	if code := f.handOver(tls, file); code != lib.SQLITE_OK {
		return code
	}
	return function[func(*libc.TLS, uintptr, int64) int32](&f.system.FxTruncate)(tls, file, size)
}

func (f *gathered) onSync(tls *libc.TLS, file uintptr, flags int32) int32 {
	if code := f.handOver(tls, file); code != lib.SQLITE_OK {
		return code
	}
	return function[func(*libc.TLS, uintptr, int32) int32](&f.system.FxSync)(tls, file, flags)
}

func (f *gathered) onSize(tls *libc.TLS, file, out uintptr) int32 {
	if code := f.handOver(tls, file); code != lib.SQLITE_OK {
		return code
	}
	return function[func(*libc.TLS, uintptr, uintptr) int32](&f.system.FxFileSize)(tls, file, out)
}

func (f *gathered) onControl(tls *libc.TLS, file uintptr, op int32, arg uintptr) int32 {
	if code := f.handOver(tls, file); code != lib.SQLITE_OK {
		return code
	}
	return function[func(*libc.TLS, uintptr, int32, uintptr) int32](&f.system.FxFileControl)(tls, file, op, arg)
}

func (f *gathered) onClose(tls *libc.TLS, file uintptr) int32 {
	written := f.handOver(tls, file)
	f.lock.takeBack(tls)
	code := function[func(*libc.TLS, uintptr) int32](&f.system.FxClose)(tls, file)
	at[lib.Tsqlite3_file](file).FpMethods = 0
	libc.Xfree(tls, f.methods)
	f.of.mu.Lock()
	defer f.of.mu.Unlock()
	delete(f.of.files, f)
	if code == lib.SQLITE_OK {
		code = written
	}
	return code
}

// at is what lies at an address in SQLite's memory, which Go knows nothing of.
func at[T any](address uintptr) *T { return *(**T)(unsafe.Pointer(&address)) }

// pointer is a function as SQLite keeps it: the address of what it refers to.
func pointer[F any](f *F) uintptr { return *(*uintptr)(unsafe.Pointer(f)) }

// function is the opposite of pointer.
func function[F any](pointer *uintptr) F { return *(*F)(unsafe.Pointer(pointer)) }
