//go:build unix

package decode_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// spent is how much processor time this process has taken so far: how long a file takes
// by the clock is also a matter of what else the machine does.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
