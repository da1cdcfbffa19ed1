package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ringtrue/ringtrue/client"
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

// A folder's name is no pattern, whatever it is.
func TestADemoFindsItsRecordings(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "demo [1]")
	file := filepath.Join(data, "recordings", "ws_1", "call_1", "att_1.wav")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	found := (&demo{data: data}).recordings(client.Report{Calls: []client.ReportCall{{Call: client.Call{ID: "call_1"}}, {Call: client.Call{ID: "call_2"}}}})
	if len(found) != 1 || found["call_1"] != file {
		t.Errorf("%v", found)
	}
}
