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
	for _, args := range [][]string{{"keys", "list"}, {"people", "link", "ada@example.com"}, {"workspaces", "list"}, {"migrate"}} {
		code, _, problems := ringtrue(t, append(args, "--data="+round)...)
		if code != exitCouldNot || !strings.Contains(problems, "too many levels of symbolic links") {
			t.Errorf("%v: exit code %d, %s", args, code, problems)
		}
		code, _, problems = ringtrue(t, append(args, "--data="+t.TempDir())...)
		if code != exitCouldNot || !strings.Contains(problems, "there is no database in") {
			t.Errorf("%v in an empty folder: exit code %d, %s", args, code, problems)
		}
		typo := filepath.Join(t.TempDir(), "typo")
		code, _, problems = ringtrue(t, append(args, "--data="+typo)...)
		if _, err := os.Stat(typo); code != exitCouldNot || !strings.Contains(problems, "there is no database in") || err == nil {
			t.Errorf("%v in no folder: exit code %d, %s", args, code, problems)
		}
	}
}

// The commands beside a service take the databases that it takes, and say so in its words.
func TestAnotherKindOfDatabase(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"keys", "list"}, {"keys", "create"}, {"people", "list"}, {"workspaces", "create", "x"}, {"migrate"}, {"serve", "--listen=127.0.0.1:0"}} {
		for _, address := range []string{"mysql://u:secret-word@127.0.0.1/x", "/var/lib/ringtrue.db", "host=127.0.0.1 password=secret-word"} {
			checkMisuse(t, misuse{args[0], append(args, "--database="+address), exitCouldNot,
				[]string{"--database: must begin with postgres:// or postgresql://", "SQLite in --data"}})
		}
	}
}
