// Package stories tells what a user does, as scripts run against the real
// binary: testdata/*.txtar. Each gets a folder, a data folder and ports of its own.
package stories

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestStories(t *testing.T) {
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
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"await": await, "query": query, "withkey": withKey,
			"freeport": func(ts *testscript.TestScript, _ bool, _ []string) {
				port, err := freePort()
				ts.Check(err)
				ts.Setenv("PORT", port)
				ts.Setenv("URL", "http://127.0.0.1:"+port)
			},
		},
		RequireExplicitExec: true,
	})
}

// build makes the binary that the stories run.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "ringtrue")
	cmd := exec.Command("go", "build", "-o", binary, "../cmd/ringtrue")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("build the binary: %v\n%s", err, out)
	}
	return binary
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
