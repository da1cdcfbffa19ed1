package pgtest

import (
	"strings"
	"testing"
)

func TestTheServerOfAnotherIsNotTakenForOurs(t *testing.T) {
	ours, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	if err := ours.await(); err != nil {
		t.Fatalf("our own server: %v", err)
	}
	late := Server{port: ours.port, folder: t.TempDir()}
	if err := late.await(); err == nil || !strings.Contains(err.Error(), "another server's") {
		t.Fatalf("a server that found its port taken came up as the one that took it: %v", err)
	}
}

func TestAPortIsClaimedOnce(t *testing.T) {
	claimed := map[int]bool{}
	for range ports / 4 { // so many that chance alone would give some of them twice
		port, claim, err := claimPort()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = claim.Close() })
		if claimed[port] {
			t.Fatalf("port %d is claimed twice", port)
		}
		claimed[port] = true
	}
}
