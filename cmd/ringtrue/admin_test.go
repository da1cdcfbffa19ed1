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

// A key in a database that no service opens lets nobody in: what makes the first one of a
// new service does so in a folder that was made for it alone.
func TestAFirstKeyIsMadeInANewFolderAlone(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"keys", "create"}, {"workspaces", "create", "clinic"}} {
		typo := filepath.Join(t.TempDir(), "typo")
		another := t.TempDir() // as of a service whose rows are in PostgreSQL
		if err := os.Mkdir(filepath.Join(another, "recordings"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{typo, another} {
			code, out, problems := ringtrue(t, append(args, "--data="+folder)...)
			if code != exitCouldNot || out != "" || !strings.Contains(problems, "there is no database in "+folder) {
				t.Errorf("%v in %s: exit code %d, %q, %s", args, folder, code, out, problems)
			}
			if _, err := os.Stat(filepath.Join(folder, "ringtrue.db")); err == nil {
				t.Errorf("%v made a database in %s", args, folder)
			}
		}
		if _, err := os.Stat(typo); err == nil {
			t.Errorf("%v made the folder %s", args, typo)
		}
		volume := t.TempDir()
		if err := os.Mkdir(filepath.Join(volume, "lost+found"), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{t.TempDir(), volume} {
			for range 2 { // a new one, and then one that is there
				if code, out, problems := ringtrue(t, append(args, "--data="+folder)...); code != exitOK || !strings.Contains(out, "rt_") {
					t.Errorf("%v in %s: exit code %d, %q, %s", args, folder, code, out, problems)
				}
			}
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
