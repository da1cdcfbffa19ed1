//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package speech

import (
	"os"
	"syscall"
)

// canLock reports that locks show which directories are in use.
const canLock = true

// lockFolder locks a directory. ok is false if it is locked already or does not exist any more. The lock
// ends when the file is closed or the process exits, in whatever way; child processes do not inherit it.
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

// stillThere reports whether path is still the open file: it may have been removed before the
// lock was taken.
func stillThere(path string, open *os.File) bool {
	now, err := os.Stat(path)
	if err != nil {
		return false
	}
	locked, err := open.Stat()
	return err == nil && os.SameFile(now, locked)
}
