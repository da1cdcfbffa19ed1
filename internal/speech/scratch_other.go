//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package speech

import "os"

// canLock is false because it cannot be determined which directories are in use; nothing is swept.
const canLock = false

// lockFolder opens a directory without locking it.
func lockFolder(path string) (lock *os.File, ok bool) {
	lock, err := os.Open(path)
	return lock, err == nil
}
