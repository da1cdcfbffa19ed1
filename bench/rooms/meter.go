package main

import (
	"time"

	"github.com/ringtrue/ringtrue/bench/meter"
)

// reading is what has been used up to a moment: processor seconds of the calling process, the
// server and the agents, and the time of the whole machine.
type reading struct {
	near, server, agents float64
	at                   time.Time
	machine              meter.Machine
}

// account calculates what was used between two readings, per room minute.
func (o *outcome) account(before, after reading, rooms int) {
	minutes := after.at.Sub(before.at).Minutes() * float64(rooms)
	near, server, agents := after.near-before.near, after.server-before.server, after.agents-before.agents
	o.steady, o.server, o.agents = near/minutes, server/minutes, agents/minutes
	machine := after.machine.Since(before.machine)
	o.others, o.stolen = machine.Others(near+server+agents), machine.Taken()
}
