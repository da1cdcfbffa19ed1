package main

import (
	"os"
	"strings"
	"testing"
)

// A variable that a script forgot to set must not lay the keys of a service into the folder in which it runs.
func TestAnEmptyFolderIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	nothingLies := func(what string) {
		t.Helper()
		if there, err := os.ReadDir("."); err != nil || len(there) > 0 {
			t.Fatalf("%s: in the folder lies %v: %v", what, there, err)
		}
	}
	for _, args := range [][]string{{"keys", "create", "--data", ""}, {"serve", "--data=", "--listen=nonsense"}, {"demo", "--once", "--data=", "--fault=nonsense"}} {
		code, _, problems := ringtrue(t, args...)
		if code != exitUsage || !strings.Contains(problems, "--data") || !strings.Contains(problems, "is empty") {
			t.Errorf("%q: exit code %d, %s", args, code, problems)
		}
		nothingLies(args[0])
	}
	t.Setenv("RINGTRUE_DATA", "")
	if code, _, problems := ringtrue(t, "migrate"); code != exitUsage || !strings.Contains(problems, "RINGTRUE_DATA") || !strings.Contains(problems, "is empty") {
		t.Errorf("exit code %d, %s", code, problems)
	}
	nothingLies("the variable")
	if code, _, problems := ringtrue(t, "version"); code != exitOK {
		t.Errorf("a command that keeps nothing: exit code %d, %s", code, problems)
	}
}
