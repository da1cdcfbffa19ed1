package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// "There is no database" would send whoever may not look for it to another folder.
func TestAFolderThatCannotBeLookedInto(t *testing.T) {
	t.Parallel()
	round := filepath.Join(t.TempDir(), "round")
	if err := os.Symlink("round", round); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"keys", "list"}, {"people", "link", "ada@example.com"}, {"workspaces", "list"}} {
		code, _, problems := ringtrue(t, append(args, "--data="+round)...)
		if code != exitCouldNot || !strings.Contains(problems, "too many levels of symbolic links") {
			t.Errorf("%v: exit code %d, %s", args, code, problems)
		}
		code, _, problems = ringtrue(t, append(args, "--data="+t.TempDir())...)
		if code != exitCouldNot || !strings.Contains(problems, "there is no database in") {
			t.Errorf("%v in an empty folder: exit code %d, %s", args, code, problems)
		}
	}
}
