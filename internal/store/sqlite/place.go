package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// place is where the files of an open database lie. A system goes on writing to
// files that were removed, or another file system laid over, as if nothing had
// happened, and everything is lost with the process: so each transaction that
// writes looks whether they are still there.
type place struct {
	path string
	file fs.FileInfo
}

func placeOf(path string) (place, error) {
	file, err := os.Stat(path)
	return place{path: path, file: file}, err
}

// BehindLinks is the file itself where a link leads to it, also when it is yet to be made: SQLite has
// its logs beside that.
func BehindLinks(path string) string {
	const most = 40 // as many as a system follows
	for range most {
		if file, err := filepath.EvalSymlinks(path); err == nil {
			return file
		}
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				break
			}
			to = filepath.Join(folder, to)
		}
		path = to
	}
	return path
}

// makePrivate makes a file that is not there yet, for nobody but the user that runs this. SQLite itself
// makes files as the process makes any, which others may read as a rule, and gives the logs beside a
// database the mode of that. One that is there is not even opened: to close it would take away the
// locks that other connections of the process have on it.
func makePrivate(path string) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600) //nolint:gosec // the operator names the folder
	if err == nil {
		_ = f.Close() // nothing was written
	} // else it is there, or SQLite says why it cannot be made
}

// journalled is what a database that keeps no log has at formatAt in its file. Ours keep one from
// their first page on, but a copy made by VACUUM INTO does not until it is opened.
const (
	formatAt   = 18
	journalled = 1
)

// checkLog refuses a copy that was put into the place of a file whose log is still there, as a process
// that was killed leaves it. SQLite would take the log for the copy's own, and lay its pages over it.
func checkLog(path string) error {
	log, err := os.Stat(path + "-wal")
	if err != nil || log.Size() == 0 {
		return nil //nolint:nilerr // SQLite says what is wrong with it
	}
	f, err := os.Open(path) //nolint:gosec // the operator names the folder
	if err != nil {
		return nil //nolint:nilerr // so it does here
	}
	defer func() { _ = f.Close() }() // it was only read, and no connection of this process has it open yet
	format := make([]byte, 1)
	if _, err := f.ReadAt(format, formatAt); err != nil || format[0] != journalled {
		return nil //nolint:nilerr // as above
	}
	return problem.New(problem.Unavailable, "the log %[1]s-wal belongs to another file than %[1]s, which is a copy", path).
		WithHint("It is of the file that the copy has replaced: take it away, with %[1]s-shm, and start again. Nothing was changed.", path)
}

// check is for when a connection that writes is open: then there is a log.
func (p place) check() error {
	file, err := os.Stat(p.path)
	if err == nil && !os.SameFile(file, p.file) {
		err = errors.New("there is another file in the place of the database")
	}
	if err == nil {
		_, err = os.Stat(p.path + "-wal")
	}
	if err == nil {
		return nil
	}
	e := problem.New(problem.Unavailable, "the files of the database are gone from where they were").
		WithHint("nothing was changed; put them back, or stop the service and restore a backup")
	e.RetryAfter = comeBack // who sends call logs may not know how to wait otherwise
	return e.Because(err)
}

// comeBack is when a client is told to try again, as with any other database that is away.
const comeBack = 2 * time.Second

// room is what a disk must still take beside a database for it to be ready: a transaction of some pages.
const room = 1 << 16

// hasRoom tells of a disk that is full. What a system says of its free space knows no quota and
// is late on some disks, so a file is written; what else fails there says nothing of the
// database, whose files are open. It loses its name before it takes room: a process that is killed
// meanwhile leaves nothing.
func (p place) hasRoom() error {
	f, err := os.CreateTemp(filepath.Dir(p.path), ".probe-*")
	if err == nil {
		unnamed := os.Remove(f.Name())
		_, err = f.Write(make([]byte, room))
		err = errors.Join(err, f.Close(), unnamed)
	}
	if !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, syscall.EDQUOT) {
		return nil
	}
	return problem.New(problem.Unavailable, "there is no room left for the database to write").
		WithHint("free space on the disk of the database: the service goes on by itself then").Because(err)
}

// noFolder is what SQLite says, under no code of its own, of a folder that takes no files.
const noFolder = "not a writable directory"

// unusable says of a file that cannot be opened what to do about it.
func unusable(path string, err error) error {
	var failure *driver.Error
	if problem.As(err) != nil || !errors.As(err, &failure) {
		return fmt.Errorf("database %s: %w", path, err)
	}
	var p *problem.Error
	code := failure.Code() & 0xff
	if code == lib.SQLITE_ERROR && strings.Contains(failure.Error(), noFolder) {
		code = lib.SQLITE_CANTOPEN
	}
	switch code {
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		p = problem.New(problem.Unavailable, "the database %s is damaged, or is none: %v", path, failure).
			WithHint("Look at its disk, and restore a backup into an empty folder: a %[1]s-wal that is not the backup's own spoils it.", path)
	case lib.SQLITE_FULL:
		p = problem.New(problem.Unavailable, "there is no room left on the disk of the database %s: %v", path, failure).
			WithHint("Free some and start again. Nothing is lost: a step that was broken off is taken again.")
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_PERM:
		p = problem.New(problem.Unavailable, "the database %s cannot be read or written: %v", path, failure).
			WithHint("See whether its disk is full, fails or is mounted read-only, and whose the file and its folder are.")
	default:
		return fmt.Errorf("database %s: %w", path, err)
	}
	return p.Because(err)
}
