package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestADemoWithoutATemporaryFolder(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "none")
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} { // whichever the system has
		t.Setenv(variable, nowhere)
	}
	code, out, problems := ringtrue(t, "demo", "--once")
	if code != exitCouldNot || out != "" || !strings.Contains(problems, "cannot create a temporary folder in "+nowhere) ||
		!strings.Contains(problems, "TMPDIR") || !strings.Contains(problems, "--data") {
		t.Errorf("exit code %d, %s%s", code, out, problems)
	}
}

// What ends before anybody was phoned leaves no folder that nobody was told of. (The program that the
// demo starts as the practice agent is this test, which is none.)
func TestADemoThatComesToNothingLeavesNothing(t *testing.T) {
	temporary, given := t.TempDir(), t.TempDir()
	for _, variable := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(variable, temporary)
	}
	if code, _, problems := ringtrue(t, "demo", "--once"); code != exitCouldNot || !strings.Contains(problems, "did not start") {
		t.Errorf("exit code %d, %s", code, problems)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("it has left %v: %v", left, err)
	}
	ringtrue(t, "demo", "--once", "--data", given)
	if _, err := os.Stat(given); err != nil {
		t.Errorf("the folder that was given: %v", err)
	}
}
