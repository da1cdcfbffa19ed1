//go:build linux

package speech

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSweepTakesWhatTheDeadLeft makes another process create a folder, kills it, and sweeps: its
// folder must stay before the kill and go afterwards, and this process's own must stay throughout.
func TestSweepTakesWhatTheDeadLeft(t *testing.T) {
	t.Parallel()
	e, err := New(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	mine, done, err := e.programs.workDir()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command(os.Args[0], "-test.run=^TestHoldFolderUntilKilled$", "-test.v")
	other.Env = append(os.Environ(), "RINGTRUE_TEST_HOLD="+e.opts.Dir)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.StdinPipe(); err != nil { // it keeps running until the pipe is closed
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	theirs := ""
	for lines := bufio.NewScanner(out); theirs == "" && lines.Scan(); {
		_, _ = fmt.Sscanf(lines.Text(), "holds %s", &theirs)
	}
	stands := func(dir string) bool {
		_, err := os.Stat(dir)
		return err == nil
	}
	e.Sweep()
	if !stands(mine) || !stands(theirs) {
		t.Errorf("a folder in use was swept: mine stands %v, the other's %q stands %v", stands(mine), theirs, stands(theirs))
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait()
	foreign := filepath.Join(e.opts.Dir, "somebody-elses")
	if err := os.Mkdir(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	e.Sweep()
	if !stands(mine) || stands(theirs) || !stands(foreign) {
		t.Errorf("after the kill: mine stands %v, the dead one's %v, a foreign one %v", stands(mine), stands(theirs), stands(foreign))
	}
	done()
	if stands(mine) {
		t.Error("a folder that is done with stays")
	}
}

// TestNoFolderForWork checks that the error names the setting that decides where the folder is.
func TestNoFolderForWork(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	if _, _, err := (&programs{}).workDir(); err == nil || !strings.Contains(err.Error(), "TMPDIR") || !strings.Contains(err.Error(), "nowhere") {
		t.Error(err)
	}
}

func TestHoldFolderUntilKilled(t *testing.T) {
	dir := os.Getenv("RINGTRUE_TEST_HOLD")
	if dir == "" {
		return // only the process that TestSweepTakesWhatTheDeadLeft starts holds anything
	}
	held, done, err := (&programs{dir: dir}).workDir()
	if err != nil {
		t.Fatal(err)
	}
	defer done() // never called, but it keeps the lock from being collected
	if err := os.WriteFile(filepath.Join(held, "speech.raw"), []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	fmt.Println("holds", held)
	_, _ = io.Copy(io.Discard, os.Stdin) // with nothing to wait for, the runtime would end the process
}
