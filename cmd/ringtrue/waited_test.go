//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// mute is a pipe to which nobody writes for as long as any test waits; it says when it is read.
type mute struct{ read func() }

func (m mute) Read([]byte) (int, error) {
	m.read()
	time.Sleep(30 * time.Second)
	return 0, io.EOF
}

// silent is a service that has nothing and takes nothing.
func silent(t *testing.T) (address string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":[]}`) // the test sees when it does not arrive
	}))
	t.Cleanup(s.Close)
	return "--url=" + s.URL
}

// ended runs a command, which must end soon after its context.
func ended(t *testing.T, ctx context.Context, w *world) int {
	t.Helper()
	code := make(chan int, 1)
	go func() { code <- run(ctx, w) }()
	select {
	case c := <-code:
		return c
	case <-time.After(20 * time.Second):
		t.Fatalf("%v goes on", w.args)
		return 0
	}
}

// Who waits for a pipe is ended by the first signal. What an open of a pipe waits for nobody can see
// from outside, so that the signal comes by the clock.
func TestASignalEndsWhatWaitsForAPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe.yaml")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	const key = "--key=rt_secret_0"
	service := silent(t)
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"import from standard input": {[]string{"import", "-", key, service}, "stopped before everything was submitted"},
		"import from a pipe":         {[]string{"import", pipe, key, service}, "stopped before everything was submitted"},
		"run of a pipe":              {[]string{"run", pipe, "--agent=agt_1", "--to=+15550123", key, service}, "interrupted before it was done"},
		"rooms from standard input":  {[]string{"practice", "--rooms-from=-"}, "interrupted before it was done"},
		"rooms from a pipe":          {[]string{"practice", "--rooms-from=" + pipe}, "interrupted before it was done"},
		"the configuration":          {[]string{"version", "--config=" + pipe}, "interrupted before it was done"},
		"a token from a pipe":        {[]string{"practice", "--room=ws://127.0.0.1:1", "--token-file=" + pipe}, "interrupted before it was done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			if strings.Contains(name, "standard input") {
				t.Cleanup(stop)
			} else {
				time.AfterFunc(300*time.Millisecond, stop)
			}
			var out, errs bytes.Buffer
			code := ended(t, ctx, &world{args: c.args, in: mute{stop}, out: &out, err: &errs, version: "test"})
			if code != exitCouldNot || !strings.Contains(errs.String(), c.says) || strings.Contains(out.String(), "unreadable") {
				t.Errorf("exit code %d, %s%s", code, out.String(), errs.String())
			}
		})
	}
}

// What was begun when the signal came is no record that cannot be read.
func TestASignalInTheMiddleOfARecord(t *testing.T) {
	t.Parallel()
	for _, begun := range []string{"[{\"call_id\":", "{\"provider\":\n", "{\"provider\":\"custom\",\"payload\":{}}\n{\"prov"} {
		ctx, stop := context.WithCancel(t.Context())
		i := &importing{command: &importCommand{Files: []string{"-"}}, in: io.MultiReader(strings.NewReader(begun), mute{stop})}
		err := i.read(ctx, func(record) error { return nil })
		if err == nil || i.refused > 0 {
			t.Errorf("%q: %d refused %v, %v", begun, i.refused, i.refusals, err)
		}
	}
}
