//go:build unix

package decode_test

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// spent returns the processor time this process has used so far. The wall time of decoding a file
// also depends on what else the machine does.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var r unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
