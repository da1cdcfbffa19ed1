package fetch

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"
)

// Request is what is asked for.
type Request struct {
	// URL is the address as others gave it.
	URL string
	// Header is sent to the host of URL, by its scheme and at its port, and to no other:
	// credentials, Accept. A user and password in URL are too.
	Header http.Header
	// Body is sent where Header is, and has it asked for by POST; nil asks by GET.
	Body []byte
	// Query is added to URL: a token. Where that redirects to the same place it is added
	// again, unless the address has a query of its own.
	Query url.Values
	// Party is in whose name it is asked for: a host that rests does so for its party alone.
	Party string
	// MaxBytes is the largest body (default 1 GiB on disk, 8 MiB in memory).
	MaxBytes int64
	// Timeout is how long all of it may take, retries included (default 10 min).
	Timeout time.Duration
	// Tries is how often a server that is busy, broken or unreachable is asked (default 4).
	Tries int
	// Cut says that a body counts as it is which ends before the length that its server
	// tells, at the same place in two tries: there is no more of it to come.
	Cut bool
}

// Result is what came.
type Result struct {
	// Host is the host that gave it, after all redirects.
	Host string
	// Type is the media type that the server claims; nothing relies on it.
	Type string
	// Size is the length of the body in bytes.
	Size int64
	// Resumed is how often a broken connection was taken up again.
	Resumed int
	// Cut says that the server ended the body before the length that it told.
	Cut bool
}

// Body is a body on disk, in a file that has no name wherever the system can do
// without one: then not even a crash leaves it behind.
type Body struct {
	*os.File
	Result
	// named says that the file has a name to be removed.
	named bool
	way   *way
}

// Close closes the file, which ends it, and lets the next body come.
func (b *Body) Close() error {
	defer b.way.leave()
	err := b.File.Close()
	if !b.named {
		return err
	}
	if gone := os.Remove(b.Name()); err == nil {
		err = gone
	}
	return err
}

func (r Request) filled() Request {
	if r.MaxBytes <= 0 {
		r.MaxBytes = 1 << 30
	}
	if r.Timeout <= 0 {
		r.Timeout = 10 * time.Minute
	}
	if r.Tries <= 0 {
		r.Tries = 4
	}
	return r
}

// Get brings a body into a file of its own and stands at its beginning. Errors
// are *Error, or the context's own when the caller gave up. The caller closes
// the body.
func (c *Client) Get(ctx context.Context, r Request) (*Body, error) {
	ctx, w, err := c.lanes.enter(ctx)
	if err != nil {
		return nil, err
	}
	b := &Body{way: w}
	if b.File, b.named, err = scratch(c.o.Dir); err != nil {
		w.leave()
		return nil, err
	}
	if b.Result, err = c.bring(ctx, r.filled(), b.File, w); err == nil {
		err = w.arrived(ctx)
	}
	if err == nil {
		_, err = b.Seek(0, io.SeekStart)
	}
	if err != nil {
		_ = b.Close()
		return nil, err
	}
	return b, nil
}

// byName makes a file and takes its name from it at once, where the system lets it.
func byName(dir string) (f *os.File, named bool, err error) {
	if f, err = os.CreateTemp(dir, "fetch-*"); err != nil {
		return nil, false, err
	}
	return f, os.Remove(f.Name()) != nil, nil
}

// Bytes is Get for small things: the body comes in memory.
func (c *Client) Bytes(ctx context.Context, r Request) ([]byte, Result, error) {
	if r.MaxBytes <= 0 {
		r.MaxBytes = 8 << 20
	}
	m := &memory{}
	res, err := c.bring(ctx, r.filled(), m, nil)
	return m.Bytes(), res, err
}

// memory is a bytes.Buffer that can be begun anew.
type memory struct{ bytes.Buffer }

// Truncate cuts to a size that it once had.
func (m *memory) Truncate(size int64) error {
	m.Buffer.Truncate(int(size))
	return nil
}

// Seek is of no use, for writes go to the end.
func (m *memory) Seek(int64, int) (int64, error) { return 0, nil }

// target is where a body goes.
type target interface {
	io.WriteSeeker
	Truncate(size int64) error
}
