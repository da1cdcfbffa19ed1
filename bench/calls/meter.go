package main

import (
	"os"

	"golang.org/x/sys/unix"

	"github.com/ringtrue/ringtrue/bench/meter"
)

// memory returns the resident memory of this process in KB.
func memory() int64 {
	now, _ := meter.Memory(os.Getpid())
	return int64(now)
}

// usage measures the processor time of this process, by getrusage.
type usage struct {
	before  unix.Rusage
	machine meter.Machine
}

func begin() *usage {
	u := &usage{machine: meter.Now()}
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u.before)
	return u
}

func (u *usage) end(out *result) {
	var after unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
	seconds := func(r *unix.Rusage) (user, system float64) {
		return float64(r.Utime.Nano()) / 1e9, float64(r.Stime.Nano()) / 1e9
	}
	u1, s1 := seconds(&u.before)
	u2, s2 := seconds(&after)
	out.User, out.System, out.Stolen = u2-u1, s2-s1, meter.Now().Since(u.machine).Taken()
}
