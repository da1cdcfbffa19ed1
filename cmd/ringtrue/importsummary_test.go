package main

import (
	"fmt"
	"testing"
)

// Refusals are told by file and line, in whatever order the answers came.
func TestRefusalsAreToldInOrder(t *testing.T) {
	t.Parallel()
	i := &importing{}
	for _, r := range []refusal{{File: "b", Line: 1}, {File: "a", Line: 10, Call: "c-1"}, {File: "a", Line: 9}, {File: "a", Line: 10, Call: "c-0"}, {File: "a"}} {
		i.refuse(r)
	}
	var order []string
	for _, r := range i.summary().Refusals {
		order = append(order, fmt.Sprint(r.File, r.Line, r.Call))
	}
	if got, want := fmt.Sprint(order), "[a0 a9 a10c-1 a10c-0 b1]"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
