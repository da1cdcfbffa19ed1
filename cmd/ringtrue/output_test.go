package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
)

type unwritable struct{ err error }

func (u unwritable) Write([]byte) (int, error) { return 0, u.err }

// An import whose outcome nobody can read must not be taken for a good one.
func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := any(map[string]any{"data": []any{}})
		if r.Method == http.MethodPost {
			w.WriteHeader(http.StatusAccepted)
			answer = map[string]any{"id": "call_1", "status": "accepted"}
		}
		_ = json.NewEncoder(w).Encode(answer) // the test sees when it does not arrive
	}))
	defer server.Close()
	for name, c := range map[string]struct {
		out  io.Writer
		code int
		says string
	}{
		"full disk": {unwritable{syscall.ENOSPC}, exitCouldNot, "could not be written"},
		"nobody":    {unwritable{syscall.EPIPE}, exitOK, ""},
		"read":      {new(bytes.Buffer), exitOK, ""},
	} {
		var errs bytes.Buffer
		args := []string{"import", "-", "--url", server.URL, "--key", "rt_key"}
		code := run(t.Context(), &world{args: args, in: strings.NewReader(`{"provider":"custom","payload":{}}`), out: c.out, err: &errs, version: "v1"})
		if code != c.code || !strings.Contains(errs.String(), c.says) {
			t.Errorf("%s: exit code %d, %s", name, code, errs.String())
		}
	}
}

// The fault is the output's, not the command line's.
func TestHelpThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--help"}, {"serve", "--help"}, {"--version"}, {"version"}, {"licenses"}} {
		var errs bytes.Buffer
		code := run(t.Context(), &world{args: args, out: unwritable{syscall.ENOSPC}, err: &errs, version: "v1"})
		if code != exitCouldNot || !strings.Contains(errs.String(), "could not be written") || strings.Contains(errs.String(), "Try") {
			t.Errorf("%v: exit code %d, %s", args, code, errs.String())
		}
	}
}
