package main

import (
	"context"
	"io"
)

// waited does what may take for ever, as to open a pipe that nobody writes to, and leaves it to itself
// when the context ends: the system offers no way to break it off, and a signal must end the command.
func waited[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := do()
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		return o.value, o.err
	case <-ctx.Done():
		var nothing T
		return nothing, ctx.Err()
	}
}

// waitingReader is a reader whose Read returns when the context ends.
type waitingReader struct {
	ctx context.Context //nolint:containedctx // io.Reader has no room for it
	in  io.Reader
	// buffer is what a Read that was left to itself may still write to.
	buffer []byte
}

const waitingBuffer = 1 << 16

// Read implements io.Reader.
func (r *waitingReader) Read(p []byte) (int, error) {
	if r.buffer == nil {
		r.buffer = make([]byte, waitingBuffer)
	}
	if err := r.ctx.Err(); err != nil { // a Read that was left to itself may have the buffer still
		return 0, err
	}
	part := r.buffer[:min(len(p), len(r.buffer))]
	n, err := waited(r.ctx, func() (int, error) { return r.in.Read(part) })
	return copy(p, part[:n]), err
}
