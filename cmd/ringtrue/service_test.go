package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is told of a service that cannot be reached ends up in the logs of builds: the password in
// its address does not, however it is written.
func TestThePasswordOfAServiceIsNotTold(t *testing.T) {
	t.Parallel()
	foreign := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(foreign.Close)
	file := filepath.Join(t.TempDir(), "calls.jsonl")
	if err := os.WriteFile(file, []byte(`{"provider":"custom","payload":{"call_id":"c-1"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	nobody, other := freeAddress(t), strings.TrimPrefix(foreign.URL, "http://")
	for _, args := range [][]string{
		{"import", file}, {"review", "--since=2026-01-01"}, {"run", "--dataset=ds_1", "--agent=agt_1", "--to=+15550123"},
	} {
		for address, want := range map[string]string{
			"http://ada:hunter2@" + nobody:    "nothing answers at http://" + nobody,
			"http://hunter2@" + nobody + "/x": "nothing answers at http://" + nobody + "/x",
			"http://ada:hunter2@" + other:     "what answers at http://" + other + " is not a Ringtrue service",
			"http://ada:7#hunter2@" + nobody:  "--url: must have # written as %23",
			"http://hunter2/7@" + nobody:      "--url: must have # written as %23",
			"http://ada:hunter2#@" + nobody:   "--url: must be an http or https address",
		} {
			code, out, problems := ringtrue(t, append(args, "--key=rt_secret_0", "--url="+address)...)
			if code != exitCouldNot || !strings.Contains(problems, want) || strings.Contains(out+problems, "hunter2") || strings.Contains(problems, "ada") {
				t.Errorf("%s %s: exit code %d, %s", args[0], address, code, problems)
			}
		}
	}
	const address = "http://ada:hunter2@127.0.0.1:1"
	err := (&runCommand{URL: address}).explained(t.Context(), "ve_1", &url.Error{Op: "Get", URL: address, Err: io.ErrUnexpectedEOF})
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "http://127.0.0.1:1 has stopped answering") {
		t.Errorf("it says %v", err)
	}
}
