// Package stories tells what a user does, as scripts run against the real
// binary: testdata/*.txtar. Each gets a folder, a data folder and ports of its
// own. What a script cannot tell well (the demo's report, processes that are
// killed) stands in Go beside them.
package stories

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
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

// built is the binary that the stories run: the one in RINGTRUE_BINARY, or one that
// is made once, because linking it takes a processor for many seconds.
var built = sync.OnceValues(func() (string, error) { //nolint:gochecknoglobals // see above
	if binary := os.Getenv("RINGTRUE_BINARY"); binary != "" {
		return binary, nil
	}
	folder, err := os.MkdirTemp("", "ringtrue-stories-")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "ringtrue")
	if out, err := exec.Command("go", "build", "-o", binary, "../cmd/ringtrue").CombinedOutput(); err != nil {
		return binary, fmt.Errorf("build the binary: %w\n%s", err, out)
	}
	return binary, nil
})

// TestMain builds the binary, so that no test has to do it in its time, and
// removes it in the end. The services of the stories mostly wait for calls and
// for each other, so that more of them than there are processors run at a time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	binary, _ := built() // each test fails with the error
	code := m.Run()
	if binary != "" && os.Getenv("RINGTRUE_BINARY") == "" {
		_ = os.RemoveAll(filepath.Dir(binary))
	}
	os.Exit(code)
}

// build returns the binary that the stories run.
func build(t *testing.T) string {
	t.Helper()
	binary, err := built()
	must(t, err)
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

// The ports of the stories' programs lie below those that systems give to
// connections and to calls, so that nobody takes one before its program does, or
// while that is dead.
const (
	firstPort = 10000
	ports     = 5000
)

// given holds the ports that freePort has found, for a program may not be up yet, or be down.
var given sync.Map //nolint:gochecknoglobals // the tests of one binary share one machine

// freePort finds a port of the loopback that is free over TCP and UDP, another one each time.
func freePort() (string, error) {
	for range 100 {
		port := strconv.Itoa(firstPort + rand.IntN(ports))
		if _, before := given.LoadOrStore(port, true); before {
			continue
		}
		tcp, err := net.Listen("tcp4", "127.0.0.1:"+port)
		if err != nil {
			continue
		}
		udp, err := net.ListenPacket("udp4", "127.0.0.1:"+port)
		if tcp.Close(); err != nil {
			continue
		}
		return port, udp.Close()
	}
	return "", errors.New("no port is free")
}
