package main

import (
	"errors"
	"io"
	"sync"
	"syscall"

	"github.com/ringtrue/ringtrue/internal/problem"
)

// output is standard output. It remembers the error that kept a result from being written, for
// example a full disk, so that the command does not report success.
type output struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil {
		err = problem.New(problem.Unavailable, "the result could not be written").Because(err)
	}
	if o.err == nil && !errors.Is(err, syscall.EPIPE) { // who reads no further has read enough
		o.err = err
	}
	return n, err
}

// oneAtATime lets several goroutines write to one place, one write after the other.
type oneAtATime struct {
	mu  sync.Mutex
	out io.Writer
}

// Write implements io.Writer.
func (o *oneAtATime) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.out.Write(p)
}
