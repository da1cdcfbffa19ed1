package fetch

import (
	"cmp"
	"os"

	"golang.org/x/sys/unix"
)

// scratch creates a file that never has a name, so that a process killed at any
// moment leaves nothing behind. It falls back to byName on file systems that do not
// support that.
func scratch(dir string) (f *os.File, named bool, err error) {
	if f, err = os.OpenFile(cmp.Or(dir, os.TempDir()), unix.O_TMPFILE|os.O_RDWR, 0o600); err == nil {
		return f, false, nil
	}
	return byName(dir)
}
