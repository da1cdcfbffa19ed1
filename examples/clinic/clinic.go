// Package clinic is the sample dataset: callers for the practice agent, the
// front desk of an invented clinic. Command ringtrue's demo runs it; it is also
// a dataset file to start one's own from.
package clinic

import _ "embed"

//go:embed dataset.yaml
var dataset []byte

// Dataset returns the items as YAML.
func Dataset() []byte { return dataset }

// Faults are the two that the demo's practice agent has, so that a newcomer
// sees what a finding looks like: it says prices too high, and it goes on
// speaking when it is interrupted.
func Faults() []string { return []string{"wrong_price=20", "ignore_interruption"} }
