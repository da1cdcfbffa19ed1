// Package stories tells what a user does, as scripts run against the real
// binary: testdata/*.txtar. Each gets a folder, a data folder and ports of its
// own. What a script cannot tell well (the demo's report, processes that are
// killed) stands in Go beside them.
package stories

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestStories(t *testing.T) {
	t.Parallel()
	binary := build(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			port, err := freePort()
			env.Setenv("PORT", port)
			env.Setenv("URL", "http://127.0.0.1:"+port)
			env.Setenv("PATH", filepath.Dir(binary)+string(os.PathListSeparator)+os.Getenv("PATH"))
			return err
		},
		Cmds:                commands(t),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// build makes the binary that the stories run. Every test makes its own: the
// build is cached, so that costs a link at most.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "ringtrue")
	cmd := exec.Command("go", "build", "-o", binary, "../cmd/ringtrue")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the binary: %v\n%s", err, out)
	}
	return binary
}

// bare is the environment without the operator's own settings.
func bare() []string {
	var env []string
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "RINGTRUE_") {
			env = append(env, v)
		}
	}
	return env
}

func freePort() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	return port, err
}
