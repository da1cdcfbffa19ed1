package main

import (
	"errors"
	"io"
	"sync"
	"syscall"
)

// output is standard output, and remembers what kept it from being written: who asked for a
// result and got none, as on a disk that is full, must not be told that all is well.
type output struct {
	to  io.Writer
	err error
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if o.err == nil && !errors.Is(err, syscall.EPIPE) { // who reads no further has read enough
		o.err = err
	}
	return n, err
}

// oneAtATime is where several tell something at once.
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
