package main

import (
	"os"
	"runtime/metrics"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// footprint is the memory of a process: resident, and in use on Go's heap and stacks.
type footprint struct {
	rss  int64 // KB
	heap int64 // bytes
}

func memory() footprint {
	var f footprint
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			f.rss, _ = strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		}
	}
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	for _, s := range samples {
		f.heap += int64(s.Value.Uint64())
	}
	return f
}

// meter measures the processor time of the process, by getrusage.
type meter struct{ before unix.Rusage }

func begin() *meter {
	m := &meter{}
	_ = unix.Getrusage(unix.RUSAGE_SELF, &m.before)
	return m
}

func (m *meter) end() result {
	var after unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
	seconds := func(r *unix.Rusage) (user, system float64) {
		return float64(r.Utime.Nano()) / 1e9, float64(r.Stime.Nano()) / 1e9
	}
	u1, s1 := seconds(&m.before)
	u2, s2 := seconds(&after)
	return result{User: u2 - u1, System: s2 - s1}
}

// cpuOf is the processor time in seconds that a process has used so far, 0 when it is gone.
func cpuOf(pid int) float64 {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name in parentheses may hold blanks; what follows it does not.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	const perSecond = 100 // USER_HZ, the same on every Linux
	return (user + system) / perSecond
}
