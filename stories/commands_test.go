package stories

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// await waits until a URL answers 200: await URL. The services it waits for
// are processes of their own, so there is nothing else to wait on.
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await URL")
	}
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		resp, err := http.Get(args[0])
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("%s does not answer", args[0])
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
	var fields map[string]any
	if json.Unmarshal(bytes.TrimSpace(answer), &fields) == nil {
		for _, name := range []string{"id", "voice_experiment_id"} {
			if id, ok := fields[name].(string); ok {
				prefix, _, _ := strings.Cut(id, "_")
				ts.Setenv("ID_"+prefix, id)
			}
		}
	}
}

// withKey puts the key that stands in a file into the environment: withkey FILE.
func withKey(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv("RINGTRUE_KEY", keyPattern().FindString(ts.ReadFile(args[0])))
}
