package main

import (
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
	if code != exitCouldNot || out != "" || !strings.Contains(problems, "no temporary folder can be made in "+nowhere) ||
		!strings.Contains(problems, "TMPDIR") || !strings.Contains(problems, "--data") {
		t.Errorf("exit code %d, %s%s", code, out, problems)
	}
}
