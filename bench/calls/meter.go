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

func (m *meter) end(out *result) {
	var after unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &after)
	seconds := func(r *unix.Rusage) (user, system float64) {
		return float64(r.Utime.Nano()) / 1e9, float64(r.Stime.Nano()) / 1e9
	}
	u1, s1 := seconds(&m.before)
	u2, s2 := seconds(&after)
	s, t := stolen()
	out.User, out.System, out.Stolen = u2-u1, s2-s1, 100*(s-m.stolen)/max(t-m.time, 1)
}

// ticks are the columns of /proc/stat's first line: user, nice, system, idle,
// iowait, irq, softirq, steal.
func ticks() (t [8]float64) {
	stat, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(stat), "\n")
	for i, field := range strings.Fields(first) {
		if i >= 1 && i <= len(t) {
			t[i-1], _ = strconv.ParseFloat(field, 64)
		}
	}
	return t
}

// stolen is how much processor time a host has taken away from this machine so
// far, and how much there was altogether, in ticks.
func stolen() (gone, all float64) {
	t := ticks()
	for _, n := range t {
		all += n
	}
	return t[7], all
}

// processors is how many seconds the processors have worked so far, and how many have passed on all of them.
func processors() (busy, all float64) {
	for i, n := range ticks() {
		all += n / perSecond
		if i != 3 && i != 4 && i != 7 {
			busy += n / perSecond
		}
	}
	return busy, all
}

// perSecond is USER_HZ, the same on every Linux.
const perSecond = 100

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
	return (user + system) / perSecond
}
