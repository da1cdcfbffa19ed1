package stories

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ringtrue/ringtrue/internal/store/postgres/pgtest"
)

// commands are what the scripts can do beside what testscript brings along.
func commands(t *testing.T) map[string]func(ts *testscript.TestScript, neg bool, args []string) {
	return map[string]func(ts *testscript.TestScript, neg bool, args []string){
		"await": await, "listens": listens, "query": query, "withkey": withKey, "exits": exits, "settled": settled, "freeport": freshPort,
		"postgres": func(ts *testscript.TestScript, _ bool, _ []string) {
			ts.Setenv("DATABASE", pgtest.Database(t))
		},
	}
}

// await waits until a URL answers 200: await URL. The services it waits for
// are processes of their own, so there is nothing else to wait on.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await URL")
	}
	if !answers(args[0]) {
		ts.Fatalf("%s does not answer", args[0])
	}
}

// patience is how long a story waits for what must come: long enough for a
// machine that has much else to do.
const patience = 90 * time.Second

// reviewPatience is how long a story waits until calls are reviewed as well, which they are
// only in time that nothing else on the machine wants.
const reviewPatience = 3 * patience

// answers reports whether the URL answers 200 in time.
func answers(url string) bool {
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		resp, err := http.Get(url)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return true
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// listens waits until somebody takes TCP connections: listens HOST:PORT. The
// practice agent does once it takes calls.
func listens(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: listens HOST:PORT")
	}
	if !accepts(args[0]) {
		ts.Fatalf("nobody listens at %s", args[0])
	}
}

// accepts reports whether the address takes a TCP connection in time.
func accepts(address string) bool {
	deadline := time.Now().Add(patience)
	for time.Now().Before(deadline) {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			conn.Close()
			return true
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// exits runs a program and checks its exit code: exits CODE PROGRAM [ARG]….
// Calls that are void because other programs kept the processor to themselves
// are evidence of nothing: then it is run again.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG]…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	const tries, void = 10, 2
	got := run(ts, args[1:])
	for try := 1; try < tries && got == void && want != void && saysStarved(ts.ReadFile("stdout")); try++ {
		ts.Logf("this machine was too busy: again")
		got = run(ts, args[1:])
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// run runs a program and returns its exit code.
func run(ts *testscript.TestScript, line []string) (code int) {
	err := ts.Exec(line[0], line[1:]...)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%s: %v", line[0], err)
	}
	if exit != nil {
		return exit.ExitCode()
	}
	return 0
}

// freshPort gives the next service of the story an address of its own.
func freshPort(ts *testscript.TestScript, _ bool, _ []string) {
	port, err := freePort()
	ts.Check(err)
	ts.Setenv("PORT", port)
	ts.Setenv("URL", "http://127.0.0.1:"+port)
}

// keyPattern is what an API key looks like.
func keyPattern() *regexp.Regexp { return regexp.MustCompile(`rt_[0-9a-f]+_[0-9a-f]+`) }

// query sends a request with the key that stands in a file, and checks the
// status; the body goes to the file "answer": query STATUS METHOD PATH KEYFILE [BODYFILE].
func query(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: query STATUS METHOD PATH KEYFILE [BODYFILE]")
	}
	var body io.Reader
	if len(args) > 4 {
		body = strings.NewReader(os.Expand(ts.ReadFile(args[4]), ts.Getenv))
	}
	req, err := http.NewRequest(args[1], ts.Getenv("URL")+"/api/rest"+os.Expand(args[2], ts.Getenv), body)
	ts.Check(err)
	req.Header.Set("Authorization", "Bearer "+keyPattern().FindString(ts.ReadFile(args[3])))
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	ts.Check(err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs("answer"), answer, 0o600))
	if got := resp.Status[:3]; got != args[0] {
		ts.Fatalf("%s %s: %s, want %s\n%s", args[1], args[2], got, args[0], answer)
	}
	remember(ts, answer)
}

// remember puts the ids of an answer into the environment: $ID_ds, $ID_ve.
func remember(ts *testscript.TestScript, answer []byte) {
	var fields map[string]any
	if json.Unmarshal(bytes.TrimSpace(answer), &fields) != nil {
		return
	}
	for _, name := range []string{"id", "voice_experiment_id"} {
		if id, ok := fields[name].(string); ok {
			prefix, _, _ := strings.Cut(id, "_")
			ts.Setenv("ID_"+prefix, id)
		}
	}
}

// settled waits until a call is scored: settled CALL KEYFILE.
func settled(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: settled CALL KEYFILE")
	}
	for range 300 {
		query(ts, false, []string{"200", "GET", "/calls/" + args[0], args[1]})
		if strings.Contains(ts.ReadFile("answer"), `"scoring_status":"SCORED"`) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	ts.Fatalf("the call is not scored")
}

// withKey puts the key that stands in a file into the environment: withkey FILE.
func withKey(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("RINGTRUE_KEY", keyPattern().FindString(ts.ReadFile(args[0])))
}
