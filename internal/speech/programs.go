package speech

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// slots bounds the number of programs that run at the same time.
type slots chan struct{}

func (s slots) take(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s slots) give() { <-s }

// programs runs the local programs.
type programs struct {
	look func(string) (string, error)
	dir  string
}

// aptPackage returns the Debian package that contains a program.
func aptPackage(name string) string {
	switch name {
	case sphinxProgram, batchProgram:
		return "pocketsphinx pocketsphinx-en-us"
	default:
		return name
	}
}

// find returns the path of a program, or a problem.Unavailable that says how to install it.
func (p *programs) find(name string) (string, error) {
	path, err := p.look(name)
	if err != nil {
		return "", problem.New(problem.Unavailable, "the program %q is not installed", name).
			WithHint("Install it: apt-get install %s", aptPackage(name)).Because(err)
	}
	return path, nil
}

// maxComplaint bounds how much of a program's standard error is kept.
const maxComplaint = 4 << 10

// tail keeps the last bytes written to it.
type tail struct{ buf []byte }

func (t *tail) Write(b []byte) (int, error) {
	t.buf = append(t.buf, b[max(0, len(b)-maxComplaint):]...)
	if over := len(t.buf) - maxComplaint; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(b), nil
}

// errTooMuch means that a program produced too much output.
type errTooMuch struct{}

func (errTooMuch) Error() string { return "the program wrote too much" }

// limitedBuffer accepts at most max bytes and then kills the program, which would otherwise wait
// forever to write more. The buffer is not embedded, as its ReadFrom would bypass the limit.
type limitedBuffer struct {
	buf bytes.Buffer
	max int
	end func(error)
}

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > b.max {
		b.end(errTooMuch{})
		return 0, errTooMuch{}
	}
	return b.buf.Write(p)
}

// run runs a program to completion at the given priority and returns its standard output.
func (p *programs) run(ctx context.Context, limit time.Duration, prio priority, name string, args ...string) ([]byte, error) {
	path, err := p.find(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.WaitDelay = time.Second
	out := &limitedBuffer{max: 16 << 20, end: end}
	complaint := &tail{}
	cmd.Stdout, cmd.Stderr = out, complaint
	if err := cmd.Start(); err != nil {
		return nil, problem.New(problem.Unavailable, "the program %q could not be started", name).Because(err)
	}
	lowerPriority(cmd.Process.Pid, prio)
	if err := cmd.Wait(); err != nil {
		return nil, failed(ctx, name, limit, err, complaint)
	}
	return out.buf.Bytes(), nil
}

func failed(ctx context.Context, name string, limit time.Duration, err error, complaint *tail) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return problem.New(problem.Unavailable, "%s did not finish within %s", name, limit).Because(err)
	}
	if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTooMuch{}) {
		return ctx.Err()
	}
	cause := err
	if too := context.Cause(ctx); too != nil {
		cause = too
	}
	if text := strings.TrimSpace(string(complaint.buf)); text != "" {
		lines := strings.Split(text, "\n")
		cause = fmt.Errorf("%w: %s", cause, lines[len(lines)-1])
	}
	return problem.New(problem.Unavailable, "%s failed", name).Because(cause)
}
