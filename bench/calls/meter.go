package main

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// memory is what the process has resident, in KB.
func memory() int64 {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
			return kb
		}
	}
	return 0
}

// meter measures the processor time of the process, by getrusage.
type meter struct {
	before       unix.Rusage
	stolen, time float64
}

func begin() *meter {
	m := &meter{}
	m.stolen, m.time = stolen()
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
	s, t := stolen()
	return result{User: u2 - u1, System: s2 - s1, Stolen: 100 * (s - m.stolen) / max(t-m.time, 1)}
}

// stolen is how much processor time a host has taken away from this machine so
// far, and how much there was altogether, in ticks.
func stolen() (gone, all float64) {
	stat, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(stat), "\n")
	for i, field := range strings.Fields(first) {
		n, _ := strconv.ParseFloat(field, 64)
		if i >= 1 && i <= 8 {
			all += n
		}
		if i == 8 {
			gone = n
		}
	}
	return gone, all
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
