//go:build unix

package sqlite

import (
	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// writable tells of a file that can be read and no longer written: systems mount a disk that
// fails read-only, and leave those who have it open to find out. It asks, and writes nothing.
func (p place) writable() error {
	if err := unix.Access(p.path, unix.W_OK); err != nil {
		return problem.New(problem.Unavailable, "the files of the database may not be written (%v)", err).
			WithHint("see whether their disk has failed and is mounted read-only, and whose they are; a service that runs goes on by itself once they can be written").Because(err)
	}
	return nil
}
