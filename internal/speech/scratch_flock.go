//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package speech

import (
	"os"
	"syscall"
)

// canLock says that locks tell whose a folder is.
const canLock = true

// lockFolder takes the lock of a folder; ok is false when somebody has it, or
// when the folder is not there any more. The lock ends with the file or with
// the process, however that ends; programs that we start do not inherit it.
func lockFolder(path string) (lock *os.File, ok bool) {
	lock, err := os.Open(path)
	if err != nil {
		return nil, false
	}
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && stillThere(path, lock) {
		return lock, true
	}
	_ = lock.Close()
	return nil, false
}

// stillThere reports whether the path is still that of the open file: it may
// have been removed before the lock was taken.
func stillThere(path string, open *os.File) bool {
	now, err := os.Stat(path)
	if err != nil {
		return false
	}
	locked, err := open.Stat()
	return err == nil && os.SameFile(now, locked)
}
