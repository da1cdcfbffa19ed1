package main

import (
	"net"
	"testing"
)

// Two of them on one machine is the first thing that goes wrong: which flag moves one elsewhere is said.
func TestPracticeOnATakenPort(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() }) //nolint:errcheck // it only holds the port
	at := taken.Addr().String()
	for _, m := range []misuse{
		{"telephone", []string{"practice", "--listen=" + at}, exitCouldNot, []string{"no calls can be taken on " + at, "--listen IP:PORT", "address already in use"}},
		{"recordings", []string{"practice", "--listen=127.0.0.1:0", "--recordings=" + at}, exitCouldNot, []string{"no recordings can be served at " + at, "--recordings IP:PORT", "address already in use"}},
		{"somebody else's address", []string{"practice", "--listen=203.0.113.77:5070"}, exitCouldNot, []string{"no calls can be taken on 203.0.113.77:5070", "--listen IP:PORT"}},
	} {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			checkMisuse(t, m)
		})
	}
}
