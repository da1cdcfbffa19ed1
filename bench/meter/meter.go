// Package meter is shared by benchmarks: it measures what a process and the machine have used so
// far, and manages the parts of a benchmark, which are processes of the same program. bench/calls,
// bench/rooms and bench/ingest use it. It measures on Linux only.
package meter

import (
	"os"
	"strconv"
	"strings"
)

// perSecond is USER_HZ, the unit of the kernel's processor times; it is the same on every Linux.
const perSecond = 100

// CPU returns the processor time in seconds that a process has used so far, 0 if it has gone.
func CPU(pid int) float64 {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The name in parentheses may contain spaces; what follows it does not.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / perSecond
}

// Memory returns the resident memory of a process in KB, current and maximum.
func Memory(pid int) (now, peak float64) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		kb, _ := strconv.ParseFloat(fields[0], 64)
		switch name {
		case "VmRSS":
			now = kb
		case "VmHWM":
			peak = kb
		}
	}
	return now, peak
}

// Machine is how the time of all processors was spent, in seconds: Busy by programs, Stolen by a
// host, All in total.
type Machine struct {
	Busy, Stolen, All float64
}

// Now reads the machine's processor times.
func Now() (m Machine) {
	stat, _ := os.ReadFile("/proc/stat")
	first, _, _ := strings.Cut(string(stat), "\n")
	// user, nice, system, idle, iowait, irq, softirq, steal
	for i, field := range strings.Fields(first) {
		if i == 0 || i > 8 {
			continue
		}
		n, _ := strconv.ParseFloat(field, 64)
		n /= perSecond
		m.All += n
		switch i {
		case 4, 5:
		case 8:
			m.Stolen += n
		default:
			m.Busy += n
		}
	}
	return m
}

// Since returns how the time since an earlier reading was spent.
func (m Machine) Since(before Machine) Machine {
	return Machine{Busy: m.Busy - before.Busy, Stolen: m.Stolen - before.Stolen, All: m.All - before.All}
}

// Others returns the percentage of all processor time used by programs other than those that used
// ours seconds.
func (m Machine) Others(ours float64) float64 { return 100 * max(m.Busy-ours, 0) / max(m.All, 0.01) }

// Taken returns the percentage of all processor time that a host took away.
func (m Machine) Taken() float64 { return 100 * m.Stolen / max(m.All, 0.01) }
