package client

import (
	"errors"
	"fmt"
	"io"
)

// reply is the body of an answer while it is read. It tells one that broke off from one that is
// whole and something else than was expected.
type reply struct {
	body io.Reader
	// left is how much more is read.
	left int64
	// broke is the error by which it ended, nil while it has not or came to its end.
	broke error
}

var errTooLarge = fmt.Errorf("it is larger than %d MiB", maxAnswer>>20)

// Read implements io.Reader.
func (r *reply) Read(p []byte) (int, error) {
	n, err := r.body.Read(p[:min(int64(len(p)), r.left+1)])
	if r.left -= int64(n); r.left < 0 {
		err = errTooLarge
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.broke = err
	}
	return n, err
}

// told is the error of an answer that broke off. Another may not do so, unless it is as large.
func (r *reply) told(of request) error {
	err := fmt.Errorf("the answer of %s %s broke off: %w", of.method, of.path, r.broke)
	if errors.Is(r.broke, errTooLarge) {
		return final{err}
	}
	return err
}

// final is an error that a second try would not spare anybody.
type final struct{ error }

// Unwrap returns what is wrong.
func (f final) Unwrap() error { return f.error }
