package main

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// perSecond is the unit of the kernel's accounts of processor time, in ticks.
const perSecond = 100

// reading is what has been used at a moment: processor seconds of the calling
// process, the server and the agents, and the ticks of the whole machine.
type reading struct {
	near, server, agents float64
	at                   time.Time
	ticks                [8]float64
}

// account says what was used between two readings, per room minute.
func (o *outcome) account(before, after reading, rooms int) {
	minutes := after.at.Sub(before.at).Minutes() * float64(rooms)
	near, server, agents := after.near-before.near, after.server-before.server, after.agents-before.agents
	o.steady, o.server, o.agents = near/minutes, server/minutes, agents/minutes
	var all, busy float64
	for i := range after.ticks {
		n := (after.ticks[i] - before.ticks[i]) / perSecond
		all += n
		if i != 3 && i != 4 && i != 7 { // idle, waiting for a disk, taken away
			busy += n
		}
	}
	o.others = 100 * max(busy-near-server-agents, 0) / max(all, 0.01)
	o.stolen = (after.ticks[7] - before.ticks[7]) / max(all, 0.01)
}

// cpuOf is the processor time that a process has used, in seconds.
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
